use serde_json::Value;

use super::SchemaRole;
use super::allowance::UnknownArguments;
use super::dialect::Dialect;
use super::keyword;
use super::problem::SchemaProblem;
use super::read::Read;
use super::source::SchemaSource;

/// Keywords that say which other properties there may be.
const SAYS_WHICH: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

/// Keywords that may say so too, in a way that closing would contradict.
const SAYS_ELSEWHERE: [&str; 3] = ["const", "enum", "propertyNames"];

/// Keywords that apply another schema to the same object, which may declare properties of its own.
const APPLIES_OTHERS: [&str; 11] = [
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "allOf",
    "anyOf",
    "dependencies",
    "dependentSchemas",
    "else",
    "if",
    "oneOf",
    "then",
];

/// Closes the root of an argument schema that is silent about other arguments, where the host asks for it. What is
/// added stands in the text too, at its end: what clients see is what is enforced.
pub(super) fn close(
    mut read: Read,
    dialect: Option<Dialect>,
    source: &SchemaSource,
    role: SchemaRole,
) -> Result<Read, Vec<SchemaProblem>> {
    if role != SchemaRole::Arguments || source.unknown_arguments == UnknownArguments::AsDeclared {
        return Ok(read);
    }
    // What is no object, or declares an unknown dialect, is refused later.
    let Some(dialect) = dialect else { return Ok(read) };
    let Value::Object(members) = &mut read.value else { return Ok(read) };
    let has = |keyword: &str| members.contains_key(keyword) && keyword::keyword(keyword, dialect).is_some();
    if members.get("type") != Some(&Value::from("object")) || SAYS_WHICH.iter().any(|keyword| has(keyword)) {
        return Ok(read);
    }
    if let Some(keyword) = SAYS_ELSEWHERE.iter().find(|keyword| has(keyword)) {
        let problem = format!("unknown arguments cannot be refused beside `{keyword}`, which says which there may be");
        let remedy = "declare the arguments under `properties`, or leave the schema as it is";
        return Err(vec![SchemaProblem::new(format!("/{keyword}"), problem, remedy)]);
    }
    let keyword = match APPLIES_OTHERS.iter().find(|keyword| members.contains_key(**keyword)) {
        None => "additionalProperties",
        Some(_) if dialect >= Dialect::Draft201909 => "unevaluatedProperties",
        Some(applies) => {
            let problem = format!("unknown arguments cannot be refused beside `{applies}` in {dialect}");
            let remedy = "declare `additionalProperties` in the schema, or a dialect from 2019-09 on";
            return Err(vec![SchemaProblem::new(format!("/{applies}"), problem, remedy)]);
        }
    };
    let comma = if members.is_empty() { "" } else { "," };
    members.insert(keyword.to_owned(), Value::Bool(false));
    if let Some(end) = read.text.rfind('}') {
        read.text.insert_str(end, &format!("{comma}\"{keyword}\":false"));
    }
    read.closed = true;
    Ok(read)
}
