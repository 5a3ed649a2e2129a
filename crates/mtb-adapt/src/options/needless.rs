//! What options allow although it is checked all the same: whoever allows it thinks otherwise.

use mtb_core::{Schema, SchemaProblem, SchemaRole, SchemaSource};

use super::SchemaOptions;

/// A schema without problems of its own: with allowances, it has theirs only.
const PLAIN: &str = r#"{"type": "object"}"#;

/// Takes every needless point out, and says what is wrong with it.
pub(super) fn remove(options: &mut SchemaOptions) -> Vec<SchemaProblem> {
    let mut needless = Vec::new();
    let mut is_needed = |allow: &dyn Fn(SchemaSource) -> SchemaSource| {
        let compiled = Schema::compile(&allow(SchemaSource::text(PLAIN)), SchemaRole::Arguments);
        compiled.map_err(|problems| needless.extend(problems)).is_ok()
    };
    options.formats.retain(|format| is_needed(&|schema| schema.allow_formats([format])));
    options.keywords.retain(|keyword| is_needed(&|schema| schema.allow_keywords([keyword])));
    options.dialects.retain(|uri, read_as| is_needed(&|schema| schema.allow_dialect(uri.as_str(), *read_as)));
    needless
}
