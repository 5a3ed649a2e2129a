use mtb_bridge::ListedTool;

use super::Connection;
use crate::actions::Actions;
use crate::params::{Params, string};
use crate::reply_to::ReplyTo;
use crate::rpc_error::RpcError;
use crate::wire::tool_list;
use crate::wording;

/// What a cursor begins with. The rest is the last tool of the page before, so that tools that come or go elsewhere in
/// the list move no page.
const AFTER: &str = "after:";

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn list(&mut self, to: &ReplyTo, params: &Params<'_>, out: &mut Actions) -> Result<(), RpcError> {
        let tools = self.bridge.list_tools(&self.principal);
        let rest = params.cursor.map_or(Some(&*tools), |cursor| after(&tools, cursor));
        let rest = rest.ok_or(RpcError::params(wording::BAD_CURSOR))?;
        let (page, more) = rest.split_at_checked(self.options.limits.page_tools.max(1)).unwrap_or((rest, &[]));
        let last = page.last().filter(|_| !more.is_empty());
        let next_cursor = last.map(|last| format!("{AFTER}{}", last.name()));
        let message = tool_list::page(to, &self.options.identity, page, next_cursor.as_deref(), self.options.list_ttl);
        self.answer(to, message, out);
        Ok(())
    }
}

/// The tools after a cursor; an empty one stands before all of them.
fn after<'t>(tools: &'t [ListedTool], cursor: &str) -> Option<&'t [ListedTool]> {
    let cursor = string(Some(cursor))?;
    if cursor.is_empty() {
        return Some(tools);
    }
    let last = cursor.strip_prefix(AFTER)?;
    let at = tools.iter().position(|tool| tool.name() == last)?;
    tools.get(at + 1..)
}
