use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use mtb_core::{ConfirmMode, Declaration, DeclarationDraft, DefinitionError, Governance, Retain};

use crate::arguments::{ArgumentSource, JsonSchema};
use crate::call::Call;
use crate::handler::{ContextFree, Declared, Handler, HandlerError, Summarize};
use crate::result::ToolResult;

/// A checked declaration and the code behind it. Nothing outside the bridge's path can reach the code.
pub struct Tool<C = ()> {
    declaration: Arc<Declaration>,
    handler: Arc<dyn Handler<C>>,
}

impl Tool {
    /// Begins a declaration. What is required is asked for here; [`ToolBuilder`] has the rest.
    pub fn declare<S: ArgumentSource>(
        name: &str,
        description: &str,
        arguments: S,
        governance: Governance,
    ) -> ToolBuilder<S> {
        let draft = DeclarationDraft::new(name, description, arguments.schema(), governance);
        ToolBuilder { draft, source: Arc::new(arguments), summarize: None }
    }

    /// The same tool for a registry whose other handlers get a context from the host.
    #[must_use]
    pub fn for_any_context<C: Send + Sync + 'static>(self) -> Tool<C> {
        Tool { declaration: self.declaration, handler: Arc::new(ContextFree(self.handler)) }
    }
}

impl<C> Tool<C> {
    /// The facts about it.
    #[must_use]
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    pub(crate) fn shared_declaration(&self) -> &Arc<Declaration> {
        &self.declaration
    }

    pub(crate) fn handler(&self) -> &dyn Handler<C> {
        &*self.handler
    }
}

impl<C> Clone for Tool<C> {
    fn clone(&self) -> Self {
        Self { declaration: Arc::clone(&self.declaration), handler: Arc::clone(&self.handler) }
    }
}

impl<C> fmt::Debug for Tool<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", self.declaration.name()).finish_non_exhaustive()
    }
}

/// A declaration in the making. A handler completes it.
#[must_use = "a declaration does nothing until it has a handler and is registered"]
pub struct ToolBuilder<S: ArgumentSource = JsonSchema> {
    draft: DeclarationDraft,
    source: Arc<S>,
    summarize: Option<Summarize<S::Arguments>>,
}

impl<S: ArgumentSource> ToolBuilder<S> {
    /// A name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.draft.title = Some(title.to_owned());
        self
    }

    /// The schema of the structured result. It is shown to clients that know output schemas, and a result that does
    /// not fit, or has no structured content, does not leave: the model reads that the tool failed, and the operator
    /// where. A result marked as an error need not fit.
    pub fn output(mut self, schema: &JsonSchema) -> Self {
        self.draft.output = Some(schema.schema());
        self
    }

    /// The same with the schema of what a type is serialised to.
    ///
    /// ```
    /// use mtb_bridge::{JsonSchema, Tool};
    /// use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
    ///
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Count {
    ///     open: u32,
    /// }
    ///
    /// let governance = Governance {
    ///     sensitivity: Sensitivity::None,
    ///     reversibility: Reversibility::Reversible,
    ///     roles: any_of(["reader"]),
    /// };
    /// let tool = Tool::declare("count", "Counts open invoices.", JsonSchema::no_arguments(), governance)
    ///     .output_type::<Count>()
    ///     .handler(|_, _: mtb_bridge::Call| async { Ok(serde_json::to_value(Count { open: 3 })?) })
    ///     .build()
    ///     .unwrap();
    /// let output = tool.declaration().output().unwrap();
    /// assert!(output.validate(&serde_json::json!({"open": -1})).is_err());
    /// ```
    #[cfg(feature = "schemars")]
    pub fn output_type<T: schemars::JsonSchema>(mut self) -> Self {
        self.draft.output = Some(mtb_core::SchemaSource::derived_output::<T>());
        self
    }

    /// Every call waits for a person's yes, whatever the policy says. There is no opposite.
    pub fn always_confirm(mut self) -> Self {
        self.draft.confirm = ConfirmMode::Always;
        self
    }

    /// What the audit may keep of calls; nothing, unless said here.
    pub fn retain(mut self, retain: Retain) -> Self {
        self.draft.retain = retain;
        self
    }

    /// The longest one call may take, 1 ms to 2^31 − 1 ms, from the moment it is cleared to run.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.draft.timeout = Some(limit);
        self
    }

    /// One sentence for the person who confirms: what happens, to whom, with what consequence. Cut at 1,000
    /// characters. Without it the title is shown, else the name. If it panics, the call is refused.
    pub fn summarize(mut self, summarize: impl Fn(&S::Arguments) -> String + Send + Sync + 'static) -> Self {
        self.summarize = Some(Arc::new(summarize));
        self
    }

    /// The code of the tool. It gets validated arguments only.
    ///
    /// Where the compiler cannot tell which context the handler gets, name it: `|arguments, call: Call<App>|`, or `Call`
    /// for a handler that needs nothing from the host.
    ///
    /// Return text, JSON or a [`ToolResult`]; fail with a [`ToolError`](crate::ToolError) for what the model may
    /// read, and with any other error for what it may not. It is aborted some time after its
    /// [cancellation](Call::cancellation) fired; code that blocks its thread cannot be stopped.
    pub fn handler<C, F, Fut, R>(self, run: F) -> ToolDraft<C>
    where
        C: Send + Sync + 'static,
        F: Fn(S::Arguments, Call<C>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, HandlerError>> + Send + 'static,
        R: Into<ToolResult> + 'static,
    {
        let handler = Declared { source: self.source, summarize: self.summarize, run: Arc::new(run) };
        ToolDraft { draft: self.draft, handler: Arc::new(handler) }
    }
}

/// A complete declaration that was not checked yet. Registering checks it, together with all that come with it.
#[must_use = "a tool does nothing until it is registered"]
pub struct ToolDraft<C = ()> {
    draft: DeclarationDraft,
    handler: Arc<dyn Handler<C>>,
}

impl<C> ToolDraft<C> {
    /// The name as declared.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Checks the declaration.
    ///
    /// # Errors
    /// One error with every problem of it.
    pub fn build(self) -> Result<Tool<C>, DefinitionError> {
        Ok(Tool { declaration: Arc::new(self.draft.check()?), handler: self.handler })
    }
}

impl<C> fmt::Debug for ToolDraft<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDraft").field("name", &self.draft.name).finish_non_exhaustive()
    }
}
