use expect_test::expect;
use serde_json::{Value, json};

use crate::program::{file, published, report, run, run_with};

#[test]
fn real_catalogues_are_accepted() {
    let files = ["mcp-server-time", "server-brave-search", "openai-agents-python"].map(published);
    let (report, code) = report(&files.each_ref().map(String::as_str));
    assert_eq!(code, 0, "{report}");
    let names = ["get_current_time", "convert_time", "brave_web_search", "brave_local_search"];
    let names = [&names[..], &["get_proposal", "get_customer_profile"]].concat();
    assert_eq!(report, json!({"accepted": names, "refused": []}));
}

#[test]
fn the_json_has_every_problem_of_every_file() {
    let one = file("one.json", r#"[{"name": "a", "description": "A."}, {"name": "b", "description": " "}]"#);
    let two = file(
        "two.json",
        r#"{"tools": [{"name": "b", "description": "B."}, 7,
            {"name": "a", "description": "", "inputSchema": {"type": "dict", "minProps": 1}}]}"#,
    );
    let (report, code) = report(&[&one, &two]);
    assert_eq!(code, 1);
    // A name may be accepted in one file and refused in another.
    assert_eq!(report["accepted"], json!(["a", "b"]));
    let refused: Vec<_> = report["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|refused| {
            let problems = refused["problems"].as_array().unwrap().iter();
            for problem in problems.clone() {
                let names: Vec<_> = problem.as_object().unwrap().keys().map(String::as_str).collect();
                assert_eq!(names, ["code", "pointer", "problem", "remedy"]);
            }
            let places: Vec<_> = problems.map(|problem| problem["pointer"].clone()).collect();
            (refused["file"].as_str().unwrap(), refused["tool"].as_str().unwrap(), Value::from(places))
        })
        .collect();
    let places = json!(["/tools/2/description", "/tools/2/inputSchema/minProps", "/tools/2/inputSchema/type"]);
    assert_eq!(
        refused,
        [
            (one.as_str(), "b", json!(["/1/description"])),
            (two.as_str(), "", json!(["/tools/1"])),
            (two.as_str(), "a", places),
        ]
    );
}

/// `a` is in both files, `b` twice in the second, which is one page of more and has a definition without a name.
const ONE: &str = r#"[{"name": "a", "description": "A."}]"#;
const TWO: &str = r#"{"jsonrpc": "2.0", "id": 7, "result": {"nextCursor": "x", "tools": [
    {"name": "b", "description": "B."}, {"name": "a", "description": "A."},
    {"name": "b", "description": "B."}, {"description": "C."}, 7]}}"#;

#[test]
fn every_definition_is_counted_and_what_repeats_or_lacks_is_told() {
    let ran = run_with(&[&file("one.json", ONE), "-"], TWO);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let (_, after) = ran.stdout.split_once("accepted: a\n").unwrap();
    let (after, warnings) = after.split_once("\nwarning: ").unwrap();
    assert_eq!(warnings.lines().count(), 2, "{warnings}");
    expect![[r#"

        standard input: 1 accepted, 4 refused
        accepted: a
        | tool | place                | problem                             | remedy                              |
        | ---- | -------------------- | ----------------------------------- | ----------------------------------- |
        | b    | /result/tools/0/name | the definition at `/result/tools/2` | rename one of them                  |
        |      |                      | has the same name                   |                                     |
        | b    | /result/tools/2/name | the definition at `/result/tools/0` | rename one of them                  |
        |      |                      | has the same name                   |                                     |
        |      | /result/tools/3      | a tool name has 1 to 128 characters | rename the tool; `snake_case` of at |
        |      |                      | out of `A-Z a-z 0-9 _ - .`          | most 64 characters suits every LLM  |
        |      |                      |                                     | API                                 |
        |      | /result/tools/4      | a definition is a JSON object       | write it in the form of Anthropic,  |
        |      |                      |                                     | MCP or OpenAI                       |

        in all: 2 accepted, 4 refused
    "#]]
    .assert_eq(after);
}

#[test]
fn programs_get_the_warnings_too() {
    let (one, two) = (file("one.json", ONE), file("two.json", TWO));
    let (whole, code) = report(&[&one, &two]);
    assert_eq!(code, 1);
    assert_eq!(whole["accepted"], json!(["a", "a"]));
    let warnings: Vec<_> = whole["warnings"].as_array().unwrap().iter().collect();
    let codes: Vec<_> = warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["one_page", "repeated_name"]);
    let places = format!("`a` is defined in {one} at /0 and in {two} at /result/tools/1;");
    assert!(warnings[1]["problem"].as_str().unwrap().starts_with(&places), "{}", warnings[1]);
    // A warning refuses nothing, and where there is none, there is no member.
    for (files, expected) in [(&[&*one, &*one][..], 1), (&[&*one], 0)] {
        let (report, code) = report(files);
        assert_eq!((code, report["warnings"].as_array().map_or(0, Vec::len)), (0, expected), "{report}");
        assert_eq!(report.get("warnings").is_some(), expected > 0);
    }
}

#[test]
fn an_empty_list_is_told() {
    let (one, two) = (file("one.json", "[]"), file("two.json", r#"{"tools": []}"#));
    let (whole, code) = report(&[&one, &two, &file("three.json", ONE)]);
    assert_eq!(code, 0);
    let codes: Vec<_> = whole["warnings"].as_array().unwrap().iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["no_tools", "no_tools"]);
    let ran = run(&[&one]);
    assert_eq!(
        ran.stdout,
        format!("{one}: 0 accepted, 0 refused\n\nwarning: {one} has no tools: its list of them is empty\n")
    );
}

#[test]
fn what_is_missing_is_told_at_the_place_that_lacks_it() {
    let definitions = r#"[{"name": "a"}, {"name": "b", "description": null}, {"description": "C."},
        {"type": "function", "function": {"name": "d"}}, {"name": "e", "description": ""}]"#;
    let (report, _) = report(&[&file("lacking.json", definitions)]);
    let refused = report["refused"].as_array().unwrap().iter();
    let mut places: Vec<_> = refused.map(|refused| refused["problems"][0]["pointer"].as_str().unwrap()).collect();
    places.sort_unstable();
    assert_eq!(places, ["/0", "/1", "/2", "/3/function", "/4/description"]);
}

/// Whoever looks for a name in the table finds it.
#[test]
fn a_long_name_is_on_one_line() {
    let name = "a_name_that_a_generator_made_out_of_a_path.and_a_method";
    let ran = run_with(&["-"], &format!(r#"[{{"name": "{name}", "description": " "}}]"#));
    assert!(ran.stdout.contains(&format!("| {name} |")), "{}", ran.stdout);
}

/// Whoever runs the program has options, and no code to call something in.
#[test]
fn remedies_name_options_that_do_what_they_say() {
    for (property, option) in [
        (r#""format": "callsign""#, "--allow-format callsign"),
        (r#""format": "json""#, "--allow-format json"),
        (r#""x-order": 1"#, "--allow-keyword x-order"),
        (r#""Format": 1"#, "--allow-keyword Format"),
        // Nothing to be copied into a shell.
        (r#""$(x)": 1"#, "--allow-keyword"),
        (r#""contentEncoding": "zip""#, "--allow-keyword contentEncoding"),
    ] {
        let schema = format!(r#"{{"type": "object", "properties": {{"a": {{"type": "string", {property}}}}}}}"#);
        let text = format!(r#"[{{"name": "a", "description": "A.", "inputSchema": {schema}}}]"#);
        let (report, _) = report(&[&file("one.json", &text)]);
        let remedy = report["refused"][0]["problems"][0]["remedy"].as_str().unwrap();
        assert!(remedy.contains(&format!("`{option}`")) && !remedy.contains("allow_"), "{remedy}");
    }
    let foreign = r#"[{"name": "a", "description": "A.", "inputSchema": {"$schema": "urn:x", "type": "object"}}]"#;
    let (report, _) = report(&[&file("two.json", foreign)]);
    let remedy = report["refused"][0]["problems"][0]["remedy"].as_str().unwrap();
    assert!(remedy.contains("`--allow-dialect URI=DIALECT`"), "{remedy}");
}

#[test]
fn people_get_a_table_for_each_file() {
    let definitions = r#"[{"name": "now", "description": "Tells the time."},
        {"name": "pay", "description": "Pays.", "parameters": {"type": "dict", "properties": {"sum": {"type": "float"}}}}]"#;
    let ran = run_with(&[&published("server-slack"), "-"], definitions);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    expect![[r#"
        crates/mtb-adapt/tests/data/server-slack.json: 2 accepted, 0 refused
        accepted: slack_post_message
        accepted: slack_add_reaction

        standard input: 1 accepted, 1 refused
        accepted: now
        | tool | place                             | problem                           | remedy                     |
        | ---- | --------------------------------- | --------------------------------- | -------------------------- |
        | pay  | /1/parameters/properties/sum/type | `float` is no type of JSON Schema | write `number` for `float` |
        | pay  | /1/parameters/type                | `dict` is no type of JSON Schema  | write `object` for `dict`  |

        in all: 3 accepted, 1 refused
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn nothing_in_a_catalogue_changes_how_the_table_is_shown() {
    let definitions = "[{\"name\": \"a\\u001b[2J\\n\", \"description\": \"A.\", \"inputSchema\": \
        {\"type\": \"object\", \"\\u202ex\\u001b]0;\": 1}}]";
    let ran = run_with(&["-"], definitions);
    assert_eq!(ran.code, 1);
    assert!(!ran.stdout.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{:?}", ran.stdout);
    for argument in ["no\u{1b}[2Jsuch\nfile", "--\u{1b}[31mfoo", "--\u{202e}foo"] {
        let ran = run(&[argument]);
        assert_eq!((ran.code, ran.stderr.lines().count()), (2, 1));
        assert!(!ran.stderr.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.stderr);
    }
    // A program reads the same names, however they are written.
    let names = r#"[{"name": "a\u009b31m\u202eb", "description": "A.", "inputSchema": {"type": "object", "\u0085x": 1, "𝟘\udb40\udc41": 2}}]"#;
    let ran = run_with(&["--json", "-"], names);
    assert!(!ran.stdout.contains(|c: char| c.is_control() && c != '\n' || matches!(c, '\u{202e}' | '\u{e0041}')));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["refused"][0]["tool"], "a\u{9b}31m\u{202e}b");
    assert!(ran.stdout.contains('𝟘'), "{}", ran.stdout);
}

#[test]
fn what_is_allowed_is_accepted() {
    let schema =
        r#"{"$schema": "urn:x", "type": "object", "properties": {"a": {"type": "string", "format": "f", "k": 1}}}"#;
    let definitions = file("wide.json", &format!(r#"[{{"name": "a", "description": "A.", "inputSchema": {schema}}}]"#));
    let allowed = ["--allow-format=f", "--allow-keyword=k", "--allow-dialect=urn:x=2020-12"];
    let all = [&allowed[..], &[&definitions]].concat();
    assert_eq!(report(&all).1, 0);
    for (missing, place) in [(0, "properties/a/format"), (1, "properties/a/k"), (2, "$schema")] {
        let mut fewer = all.clone();
        fewer.remove(missing);
        let (report, code) = report(&fewer);
        assert_eq!(code, 1);
        assert_eq!(report["refused"][0]["problems"][0]["pointer"], format!("/0/inputSchema/{place}"), "{report}");
    }
}

/// Closing a schema that does not say that it is open is no reason to refuse it.
#[test]
fn closing_unknown_arguments_refuses_no_tool() {
    let (report, code) = report(&["--unknown-arguments", "refuse", &published("server-slack")]);
    assert_eq!(code, 0, "{report}");
}
