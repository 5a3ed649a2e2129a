use mtb_core::json::{Field, IdField, JsonFault, MethodField, RequestId, RootKind, Scan};

use crate::params::Params;
use crate::rpc_error::RpcError;
use crate::wording;

/// One message, told apart.
#[allow(clippy::large_enum_variant, reason = "there is one at a time, and nearly all are requests")]
pub(crate) enum Incoming<'m> {
    Request {
        id: RequestId,
        method: String,
        /// What is in them, or how a request is answered that has such ones.
        params: Result<Params<'m>, RpcError>,
    },
    Notification {
        method: String,
        /// None as well when they cannot be read.
        params: Option<&'m str>,
    },
    Response {
        id: RequestId,
        /// Nothing when it is an error, or cannot be read.
        result: Option<&'m str>,
    },
    /// A response to nothing: nobody waits for it, and nobody may answer it.
    Stray,
    /// Anything else, with the answer to it.
    Malformed { id: Option<RequestId>, error: RpcError },
}

impl<'m> Incoming<'m> {
    /// Reads what a scan of `message` found. An array is no message here.
    pub(crate) fn read(message: &'m [u8], scan: Scan) -> Self {
        let Scan { id, jsonrpc, method, params, result, error, fault, root } = scan;
        let text = |span| message.get(span).and_then(|bytes| str::from_utf8(bytes).ok());
        let readable = |id: &IdField| id.request_id().cloned();
        let invalid = |id: &IdField, text| Self::Malformed { id: readable(id), error: RpcError::InvalidRequest(text) };

        match fault {
            Some(fault) if matches!(fault.fault, JsonFault::Syntax | JsonFault::Encoding) => {
                return Self::Malformed { id: readable(&id), error: RpcError::Parse };
            }
            Some(fault) if fault.fault == JsonFault::Oversize => return invalid(&id, wording::TOO_LONG),
            _ => {}
        }
        let is_response = result.is_some() || error.is_some();
        let is_answer = is_response && method == MethodField::Absent;
        if root != RootKind::Object || (jsonrpc != Field::Two && !is_answer) {
            return invalid(&id, wording::NOT_A_MESSAGE);
        }
        match (method, is_response) {
            (MethodField::Absent, true) => {
                let whole = fault.is_none() && error.is_none() && jsonrpc == Field::Two;
                let result = result.filter(|_| whole).and_then(text);
                readable(&id).map_or(Self::Stray, |id| Self::Response { id, result })
            }
            (MethodField::Name(method), false) => match (id, fault) {
                (IdField::Absent, fault) => {
                    Self::Notification { method, params: params.filter(|_| fault.is_none()).and_then(text) }
                }
                (id @ IdField::Id(_), Some(fault)) if !fault.inside_params => invalid(&id, wording::BAD_ENVELOPE),
                (IdField::Id(id), Some(fault)) => Self::Request { id, method, params: Err(unreadable(fault.fault)) },
                (IdField::Id(id), None) => Self::Request { id, method, params: Params::read(params.and_then(text)) },
                (id @ (IdField::Null | IdField::Invalid), _) => invalid(&id, wording::BAD_ID),
            },
            _ => invalid(&id, wording::NOT_A_MESSAGE),
        }
    }
}

fn unreadable(fault: JsonFault) -> RpcError {
    RpcError::InvalidParams(wording::params_fault(fault).into())
}
