use mtb_core::json::{RequestId, members, read_string};

use crate::meta;
use crate::rpc_error::RpcError;
use crate::wording;

/// The members of a request's `params` that some method knows, each as the JSON it is. Others are ignored.
#[derive(Default)]
pub(crate) struct Params<'m> {
    pub(crate) name: Option<&'m str>,
    pub(crate) arguments: Option<&'m str>,
    pub(crate) cursor: Option<&'m str>,
    pub(crate) input_responses: Option<&'m str>,
    pub(crate) request_state: Option<&'m str>,
    pub(crate) protocol_version: Option<&'m str>,
    pub(crate) capabilities: Option<&'m str>,
    pub(crate) notifications: Option<&'m str>,
    pub(crate) meta: Meta<'m>,
    /// Why the request is not to be served, where that lies around it.
    pub(crate) refused: Option<RpcError>,
}

/// The members of a request's `_meta` that mean something here.
#[derive(Default)]
pub(crate) struct Meta<'m> {
    pub(crate) protocol_version: Option<&'m str>,
    pub(crate) client_capabilities: Option<&'m str>,
    pub(crate) progress_token: Option<&'m str>,
    pub(crate) confirmation: Option<&'m str>,
    #[cfg(feature = "drive")]
    pub(crate) trace_parent: Option<&'m str>,
}

impl<'m> Params<'m> {
    pub(crate) fn read(text: Option<&'m str>) -> Result<Self, RpcError> {
        let mut read = Self::default();
        let Some(text) = text else { return Ok(read) };
        if !is_object(text) {
            return Err(RpcError::params(wording::PARAMS_NO_OBJECT));
        }
        for (name, span) in members(text) {
            let value = text.get(span);
            match &*name {
                "name" => read.name = value,
                "arguments" => read.arguments = value,
                "cursor" => read.cursor = value,
                "inputResponses" => read.input_responses = value,
                "requestState" => read.request_state = value,
                "protocolVersion" => read.protocol_version = value,
                "capabilities" => read.capabilities = value,
                "notifications" => read.notifications = value,
                "_meta" => read.meta = value.map(Meta::read).transpose()?.unwrap_or_default(),
                _ => {}
            }
        }
        Ok(read)
    }
}

impl<'m> Meta<'m> {
    fn read(text: &'m str) -> Result<Self, RpcError> {
        if !is_object(text) {
            return Err(RpcError::params(wording::META_NO_OBJECT));
        }
        let mut read = Self::default();
        for (name, span) in members(text) {
            let value = text.get(span);
            match &*name {
                meta::PROTOCOL_VERSION => read.protocol_version = value,
                meta::CLIENT_CAPABILITIES => read.client_capabilities = value,
                meta::PROGRESS_TOKEN => read.progress_token = value,
                meta::CONFIRMATION_META_KEY => read.confirmation = value,
                #[cfg(feature = "drive")]
                meta::TRACE_PARENT => read.trace_parent = value,
                _ => {}
            }
        }
        Ok(read)
    }

    /// Where progress is to be reported, if anywhere.
    pub(crate) fn progress_token(&self) -> Result<Option<RequestId>, RpcError> {
        let read = |raw| RequestId::from_json(raw).ok_or(RpcError::params(wording::BAD_PROGRESS_TOKEN));
        self.progress_token.map(read).transpose()
    }
}

/// Whether this JSON text, without whitespace around it, is an object.
pub(crate) fn is_object(json: &str) -> bool {
    json.starts_with('{')
}

/// A string, decoded; `None` if it is anything else.
pub(crate) fn string(json: Option<&str>) -> Option<std::borrow::Cow<'_, str>> {
    json.and_then(read_string)
}
