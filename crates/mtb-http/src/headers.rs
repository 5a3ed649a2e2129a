//! Headers that repeat what stands in a message, and those that say what a client reads.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName};
use mtb_mcp::drive::{Envelope, EnvelopeKind, Header};

use crate::gate::{Found, only};

pub(crate) static SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) static PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// The revision whose requests stand by themselves.
const MODERN: &str = "2026-07-28";
/// Those that have sessions, the oldest first.
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Which revision the headers of a request speak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spoken {
    Unsaid,
    Legacy,
    Modern,
    /// One that nothing here knows, or no one revision.
    Unknown,
}

pub(crate) fn spoken(headers: &HeaderMap) -> Spoken {
    match only(headers, &PROTOCOL_VERSION) {
        Found::Nothing => Spoken::Unsaid,
        Found::One(MODERN) => Spoken::Modern,
        Found::One(version) if LEGACY.contains(&version) => Spoken::Legacy,
        Found::One(_) | Found::Unusable => Spoken::Unknown,
    }
}

/// What a client reads, by `Accept`. Without the header, everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accepts {
    pub(crate) json: bool,
    pub(crate) events: bool,
}

impl Accepts {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT) {
            return Self { json: true, events: true };
        }
        let (mut json, mut events) = (Wish::default(), Wish::default());
        let said = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in said.flat_map(|it| it.split(',')).filter_map(Range::read) {
            json.hear(&range, "application", "json");
            events.hear(&range, "text", "event-stream");
        }
        Self { json: json.is_granted(), events: events.is_granted() }
    }
}

/// What a client reads, or with `q=0` does not.
struct Range<'h> {
    kind: &'h str,
    subtype: &'h str,
    wanted: bool,
}

impl<'h> Range<'h> {
    fn read(text: &'h str) -> Option<Self> {
        let mut parts = text.split(';');
        let (kind, subtype) = parts.next()?.trim().split_once('/')?;
        let weight = parts.find_map(|part| {
            let (name, weight) = part.split_once('=')?;
            name.trim().eq_ignore_ascii_case("q").then(|| weight.trim().parse::<f32>().unwrap_or(0.0))
        });
        Some(Self { kind, subtype, wanted: weight.unwrap_or(1.0) > 0.0 })
    }
}

/// <https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1>: the most exact range decides.
#[derive(Default)]
struct Wish(Option<(u8, bool)>);

impl Wish {
    fn hear(&mut self, range: &Range<'_>, kind: &str, subtype: &str) {
        let exactness = match (range.kind, range.subtype) {
            ("*", "*") => 0,
            (of, "*") if of.eq_ignore_ascii_case(kind) => 1,
            (of, name) if of.eq_ignore_ascii_case(kind) && name.eq_ignore_ascii_case(subtype) => 2,
            _ => return,
        };
        if self.0.is_none_or(|(before, _)| before <= exactness) {
            self.0 = Some((exactness, range.wanted));
        }
    }

    fn is_granted(&self) -> bool {
        self.0.is_some_and(|(_, wanted)| wanted)
    }
}

/// Whether a body is said to be JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let Found::One(value) = only(headers, &CONTENT_TYPE) else { return false };
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// 2026-07-28/basic/transports/streamable-http, Server Validation: what a request of that revision repeats in headers.
///
/// # Errors
/// Which of them is not there once, or says something else.
pub(crate) fn check_repeated(headers: &HeaderMap, envelope: &Envelope<'_>) -> Result<(), Header> {
    let version = envelope.protocol_version();
    match only(headers, &PROTOCOL_VERSION) {
        Found::One(said) if Some(said) == version.as_deref() => {}
        _ => return Err(Header::ProtocolVersion),
    }
    let EnvelopeKind::Request { method, .. } = envelope.kind() else { return Ok(()) };
    match only(headers, &METHOD) {
        Found::One(said) if said == method => {}
        _ => return Err(Header::Method),
    }
    let named = if method == "tools/call" { envelope.name() } else { None };
    match (only(headers, &NAME), named) {
        (Found::Nothing, None) => Ok(()),
        (Found::One(said), Some(name)) if decoded(said).as_deref() == Some(&*name) => Ok(()),
        // What other methods than calls say in it is about nothing that is served.
        (Found::One(_), None) if method != "tools/call" => Ok(()),
        _ => Err(Header::Name),
    }
}

/// A value as it is, or out of `=?base64?…?=`. None where that is not what it says.
pub(crate) fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(Cow::Borrowed(value));
    };
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use mtb_mcp::ProtocolLimits;
    use mtb_mcp::drive::{Envelope, Header};

    use super::{Accepts, Spoken, check_repeated, is_json, spoken};

    fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in of {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn revisions_are_known_by_their_names() {
        for (versions, expected) in [
            (&[][..], Spoken::Unsaid),
            (&["2026-07-28"], Spoken::Modern),
            (&["2025-11-25"], Spoken::Legacy),
            (&["2025-06-18 "], Spoken::Legacy),
            (&["1900-01-01"], Spoken::Unknown),
            (&[""], Spoken::Unknown),
            (&["2025-11-25", "2025-11-25"], Spoken::Unknown),
            (&["2025-11-25,2025-06-18"], Spoken::Unknown),
        ] {
            let versions: Vec<_> = versions.iter().map(|version| ("mcp-protocol-version", *version)).collect();
            assert_eq!(spoken(&headers(&versions)), expected, "{versions:?}");
        }
    }

    #[test]
    fn a_client_reads_what_it_accepts() {
        for (accept, json, events) in [
            (&[][..], true, true),
            (&["application/json, text/event-stream"], true, true),
            (&["application/json", "text/event-stream"], true, true),
            (&["APPLICATION/JSON"], true, false),
            (&["text/event-stream;q=0.5"], false, true),
            (&["*/*"], true, true),
            (&["application/*"], true, false),
            (&["*/*, application/json;q=0"], false, true),
            (&["*/*;q=0, text/event-stream"], false, true),
            (&["text/html"], false, false),
            (&["application/json;q=x"], false, false),
            (&[""], false, false),
        ] {
            let accept: Vec<_> = accept.iter().map(|value| ("accept", *value)).collect();
            assert_eq!(Accepts::of(&headers(&accept)), Accepts { json, events }, "{accept:?}");
        }
    }

    #[test]
    fn a_body_is_json_where_that_is_said() {
        for (content_type, expected) in [
            (&["application/json"][..], true),
            (&["Application/JSON; charset=utf-8"], true),
            (&[], false),
            (&["text/plain"], false),
            (&["application/json-seq"], false),
            (&["text/plain, application/json"], false),
            (&["application/json", "application/json"], false),
        ] {
            let found: Vec<_> = content_type.iter().map(|value| ("content-type", *value)).collect();
            assert_eq!(is_json(&headers(&found)), expected, "{content_type:?}");
        }
    }

    const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
    const METHOD: (&str, &str) = ("mcp-method", "tools/call");

    #[test]
    fn headers_repeat_what_stands_in_the_message() {
        let message = |method: &str, name: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":{name},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}}}}"#
            )
        };
        let check = |found: &[(&'static str, &'static str)], method: &str, name: &str| {
            let message = message(method, name);
            check_repeated(&headers(found), &Envelope::read(message.as_bytes(), &ProtocolLimits::default()))
        };
        for (found, method, name) in [
            (&[VERSION, METHOD, ("mcp-name", "pay")][..], "tools/call", "\"pay\""),
            (&[VERSION, METHOD, ("mcp-name", " pay ")], "tools/call", "\"pay\""),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?cGF5?=")], "tools/call", "\"pay\""),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?w6Q=?=")], "tools/call", "\"ä\""),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?pay")], "tools/call", "\"=?base64?pay\""),
            (&[VERSION, METHOD], "tools/call", "7"),
            (&[VERSION, ("mcp-method", "tools/list")], "tools/list", "null"),
            (&[VERSION, ("mcp-method", "tools/list"), ("mcp-name", "x")], "tools/list", "null"),
        ] {
            assert_eq!(check(found, method, name), Ok(()), "{found:?}");
        }
        for (found, header) in [
            (&[METHOD, ("mcp-name", "pay")][..], Header::ProtocolVersion),
            (&[VERSION, VERSION, METHOD, ("mcp-name", "pay")], Header::ProtocolVersion),
            (&[("mcp-protocol-version", "2025-11-25"), METHOD, ("mcp-name", "pay")], Header::ProtocolVersion),
            (&[VERSION, ("mcp-name", "pay")], Header::Method),
            (&[VERSION, METHOD, METHOD, ("mcp-name", "pay")], Header::Method),
            (&[VERSION, ("mcp-method", "Tools/Call"), ("mcp-name", "pay")], Header::Method),
            (&[VERSION, METHOD], Header::Name),
            (&[VERSION, METHOD, ("mcp-name", "Pay")], Header::Name),
            (&[VERSION, METHOD, ("mcp-name", "pay"), ("mcp-name", "pay")], Header::Name),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?cGF5=?=")], Header::Name),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?cGF5")], Header::Name),
            (&[VERSION, METHOD, ("mcp-name", "=?base64?c GF5?=")], Header::Name),
        ] {
            assert_eq!(check(found, "tools/call", "\"pay\""), Err(header), "{found:?}");
        }
    }
}
