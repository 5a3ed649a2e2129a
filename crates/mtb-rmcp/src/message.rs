//! Between the SDK's types and the JSON that the protocol layer speaks.

use std::io;

use mtb_core::json::{MAX_DEPTH, member, members, plain_value, read_string};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, RequestMetaObject};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use serde_json::{Map, Value};

/// The id that a request has on its own connection. The client knows it by another.
const ID: u32 = 1;

/// A request as the protocol layer takes it.
pub(crate) fn request(method: &str, params: impl Serialize, meta: &RequestMetaObject) -> Result<Vec<u8>, ErrorData> {
    #[derive(Serialize)]
    struct Request<'a> {
        jsonrpc: &'static str,
        id: u32,
        method: &'a str,
        #[serde(skip_serializing_if = "Value::is_null")]
        params: Value,
    }
    let mut params = serde_json::to_value(params).map_err(unreadable)?;
    let meta = serde_json::to_value(meta).map_err(unreadable)?;
    if meta.as_object().is_some_and(|meta| !meta.is_empty()) {
        if params.is_null() {
            params = Value::Object(Map::new());
        }
        // What is no object is refused for that.
        if let Some(params) = params.as_object_mut() {
            params.insert("_meta".to_owned(), meta);
        }
    }
    let mut message = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut message, Digits);
    Request { jsonrpc: "2.0", id: ID, method, params }.serialize(&mut serializer).map_err(unreadable)?;
    Ok(message)
}

/// Writes doubles that are out of reach of 64 bits in plain digits. The SDK has read an integer that is too wide as
/// such a double; as digits the scanner refuses it, as it would have refused what the client wrote.
struct Digits;

/// The doubles that an integer of more than 64 bits may have become: those from 2^64 on, and -2^63 and less.
fn is_wide(value: f64) -> bool {
    value >= 18_446_744_073_709_551_616.0 || value <= -9_223_372_036_854_775_808.0
}

impl Formatter for Digits {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // With a digit more, since -2^63 itself is an integer of 64 bits.
        if is_wide(value) { write!(writer, "{value:.0}0") } else { CompactFormatter.write_f64(writer, value) }
    }
}

/// The client no longer wants the request.
pub(crate) fn cancellation() -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{ID}}}}}"#).into_bytes()
}

/// What the client answered to a question. `None`: nothing that is an answer.
pub(crate) fn answer(id: &str, result: Option<impl Serialize>) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer<'a> {
        jsonrpc: &'static str,
        id: &'a str,
        result: Value,
    }
    let result = result.and_then(|result| serde_json::to_value(result).ok()).unwrap_or_default();
    serde_json::to_vec(&Answer { jsonrpc: "2.0", id, result }).unwrap_or_default()
}

/// A message of the protocol layer, told apart.
pub(crate) enum Outgoing {
    /// The answer to the request.
    Answer(Result<String, ErrorData>),
    /// A request to the client.
    Ask { id: String, method: String, params: Value },
    /// Something to tell the client.
    Tell { method: String, params: Value },
}

impl Outgoing {
    pub(crate) fn read(message: &[u8]) -> Result<Self, ErrorData> {
        let message = str::from_utf8(message).map_err(unreadable)?;
        let part = |name| member(message, name);
        if let Some(error) = part("error") {
            return serde_json::from_str(error).map(|error| Self::Answer(Err(error))).map_err(unreadable);
        }
        if let Some(result) = part("result") {
            return Ok(Self::Answer(Ok(result.to_owned())));
        }
        let method = part("method").and_then(read_string).ok_or_else(|| unreadable("no method"))?.into_owned();
        let params = part("params").map(serde_json::from_str).transpose().map_err(unreadable)?.unwrap_or_default();
        Ok(match part("id").and_then(read_string) {
            Some(id) => Self::Ask { id: id.into_owned(), method, params },
            None => Self::Tell { method, params },
        })
    }
}

/// The SDK's form of a result.
pub(crate) fn result<T: DeserializeOwned>(result: &str) -> Result<T, ErrorData> {
    serde_json::from_str(result).map_err(unreadable)
}

/// The SDK's form of the result of a call. What a tool returned is read by us: a library that takes some names for marks
/// of its own would make something else of it than what was checked.
pub(crate) fn call_result(text: &str) -> Result<CallToolResult, ErrorData> {
    let structured = members(text).find(|(name, _)| name == "structuredContent").map(|(_, span)| span);
    let Some((structured, content)) = structured.and_then(|span| Some((span.clone(), text.get(span)?))) else {
        return result(text);
    };
    let (before, after) = (text.get(..structured.start), text.get(structured.end..));
    let mut read: CallToolResult = result(&[before.unwrap_or_default(), "null", after.unwrap_or_default()].concat())?;
    read.structured_content = Some(plain_value(content, MAX_DEPTH).ok_or_else(|| unreadable("no value"))?);
    Ok(read)
}

/// The SDK and the protocol layer do not understand each other. Which value it was is content, so it is not told.
pub(crate) fn unreadable(_why: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error("Internal error: the message cannot be carried by this transport", None)
}
