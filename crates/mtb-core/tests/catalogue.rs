//! Tool definitions of real servers: nearly all are accepted strictly, and each refusal is listed with its place.

#![expect(clippy::unwrap_used, reason = "a string takes every text")]

use std::fmt::Write;

use expect_test::{ExpectFile, expect_file};
use mtb_core::{Schema, SchemaRole, SchemaSource};
use mtb_fixtures::{Catalogue, Definition, Part};

/// At least so many of a thousand definitions are accepted.
const ACCEPTED_PER_MILLE: usize = 995;

#[test]
fn vendored_definitions() {
    check(&mtb_fixtures::catalogue(), &expect_file!["catalogue/vendored.txt"]);
}

#[test]
fn all_definitions() {
    if let Some(catalogues) = mtb_fixtures::full_catalogue() {
        check(&catalogues, &expect_file!["catalogue/all.txt"]);
    }
}

#[track_caller]
fn check(catalogues: &[Catalogue], golden: &ExpectFile) {
    let (mut count, mut accepted, mut refusals) = (0, 0, String::new());
    for catalogue in catalogues {
        for definition in &catalogue.definitions {
            let problems = problems(definition);
            count += 1;
            accepted += usize::from(problems.is_empty());
            for problem in problems {
                writeln!(refusals, "{}: {}: {problem}", catalogue.file, definition.name).unwrap();
            }
        }
    }
    golden.assert_eq(&format!("{accepted} of {count} accepted; the others:\n{refusals}"));
    assert!(accepted * 1_000 >= count * ACCEPTED_PER_MILLE, "only {accepted} of {count} are accepted:\n{refusals}");
}

/// What is wrong with a definition; a schema without a problem must reach clients as it came.
fn problems(definition: &Definition) -> Vec<String> {
    let mut problems = Vec::new();
    for (part, text) in definition.schemas() {
        let (role, name) = match part {
            Part::Input => (SchemaRole::Arguments, "inputSchema"),
            Part::Output => (SchemaRole::Output, "outputSchema"),
        };
        match Schema::compile(&SchemaSource::text(text), role) {
            Ok(schema) => assert_eq!(schema.text(), text, "{} was rewritten", definition.name),
            Err(refused) => problems.extend(refused.iter().map(|it| format!("{name}{}: {}", it.pointer, it.problem))),
        }
    }
    problems
}
