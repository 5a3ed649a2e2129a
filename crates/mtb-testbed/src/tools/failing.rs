use mtb_bridge::{Call, HandlerError, ToolDraft, ToolError, ToolResult};

use super::plain;

/// What only the operator may read; the table says that no answer contains it.
const SECRET: &str = "secret-of-the-operator";

pub(super) fn fail() -> ToolDraft {
    plain("fail", "Fails and says why.").handler(|_, _: Call| async {
        Err::<ToolResult, HandlerError>(ToolError::new("There is no invoice INV-12.").into())
    })
}

pub(super) fn mislay() -> ToolDraft {
    plain("mislay", "Fails without saying why.")
        .handler(|_, _: Call| async { Err::<ToolResult, HandlerError>(HandlerError::internal(SECRET)) })
}

pub(super) fn collapse() -> ToolDraft {
    plain("collapse", "Panics.").handler(|_, _: Call| async { collapsed() })
}

#[expect(clippy::panic, reason = "that is what this tool is for")]
fn collapsed() -> Result<ToolResult, HandlerError> {
    panic!("{SECRET}")
}
