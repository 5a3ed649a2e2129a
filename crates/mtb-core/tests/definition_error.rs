//! What is wrong with declarations, as text, as a table and as JSON.
#![expect(clippy::unwrap_used, reason = "what a test relies on fails the test")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are rewritten with them")]

use expect_test::expect;
use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem};
use serde_json::{Value, json};

fn problem(tool: &str, pointer: &str, problem: &str, remedy: &str) -> DefinitionProblem {
    DefinitionProblem::new(tool, pointer, DefinitionCode::InvalidSchema, problem, remedy)
}

fn error(problems: Vec<DefinitionProblem>) -> DefinitionError {
    DefinitionError::unless_empty(problems).unwrap_err()
}

/// Three problems of two tools and one of no tool, the first tool's apart from each other.
fn mixed() -> DefinitionError {
    error(vec![
        problem("pay", "/0/parameters/type", "`dict` is no type of JSON Schema", "write `object` for `dict`"),
        problem("", "/1", "a definition is a JSON object", "write it in the form of Anthropic, MCP or OpenAI"),
        problem("ship", "/2", "the tool has no governance", "say how much harm it can do"),
        problem("pay", "/0/parameters/minimun", "`minimun` is not a keyword", "the closest keyword is `minimum`"),
    ])
}

#[test]
fn the_text_has_a_line_for_each_problem() {
    let one = error(vec![problem("pay", "/0", "it is wrong", "mend it")]);
    let text = "1 problem in the declared tools\n- tool `pay`, at `/0`: it is wrong (invalid_schema); mend it";
    assert_eq!([one.to_string(), format!("{one:?}")], [text; 2]);
    assert!(mixed().to_string().starts_with("4 problems in the declared tools\n"));
    assert!(one.has(DefinitionCode::InvalidSchema) && !one.has(DefinitionCode::InvalidName));
    assert_eq!(one.problems(), one.clone().into_problems());
    assert_eq!(one.into_problems().len(), 1);
}

#[test]
fn the_table_is_aligned() {
    expect![[r#"
        | tool | place                 | problem                          | remedy                             |
        | ---- | --------------------- | -------------------------------- | ---------------------------------- |
        | pay  | /0/parameters/type    | `dict` is no type of JSON Schema | write `object` for `dict`          |
        |      | /1                    | a definition is a JSON object    | write it in the form of Anthropic, |
        |      |                       |                                  | MCP or OpenAI                      |
        | ship | /2                    | the tool has no governance       | say how much harm it can do        |
        | pay  | /0/parameters/minimun | `minimun` is not a keyword       | the closest keyword is `minimum`   |
    "#]]
    .assert_eq(&mixed().table().to_string());
}

#[test]
fn the_table_stays_narrow_and_loses_nothing() {
    let long = ["a".repeat(300), "/b".repeat(100), "word ".repeat(60), "c".repeat(37)];
    let table = error(vec![problem(&long[0], &long[1], &long[2], &long[3])]).table().to_string();
    assert!(table.lines().all(|line| line.chars().count() <= 128 + 48 + 36 + 36 + 13), "{table}");
    for (column, text) in long.iter().enumerate() {
        let cell = |line: &str| line.split(" | ").nth(column).unwrap().replace(['|', ' '], "");
        let written: String = table.lines().skip(2).map(cell).collect();
        assert_eq!(written, text.replace(' ', ""), "{table}");
    }
}

#[test]
fn nothing_in_a_text_changes_how_it_is_shown() {
    for hostile in ["a\u{1b}[2Jb", "a\nb", "a\u{202e}b", "a\rb", "a\u{200b}b"] {
        let error = error(vec![problem(hostile, &format!("/{hostile}"), hostile, hostile)]);
        let shown = format!("{}\n{error}", error.table());
        // One line each: head, rule and row of the table; then, after a blank one, the text's two.
        assert_eq!(shown.lines().count(), 6, "{shown:?}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\r', '\u{200b}']), "{shown:?}");
    }
}

#[test]
fn json_tells_each_tool_once() {
    let error = mixed();
    let json: Value = serde_json::from_str(&error.to_json()).unwrap();
    assert_eq!(serde_json::to_value(&error).unwrap(), json);
    let names: Vec<_> = json.as_array().unwrap().iter().map(|tool| tool["tool"].as_str().unwrap()).collect();
    assert_eq!(names, ["pay", "", "ship"]);
    assert_eq!(
        json[0]["problems"],
        json!([
            {"pointer": "/0/parameters/type", "code": "invalid_schema",
             "problem": "`dict` is no type of JSON Schema", "remedy": "write `object` for `dict`"},
            {"pointer": "/0/parameters/minimun", "code": "invalid_schema",
             "problem": "`minimun` is not a keyword", "remedy": "the closest keyword is `minimum`"},
        ])
    );
}
