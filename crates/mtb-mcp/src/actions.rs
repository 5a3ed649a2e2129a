use std::collections::VecDeque;
use std::fmt;

use crate::message::Message;
use crate::task::Task;

/// What a driver has to do.
pub enum Action {
    /// Send this message.
    Send(Message),
    /// Start this task.
    Start(Task),
}

/// Actions in the order they have to be done. Reusable: a driver drains it after each step of a connection.
#[derive(Debug, Default)]
pub struct Actions(VecDeque<Action>);

impl Actions {
    /// Nothing to do.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One more thing to do.
    pub fn push(&mut self, action: Action) {
        self.0.push_back(action);
    }

    /// The next thing to do.
    #[must_use = "what is popped has to be done"]
    pub fn pop(&mut self) -> Option<Action> {
        self.0.pop_front()
    }

    /// How many things there are to do.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A message holds content, so only its length is shown.
impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send(message) => write!(f, "Send({} bytes)", message.as_bytes().len()),
            Self::Start(task) => f.debug_tuple("Start").field(task).finish(),
        }
    }
}
