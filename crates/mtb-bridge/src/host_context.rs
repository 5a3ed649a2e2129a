use mtb_core::DefinitionError;

use crate::tool::{Tool, ToolDraft};

/// Marks the type that handlers get from the host for each call, for example a database handle of the caller's tenant.
///
/// ```
/// struct App {
///     tenant: String,
/// }
/// impl mtb_bridge::HostContext for App {}
/// ```
pub trait HostContext: Send + Sync + 'static {}

/// What a registry whose handlers get a `C` accepts: a tool that needs exactly that, or one that needs nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be registered where handlers get `Call<{C}>`",
    label = "is no tool of this registry",
    note = "a `ToolBuilder` has no code yet: finish it with `.handler(…)`",
    note = "a handler takes `Call<{C}>`, or `Call` if it needs nothing from the host: name the type in its closure",
    note = "the host's context type must implement `HostContext`"
)]
pub trait IntoTool<C> {
    /// Checks the declaration, unless it was checked before.
    ///
    /// # Errors
    /// Every problem of the declaration.
    fn into_tool(self) -> Result<Tool<C>, DefinitionError>;
}

impl<C: HostContext> IntoTool<C> for ToolDraft<C> {
    fn into_tool(self) -> Result<Tool<C>, DefinitionError> {
        self.build()
    }
}

impl<C: HostContext> IntoTool<C> for Tool<C> {
    fn into_tool(self) -> Result<Tool<C>, DefinitionError> {
        Ok(self)
    }
}

impl<C: Send + Sync + 'static> IntoTool<C> for ToolDraft<()> {
    fn into_tool(self) -> Result<Tool<C>, DefinitionError> {
        self.build().map(Tool::for_any_context)
    }
}

impl<C: Send + Sync + 'static> IntoTool<C> for Tool<()> {
    fn into_tool(self) -> Result<Tool<C>, DefinitionError> {
        Ok(self.for_any_context())
    }
}
