use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mtb_core::{CanonicalJson, Issue};

use crate::arguments::ArgumentSource;
use crate::call::Call;
use crate::result::ToolResult;
use crate::tool_error::ToolError;

/// How a handler fails: with a text for the model, or with an error that only the operator may see.
///
/// `?` turns any error into the second kind; a [`ToolError`] is turned into the first.
pub struct HandlerError(Kind);

enum Kind {
    Tool(ToolError),
    Internal(Box<dyn Error + Send + Sync>),
}

impl HandlerError {
    /// An error for the operator only. The model reads one generic sentence.
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Kind::Internal(error.into()))
    }

    pub(crate) fn into_result(self) -> Result<ToolError, Box<dyn Error + Send + Sync>> {
        match self.0 {
            Kind::Tool(error) => Ok(error),
            Kind::Internal(error) => Err(error),
        }
    }
}

impl From<ToolError> for HandlerError {
    fn from(error: ToolError) -> Self {
        Self(Kind::Tool(error))
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for HandlerError {
    fn from(error: E) -> Self {
        Self::internal(error)
    }
}

/// Its text may be written from arguments, so it is not shown.
impl fmt::Debug for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Tool(_) => "HandlerError(tool error)",
            Kind::Internal(_) => "HandlerError(internal)",
        })
    }
}

/// What running a handler gives.
pub(crate) type RunFuture = Pin<Box<dyn Future<Output = Result<ToolResult, HandlerError>> + Send>>;

/// A handler whose argument type is forgotten, so that tools of all kinds fit one registry.
pub(crate) trait Handler<C>: Send + Sync {
    /// Turns validated arguments into a call that can be summarised and run once.
    fn prepare(&self, arguments: &CanonicalJson) -> Result<Box<dyn Ready<C>>, Issue>;
}

/// A call with its decoded arguments.
pub(crate) trait Ready<C>: Send {
    /// What this call does, in a sentence for people, where the tool can say it.
    fn summary(&self) -> Option<String>;

    fn run(self: Box<Self>, call: Call<C>) -> RunFuture;
}

/// What writes the sentence for the person who confirms.
pub(crate) type Summarize<A> = Arc<dyn Fn(&A) -> String + Send + Sync>;

/// The handler as declared: how to decode, summarise and run.
pub(crate) struct Declared<S: ArgumentSource, F> {
    pub(crate) source: Arc<S>,
    pub(crate) summarize: Option<Summarize<S::Arguments>>,
    pub(crate) run: Arc<F>,
}

struct DeclaredCall<S: ArgumentSource, F> {
    arguments: S::Arguments,
    summarize: Option<Summarize<S::Arguments>>,
    run: Arc<F>,
}

impl<C, S, F, Fut, R> Handler<C> for Declared<S, F>
where
    C: Send + Sync + 'static,
    S: ArgumentSource,
    F: Fn(S::Arguments, Call<C>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, HandlerError>> + Send + 'static,
    R: Into<ToolResult>,
{
    fn prepare(&self, arguments: &CanonicalJson) -> Result<Box<dyn Ready<C>>, Issue> {
        let arguments = self.source.decode(arguments)?;
        Ok(Box::new(DeclaredCall::<S, F> { arguments, summarize: self.summarize.clone(), run: Arc::clone(&self.run) }))
    }
}

impl<C, S, F, Fut, R> Ready<C> for DeclaredCall<S, F>
where
    C: Send + Sync + 'static,
    S: ArgumentSource,
    F: Fn(S::Arguments, Call<C>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, HandlerError>> + Send + 'static,
    R: Into<ToolResult>,
{
    fn summary(&self) -> Option<String> {
        self.summarize.as_ref().map(|summarize| summarize(&self.arguments))
    }

    fn run(self: Box<Self>, call: Call<C>) -> RunFuture {
        Box::pin(async move { (self.run)(self.arguments, call).await.map(Into::into) })
    }
}

/// A handler that needs nothing from the host, in a registry whose other handlers do.
pub(crate) struct ContextFree(pub(crate) Arc<dyn Handler<()>>);

struct ContextFreeCall(Box<dyn Ready<()>>);

impl<C: Send + Sync + 'static> Handler<C> for ContextFree {
    fn prepare(&self, arguments: &CanonicalJson) -> Result<Box<dyn Ready<C>>, Issue> {
        Ok(Box::new(ContextFreeCall(self.0.prepare(arguments)?)))
    }
}

impl<C: Send + Sync + 'static> Ready<C> for ContextFreeCall {
    fn summary(&self) -> Option<String> {
        self.0.summary()
    }

    fn run(self: Box<Self>, call: Call<C>) -> RunFuture {
        self.0.run(call.without_context())
    }
}
