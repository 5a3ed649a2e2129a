use expect_test::expect;
use mtb_adapt::{CheckedDefinition, GovernanceTable, ImportOptions, ImportReport, check_definitions};
use mtb_core::DefinitionCode;
use serde_json::{Value, json};

use crate::lab::{Dispatched, all_harmless, problems};

/// Definitions as function-calling benchmarks write them: types of Python and Java instead of JSON Schema's.
const BENCHMARK: &str = r#"[
    {"name": "geometry.area", "description": "Area of a polygon.", "parameters": {"type": "dict", "properties": {
        "points": {"type": "array", "items": {"type": "tuple", "items": {"type": "float"}}},
        "unit": {"type": "String", "enum": ["m2", "ft2"]},
        "exact": {"type": "Boolean"}
    }, "required": ["points"]}},
    {"name": "config.set", "description": "Sets one value.", "parameters": {"type": "HashMap", "properties": {
        "value": {"type": "any"}, "tries": {"type": ["int", "null"], "minimum": 1}
    }}},
    {"name": "clock", "description": "Tells the time.", "parameters": {"type": "object"}}
]"#;

#[test]
fn benchmark_types_are_refused_with_the_mapping_that_fixes_them() {
    let report = check_definitions(BENCHMARK, &ImportOptions::default());
    expect![[r#"
        accepted: clock
        | tool          | place                                            | problem                             | remedy                            |
        | ------------- | ------------------------------------------------ | ----------------------------------- | --------------------------------- |
        | geometry.area | /0/parameters/properties/exact/type              | `Boolean` is no type of JSON Schema | write `boolean` for `Boolean`     |
        | geometry.area | /0/parameters/properties/points/items/items/type | `float` is no type of JSON Schema   | write `number` for `float`        |
        | geometry.area | /0/parameters/properties/points/items/type       | `tuple` is no type of JSON Schema   | write `array` for `tuple`         |
        | geometry.area | /0/parameters/properties/unit/type               | `String` is no type of JSON Schema  | write `string` for `String`       |
        | geometry.area | /0/parameters/type                               | `dict` is no type of JSON Schema    | write `object` for `dict`         |
        | config.set    | /1/parameters/properties/tries/type              | `int` is no type of JSON Schema     | write `integer` for `int`         |
        | config.set    | /1/parameters/properties/value/type              | `any` is no type of JSON Schema     | leave `type` out: without it, any |
        |               |                                                  |                                     | value fits                        |
        | config.set    | /1/parameters/type                               | `HashMap` is no type of JSON Schema | write `object` for `HashMap`      |
    "#]].assert_eq(&report.to_string());
    // Whoever follows every remedy is done.
    let fixed =
        [("dict", "object"), ("HashMap", "object"), ("tuple", "array"), ("float", "number"), ("int", "integer")];
    let fixed = fixed.into_iter().chain([("String", "string"), ("Boolean", "boolean")]);
    let text =
        fixed.fold(BENCHMARK.to_owned(), |text, (from, to)| text.replace(&format!("\"{from}\""), &format!("\"{to}\"")));
    let report = check_definitions(&text.replace(r#""type": "any""#, ""), &ImportOptions::default());
    assert_eq!(report.accepted(), ["geometry.area", "config.set", "clock"], "{report}");
}

/// One mistake is one problem: what depends on the type is not told on top.
#[test]
fn a_misspelt_type_is_told_with_the_closest_one() {
    let schema = json!({"type": "objct", "properties": {
        "count": {"type": "intger", "minimum": 1},
        "names": {"type": ["strng", "null"], "maxLength": 9},
        "other": {"type": "invoice"},
    }});
    let definitions = json!([{"name": "a", "description": "A.", "inputSchema": schema}]);
    let report = check_definitions(&definitions, &ImportOptions::default());
    let remedies = report.refused().unwrap().problems().iter().map(|problem| problem.remedy.as_str());
    assert_eq!(
        remedies.collect::<Vec<_>>(),
        [
            "write `integer` for `intger`",
            "write `string` for `strng`",
            "write one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, or an array of distinct ones",
            "write `object` for `objct`",
        ]
    );
}

#[test]
fn the_report_is_the_json_that_tools_read() {
    let definitions = json!([
        {"name": "now", "description": "Tells the time."},
        {"name": "pay", "description": "", "inputSchema": {"type": "object", "minProps": 1}},
        "nothing",
        {"name": "later", "description": "Waits."},
    ]);
    let report = check_definitions(&definitions, &ImportOptions::default());
    let json: Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json, serde_json::to_value(&report).unwrap());
    assert_eq!(json["accepted"], json!(["now", "later"]));
    let refused: Vec<_> = json["refused"].as_array().unwrap().iter().map(|refused| refused["tool"].clone()).collect();
    assert_eq!(refused, ["pay", ""]);
    let places = |index: usize| -> Vec<_> {
        let problems = json["refused"][index]["problems"].as_array().unwrap();
        problems.iter().map(|problem| problem["pointer"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(places(0), ["/1/description", "/1/inputSchema/minProps"]);
    assert_eq!(places(1), ["/2"]);
    let accepted = check_definitions("[]", &ImportOptions::default());
    assert_eq!(serde_json::from_str::<Value>(&accepted.to_json()).unwrap(), json!({"accepted": [], "refused": []}));
}

#[test]
fn a_name_that_is_defined_twice_is_not_accepted_once() {
    let tool = |name: &str| json!({"name": name, "description": "Does it."});
    let report = check_definitions(&json!([tool("a"), tool("b"), tool("a")]), &ImportOptions::default());
    assert_eq!(report.accepted(), ["b"]);
    assert_eq!(report.refused().map(problems).unwrap(), ["duplicate_name a /0/name", "duplicate_name a /2/name"]);
}

/// `pointer name accepted` of every definition.
fn definitions(report: &ImportReport) -> Option<Vec<String>> {
    let line = |definition: &CheckedDefinition| {
        format!("{} {} {}", definition.pointer(), definition.name(), definition.is_accepted())
    };
    Some(report.definitions()?.iter().map(line).collect())
}

#[test]
fn every_definition_counts_once() {
    let tool = |name: &str| json!({"name": name, "description": "Does it."});
    let list = [tool("a"), json!(7), tool("b"), tool("a"), json!({"description": "A."}), json!([]), tool("c d")];
    let expected = ["/0 a false", "/1  false", "/2 b true", "/3 a false", "/4  false", "/5  false", "/6 c d false"];
    let report = check_definitions(&json!(list), &ImportOptions::default());
    assert_eq!(definitions(&report).unwrap(), expected);
    assert_eq!(report.accepted(), ["b"]);
    let nested = json!({"result": {"tools": [{"type": "function", "function": tool("a")}]}});
    let report = check_definitions(&nested, &ImportOptions::default());
    assert_eq!(definitions(&report).unwrap(), ["/result/tools/0 a true"]);
    for (text, expected) in [("[]", Some(Vec::new())), ("{}", None), ("", None)] {
        assert_eq!(definitions(&check_definitions(text, &ImportOptions::default())), expected, "{text}");
    }
}

#[test]
fn one_page_is_told_from_the_whole() {
    for (list, expected) in [
        (json!({"tools": [], "nextCursor": "x"}), true),
        (json!({"tools": [], "nextCursor": ""}), true),
        (json!({"result": {"tools": [], "nextCursor": "x"}}), true),
        (json!({"tools": [], "nextCursor": null}), false),
        (json!({"tools": []}), false),
        (json!({"result": {"tools": []}, "nextCursor": "x"}), false),
        (json!([]), false),
    ] {
        let report = check_definitions(&list, &ImportOptions::default());
        assert_eq!(
            (report.is_one_page(), report.to_string().contains("one page only")),
            (expected, expected),
            "{list}"
        );
    }
}

/// What the check says and what the import says differ in the governance only.
#[test]
fn the_check_finds_what_the_import_finds() {
    for definitions in [
        r#"[{"name": "a b", "description": " ", "title": "", "outputSchema": {"minProps": 1}}, 7]"#,
        r#"[{"type": "web_search", "name": "a", "description": "A.", "parameters": {"type": "dict"}}]"#,
        r#"[{"name": "a", "description": "A.", "function": []}]"#,
        "{}",
        "[",
        BENCHMARK,
    ] {
        let report = check_definitions(definitions, &ImportOptions::default());
        let error = Dispatched::default().import(definitions, &GovernanceTable::new()).unwrap_err();
        let mut found = error.into_problems();
        found.retain(|problem| problem.code != DefinitionCode::MissingGovernance);
        assert_eq!(report.refused().unwrap().problems(), found, "{definitions}");
    }
    assert!(Dispatched::default().import("[]", &all_harmless(&[])).is_ok());
}
