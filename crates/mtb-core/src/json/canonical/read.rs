use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::order::utf16;
use super::write::Writer;
use crate::json::number::{Number, Shape};
use crate::json::{JsonError, JsonFault, Limits, escape};

/// Reads a text once; gives its tree and its canonical text.
pub(super) fn document(text: &str, limits: &Limits) -> Result<(Value, String), JsonError> {
    let writer = Writer::new(limits, text.len());
    let mut reader = Reader { text, at: 0, writer, spare: String::new() };
    let value = reader.value(0)?;
    match reader.next_token() {
        None => Ok((value, reader.writer.text)),
        Some(_) => Err(reader.error(JsonFault::Syntax)),
    }
}

struct Reader<'t, 'l> {
    text: &'t str,
    // Always at a character boundary.
    at: usize,
    writer: Writer<'l>,
    spare: String,
}

/// A member, and where in the canonical text it was written.
struct Member {
    name: String,
    value: Value,
    name_offset: usize,
    from: usize,
    to: usize,
}

impl<'t> Reader<'t, '_> {
    /// Recurses no deeper than [`MAX_DEPTH`](crate::json::MAX_DEPTH).
    fn value(&mut self, depth: usize) -> Result<Value, JsonError> {
        let first = self.next_token();
        self.node()?;
        match first {
            Some(b'"') => {
                let text = self.string()?;
                self.writer.string(&text);
                Ok(Value::String(text.into_owned()))
            }
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            _ => Err(self.error(JsonFault::Syntax)),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.writer.open('[', depth).map_err(|fault| self.error(fault))?;
        self.at += 1;
        let mut items = Vec::new();
        if self.next_token() == Some(b']') {
            self.at += 1;
        } else {
            loop {
                items.push(self.value(depth)?);
                if self.ends_with(b']')? {
                    break;
                }
                self.writer.text.push(',');
            }
        }
        self.writer.text.push(']');
        Ok(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.writer.open('{', depth).map_err(|fault| self.error(fault))?;
        self.at += 1;
        let mut members = Vec::new();
        if self.next_token() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                members.push(self.member(depth)?);
                if self.ends_with(b'}')? {
                    break;
                }
                self.writer.text.push(',');
            }
        }
        if !members.is_sorted_by(|a, b| utf16(&a.name, &b.name) == Ordering::Less) {
            self.sort(&mut members)?;
        }
        self.writer.text.push('}');
        Ok(Value::Object(members.into_iter().map(|member| (member.name, member.value)).collect()))
    }

    fn member(&mut self, depth: usize) -> Result<Member, JsonError> {
        let first = self.next_token();
        let (name_offset, from) = (self.at, self.writer.text.len());
        if first != Some(b'"') {
            return Err(self.error(JsonFault::Syntax));
        }
        self.node()?;
        let name = self.string()?;
        self.writer.string(&name);
        if self.next_token() != Some(b':') {
            return Err(self.error(JsonFault::Syntax));
        }
        self.at += 1;
        self.writer.text.push(':');
        let value = self.value(depth)?;
        Ok(Member { name: name.into_owned(), value, name_offset, from, to: self.writer.text.len() })
    }

    /// Puts the members of the object that ends here in order, in the list and in the text.
    fn sort(&mut self, members: &mut [Member]) -> Result<(), JsonError> {
        let Some(start) = members.first().map(|member| member.from) else { return Ok(()) };
        members.sort_by(|a, b| utf16(&a.name, &b.name));
        let twins = members.iter().zip(members.iter().skip(1)).filter(|(a, b)| a.name == b.name);
        if let Some(offset) = twins.map(|(_, second)| second.name_offset).min() {
            return Err(JsonError { fault: JsonFault::DuplicateKey, offset });
        }
        self.spare.clear();
        for member in members {
            if !self.spare.is_empty() {
                self.spare.push(',');
            }
            self.spare.push_str(self.writer.text.get(member.from..member.to).unwrap_or_default());
        }
        self.writer.text.truncate(start);
        self.writer.text.push_str(&self.spare);
        Ok(())
    }

    fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        let start = self.at;
        let body = self.text.get(start + 1..).unwrap_or_default();
        let mut decoded = String::new();
        let mut rest = body;
        loop {
            let run = escape::plain_run(rest.as_bytes());
            let (plain, special) = rest.split_at_checked(run).unwrap_or((rest, ""));
            self.writer.fits(decoded.len() + plain.len()).map_err(|fault| JsonError { fault, offset: start })?;
            self.at = self.text.len() - special.len();
            if special.starts_with('"') {
                self.at += 1;
                if rest.len() == body.len() {
                    return Ok(Cow::Borrowed(plain));
                }
                decoded.push_str(plain);
                return Ok(Cow::Owned(decoded));
            }
            let escape = special.strip_prefix('\\').and_then(|after| escape::read_escape(after.as_bytes()));
            let (character, length) = escape.ok_or_else(|| self.error(JsonFault::Syntax))?;
            decoded.push_str(plain);
            decoded.push(character);
            rest = special.get(1 + length..).unwrap_or_default();
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let offset = self.at;
        let rest = self.rest();
        let (length, shape) = Shape::Start.run(rest.as_bytes());
        self.at += length;
        if !shape.is_complete() {
            return Err(self.error(JsonFault::Syntax));
        }
        let token = rest.get(..length).unwrap_or_default();
        let number = Number::read(token).map_err(|fault| JsonError { fault, offset })?;
        self.writer.number(number);
        Ok(number.to_value())
    }

    fn literal(&mut self, text: &str, value: Value) -> Result<Value, JsonError> {
        if !self.rest().starts_with(text) {
            return Err(self.error(JsonFault::Syntax));
        }
        self.at += text.len();
        self.writer.text.push_str(text);
        Ok(value)
    }

    /// Whether the array or object ends here; otherwise a comma must stand here.
    fn ends_with(&mut self, bracket: u8) -> Result<bool, JsonError> {
        let next = self.next_token();
        if next != Some(bracket) && next != Some(b',') {
            return Err(self.error(JsonFault::Syntax));
        }
        self.at += 1;
        Ok(next == Some(bracket))
    }

    /// Skips whitespace.
    fn next_token(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    fn node(&mut self) -> Result<(), JsonError> {
        self.writer.node().map_err(|fault| self.error(fault))
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, fault: JsonFault) -> JsonError {
        JsonError { fault, offset: self.at }
    }
}
