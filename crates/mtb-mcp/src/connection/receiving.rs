use mtb_core::json::{JsonFault, MethodField, RequestId, RootKind, Scan, scan};

use super::Connection;
use crate::actions::Actions;
use crate::batches::BatchId;
use crate::era::{Client, Phase};
use crate::incoming::Incoming;
use crate::params::Params;
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::version::Version;
use crate::wire::handshake;
use crate::wording;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn take_message(&mut self, message: &[u8], out: &mut Actions) {
        let scan = scan(message, &self.options.limits.scan());
        if scan.root == RootKind::Array {
            self.take_batch(message, &scan, out);
        } else {
            self.take(Incoming::read(message, scan), None, out);
        }
    }

    /// Of a message that is too long, all that matters is whom to tell.
    pub(super) fn take_oversized(&mut self, scan: Scan, out: &mut Actions) {
        let Scan { id, method, fault, .. } = scan;
        let id = id.request_id();
        let answers = id.filter(|_| method == MethodField::Absent).and_then(RequestId::as_str);
        if let Some(question) = answers.and_then(|id| self.questions.close(id)) {
            self.answer_arrived(question, None, out);
        } else {
            let unreadable = fault.is_some_and(|fault| fault.fault != JsonFault::Oversize && id.is_none());
            let error = if unreadable { RpcError::Parse } else { RpcError::InvalidRequest(wording::TOO_LONG) };
            self.refuse_unread(id, &error, None, out);
        }
    }

    pub(super) fn take(&mut self, incoming: Incoming<'_>, batch: Option<BatchId>, out: &mut Actions) {
        match incoming {
            Incoming::Request { id, method, params } => self.take_request(id, &method, params, batch, out),
            Incoming::Notification { method, params } => self.take_notification(&method, params, out),
            Incoming::Response { id, result } => {
                if let Some(question) = id.as_str().and_then(|id| self.questions.close(id)) {
                    self.answer_arrived(question, result, out);
                }
            }
            Incoming::Stray => {}
            Incoming::Malformed { id, error } => self.refuse_unread(id.as_ref(), &error, batch, out),
        }
    }

    fn take_request(
        &mut self,
        id: RequestId,
        method: &str,
        params: Result<Params<'_>, RpcError>,
        batch: Option<BatchId>,
        out: &mut Actions,
    ) {
        if self.requests.contains_key(&id) {
            let error = RpcError::InvalidRequest(wording::DUPLICATE_ID);
            return self.refuse_unread(Some(&id), &error, batch, out);
        }
        if let Some(batch) = batch {
            self.batches.wait(batch);
        }
        let version = self.session.map_or(Version::MODERN, |session| session.client.version);
        let mut to = ReplyTo { id, version, batch };
        if let Err(error) = self.serve(&mut to, method, params, out) {
            self.refuse(&to, &error, out);
        }
    }

    fn serve(
        &mut self,
        to: &mut ReplyTo,
        method: &str,
        params: Result<Params<'_>, RpcError>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        let mut params = params?;
        if let Some(error) = params.refused.take() {
            return self.refuse_around(to, method, &params, error, out);
        }
        match Client::of_request(&params.meta) {
            None => self.serve_legacy(to, method, &params, out),
            Some(_) if to.batch.is_some() => {
                let error = RpcError::InvalidRequest(wording::NOT_IN_A_BATCH);
                self.refuse_around(to, method, &params, error, out)
            }
            Some(Err(error)) => self.refuse_around(to, method, &params, error, out),
            Some(Ok(client)) => {
                to.version = client.version;
                self.serve_modern(to, client, method, &params, out)
            }
        }
    }

    /// 2026-07-28: every request says what it needs to be understood.
    fn serve_modern(
        &mut self,
        to: &ReplyTo,
        client: Client,
        method: &str,
        params: &Params<'_>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        match method {
            "tools/call" => self.call(to, client, params, out),
            "tools/list" => self.list(to, params, out),
            "server/discover" => {
                self.discover(to, out);
                Ok(())
            }
            "subscriptions/listen" => self.listen(to, params, out),
            _ => Err(RpcError::MethodNotFound),
        }
    }

    /// Up to 2025-11-25: `initialize` comes first.
    fn serve_legacy(
        &mut self,
        to: &mut ReplyTo,
        method: &str,
        params: &Params<'_>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        match (method, self.session) {
            ("initialize", None) => self.initialize(to, params, out),
            ("initialize", Some(_)) => Err(RpcError::InvalidRequest(wording::INITIALIZED_TWICE)),
            ("ping", _) => {
                self.answer(to, handshake::pong(to), out);
                Ok(())
            }
            (method, None) => self.refuse_around(to, method, params, RpcError::params(wording::NOT_INITIALIZED), out),
            ("tools/call", Some(session)) => self.call(to, session.client, params, out),
            ("tools/list", Some(_)) => self.list(to, params, out),
            _ => Err(RpcError::MethodNotFound),
        }
    }

    fn take_notification(&mut self, method: &str, params: Option<&str>, out: &mut Actions) {
        match method {
            "notifications/initialized" => {
                if let Some(session) = &mut self.session {
                    session.phase = Phase::Ready;
                }
            }
            "notifications/cancelled" => self.take_cancellation(params, out),
            _ => {}
        }
    }
}
