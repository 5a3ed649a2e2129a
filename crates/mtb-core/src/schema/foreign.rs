//! Types as programming languages and function-calling benchmarks name them, and misspelt ones.

use serde_json::Value;

use super::closest::closest;

/// What is meant by a type that JSON Schema does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// This type of JSON Schema.
    Type(&'static str),
    /// Any value at all.
    Anything,
}

/// What each type of JSON Schema is called elsewhere, in lower case.
const NAMES: [(&str, &[&str]); 7] = [
    ("array", &["array", "arraylist", "list", "sequence", "set", "tuple", "vec", "vector"]),
    ("boolean", &["bool", "boolean"]),
    ("integer", &["bigint", "byte", "int", "int32", "int64", "integer", "long", "short", "uint"]),
    ("null", &["nil", "none", "nonetype", "null", "undefined", "void"]),
    ("number", &["decimal", "double", "float", "float32", "float64", "number"]),
    ("object", &["dict", "dictionary", "hash", "hashmap", "hashtable", "map", "mapping", "object", "record", "struct"]),
    ("string", &["char", "str", "string", "text"]),
];

/// The meaning of a name that is no type here and is common elsewhere or close to a type; parameters such as `<string>`
/// or `[int]` after it do not matter.
pub(super) fn foreign_type(name: &str) -> Option<Meant> {
    let plain = name.split(['<', '[', '(']).next().unwrap_or_default().trim().to_ascii_lowercase();
    if plain == "any" {
        return Some(Meant::Anything);
    }
    let common = NAMES.iter().find(|(_, names)| names.contains(&plain.as_str())).map(|(meant, _)| *meant);
    let meant = common.or_else(|| closest(name, NAMES.map(|(own, _)| own)))?;
    (meant != name).then_some(Meant::Type(meant))
}

/// Problem and remedy for the value of a `type` that holds such names.
pub(super) fn explain(declared: &Value) -> Option<(String, String)> {
    let names: Vec<&str> = match declared {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let foreign: Vec<_> =
        names.iter().filter_map(|name| Some((super::strict::quoted(name), foreign_type(name)?))).collect();
    let (first, _) = foreign.first()?;
    let problem = format!("{first} is no type of JSON Schema");
    if foreign.iter().any(|(_, meant)| *meant == Meant::Anything) {
        return Some((problem, "leave `type` out: without it, any value fits".to_owned()));
    }
    let write = foreign.iter().filter_map(|(name, meant)| match meant {
        Meant::Type(meant) => Some(format!("`{meant}` for {name}")),
        Meant::Anything => None,
    });
    Some((problem, format!("write {}", write.collect::<Vec<_>>().join(", "))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Meant, NAMES, explain, foreign_type};

    #[test]
    fn each_name_has_one_meaning() {
        for (name, meant) in [
            ("dict", "object"),
            ("HashMap", "object"),
            ("Object", "object"),
            ("float", "number"),
            ("tuple", "array"),
            ("Array", "array"),
            ("list[int]", "array"),
            ("ArrayList<String>", "array"),
            ("int", "integer"),
            ("String", "string"),
            ("bool", "boolean"),
            ("Boolean", "boolean"),
            ("NoneType", "null"),
            ("strng", "string"),
            ("Intger", "integer"),
            ("objects", "object"),
        ] {
            assert_eq!(foreign_type(name), Some(Meant::Type(meant)), "{name}");
        }
        for any in ["any", "Any", "ANY"] {
            assert_eq!(foreign_type(any), Some(Meant::Anything), "{any}");
        }
        for (at, (_, names)) in NAMES.iter().enumerate() {
            let others = NAMES.iter().skip(at + 1).flat_map(|(_, names)| *names);
            assert!(others.clone().all(|other| !names.contains(other)), "{names:?}");
        }
    }

    #[test]
    fn the_types_of_json_schema_and_unheard_of_names_are_not_foreign() {
        for (own, _) in NAMES {
            assert_eq!(foreign_type(own), None, "{own}");
        }
        for name in ["", "invoice", "date", "dict2", "file"] {
            assert_eq!(foreign_type(name), None, "{name}");
        }
    }

    #[test]
    fn the_remedy_maps_every_name() {
        let remedy = |declared| explain(&declared).map(|(_, remedy)| remedy);
        assert_eq!(remedy(json!("dict")).unwrap(), "write `object` for `dict`");
        assert_eq!(remedy(json!(["float", "null", "str"])).unwrap(), "write `number` for `float`, `string` for `str`");
        assert_eq!(remedy(json!(["dict", "any"])).unwrap(), "leave `type` out: without it, any value fits");
        for own in [json!("string"), json!(["string", "string"]), json!(7), json!({"type": "dict"})] {
            assert_eq!(remedy(own), None);
        }
    }
}
