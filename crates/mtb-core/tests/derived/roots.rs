use std::collections::BTreeMap;

use mtb_core::{Schema, SchemaProblem, SchemaRole, SchemaSource};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::types::{Adjacent, Documented, External, Internal, Just, Named, Tree, Unit, Untagged, Wrapped};

fn compile<T: JsonSchema + DeserializeOwned>() -> Result<Schema, Vec<SchemaProblem>> {
    Schema::compile(&SchemaSource::derived::<T>(), SchemaRole::Arguments)
}

#[track_caller]
fn refused<T: JsonSchema + DeserializeOwned>() {
    let problems = compile::<T>().unwrap_err();
    let told: Vec<_> = problems.iter().map(|problem| (&*problem.pointer, &*problem.problem)).collect();
    assert_eq!(told, [("", "the argument type is not always a JSON object")]);
    assert!(problems[0].remedy.contains("a struct with named fields"));
}

#[test]
fn a_root_that_is_not_always_an_object_is_refused() {
    refused::<String>();
    refused::<Vec<Named>>();
    refused::<(u8, u8)>();
    refused::<()>();
    refused::<Unit>();
    refused::<Wrapped>();
    refused::<Option<Named>>();
    refused::<External>();
    refused::<Documented>();
    refused::<Untagged>();
    refused::<serde_json::Value>();
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Transparent(#[expect(dead_code, reason = "only its schema is used")] Named);

#[test]
fn a_root_that_is_always_an_object_says_so() {
    for schema in [
        compile::<Named>(),
        compile::<Tree>(),
        compile::<Box<Named>>(),
        compile::<Transparent>(),
        compile::<Internal>(),
        compile::<Adjacent>(),
        compile::<BTreeMap<String, u8>>(),
        compile::<serde_json::Map<String, serde_json::Value>>(),
    ] {
        assert_eq!(schema.unwrap().value()["type"], "object");
    }
}

#[test]
fn every_problem_of_a_type_is_told_at_once() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Both {
        ip: std::net::IpAddr,
        sizes: BTreeMap<u8, u8>,
    }
    let pointers: Vec<_> = compile::<Both>().unwrap_err().into_iter().map(|problem| problem.pointer).collect();
    assert_eq!(pointers, ["/properties/ip/format", r"/properties/sizes/patternProperties/^\d+$"]);
    let pointers: Vec<_> = compile::<Vec<Both>>().unwrap_err().into_iter().map(|problem| problem.pointer).collect();
    assert_eq!(
        pointers,
        ["", "/$defs/Both/properties/ip/format", r"/$defs/Both/properties/sizes/patternProperties/^\d+$"]
    );
}

#[test]
fn a_struct_is_as_open_as_it_says() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Open {
        a: u8,
    }
    let open = compile::<Open>().unwrap();
    assert_eq!(open.value().get("additionalProperties"), None);
    assert_eq!(open.validate(&json!({"a": 1, "b": 2})), Ok(()));
    let closed = compile::<Just<u8>>().unwrap();
    assert_eq!(closed.value()["additionalProperties"], false);
    assert_eq!(closed.validate(&json!({"it": 1, "b": 2})).unwrap_err()[0].path, "/b");
    assert_eq!(closed.validate(&json!({"It": 1})).unwrap_err().len(), 2);
}
