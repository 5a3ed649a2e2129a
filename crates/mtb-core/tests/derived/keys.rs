use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;

use mtb_core::{Schema, SchemaRole, SchemaSource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::types::{Documented, Just, Kind};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type")]
#[expect(dead_code, reason = "only its schema is used")]
enum Tagged {
    Map { of: BTreeMap<bool, u8> },
    Text { of: String },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Flat {
    id: u8,
    #[serde(flatten)]
    rest: HashMap<char, u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Tree {
    #[serde(default)]
    children: Vec<Tree>,
    sizes: Option<BTreeMap<(u8, u8), u8>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
struct Code(#[schemars(regex(pattern = r"^\d+$"))] String);

/// Checks at which places of the schema keys are refused.
#[track_caller]
fn check<T: JsonSchema + DeserializeOwned>(places: &[&str]) {
    let problems = Schema::compile(&SchemaSource::derived::<T>(), SchemaRole::Arguments).err().unwrap_or_default();
    let found: Vec<_> = problems.iter().map(|problem| &*problem.pointer).collect();
    assert_eq!(found, places);
    assert!(problems.iter().all(|problem| problem.problem.contains("keys of this map")), "{problems:?}");
}

#[test]
fn keys_that_the_schema_accepts_and_the_type_does_not_are_refused_at_start_up() {
    check::<HashMap<u8, u8>>(&[r"/patternProperties/^\d+$"]);
    check::<Just<(u8, HashMap<u8, u8>)>>(&[r"/properties/it/prefixItems/1/patternProperties/^\d+$"]);
    check::<BTreeMap<i64, u8>>(&[r"/patternProperties/^-?\d+$"]);
    check::<BTreeMap<bool, u8>>(&["/additionalProperties"]);
    check::<BTreeMap<char, ()>>(&["/additionalProperties"]);
    check::<BTreeMap<Result<u8, bool>, u8>>(&["/additionalProperties"]);
    check::<BTreeMap<Documented, u8>>(&["/additionalProperties"]);
    check::<Just<BTreeMap<(u8, u8), Kind>>>(&["/properties/it/additionalProperties"]);
    check::<Just<Option<Vec<BTreeMap<bool, u8>>>>>(&["/properties/it/items/additionalProperties"]);
    check::<Just<(u8, BTreeMap<bool, u8>)>>(&["/properties/it/prefixItems/1/additionalProperties"]);
    check::<BTreeMap<String, BTreeMap<bool, SocketAddr>>>(&["/additionalProperties/additionalProperties"]);
    check::<Tagged>(&["/oneOf/0/properties/of/additionalProperties"]);
    check::<Just<Vec<Tagged>>>(&["/$defs/Tagged/oneOf/0/properties/of/additionalProperties"]);
    check::<Flat>(&["/additionalProperties"]);
    check::<Tree>(&["/properties/sizes/additionalProperties"]);
    check::<Just<(HashMap<u8, u8>, BTreeMap<bool, u8>)>>(&[
        r"/properties/it/prefixItems/0/patternProperties/^\d+$",
        "/properties/it/prefixItems/1/additionalProperties",
    ]);
}

#[test]
fn keys_of_text_and_of_plain_variants_are_fine() {
    check::<BTreeMap<String, u8>>(&[]);
    check::<BTreeMap<Kind, u8>>(&[]);
    check::<BTreeMap<Option<String>, u8>>(&[]);
    check::<BTreeMap<Code, u8>>(&[]);
    // The values are what is refused here, each by itself.
    check::<BTreeMap<String, SocketAddr>>(&[]);
    check::<Just<Vec<BTreeMap<String, SocketAddr>>>>(&[]);
}
