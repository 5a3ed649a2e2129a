use super::Connection;
use crate::actions::Actions;
use crate::era::{Client, Phase, Session};
use crate::params::Params;
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::wire::handshake;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn initialize(
        &mut self,
        to: &mut ReplyTo,
        params: &Params<'_>,
        out: &mut Actions,
    ) -> Result<(), RpcError> {
        let client = Client::of_handshake(params)?;
        self.session = Some(Session { client, phase: Phase::Opening });
        to.version = client.version;
        let message = handshake::initialized(to, &self.options.info);
        self.answer(to, message, out);
        Ok(())
    }

    pub(super) fn discover(&mut self, to: &ReplyTo, out: &mut Actions) {
        let options = &self.options;
        let message = handshake::discovered(to, &self.options.identity, &options.info, options.list_ttl);
        self.answer(to, message, out);
    }
}
