use std::collections::BTreeMap;

use mtb_core::{Schema, SchemaRole, SchemaSource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Report {
    #[serde(default)]
    open: u8,
    #[serde(rename(serialize = "closedAt", deserialize = "closed_at"))]
    closed: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    notes: Vec<String>,
    #[serde(skip_deserializing)]
    by_day: BTreeMap<u8, f32>,
}

#[test]
fn an_output_schema_says_what_the_type_writes() {
    let schema = Schema::compile(&SchemaSource::derived_output::<Report>(), SchemaRole::Output).unwrap();
    let report = Report { open: 3, closed: None, notes: Vec::new(), by_day: BTreeMap::from([(7, 0.5)]) };
    let written = serde_json::to_value(report).unwrap();
    assert_eq!(written, json!({"open": 3, "closedAt": null, "by_day": {"7": 0.5}}));
    assert_eq!(schema.validate(&written), Ok(()));
    for (wrong, path) in [
        (json!({"closedAt": null, "by_day": {}}), "/open"),
        (json!({"open": 256, "closedAt": null, "by_day": {}}), "/open"),
        (json!({"open": 1, "closedAt": null, "by_day": {"7": null}}), "/by_day/7"),
        (json!({"open": 1, "closedAt": null, "by_day": {"mon": 1}}), "/by_day/mon"),
    ] {
        assert_eq!(schema.validate(&wrong).unwrap_err()[0].path, path);
    }
}

#[test]
fn an_output_can_be_any_value() {
    let schema = Schema::compile(&SchemaSource::derived_output::<Vec<i8>>(), SchemaRole::Output).unwrap();
    assert_eq!(schema.validate(&json!([-1])), Ok(()));
    assert_eq!(schema.validate(&json!([128])).unwrap_err()[0].path, "/0");
}
