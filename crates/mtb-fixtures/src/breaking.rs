//! Values with one thing wrong.

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::generate::valid;

/// A value that mostly fits the schema, changed in one place, decided by the seed alone. Most of them do not fit any
/// more; a change that the schema allows is no exception worth avoiding, since validators are asked to agree on both.
///
/// ```
/// let schema = serde_json::json!({"type": "integer", "minimum": 1, "maximum": 9});
/// assert_ne!(mtb_fixtures::broken(&schema, 3), mtb_fixtures::valid(&schema, 3));
/// ```
#[must_use]
pub fn broken(schema: &Value, seed: u64) -> Value {
    let mut value = valid(schema, seed);
    // Another sequence than the one that made the value.
    let mut chance = Chance::new(!seed);
    let mut places = Vec::new();
    collect(&value, String::new(), &mut places);
    let place = chance.pick(&places).cloned().unwrap_or_default();
    if let Some(target) = value.pointer_mut(&place) {
        let changed = changed(target, &mut chance);
        *target = changed;
    }
    value
}

/// The JSON Pointer of the value and of all in it.
fn collect(value: &Value, pointer: String, places: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| collect(item, format!("{pointer}/{at}"), places));
        }
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            let name = name.replace('~', "~0").replace('/', "~1");
            collect(member, format!("{pointer}/{name}"), places);
        }),
        _ => {}
    }
    places.push(pointer);
}

/// Another value: of its own kind in two of three cases, else of another.
fn changed(value: &Value, chance: &mut Chance) -> Value {
    let others = || [json!(null), json!(true), json!(7), json!(7.5), json!("7"), json!([]), json!({})].to_vec();
    let mut candidates = if chance.percent(67) { alike(value) } else { others() };
    candidates.retain(|candidate| candidate != value);
    if candidates.is_empty() {
        candidates = others();
    }
    chance.pick(&candidates).cloned().unwrap_or_default()
}

/// Values of the same kind, just past what may be allowed.
fn alike(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or_default();
            let mut near = vec![json!(float + 0.5), json!(-float), json!(float * 1e6)];
            if let Some(integer) = number.as_i64() {
                near.extend([json!(integer.saturating_add(1)), json!(integer.saturating_sub(1))]);
                near.push(json!(float));
            }
            near
        }
        Value::String(text) => {
            let shorter: String = text.chars().skip(1).collect();
            vec![
                json!(""),
                json!(shorter),
                json!(format!("{text} ")),
                json!(text.to_uppercase()),
                json!(text.repeat(200)),
            ]
        }
        Value::Array(items) => {
            let with = |item: Value| items.iter().cloned().chain([item]).collect::<Value>();
            let fewer: Value = items.iter().skip(1).cloned().collect();
            vec![json!([]), fewer, with(Value::Null), with(items.first().cloned().unwrap_or(json!(1)))]
        }
        Value::Object(members) => {
            let without = |name: &String| {
                let mut fewer = members.clone();
                fewer.remove(name);
                fewer
            };
            let mut more = members.clone();
            more.insert("unknown".to_owned(), json!(1));
            members.keys().map(without).chain([more]).map(Value::Object).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::broken;
    use crate::generate::valid;

    #[test]
    fn one_place_is_changed_and_every_kind_of_change_comes() {
        let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": "integer", "minimum": 1, "maximum": 3}, "b": {"type": "array", "items": {"const": "x"}}}});
        let all: Vec<_> = (0..1_000).map(|seed| (valid(&schema, seed), broken(&schema, seed))).collect();
        assert!(all.iter().all(|(valid, broken)| valid != broken));
        let counted = |change: fn(&serde_json::Value) -> bool| all.iter().filter(|(_, it)| change(it)).count();
        assert!(counted(|it| it.is_object() && it.get("a").is_none()) > 5, "a member is left out");
        assert!(counted(|it| it.get("unknown").is_some()) > 5, "a member is added");
        assert!(counted(|it| it.get("a").is_some_and(|a| !a.is_number())) > 5, "a kind is changed");
        assert!(counted(|it| it.get("a").is_some_and(|a| a.as_i64() == Some(4))) > 3, "a bound is passed");
    }
}
