use serde_json::{Number as JsonNumber, Value};

use super::order::utf16;
use super::write::Writer;
use crate::json::number::Number;
use crate::json::{JsonFault, Limits};

/// The canonical tree and text of a value.
pub(super) fn document(value: &Value, limits: &Limits) -> Result<(Value, String), JsonFault> {
    let mut writer = Writer::new(limits, 0);
    let value = walk(&mut writer, value, 0)?;
    Ok((value, writer.text))
}

/// Recurses no deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH).
fn walk(writer: &mut Writer<'_>, value: &Value, depth: usize) -> Result<Value, JsonFault> {
    writer.node()?;
    match value {
        Value::Null => writer.text.push_str("null"),
        Value::Bool(true) => writer.text.push_str("true"),
        Value::Bool(false) => writer.text.push_str("false"),
        Value::Number(number) => {
            let number = read_number(number)?;
            writer.number(number);
            return Ok(number.to_value());
        }
        Value::String(text) => {
            writer.fits(text.len())?;
            writer.string(text);
        }
        Value::Array(items) => {
            writer.open('[', depth + 1)?;
            let mut canonical = Vec::with_capacity(items.len());
            for item in items {
                if !canonical.is_empty() {
                    writer.text.push(',');
                }
                canonical.push(walk(writer, item, depth + 1)?);
            }
            writer.text.push(']');
            return Ok(Value::Array(canonical));
        }
        Value::Object(members) => {
            writer.open('{', depth + 1)?;
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by(|(a, _), (b, _)| utf16(a, b));
            let mut canonical = Vec::with_capacity(sorted.len());
            for (name, member) in sorted {
                if !canonical.is_empty() {
                    writer.text.push(',');
                }
                writer.node()?;
                writer.fits(name.len())?;
                writer.string(name);
                writer.text.push(':');
                canonical.push((name.clone(), walk(writer, member, depth + 1)?));
            }
            writer.text.push('}');
            return Ok(Value::Object(canonical.into_iter().collect()));
        }
    }
    Ok(value.clone())
}

/// Reads a number by its text unless it is plainly an integer: `serde_json` may have been built to hold any text.
fn read_number(number: &JsonNumber) -> Result<Number, JsonFault> {
    if let Some(integer) = number.as_i64() {
        return Ok(Number::Signed(integer));
    }
    if let Some(integer) = number.as_u64() {
        return Ok(Number::Unsigned(integer));
    }
    Number::parse(&number.to_string())
}
