use mtb_core::KeepPointer;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    ELLIPSIS, MAX_KEPT_CHARS, MAX_KEPT_DEPTH, MAX_KEPT_ITEMS, MAX_KEPT_VALUES, REDACTED, is_secret_key, reduce,
};

fn pointers(texts: &[&str]) -> Vec<KeepPointer> {
    texts.iter().map(|text| KeepPointer::new(text).unwrap()).collect()
}

/// Reduces and returns what the log would hold.
fn kept(value: &Value, texts: &[&str]) -> Value {
    serde_json::to_value(reduce(value, &pointers(texts))).unwrap()
}

#[track_caller]
fn check(texts: &[&str], expect: &Value) {
    let value = json!({
        "messageId": "m-1",
        "from": "ada@example.com",
        "body": "private",
        "apiKey": "k-1",
        "attachments": [{"name": "a.pdf", "token": "t-1"}, {"name": "b.pdf", "token": "t-2"}],
        "headers": {"Subject": "hello", "Authorization": "Basic x", "nested": {"Set-Cookie": {"raw": "c=1"}}},
        "tokens": ["t-3", {"id": 7, "note": "n"}],
        "x/y": 1,
        "nothing": null,
    });
    let before = value.clone();
    assert_eq!(&kept(&value, texts), expect, "{texts:?}");
    assert_eq!(value, before);
}

#[test]
fn nothing_is_kept_without_a_pointer_or_without_a_match() {
    check(&[], &Value::Null); // case 65
    check(&["/missing", "/attachments/9", "/attachments/00", "/attachments/+1", "/attachments/name"], &Value::Null);
    check(&["/messageId/*", "/from/0", "/nothing/*", "/attachments/*/missing"], &Value::Null);
    check(&["/message", "/MessageId", "/messageIds", "/fro", "/attachments/*/nam", "/headers/subject"], &Value::Null);
}

#[test]
fn only_what_is_named_is_kept() {
    check(&["/messageId"], &json!({"/messageId": "m-1"})); // case 66
    check(&["/attachments/*/name"], &json!({"/attachments/*/name": ["a.pdf", "b.pdf"]})); // case 67
    check(&["/missing", "/attachments/9", "/x~1y"], &json!({"/x~1y": 1})); // case 70
    check(&["/nothing"], &json!({"/nothing": null}));
    check(&["/headers/*/Set-Cookie"], &json!({"/headers/*/Set-Cookie": [REDACTED]}));
}

#[test]
fn secret_looking_names_are_masked_inside_kept_values() {
    check(&["/attachments/0"], &json!({"/attachments/0": {"name": "a.pdf", "token": REDACTED}})); // case 68
    let headers = json!({"Subject": "hello", "Authorization": REDACTED, "nested": {"Set-Cookie": REDACTED}});
    check(&["/headers"], &json!({"/headers": headers}));
}

#[test]
fn secret_looking_names_are_masked_at_the_end_of_a_pointer() {
    check(&["/apiKey"], &json!({"/apiKey": REDACTED})); // case 68
    check(&["/attachments/*/token"], &json!({"/attachments/*/token": [REDACTED, REDACTED]}));
    check(&["/tokens"], &json!({"/tokens": REDACTED}));
}

#[test]
fn a_star_does_not_unmask() {
    check(&["/headers/*"], &json!({"/headers/*": [REDACTED, "hello", {"Set-Cookie": REDACTED}]}));
    check(&["/tokens/0"], &json!({"/tokens/0": REDACTED}));
    check(&["/tokens/*"], &json!({"/tokens/*": [REDACTED, REDACTED]}));
    check(&["/tokens/*/*"], &json!({"/tokens/*/*": [REDACTED, REDACTED]}));
}

#[test]
fn a_name_the_declaration_spells_out_decides_alone() {
    check(&["/tokens/*/id"], &json!({"/tokens/*/id": [7]}));
    check(&["/headers/nested/Set-Cookie/raw"], &json!({"/headers/nested/Set-Cookie/raw": "c=1"}));
}

#[test]
fn strings_and_matches_are_bounded() {
    let long = "ä".repeat(MAX_KEPT_CHARS + 50);
    let cut = format!("{}…", "ä".repeat(MAX_KEPT_CHARS));
    let value = json!({"text": long, "in": {"deep": [long]}, "ids": (0..300).collect::<Vec<_>>()});
    let found = kept(&value, &["/text", "/in", "/ids/*", "/ids"]); // case 69
    assert_eq!(found["/text"], json!(cut));
    assert_eq!(found["/in"], json!({"deep": [cut]}));
    let first: Vec<_> = (0..MAX_KEPT_ITEMS).collect();
    assert_eq!(found["/ids/*"], json!(first));
    assert_eq!(found["/ids"], json!(first));
}

#[test]
fn member_names_are_bounded_and_decide_before_they_are_cut() {
    let long = format!("{}Password", "n".repeat(MAX_KEPT_CHARS));
    let name = format!("{}…", "n".repeat(MAX_KEPT_CHARS));
    assert_eq!(kept(&json!({"o": {long: "hunter2"}}), &["/o"]), json!({"/o": {name: REDACTED}}));
    let many: serde_json::Map<_, _> = (0..300).map(|n| (format!("m{n:03}"), json!(n))).collect();
    let found = kept(&json!({"o": many}), &["/o"]);
    let names: Vec<_> = found["/o"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names.len(), MAX_KEPT_ITEMS);
    assert_eq!(names.iter().max().unwrap(), "m099");
}

#[test]
fn depth_is_bounded() {
    let wraps: [fn(Value) -> Value; 2] = [|inner| json!([inner]), |inner| json!({"inner": inner})];
    for wrap in wraps {
        let nest = |levels: usize| (0..levels).fold(json!("core"), |inner, _| wrap(inner));
        assert!(kept(&json!({"v": nest(MAX_KEPT_DEPTH)}), &["/v"]).to_string().contains("core"));
        let found = kept(&json!({"v": nest(MAX_KEPT_DEPTH + 1)}), &["/v"]).to_string();
        assert!(found.contains(ELLIPSIS) && !found.contains("core"), "{found}");
    }
}

#[test]
fn the_number_of_values_is_bounded() {
    let wide = |item: Value| Value::Array(vec![item; 100]);
    let found = kept(&json!({"v": wide(wide(wide(json!(1))))}), &["/v"]);
    assert!((MAX_KEPT_VALUES..MAX_KEPT_VALUES + 10).contains(&count(&found["/v"])), "{}", count(&found["/v"]));
    let members: serde_json::Map<_, _> = (0..100).map(|n| (format!("m{n:02}"), wide(json!(1)))).collect();
    let found = kept(&json!({"v": members, "secrets": [1]}), &["/v", "/secrets/0"]);
    assert!((MAX_KEPT_VALUES..MAX_KEPT_VALUES + 10).contains(&count(&found["/v"])));
    assert_eq!(found["/v"][ELLIPSIS], ELLIPSIS);
    // Each pointer has its own budget.
    assert_eq!(found["/secrets/0"], REDACTED);
}

fn count(value: &Value) -> usize {
    let below = match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    };
    1 + below
}

const NAMES: [&str; 6] = ["a", "b", "id", "token", "api_key", "0"];

fn values() -> impl Strategy<Value = Value> {
    let leaf = Just(json!(""));
    let tree = leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(prop::sample::select(&NAMES[..]), inner, 0..6)
                .prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        ]
    });
    tree.prop_map(|mut tree| {
        mark(&mut tree, &mut 0);
        tree
    })
}

/// Gives every leaf a text of its own.
fn mark(value: &mut Value, next: &mut usize) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| mark(item, next)),
        Value::Object(members) => members.values_mut().for_each(|member| mark(member, next)),
        leaf => {
            *leaf = json!(format!("leaf-{next}"));
            *next += 1;
        }
    }
}

fn paths() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(&["/a", "/b", "/id", "/token", "/0", "/1", "/*", "/*"][..]);
    prop::collection::vec(segment, 1..4).prop_map(|segments| segments.concat())
}

/// The leaves of a value with whether a secret-looking name stands above them.
fn leaves<'v>(value: &'v Value, secret: bool, out: &mut Vec<(&'v str, bool)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| leaves(item, secret, out)),
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| leaves(member, secret || is_secret_key(name), out));
        }
        leaf => out.push((leaf.as_str().unwrap(), secret)),
    }
}

proptest! {
    #[test]
    fn nothing_is_kept_that_was_not_declared(value in values(), declared in prop::collection::vec(paths(), 0..4)) {
        let declared: Vec<_> = declared.iter().map(|text| KeepPointer::new(text).unwrap()).collect();
        let mut allowed = Vec::new();
        for pointer in &declared {
            pointer.find(&value).for_each(|found| leaves(found, false, &mut allowed));
        }
        let found = reduce(&value, &declared);
        let mut emitted = Vec::new();
        for (_, kept) in found.iter().flat_map(super::Kept::iter) {
            leaves(kept, false, &mut emitted);
        }
        for (leaf, _) in emitted {
            prop_assert!(leaf == REDACTED || allowed.contains(&(leaf, false)), "{leaf}");
        }
    }

    #[test]
    fn everything_declared_is_kept_within_the_bounds(value in values(), declared in paths()) {
        let pointer = KeepPointer::new(&declared).unwrap();
        let expect = pointer.find(&value).count();
        let found = reduce(&value, std::slice::from_ref(&pointer));
        let matches = found.as_ref().and_then(|kept| kept.get(&declared)).map_or(0, |kept| match kept {
            Value::Array(items) if pointer.is_wild() => items.len(),
            _ => 1,
        });
        prop_assert_eq!(matches, expect);
    }
}
