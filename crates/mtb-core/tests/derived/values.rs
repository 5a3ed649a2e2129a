//! Values near other values.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};

/// Names of members that some type of the tests declares, and one that none does.
const NAMES: [&str; 14] =
    ["it", "type", "t", "c", "x", "id", "size", "abc", "a/b~c", "unit", "newtype", "nanos", "Err", "nobody"];

/// One change of a value: at one of its places, one of these.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    place: Index,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Replace(Value),
    Remove(Index),
    Add(&'static str, Value),
    Wrap,
}

pub(crate) fn changes() -> impl Strategy<Value = Vec<Change>> {
    let what = prop_oneof![
        5 => scalar().prop_map(What::Replace),
        2 => any::<Index>().prop_map(What::Remove),
        2 => (prop::sample::select(&NAMES[..]), scalar()).prop_map(|(name, value)| What::Add(name, value)),
        1 => Just(What::Wrap),
    ];
    prop::collection::vec((any::<Index>(), what).prop_map(|(place, what)| Change { place, what }), 1..4)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => number(),
        1 => prop::sample::select(vec![
            json!(null), json!(true), json!(""), json!("3"), json!("true"), json!("ab"), json!("unit"), json!("Unit"),
            json!([]), json!({}), json!([1]), json!([1, 2]), json!({"x": 1}), json!({"type": "Unit"}), json!("None"),
            json!({"unit": null}), json!({"t": "Unit", "c": 1}), json!({"nothing": null}), json!("2"),
        ]),
    ]
}

/// Numbers around the ends of every integer type, as integers and as doubles.
fn number() -> impl Strategy<Value = Value> {
    let power = (prop::sample::select(vec![0, 7, 8, 15, 16, 31, 32, 53, 63, 64]), -2_i128..=2, any::<bool>());
    let around = power.prop_map(|(power, off, negative)| {
        let power = (1_i128 << power) + off;
        if negative { -power } else { power }
    });
    let integer = |it: i128| i64::try_from(it).map(Value::from).or_else(|_| u64::try_from(it).map(Value::from)).ok();
    let double = |it: i128| format!("{it}.0").parse::<f64>().unwrap();
    prop_oneof![
        around.clone().prop_map(move |it| integer(it).unwrap_or(json!(double(it)))),
        around.prop_map(move |it| json!(double(it))),
        prop::sample::select(vec![0.5, -0.0, 1e17, 1e39, 3.402_823_6e38, 1e300, -1e300, 5e-324]).prop_map(Value::from),
        (-3_i64..3).prop_map(Value::from),
    ]
}

pub(crate) fn change(value: &mut Value, changes: Vec<Change>) {
    for Change { place, what } in changes {
        let index = place.index(count(value));
        let mut left = index;
        if let Some(at) = nth(value, &mut left) {
            apply(at, what);
        }
    }
}

fn apply(at: &mut Value, what: What) {
    match (what, at) {
        (What::Replace(other), at) => *at = other,
        (What::Wrap, at) => *at = json!([at.take()]),
        (What::Remove(index), Value::Array(items)) if !items.is_empty() => drop(items.remove(index.index(items.len()))),
        (What::Remove(index), Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(index.index(members.len())).cloned();
            name.and_then(|name| members.remove(&name));
        }
        (What::Add(_, value), Value::Array(items)) => items.push(value),
        (What::Add(name, value), Value::Object(members)) => drop(members.insert(name.to_owned(), value)),
        (What::Add(name, value), at) => *at = Value::Object(Map::from_iter([(name.to_owned(), value)])),
        (What::Remove(_), _) => {}
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, left)),
        _ => None,
    }
}
