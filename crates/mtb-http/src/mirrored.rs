//! Arguments that a tool wants in headers, too, so that what is between client and server can go by them
//! (2026-07-28/basic/transports/streamable-http, Custom Headers from Tool Parameters).

use http::request::Parts;
use http::{HeaderMap, HeaderName};
use mtb_core::can_access;
use mtb_mcp::drive::{Envelope, EnvelopeKind, Header, Refusal};
use serde_json::Value;

use crate::admission::Guest;
use crate::gate::{Found, only};
use crate::headers::decoded;
use crate::server::Inner;

/// The keyword of a property whose value travels in a header, which it names.
const KEYWORD: &str = "x-mcp-header";
/// What the names of those headers begin with.
const PREFIX: &str = "mcp-param-";
/// Up to here a number with a fraction of zero is its integer, as everywhere in arguments.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

impl<C: Send + Sync + 'static> Inner<C> {
    /// Why a call is not served whose headers do not say what its arguments say.
    pub(crate) fn refused_as_mirrored(&self, head: &Parts, envelope: &Envelope<'_>, guest: &Guest) -> Option<Refusal> {
        if !matches!(envelope.kind(), EnvelopeKind::Request { method: "tools/call", .. }) {
            return None;
        }
        let tool = self.bridge.registry().get(&envelope.name()?)?;
        let (declaration, schema) = (tool.declaration(), tool.declaration().arguments());
        // A tool that is kept from somebody is answered as one that is not there.
        if !schema.allowances().keywords().any(|keyword| keyword == KEYWORD)
            || !can_access(declaration, guest.principal())
        {
            return None;
        }
        // A keyword that validation ignores stands in the text of a schema only.
        let read = |text| serde_json::from_str::<Value>(text).ok();
        let both = read(schema.text()).zip(read(envelope.arguments().unwrap_or("{}")));
        let is_repeated = both.is_some_and(|(schema, arguments)| repeats(&head.headers, &schema, &arguments));
        (!is_repeated).then_some(Refusal::HeaderMismatch(Header::Argument))
    }
}

/// Whether the headers say of every argument with that keyword what it says, and nothing of one that is not given.
///
/// The keyword counts where a path of `properties` leads to it, on strings, integers and booleans: elsewhere clients
/// have to take no notice of the tool.
fn repeats(headers: &HeaderMap, schema: &Value, arguments: &Value) -> bool {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return true };
    properties.iter().all(|(name, property)| {
        let argument = arguments.get(name).unwrap_or(&Value::Null);
        let is_repeated = header_of(property).is_none_or(|header| match only(headers, &header) {
            Found::Nothing => argument.is_null(),
            Found::One(said) => decoded(said).is_some_and(|said| is_said(&said, argument)),
            Found::Unusable => false,
        });
        is_repeated && repeats(headers, property, argument)
    })
}

fn header_of(property: &Value) -> Option<HeaderName> {
    let name = property.get(KEYWORD)?.as_str()?;
    let types = match property.get("type")? {
        Value::Array(types) => types.as_slice(),
        one => std::slice::from_ref(one),
    };
    let can_be_said = |of: &Value| matches!(of.as_str(), Some("string" | "integer" | "boolean" | "null"));
    (!name.is_empty() && types.iter().all(can_be_said))
        .then(|| HeaderName::try_from(format!("{PREFIX}{name}")).ok())
        .flatten()
}

fn is_said(said: &str, argument: &Value) -> bool {
    match argument {
        Value::String(text) => said == text,
        Value::Bool(value) => said == if *value { "true" } else { "false" },
        Value::Number(number) => integer(said).is_some_and(|said| Some(said) == integer(&number.to_string())),
        // Nothing may be said of nothing, and no header holds a whole list.
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// `42`, and `42.0`, which is the same.
fn integer(text: &str) -> Option<i128> {
    text.parse().ok().or_else(|| {
        let number = text.parse::<f64>().ok()?;
        (number.fract() == 0.0 && number.abs() <= LARGEST_EXACT).then(|| format!("{number:.0}").parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use serde_json::{Value, json};

    use super::{header_of, repeats};

    fn schema() -> Value {
        json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "priority": {"type": ["integer", "null"], "x-mcp-header": "Priority"},
            "urgent": {"type": "boolean", "x-mcp-header": "Urgent"},
            "place": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
            "plain": {"type": "string"},
        }})
    }

    fn said(headers: &[(&'static str, &'static str)], arguments: &Value) -> bool {
        let mut found = HeaderMap::new();
        for (name, value) in headers {
            found.append(*name, value.parse().unwrap());
        }
        repeats(&found, &schema(), arguments)
    }

    const REGION: &str = "mcp-param-region";
    const PRIORITY: &str = "mcp-param-priority";
    const URGENT: &str = "mcp-param-urgent";
    const ZONE: &str = "mcp-param-zone";

    #[test]
    fn headers_say_what_arguments_say() {
        for (headers, arguments) in [
            (&[][..], json!({})),
            (&[], json!({"plain": "a", "region": null, "place": {}})),
            (&[], json!([])),
            (&[("mcp-param-plain", "b"), ("mcp-param-other", "c")], json!({"plain": "a"})),
            (&[(REGION, "us-west1")], json!({"region": "us-west1"})),
            (&[(REGION, " us west 1 ")], json!({"region": "us west 1"})),
            (&[(REGION, "=?base64?SGVsbG8=?=")], json!({"region": "Hello"})),
            (&[(REGION, "=?base64?IHDDpCA=?=")], json!({"region": " pä "})),
            (&[(REGION, "=?base64?SGVsbG8=")], json!({"region": "=?base64?SGVsbG8="})),
            (&[(REGION, "")], json!({"region": ""})),
            (&[(PRIORITY, "42")], json!({"priority": 42})),
            (&[(PRIORITY, "42.0")], json!({"priority": 42})),
            (&[(PRIORITY, "42")], json!({"priority": 42.0})),
            (&[(PRIORITY, "-1")], json!({"priority": -1})),
            (&[(PRIORITY, "18446744073709551615")], json!({"priority": u64::MAX})),
            (&[(URGENT, "false")], json!({"urgent": false})),
            (&[(ZONE, "b"), (REGION, "a")], json!({"region": "a", "place": {"zone": "b"}})),
        ] {
            assert!(said(headers, &arguments), "{headers:?} {arguments}");
        }
    }

    #[test]
    fn headers_that_say_less_or_more_or_something_else_are_found() {
        for (headers, arguments) in [
            (&[][..], json!({"region": "a"})),
            (&[], json!({"urgent": false})),
            (&[], json!({"place": {"zone": "b"}})),
            (&[(REGION, "a")], json!({})),
            (&[(REGION, "null")], json!({"region": null})),
            (&[(REGION, "A")], json!({"region": "a"})),
            (&[(REGION, "a"), (REGION, "a")], json!({"region": "a"})),
            (&[(REGION, "=?base64?SGVsbG8?=")], json!({"region": "Hello"})),
            (&[(REGION, "=?base64?SGVs!!!bG8=?=")], json!({"region": "Hello"})),
            (&[(REGION, "SGVsbG8=")], json!({"region": "Hello"})),
            (&[(PRIORITY, "43")], json!({"priority": 42})),
            (&[(PRIORITY, "42.5")], json!({"priority": 42})),
            (&[(PRIORITY, "many")], json!({"priority": 42})),
            (&[(PRIORITY, "9007199254740992")], json!({"priority": 9_007_199_254_740_993_u64})),
            (&[(URGENT, "False")], json!({"urgent": false})),
            (&[(REGION, "[]")], json!({"region": []})),
            (&[(REGION, "a")], json!({"region": "a", "place": {"zone": "b"}})),
        ] {
            assert!(!said(headers, &arguments), "{headers:?} {arguments}");
        }
    }

    #[test]
    fn what_no_client_repeats_is_not_expected() {
        for property in [
            json!({"type": "string"}),
            json!({"type": "string", "x-mcp-header": ""}),
            json!({"type": "string", "x-mcp-header": "My Region"}),
            json!({"type": "string", "x-mcp-header": "Région"}),
            json!({"type": "string", "x-mcp-header": 7}),
            json!({"type": "number", "x-mcp-header": "Score"}),
            json!({"type": ["string", "object"], "x-mcp-header": "Data"}),
            json!({"x-mcp-header": "Any"}),
            json!(true),
        ] {
            assert_eq!(header_of(&property), None, "{property}");
        }
    }
}
