mod answering;
mod batch;
mod call;
mod cancel;
mod closing;
mod confirm_elicited;
mod confirm_input_required;
mod finished;
mod initialize;
mod list;
mod listen;
mod progress;
mod receiving;
mod spend;
mod starting;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use mtb_bridge::{Bridge, Progress};
use mtb_core::json::{RequestId, Scan};
use mtb_core::{Principal, Timestamp, Transport};

use crate::actions::Actions;
use crate::batches::Batches;
use crate::era::Session;
#[cfg(feature = "drive")]
use crate::era::{Client, Phase};
#[cfg(feature = "drive")]
use crate::incoming::Incoming;
use crate::question::Questions;
use crate::running::{Running, Stage};
use crate::server_options::ServerOptions;
use crate::task::{ProgressOut, TaskDone, TaskId};
#[cfg(feature = "drive")]
pub(crate) use batch::spoils_a_batch;
use listen::Subscriptions;

/// One client's connection: messages in, messages and tasks out.
///
/// Whatever arrives on it is done in the name of one principal. Every request whose `id` can be read gets exactly one
/// answer, or none once it was cancelled. Both eras are spoken: `initialize` opens the older one, and a request that
/// names 2026-07-28 in its `_meta` is served by itself at any time.
///
/// It does no I/O, tells no time but by the bridge's clock, and waits for nothing: after each step the driver sends and
/// starts what is in the [`Actions`], in order.
pub struct Connection<C> {
    bridge: Bridge<C>,
    principal: Principal,
    transport: Transport,
    options: Arc<ServerOptions>,
    progress_out: ProgressOut,
    life: Life,
    /// What `initialize` settled, once it did.
    session: Option<Session>,
    /// Every request without an answer that has left. What is not here may be used as an id.
    requests: HashMap<RequestId, Stage>,
    tasks: HashMap<TaskId, Running>,
    tasks_started: u64,
    /// How many of the tasks count as calls in flight.
    slots_taken: usize,
    questions: Questions,
    subscriptions: Subscriptions,
    batches: Batches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Closed,
}

impl<C: Send + Sync + 'static> Connection<C> {
    /// A connection that was just opened, for this principal. `transport` is what the audit calls the channel;
    /// `progress` is called from handlers.
    #[must_use]
    pub fn new(
        bridge: Bridge<C>,
        principal: Principal,
        transport: Transport,
        options: Arc<ServerOptions>,
        progress: ProgressOut,
    ) -> Self {
        Self {
            bridge,
            principal,
            transport,
            options,
            progress_out: progress,
            life: Life::Open,
            session: None,
            requests: HashMap::new(),
            tasks: HashMap::new(),
            tasks_started: 0,
            slots_taken: 0,
            questions: Questions::default(),
            subscriptions: Subscriptions::default(),
            batches: Batches::default(),
        }
    }

    /// The same connection, with a handshake that was made elsewhere: by a transport that keeps sessions itself, where
    /// each request has a connection of its own.
    #[cfg(feature = "drive")]
    pub(crate) fn with_client(mut self, client: Client) -> Self {
        self.session = Some(Session { client, phase: Phase::Ready });
        self
    }

    /// Takes one complete message, of at most [`message_bytes`](crate::ProtocolLimits::message_bytes).
    pub fn receive(&mut self, message: &[u8], out: &mut Actions) {
        if self.life == Life::Open {
            self.take_message(message, out);
        }
    }

    /// The principal as it is known now; another one is not taken.
    #[cfg(feature = "drive")]
    #[must_use]
    pub(crate) fn renew(&mut self, principal: Principal) -> bool {
        let is_same = principal.id() == self.principal.id();
        if is_same {
            self.principal = principal;
        }
        is_same
    }

    /// Takes the same, as it was read before.
    #[cfg(feature = "drive")]
    pub(crate) fn receive_read(&mut self, message: Incoming<'_>, out: &mut Actions) {
        if self.life == Life::Open {
            self.take(message, None, out);
        }
    }

    /// Takes what a [`Scanner`](mtb_core::json::Scanner) kept of a message that was too long to be kept itself.
    pub fn receive_oversized(&mut self, scan: Scan, out: &mut Actions) {
        if self.life == Life::Open {
            self.take_oversized(scan, out);
        }
    }

    /// Takes what a handler reported through the [`ProgressOut`]. It is dropped if nobody asked for it, if it says less
    /// than the report before, or if the call has its answer.
    pub fn progress(&mut self, task: TaskId, progress: Progress, out: &mut Actions) {
        self.report(task, progress, out);
    }

    /// Takes what a task gave.
    pub fn finished(&mut self, task: TaskId, done: TaskDone, out: &mut Actions) {
        self.finish(task, done.0, out);
    }

    /// Tells the client that tools came or went, if it wants to know.
    pub fn tools_changed(&mut self, out: &mut Actions) {
        self.tell_tools_changed(out);
    }

    /// Whether a subscription of the client is to be told that tools came or went.
    #[must_use]
    pub fn has_subscriptions(&self) -> bool {
        self.subscriptions.are_to_tools()
    }

    /// The moment, by the bridge's clock, at which a question has waited long enough and [`expire`](Self::expire) is
    /// to be called.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.questions.deadline()
    }

    /// Ends the questions that have waited long enough, by the bridge's clock: their calls are answered as if the
    /// client could not ask.
    pub fn expire(&mut self, out: &mut Actions) {
        self.expire_questions(out);
    }

    /// Nothing more will arrive, or nothing more shall be served: calls in flight are cancelled, questions withdrawn,
    /// subscriptions ended. What was asked before is still answered; what arrives from now on is not.
    pub fn close(&mut self, out: &mut Actions) {
        if self.life == Life::Open {
            self.life = Life::Closed;
            self.end_everything(out);
        }
    }

    /// Whether no task is outstanding.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Whether any request has no answer yet: its call runs, its question is open, or it is a subscription.
    #[must_use]
    pub fn has_open_requests(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Whether the connection has room for more work. Calls past the limit are refused, but refusing takes a task as
    /// well; a driver that reads nothing while there is no room keeps the number of tasks bounded.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.tasks.len() < self.options.limits.in_flight.saturating_mul(2).max(1)
    }
}

/// Shows numbers only.
impl<C> fmt::Debug for Connection<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("session", &self.session)
            .field("requests", &self.requests.len())
            .field("tasks", &self.tasks.len())
            .field("questions", &self.questions.len())
            .finish_non_exhaustive()
    }
}
