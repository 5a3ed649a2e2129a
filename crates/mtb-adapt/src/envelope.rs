use std::fmt;

use mtb_bridge::{HandlerError, ToolError, ToolResult};

/// How to read the result envelope of existing code, for example `{ success, data, error }` or `{ ok, detail }`.
///
/// ```
/// use mtb_adapt::Envelope;
/// use serde_json::json;
///
/// struct Legacy {
///     success: bool,
///     id: u32,
///     error: Option<String>,
/// }
///
/// let envelope = Envelope::new(|legacy: &Legacy| legacy.success, |legacy| json!({"id": legacy.id}))
///     .message(|legacy| legacy.error.clone());
///
/// let answer = envelope.read(Legacy { success: true, id: 7, error: None }).unwrap();
/// assert_eq!(answer.structured, Some(json!({"id": 7})));
/// assert!(envelope.read(Legacy { success: false, id: 0, error: Some("Quota exceeded.".into()) }).is_err());
/// ```
pub struct Envelope<T> {
    ok: Box<dyn Fn(&T) -> bool + Send + Sync>,
    value: Box<dyn Fn(T) -> ToolResult + Send + Sync>,
    message: Message<T>,
    default_message: String,
}

type Message<T> = Box<dyn Fn(&T) -> Option<String> + Send + Sync>;

impl<T: 'static> Envelope<T> {
    /// What the model reads of a failed envelope that says nothing itself.
    pub const DEFAULT_MESSAGE: &'static str = "The operation failed.";

    /// An envelope that `ok` tells to be successful or failed; `value` takes the answer out of a successful one.
    #[must_use]
    pub fn new<R: Into<ToolResult>>(
        ok: impl Fn(&T) -> bool + Send + Sync + 'static,
        value: impl Fn(T) -> R + Send + Sync + 'static,
    ) -> Self {
        Self {
            ok: Box::new(ok),
            value: Box::new(move |envelope| value(envelope).into()),
            message: Box::new(|_| None),
            default_message: Self::DEFAULT_MESSAGE.to_owned(),
        }
    }

    /// Where a failed envelope says why. The model reads it, so it must not hold what the model may not know.
    #[must_use]
    pub fn message(mut self, message: impl Fn(&T) -> Option<String> + Send + Sync + 'static) -> Self {
        self.message = Box::new(message);
        self
    }

    /// What the model reads when a failed envelope gives no message or a blank one, instead of
    /// [`DEFAULT_MESSAGE`](Self::DEFAULT_MESSAGE).
    #[must_use]
    pub fn default_message(mut self, message: &str) -> Self {
        message.clone_into(&mut self.default_message);
        self
    }

    /// Reads one envelope.
    ///
    /// # Errors
    /// When the envelope is a failed one: a [`ToolError`] with its message.
    pub fn read(&self, envelope: T) -> Result<ToolResult, HandlerError> {
        if (self.ok)(&envelope) {
            return Ok((self.value)(envelope));
        }
        let message = (self.message)(&envelope).filter(|message| !message.trim().is_empty());
        Err(ToolError::new(message.unwrap_or_else(|| self.default_message.clone())).into())
    }
}

impl<T> fmt::Debug for Envelope<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Envelope")
    }
}
