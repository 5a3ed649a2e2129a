//! Whatever arguments come, in canonical form a real schema accepts them or says why not.
//!
//! The input is two bytes that choose the schema, eight that seed a value near it, and JSON text; the text, where it is
//! JSON, takes the value's place.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use mtb_core::json::Limits;
use mtb_core::{CanonicalJson, MAX_ISSUES, Schema, SchemaRole, SchemaSource};
use serde_json::Value;

/// Every so many of the vendored schemas; all of them would take too long to begin.
const STEP: usize = 8;

fn schemas() -> &'static [(Schema, Value)] {
    static SCHEMAS: OnceLock<Vec<(Schema, Value)>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let catalogues = mtb_fixtures::catalogue();
        let definitions = catalogues.iter().flat_map(|catalogue| &catalogue.definitions).step_by(STEP);
        let compiled = definitions.filter_map(|definition| {
            let text = definition.input_schema();
            let schema = Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).ok()?;
            Some((schema, serde_json::from_str(text).ok()?))
        });
        compiled.collect()
    })
}

fuzz_target!(|data: (u16, u64, &str)| {
    let (chosen, seed, text) = data;
    let schemas = schemas();
    let (schema, document) = &schemas[usize::from(chosen) % schemas.len()];
    let limits = Limits::default();
    let written = CanonicalJson::from_text(text, &limits);
    let Ok(arguments) = written.or_else(|_| CanonicalJson::from_value(&mtb_fixtures::broken(document, seed), &limits))
    else {
        return;
    };
    if let Err(issues) = schema.validate(arguments.value()) {
        assert!((1..=MAX_ISSUES).contains(&issues.len()), "{} issues", issues.len());
        for issue in issues {
            assert!(!issue.message.is_empty() && !issue.message.contains('\n'));
        }
    }
});
