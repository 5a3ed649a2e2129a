use mtb_core::decode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agree::compile;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Order {
    copies: u8,
    rush: bool,
    note: String,
    #[serde(default)]
    #[schemars(default = "five")]
    stars: u8,
    gift: Option<String>,
}

fn five() -> u8 {
    5
}

fn with(name: &str, value: Value) -> Value {
    let mut order = json!({"copies": 1, "rush": false, "note": ""});
    order[name] = value;
    order
}

#[test]
fn nothing_is_turned_into_another_kind() {
    let schema = compile::<Order>();
    for (name, value) in [
        ("copies", json!("3")),
        ("copies", json!(true)),
        ("copies", json!(1.5)),
        ("copies", json!(256)),
        ("copies", json!(-1)),
        ("copies", json!([1])),
        ("copies", json!(null)),
        ("rush", json!("true")),
        ("rush", json!(0)),
        ("rush", json!(null)),
        ("note", json!(3)),
        ("note", json!(null)),
        ("stars", json!(null)),
        ("stars", json!("5")),
        ("gift", json!(0)),
        ("gift", json!(false)),
    ] {
        let order = with(name, value);
        assert_eq!(schema.validate(&order).unwrap_err()[0].path, format!("/{name}"), "{order}");
        assert!(decode::<Order>(&order).is_err(), "{order}");
    }
    for (name, value) in [("copies", json!(255.0)), ("gift", json!(null)), ("gift", json!("yes"))] {
        let order = with(name, value);
        assert_eq!(schema.validate(&order), Ok(()), "{order}");
        assert!(decode::<Order>(&order).is_ok(), "{order}");
    }
}

/// The default of the schema is told to clients; what a missing argument means is for the type to say.
#[test]
fn the_default_of_the_schema_is_not_applied() {
    let schema = compile::<Order>();
    assert_eq!(schema.value()["properties"]["stars"]["default"], json!(5));
    let order = json!({"copies": 1, "rush": false, "note": ""});
    assert_eq!(schema.validate(&order), Ok(()));
    let expected = Order { copies: 1, rush: false, note: String::new(), stars: 0, gift: None };
    assert_eq!(decode::<Order>(&order).unwrap(), expected);
}
