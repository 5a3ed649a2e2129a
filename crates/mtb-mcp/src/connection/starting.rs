use std::future::Future;
use std::sync::Arc;

use mtb_bridge::{Bridge, CallOptions, CancellationToken, Carrier};
use mtb_core::Principal;

use super::Connection;
use crate::actions::{Action, Actions};
use crate::reply_to::ReplyTo;
use crate::running::{Asks, Fate, Origin, Reports, Running, Slot, Stage};
use crate::task::{Task, TaskDone, TaskId};

/// What a task needs to be written down for, before it is made.
pub(super) struct Start {
    pub(super) to: ReplyTo,
    pub(super) tool: Box<str>,
    pub(super) asks: Asks,
    pub(super) origin: Origin,
    pub(super) slot: Slot,
    pub(super) fate: Fate,
    pub(super) reports: Option<Reports>,
    /// How a token that goes with it was carried, or how the question would be.
    pub(super) carrier: Carrier,
}

impl<C: Send + Sync + 'static> Connection<C> {
    /// Starts what `work` makes of the bridge and the principal, and remembers whom it is for.
    pub(super) fn start<Work>(
        &mut self,
        start: Start,
        work: impl FnOnce(Bridge<C>, Principal, CallOptions) -> Work,
        out: &mut Actions,
    ) where
        Work: Future<Output = TaskDone> + Send + 'static,
    {
        self.tasks_started += 1;
        let id = TaskId(self.tasks_started);
        let Start { to, tool, asks, origin, slot, fate, reports, carrier } = start;
        let cancellation = CancellationToken::new();
        let options = self.call_options(id, carrier, &cancellation, reports.as_ref());

        if fate == Fate::Wanted {
            self.requests.insert(to.id.clone(), Stage::Task(id));
        }
        if slot == Slot::Taken {
            self.slots_taken += 1;
        }
        self.tasks.insert(id, Running { to, tool, asks, origin, slot, fate, cancellation, reports });

        let work = work(self.bridge.clone(), self.principal.clone(), options);
        let work = Box::pin(work);
        out.push(Action::Start(Task { id, work }));
    }

    fn call_options(
        &self,
        task: TaskId,
        carrier: Carrier,
        cancellation: &CancellationToken,
        reports: Option<&Reports>,
    ) -> CallOptions {
        let options = CallOptions::new().transport(self.transport).carrier(carrier).cancellation(cancellation.clone());
        if reports.is_none() {
            return options;
        }
        let progress_out = Arc::clone(&self.progress_out);
        options.progress(Arc::new(move |progress| progress_out(task, progress)))
    }
}
