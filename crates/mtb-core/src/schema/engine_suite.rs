//! The official JSON-Schema-Test-Suite for the schemas that strictness refuses: what the engine itself says of them.
//! `tests/schema_suite.rs` judges the accepted ones, and says where the suite comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use expect_test::{ExpectFile, expect_file};
use serde_json::Value;

use super::engine::Checks;
use super::{Dialect, Schema, SchemaRole, SchemaSource, format};

/// How the tests end that expect nothing of a format or a content, which are always checked here.
const ANNOTATIONS: [&str; 2] = ["is only an annotation by default", "; validates true"];

/// The files in which the engine may say otherwise, and why.
const REASONS: [(&str, &str); 3] = [
    ("idn-email", "a format that needs tables of Unicode, which are not compiled in"),
    ("idn-hostname", "a format that needs tables of Unicode, which are not compiled in"),
    ("vocabulary", "a dialect of its own, which is read as another"),
];

#[test]
fn refused_schemas_of_draft_7() {
    check("draft7", Dialect::Draft7, &expect_file!["../../tests/schema_suite/draft7-engine.txt"]);
}

#[test]
fn refused_schemas_of_2020_12() {
    check("draft2020-12", Dialect::Draft202012, &expect_file!["../../tests/schema_suite/draft2020-12-engine.txt"]);
}

#[track_caller]
fn check(folder: &str, dialect: Dialect, golden: &ExpectFile) {
    let Some(suite) = mtb_fixtures::folder_in("MTB_SCHEMA_SUITE", "the official test suite was not run") else {
        return;
    };
    let mut judged = 0;
    let (mut wrong, mut uncompiled) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    for place in [folder.to_owned(), format!("{folder}/optional"), format!("{folder}/optional/format")] {
        for (file, group) in groups(&suite.join("tests").join(&place)) {
            let mut schema = group["schema"].clone();
            if let (Dialect::Draft7, Value::Object(keywords)) = (dialect, &mut schema) {
                keywords.entry("$schema").or_insert_with(|| dialect.uri().into());
            }
            if Schema::compile(&SchemaSource::value(schema.clone()), SchemaRole::Output).is_ok() {
                continue;
            }
            let mut checks = Checks::new(dialect);
            format::names().for_each(|name| assert!(checks.add_format(name, &BTreeSet::new())));
            let Ok(engine) = checks.compile(&schema) else {
                *uncompiled.entry(file).or_default() += 1;
                continue;
            };
            for case in group["tests"].as_array().unwrap() {
                let description = case["description"].as_str().unwrap();
                let is_annotation = ANNOTATIONS.iter().any(|ending| description.ends_with(ending));
                judged += 1;
                if !is_annotation && Some(engine.is_valid(&case["data"])) != case["valid"].as_bool() {
                    assert!(REASONS.iter().any(|(known, _)| *known == file), "{place}/{file}: {group}: {description}");
                    *wrong.entry(file.clone()).or_default() += 1;
                }
            }
        }
    }
    assert!(judged > 0, "nothing of {folder} was judged");
    let mut told = format!("{judged} tests of refused schemas; otherwise than the suite says:\n");
    for (file, reason) in REASONS {
        wrong.get(file).into_iter().for_each(|count| writeln!(told, "{count:4}  {file}: {reason}").unwrap());
    }
    told.push_str("not compiled, since they refer to other documents:\n");
    for (file, count) in uncompiled {
        writeln!(told, "{count:4}  {file}").unwrap();
    }
    golden.assert_eq(&told);
}

fn groups(folder: &Path) -> Vec<(String, Value)> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let read = files.iter().map(|path| {
        let groups: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let file = path.file_stem().unwrap().to_string_lossy().into_owned();
        groups.into_iter().map(move |group| (file.clone(), group)).collect::<Vec<_>>()
    });
    read.flatten().collect()
}
