use mtb_bridge::Progress;

use super::Connection;
use crate::actions::{Action, Actions};
use crate::running::Fate;
use crate::task::TaskId;
use crate::wire::notifications;

impl<C: Send + Sync + 'static> Connection<C> {
    pub(super) fn report(&mut self, task: TaskId, progress: Progress, out: &mut Actions) {
        let running = self.tasks.get_mut(&task).filter(|running| running.fate == Fate::Wanted);
        let Some(running) = running else { return };
        if let Some(token) = running.reports.as_mut().and_then(|reports| reports.accept(progress.done)) {
            out.push(Action::Send(notifications::progress(token, progress, running.to.version)));
        }
    }
}
