//! Whatever text is declared as a schema, it is refused with a place in it, or it judges values.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mtb_core::{MAX_ISSUES, Schema, SchemaRole, SchemaSource};
use serde_json::json;

fuzz_target!(|text: &str| {
    for role in [SchemaRole::Arguments, SchemaRole::Output] {
        match Schema::compile(&SchemaSource::text(text), role) {
            Err(problems) => assert!(!problems.is_empty(), "refused without a reason"),
            Ok(schema) => {
                assert_eq!(schema.text().len(), text.trim().len(), "the text was changed");
                for value in [json!({}), json!({"a": [1, "b", {"c": null}]}), json!("text")] {
                    let issues = schema.validate(&value).err().unwrap_or_default();
                    assert!(issues.len() <= MAX_ISSUES);
                }
            }
        }
    }
});
