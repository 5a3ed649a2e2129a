use mtb_core::json::member;

use crate::params::{Meta, Params, is_object, string};
use crate::rpc_error::RpcError;
use crate::version::Version;
use crate::wording;

/// What is known of the client while one request is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) version: Version,
    pub(crate) asking: Asking,
}

/// Whether the client can put a question to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    InBand,
    NotInBand,
}

/// A connection that has initialized.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) phase: Phase,
}

/// Whether the client has said that it is ready to be told things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Opening,
    Ready,
}

impl Client {
    /// The client of an `initialize`.
    pub(crate) fn of_handshake(params: &Params<'_>) -> Result<Self, RpcError> {
        let asked = string(params.protocol_version).ok_or(RpcError::params(wording::NO_PROTOCOL_VERSION))?;
        let version = Version::negotiate(&asked);
        if params.capabilities.is_some_and(|capabilities| !is_object(capabilities)) {
            return Err(RpcError::params(wording::CAPABILITIES_NO_OBJECT));
        }
        Ok(Self::settled(version, params.capabilities.map_or(Asking::NotInBand, Asking::of)))
    }

    /// The client of a session that began elsewhere.
    #[cfg(feature = "drive")]
    pub(crate) fn of_session(protocol_version: &str, capabilities: &str) -> Self {
        let asking = if is_object(capabilities) { Asking::of(capabilities) } else { Asking::NotInBand };
        Self::settled(Version::negotiate(protocol_version), asking)
    }

    fn settled(version: Version, asking: Asking) -> Self {
        Self { version, asking: if version.has_elicitation() { asking } else { Asking::NotInBand } }
    }

    /// The client of a request that describes itself. `None` if it does not.
    pub(crate) fn of_request(meta: &Meta<'_>) -> Option<Result<Self, RpcError>> {
        meta.protocol_version.map(|version| Self::described(version, meta.client_capabilities))
    }

    fn described(version: &str, capabilities: Option<&str>) -> Result<Self, RpcError> {
        let version = string(Some(version)).ok_or(RpcError::params(wording::VERSION_NO_STRING))?;
        if version != Version::MODERN.as_str() {
            return Err(RpcError::UnsupportedVersion { requested: wording::quoted(&version) });
        }
        let capabilities = capabilities.filter(|capabilities| is_object(capabilities));
        let capabilities = capabilities.ok_or(RpcError::params(wording::NO_CAPABILITIES))?;
        Ok(Self { version: Version::MODERN, asking: Asking::of(capabilities) })
    }
}

impl Asking {
    /// 2025-11-25/client/elicitation, Capabilities: an empty `elicitation` stands for forms.
    fn of(capabilities: &str) -> Self {
        let Some(elicitation) = member(capabilities, "elicitation").filter(|value| is_object(value)) else {
            return Self::NotInBand;
        };
        let forms = match member(elicitation, "form") {
            Some(form) => is_object(form),
            None => member(elicitation, "url").is_none(),
        };
        if forms { Self::InBand } else { Self::NotInBand }
    }
}

#[cfg(test)]
mod tests {
    use super::Asking;

    #[test]
    fn an_elicitation_without_modes_stands_for_forms() {
        for (capabilities, asking) in [
            ("{}", Asking::NotInBand),
            (r#"{"elicitation": null}"#, Asking::NotInBand),
            (r#"{"elicitation": true}"#, Asking::NotInBand),
            (r#"{"elicitation": {"url": {}}}"#, Asking::NotInBand),
            (r#"{"elicitation": {"form": null}}"#, Asking::NotInBand),
            (r#"{"sampling": {"elicitation": {}}}"#, Asking::NotInBand),
            (r#"{"elicitation": {}}"#, Asking::InBand),
            (r#"{"elicitation": {"form": {}}}"#, Asking::InBand),
            (r#"{"elicitation": {"url": {}, "form": {}}}"#, Asking::InBand),
            (r#"{"elicitation": {"later": {}}}"#, Asking::InBand),
        ] {
            assert_eq!(Asking::of(capabilities), asking, "{capabilities}");
        }
    }
}
