use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mtb_bridge::{Call, HandlerError, ToolResult};

use crate::envelope::Envelope;

/// What an adapted function runs in.
pub type AdaptedFuture<T = ToolResult> = Pin<Box<dyn Future<Output = Result<T, HandlerError>> + Send>>;

/// Begins to wrap an existing async function into a handler. [`Adapter::input`] comes next.
///
/// ```
/// use mtb_adapt::{Envelope, adapt};
/// use mtb_bridge::{Arguments, Call, JsonSchema, Tool};
/// # use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
/// use serde_json::json;
///
/// # #[derive(Debug)]
/// # struct LegacyError;
/// # impl std::fmt::Display for LegacyError {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("legacy") }
/// # }
/// # impl std::error::Error for LegacyError {}
/// struct Action {
///     user: String,
///     data: String,
/// }
/// struct Reply {
///     ok: bool,
///     detail: String,
/// }
/// async fn execute(action: Action) -> Result<Reply, LegacyError> {
///     Ok(Reply { ok: !action.data.is_empty(), detail: format!("done for {}", action.user) })
/// }
///
/// # let schema = JsonSchema::no_arguments();
/// # let governance = Governance {
/// #     sensitivity: Sensitivity::Low,
/// #     reversibility: Reversibility::Reversible,
/// #     roles: any_of(["support"]),
/// # };
/// let envelope = Envelope::new(|reply: &Reply| reply.ok, |reply| reply.detail);
/// let handler = adapt(execute)
///     .input(|arguments: Arguments, call: &Call| {
///         Ok(Action { user: call.principal().id().to_string(), data: arguments.into_value().to_string() })
///     })
///     // `?` keeps the error for the operator; the model reads one generic sentence.
///     .output(move |reply: Result<Reply, LegacyError>| envelope.read(reply?));
/// let tool = Tool::declare("archive", "Archives the case.", schema, governance).handler(handler);
/// assert!(tool.build().is_ok());
/// ```
pub fn adapt<I, T, Fut>(existing: impl Fn(I) -> Fut + Send + Sync + 'static) -> Adapter<I, T>
where
    Fut: Future<Output = T> + Send + 'static,
{
    Adapter {
        run: Arc::new(move |input| {
            let running = existing(input);
            Box::pin(async move { Ok(running.await) })
        }),
    }
}

/// Begins to wrap an existing function that blocks its thread. It runs on the runtime's threads for blocking work.
///
/// Nothing can stop it: after a time limit or a cancellation it goes on to its end, and its answer is dropped.
///
/// ```
/// use mtb_adapt::adapt_blocking;
/// use mtb_bridge::{Arguments, Call};
///
/// let handler = adapt_blocking(|path: String| std::fs::read_to_string(path))
///     .input(|arguments: Arguments, _call: &Call| Ok(arguments.string("path")?.to_owned()))
///     .output(|text| Ok(text?));
/// # let _ = mtb_bridge::Tool::declare(
/// #     "read", "Reads.", mtb_bridge::JsonSchema::no_arguments(),
/// #     mtb_core::Governance { sensitivity: mtb_core::Sensitivity::None,
/// #         reversibility: mtb_core::Reversibility::Reversible, roles: mtb_core::any_of(["reader"]) },
/// # ).handler(handler);
/// ```
pub fn adapt_blocking<I, T>(existing: impl Fn(I) -> T + Send + Sync + 'static) -> Adapter<I, T>
where
    I: Send + 'static,
    T: Send + 'static,
{
    let existing = Arc::new(existing);
    Adapter {
        run: Arc::new(move |input| {
            let existing = Arc::clone(&existing);
            Box::pin(async move { Ok(tokio::task::spawn_blocking(move || existing(input)).await?) })
        }),
    }
}

/// An existing function that takes an `I` and gives a `T`.
#[must_use = "an adapter becomes a handler with `input` and `output`"]
pub struct Adapter<I, T> {
    run: Arc<dyn Fn(I) -> AdaptedFuture<T> + Send + Sync>,
}

impl<I: 'static, T: 'static> Adapter<I, T> {
    /// How the validated arguments and the call become what the existing function takes. An error of the mapping is
    /// the handler's.
    pub fn input<A: 'static, C: 'static>(
        self,
        map: impl Fn(A, &Call<C>) -> Result<I, HandlerError> + Send + Sync + 'static,
    ) -> InputAdapter<A, C, T> {
        let run = self.run;
        InputAdapter {
            run: Arc::new(move |arguments, call| match map(arguments, call) {
                Ok(input) => run(input),
                Err(error) => Box::pin(async { Err(error) }),
            }),
        }
    }
}

/// An existing function that takes the arguments of a call and gives a `T`.
#[must_use = "an adapter becomes a handler with `output` or `envelope`"]
pub struct InputAdapter<A, C, T> {
    run: RunWith<A, C, T>,
}

type RunWith<A, C, T> = Arc<dyn Fn(A, &Call<C>) -> AdaptedFuture<T> + Send + Sync>;

impl<A: 'static, C: 'static, T: Send + 'static> InputAdapter<A, C, T> {
    /// The handler: what the existing function returns becomes an answer, or an error that `?` keeps from the model.
    pub fn output<R: Into<ToolResult>>(
        self,
        map: impl Fn(T) -> Result<R, HandlerError> + Send + Sync + 'static,
    ) -> impl Fn(A, Call<C>) -> AdaptedFuture + Send + Sync + 'static {
        let map = Arc::new(move |returned| map(returned).map(Into::into));
        move |arguments, call| {
            let running = (self.run)(arguments, &call);
            let map = Arc::clone(&map);
            Box::pin(async move { map(running.await?) })
        }
    }

    /// The handler of a function that returns an envelope.
    pub fn envelope(self, envelope: Envelope<T>) -> impl Fn(A, Call<C>) -> AdaptedFuture + Send + Sync + 'static {
        self.output(move |returned| envelope.read(returned))
    }
}

impl<I, T> fmt::Debug for Adapter<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Adapter")
    }
}

impl<A, C, T> fmt::Debug for InputAdapter<A, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InputAdapter")
    }
}
