//! Prints arguments made from real schemas, each with what our validator says: cases for another validator to judge.
//!
//! `differential COUNT` makes COUNT arguments that mostly fit and COUNT that mostly do not, for each schema that is
//! accepted. A line of JSON on stdout is a schema: `{"tool", "part", "schema", "cases": [{"value", "refused"}]}`, where
//! `refused` holds `[keyword, text]` for each issue, the text being the keyword's value where that is a text.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use mtb_core::json::Limits;
use mtb_core::{CanonicalJson, Schema, SchemaRole, SchemaSource};
use mtb_fixtures::Part;
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn main() -> ExitCode {
    let Some(count) = std::env::args().nth(1).and_then(|count| count.parse().ok()) else {
        eprintln!("usage: differential COUNT");
        return ExitCode::from(2);
    };
    match print(count, &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print(count: u64, to: &mut impl Write) -> io::Result<()> {
    for catalogue in mtb_fixtures::full_catalogue().unwrap_or_else(mtb_fixtures::catalogue) {
        for definition in &catalogue.definitions {
            for (part, text) in definition.schemas() {
                let role = match part {
                    Part::Input => SchemaRole::Arguments,
                    Part::Output => SchemaRole::Output,
                };
                let Ok(schema) = Schema::compile(&SchemaSource::text(text), role) else { continue };
                let document: &RawValue = serde_json::from_str(text)?;
                let cases: Vec<Value> = (0..count).flat_map(|seed| cases(&schema, seed)).collect();
                let tool = format!("{}: {}", catalogue.file, definition.name);
                let (tool, part, cases) = (json!(tool), json!(format!("{part:?}")), json!(cases));
                writeln!(to, r#"{{"tool":{tool},"part":{part},"schema":{document},"cases":{cases}}}"#)?;
            }
        }
    }
    to.flush()
}

/// An argument that mostly fits and one that mostly does not, in the form in which arguments are judged.
fn cases(schema: &Schema, seed: u64) -> impl Iterator<Item = Value> {
    let document = schema.value();
    let values = [mtb_fixtures::valid(document, seed), mtb_fixtures::broken(document, seed)];
    let limits = Limits::default();
    let canonical = values.map(|value| CanonicalJson::from_value(&value, &limits).ok());
    canonical.into_iter().flatten().map(|canonical| {
        let value = canonical.value();
        let issues = schema.validate(value).err().unwrap_or_default();
        let said = issues
            .iter()
            .map(|issue| json!([issue.keyword, document.pointer(&issue.declared).filter(|it| it.is_string())]));
        json!({"value": value, "refused": said.collect::<Vec<_>>()})
    })
}
