//! What a model reads when it gets the arguments of a real tool wrong.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are rewritten with them")]

use expect_test::{Expect, expect};
use mtb_core::{Schema, SchemaRole, SchemaSource, UnknownArguments};
use serde_json::{Value, json};

/// The schema of a vendored tool, closed where it is silent.
fn schema(tool: &str) -> Schema {
    let catalogues = mtb_fixtures::catalogue();
    let mut definitions = catalogues.iter().flat_map(|catalogue| &catalogue.definitions);
    let definition = definitions.find(|definition| definition.name == tool).unwrap();
    let source = SchemaSource::text(definition.input_schema()).allow_formats(["json"]);
    let closed = Schema::compile(&source.clone().unknown_arguments(UnknownArguments::Refuse), SchemaRole::Arguments);
    // Where the dialect has no way to close it, it stays as it was declared.
    closed.unwrap_or_else(|_| Schema::compile(&source, SchemaRole::Arguments).unwrap())
}

#[expect(clippy::needless_pass_by_value, reason = "rows are written in place")]
fn check(tool: &str, arguments: Value, expected: Expect) {
    let issues = schema(tool).validate(&arguments).unwrap_err();
    let lines: Vec<String> = issues.iter().map(|issue| format!("{}: {}", issue.path, issue.message)).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn of_flat_arguments() {
    check(
        "git_log",
        json!({"repo": "/r", "max_count": "10"}),
        expect![[r#"
            /repo_path: is required
            /max_count: must be an integer, not a string
            /repo: is not a declared property; closest is `repo_path`
        "#]],
    );
    check(
        "maps_distance_matrix",
        json!({"origins": "Rome", "destination": ["Paris"], "mode": "car"}),
        expect![[r#"
            /origins: must be an array, not a string
            /destinations: is required
            /mode: must be one of: `driving`, `walking`, `bicycling`, `transit`
            /destination: is not a declared property; closest is `destinations`
        "#]],
    );
    check(
        "get_monitors",
        json!({"groupStates": ["alerting", "warn"], "tags": "env:prod"}),
        expect![[r#"
            /groupStates/0: must be one of: `alert`, `warn`, `no data`, `ok`; closest is `alert`
            /tags: must be an array, not a string
        "#]],
    );
    check(
        "fetch",
        json!({"url": "example.com", "max_length": 0, "raw": "yes"}),
        expect![[r#"
            /url: must be an absolute URI (format `uri`)
            /max_length: must be at least 1
            /raw: must be a boolean, not a string
        "#]],
    );
    check(
        "sequentialthinking",
        json!({"thought": 1, "thoughtNumber": 0, "totalThoughts": 2.5}),
        expect![[r#"
            /thought: must be a string, not an integer
            /nextThoughtNeeded: is required
            /thoughtNumber: must be at least 1
            /totalThoughts: must be an integer, not a number
        "#]],
    );
    check(
        "create_issue",
        json!({"owner": "o", "repository": "r", "title": null, "labels": [1]}),
        expect![[r#"
            /repo: is required
            /title: must be a string, not null
            /labels/0: must be a string, not an integer
            /repository: is not a declared property; closest is `repo`
        "#]],
    );
    check(
        "search-docs",
        json!([]),
        expect![[r#"
            : must be an object, not an array
        "#]],
    );
}

#[test]
fn of_unions() {
    check(
        "get_metric_data",
        json!({"limit": "5", "start_time": 5, "sort_order": "asc", "dimensions": [{"Name": "a"}], "statistic": "avg"}),
        expect![[r#"
            /start_time: must be a string or null, not an integer
            /dimensions/0/name: is required
            /dimensions/0/value: is required
            /statistic: must be one of: `AVG`, `COUNT`, `MAX`, `MIN`, `SUM`, `Average`, `Sum`, `Maximum`, `Minimum`, `SampleCount`; closest is `AVG`
            /limit: must be an integer or null, not a string
            /sort_order: must be null or one of: `ASC`, `DESC`; closest is `ASC`
        "#]],
    );
    check(
        "API-post-page",
        json!({"parent": {"page_id": "x"}, "properties": 1, "children": [{"paragraf": {}}]}),
        expect![[r#"
            /parent/page_id: must be a UUID (format `uuid`) (in form number 1 of 3, which comes closest)
            /properties: must be an object or a string, not an integer
        "#]],
    );
    check(
        "API-post-page",
        json!({"parent": {"type": "workplace"}, "properties": {}}),
        expect![[r#"
            /parent/page_id: is required (in form number 1 of 3, which comes closest)
        "#]],
    );
    check(
        "API-post-page",
        json!({"parent": 1, "properties": {}, "children": [{"paragraph": {"rich_text": [{"text": "x"}]}}]}),
        expect![[r#"
            /parent: must be an object or a string, not an integer
        "#]],
    );
    check(
        "browser_emulate_media",
        json!({"colorScheme": "Dark", "media": 1}),
        expect![[r#"
            /colorScheme: must be null or one of: `light`, `dark`; closest is `dark`
            /media: must be a string or null, not an integer
        "#]],
    );
}

#[test]
fn of_nested_objects() {
    check(
        "create_entities",
        json!({"entities": [{"name": "a", "type": "b"}, {"name": "a", "entityType": "b", "observations": "c"}]}),
        expect![[r#"
            /entities/0/entityType: is required
            /entities/0/observations: is required
            /entities/1/observations: must be an array, not a string
        "#]],
    );
    check(
        "push_files",
        json!({"owner": "o", "repo": "r", "branch": "b", "message": "m", "files": {"path": "p"}}),
        expect![[r#"
            /files: must be an array, not an object
        "#]],
    );
    check(
        "create-chat",
        json!({"body": {"chatType": 1, "createdDateTime": "yesterday", "members": [{"roles": "owner"}]}}),
        expect![[r#"
            /body/chatType: must be a string, not an integer
            /body/createdDateTime: must be a date and time with an offset, such as 2026-01-31T12:00:00Z (format `date-time`)
            /body/createdDateTime: must match the pattern `^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9…`
            /body/members/0/roles: must be an array, not a string
        "#]],
    );
    check(
        "edit_file",
        json!({"path": "p", "edits": [{"oldText": "a", "new_text": "b"}, "x"], "dryrun": true}),
        expect![[r#"
            /edits/0/newText: is required
            /edits/1: must be an object, not a string
            /dryrun: is not a declared property; closest is `dryRun`
        "#]],
    );
}
