use std::fmt;
use std::sync::Arc;

/// Something that a tool really did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// `count` counted.
    Counted,
    /// `send` sent a message.
    Sent,
    /// `transfer` moved money.
    Moved,
    /// A handler saw that nobody waits for its answer any more, and stopped.
    Stopped,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counted => "counted",
            Self::Sent => "sent",
            Self::Moved => "moved",
            Self::Stopped => "stopped",
        })
    }
}

/// Where effects are told. Cheap to clone.
#[derive(Clone)]
pub struct Effects(Arc<dyn Fn(Effect) + Send + Sync>);

impl Effects {
    /// Each effect is handed to this function, in the handler's task.
    pub fn to(tell: impl Fn(Effect) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    pub(crate) fn tell(&self, effect: Effect) {
        (self.0)(effect);
    }
}

impl fmt::Debug for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Effects").finish_non_exhaustive()
    }
}
