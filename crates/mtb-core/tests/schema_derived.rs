//! Schemas derived from Rust types.
#![cfg(feature = "schemars")]

use std::collections::BTreeMap;

use mtb_core::{Schema, SchemaProblem, SchemaRole, SchemaSource, decode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// A booking.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only read by Deserialize")]
struct Booking {
    #[schemars(extend("format" = "email"))]
    email: String,
    #[serde(default = "two")]
    guests: u8,
    big: Option<u64>,
    signed: Option<i64>,
    small: Option<f32>,
    #[serde(rename = "slots")]
    times: Vec<Slot>,
    kind: Option<Kind>,
    labels: Option<BTreeMap<String, bool>>,
}

const fn two() -> u8 {
    2
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only read by Deserialize")]
struct Slot {
    hour: i32,
    next: Option<Box<Slot>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only read by Deserialize")]
enum Kind {
    Plain,
    Named { name: String },
    Counted(u16),
}

fn compile<T: JsonSchema + DeserializeOwned>() -> Result<Schema, Vec<SchemaProblem>> {
    Schema::compile(&SchemaSource::derived::<T>(), SchemaRole::Arguments)
}

#[test]
fn a_type_becomes_a_strict_schema() {
    let schema = compile::<Booking>().unwrap();
    let value = schema.value();
    assert_eq!(value["required"], json!(["email", "slots"])); // case 262
    assert_eq!(value["additionalProperties"], false);
    assert_eq!((value.get("$schema"), value.get("title")), (None, None));
    assert!(!schema.text().contains("int32") && !schema.text().contains("uint"));
    let bad = json!({"email": "x", "guests": 256, "slots": [{"hour": "9"}]});
    let paths: Vec<_> = schema.validate(&bad).unwrap_err().into_iter().map(|issue| issue.path).collect();
    assert_eq!(paths, ["/email", "/slots/0/hour", "/guests"]); // case 264
    let wide = json!({"email": "ada@example.com", "slots": [{"hour": 3_000_000_000_i64}]});
    assert_eq!(schema.validate(&wide).unwrap_err()[0].path, "/slots/0/hour");
    let good = json!({"email": "ada@example.com", "slots": []});
    assert_eq!(schema.validate(&good), Ok(()));
    assert_eq!(decode::<Booking>(&good).unwrap().guests, 2); // case 263
}

#[test]
fn types_that_are_no_strict_object_are_refused() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Address {
        ip: std::net::IpAddr,
    }
    assert_eq!(compile::<Address>().unwrap_err()[0].pointer, "/properties/ip/format"); // case 267
    assert_eq!(compile::<String>().unwrap_err()[0].pointer, "");
    assert_eq!(compile::<Option<Booking>>().unwrap_err()[0].pointer, "");
    assert!(compile::<Vec<u8>>().is_err());
}

#[test]
fn a_hand_written_refusal_quotes_nothing() {
    #[derive(Debug)]
    struct Even;
    impl<'de> Deserialize<'de> for Even {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let number = u64::deserialize(from)?;
            if number.is_multiple_of(2) { Ok(Self) } else { Err(serde::de::Error::custom(format!("{number} is odd"))) }
        }
    }
    assert!(decode::<Even>(&json!(2.0)).is_ok());
    let issue = decode::<Even>(&json!(5107)).unwrap_err(); // case 265
    assert_eq!(issue.message, "is not accepted by the tool's argument type");
    assert!(!format!("{issue:?}").contains("5107"));
}
