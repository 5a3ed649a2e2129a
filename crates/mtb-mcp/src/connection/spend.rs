use mtb_bridge::{Carrier, WithdrawDetail};

use super::Connection;
use super::starting::Start;
use crate::actions::Actions;
use crate::rpc_error::RpcError;
use crate::task::{Done, TaskDone};

impl<C: Send + Sync + 'static> Connection<C> {
    /// What came along is spent, although the call it came with cannot be looked at: presenting a token is using it.
    pub(super) fn spend(
        &mut self,
        start: Start,
        state: Option<String>,
        host: Option<String>,
        error: RpcError,
        out: &mut Actions,
    ) {
        self.start(
            start,
            |bridge, principal, options| async move {
                for (token, carrier) in [(state, Carrier::Elicited), (host, Carrier::Host)] {
                    if let Some(token) = token {
                        let options = options.clone().carrier(carrier);
                        bridge.withdraw(&principal, &token, WithdrawDetail::Misused, options).await;
                    }
                }
                TaskDone(Done::Unusable(error))
            },
            out,
        );
    }
}
