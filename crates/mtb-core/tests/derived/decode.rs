use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use mtb_core::decode;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Error};
use serde_json::{Value, json};

/// A text that refuses what its schema would accept, and says what it refused.
#[derive(Debug)]
struct Picky;

impl<'de> Deserialize<'de> for Picky {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        if text == "fine" { Ok(Self) } else { Err(D::Error::custom(format!("{text} is not fine"))) }
    }
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only read by Deserialize")]
enum Form {
    Text(Picky),
    Pair(u8, Picky),
    Fields { it: Option<Box<Picky>> },
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only read by Deserialize")]
enum Untagged {
    One { it: Picky },
    Other { it: bool },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type")]
#[expect(dead_code, reason = "only read by Deserialize")]
enum Tagged {
    One { it: Vec<Picky> },
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only read by Deserialize")]
struct Flat {
    #[serde(flatten)]
    inner: BTreeMap<String, Picky>,
}

#[track_caller]
fn check<T: DeserializeOwned + std::fmt::Debug>(value: &Value, path: &str) {
    let issue = decode::<T>(value).unwrap_err();
    assert_eq!(issue.path, path);
    assert_eq!(issue.message, "is not accepted by the tool's argument type");
    assert_eq!((&*issue.keyword, &*issue.declared), ("type", ""));
}

#[test]
fn a_refusal_names_the_place_and_not_the_value() {
    let no = "5107";
    check::<Picky>(&json!(no), "");
    check::<Vec<Picky>>(&json!(["fine", no]), "/1");
    check::<BTreeMap<String, Vec<Picky>>>(&json!({"a/b~c": [no]}), "/a~1b~0c/0");
    check::<(u8, IpAddr)>(&json!([1, "home"]), "/1");
    check::<Option<BTreeMap<String, SocketAddr>>>(&json!({"": "home"}), "/");
    let [long, cut] = [200, 128].map(|times| "n".repeat(times));
    check::<BTreeMap<String, Picky>>(&json!({(long): no}), &format!("/{cut}…"));
    check::<BTreeMap<String, Picky>>(&json!({"a\u{202e}b\n": no}), "/ab ");
    // A number that is rewritten stands where it stood.
    check::<(u8, Picky)>(&json!([2.0, no]), "/1");
}

#[test]
fn a_variant_is_a_member_of_the_value_only_when_it_has_content() {
    check::<Form>(&json!({"Text": "no"}), "/Text");
    check::<Form>(&json!({"Pair": [1, "no"]}), "/Pair/1");
    check::<Vec<Form>>(&json!([{"Fields": {"it": "no"}}]), "/0/Fields/it");
    check::<Vec<Form>>(&json!(["Text"]), "/0");
    check::<Vec<Form>>(&json!(["Other"]), "/0");
}

/// Where `serde` reads a whole value before it looks inside.
#[test]
fn the_closest_place_is_named_where_the_exact_one_is_not_known() {
    check::<BTreeMap<String, Vec<Untagged>>>(&json!({"list": [{"it": "no"}]}), "/list/0");
    check::<Vec<Tagged>>(&json!([{"type": "One", "it": ["no"]}]), "/0");
    check::<Vec<Flat>>(&json!([{"it": "no"}]), "/0");
}
