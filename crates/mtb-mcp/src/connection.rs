use std::fmt;
use std::sync::Arc;

use mtb_bridge::{Bridge, Progress};
use mtb_core::json::Scan;
use mtb_core::{Principal, Timestamp, Transport};

use crate::actions::Actions;
use crate::server_options::ServerOptions;
use crate::task::{ProgressOut, TaskDone, TaskId};

/// One client's connection.
pub struct Connection<C> {
    bridge: Bridge<C>,
    principal: Principal,
    transport: Transport,
    options: Arc<ServerOptions>,
    progress_out: ProgressOut,
}

impl<C: Send + Sync + 'static> Connection<C> {
    /// A connection that was just opened.
    #[must_use]
    pub fn new(
        bridge: Bridge<C>,
        principal: Principal,
        transport: Transport,
        options: Arc<ServerOptions>,
        progress: ProgressOut,
    ) -> Self {
        Self { bridge, principal, transport, options, progress_out: progress }
    }

    /// Takes one complete message.
    pub fn receive(&mut self, _message: &[u8], _out: &mut Actions) {}

    /// Takes what is left of a message that was too long.
    pub fn receive_oversized(&mut self, _scan: Scan, _out: &mut Actions) {}

    /// Takes a report of progress.
    pub fn progress(&mut self, _task: TaskId, _progress: Progress, _out: &mut Actions) {}

    /// Takes what a task gave.
    pub fn finished(&mut self, _task: TaskId, _done: TaskDone, _out: &mut Actions) {}

    /// The registry changed.
    pub fn tools_changed(&mut self, _out: &mut Actions) {}

    /// When to call [`expire`](Self::expire).
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        None
    }

    /// Ends what has waited too long.
    pub fn expire(&mut self, _out: &mut Actions) {}

    /// Nothing more comes.
    pub fn close(&mut self, _out: &mut Actions) {}

    /// Whether no task is outstanding.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        true
    }
}

impl<C> fmt::Debug for Connection<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}
