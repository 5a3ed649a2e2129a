use std::panic::{AssertUnwindSafe, catch_unwind};

use mtb_bridge::{Carrier, Confirmation, DeclineDetail, WithdrawDetail};
use mtb_core::Timestamp;
use mtb_core::json::RequestId;
use uuid::Uuid;

use super::Connection;
use super::starting::Start;
use crate::actions::{Action, Actions};
use crate::answer::Answer;
use crate::question::Question;
use crate::reply_to::ReplyTo;
use crate::running::{Asks, Fate, Origin, Reports, Running, Slot, Stage};
use crate::task::{Done, TaskDone, TokenUse};
use crate::wire::{elicitation, notifications};
use crate::wording;

/// Up to 2025-11-25, a question is a request to the client, and the call waits for its answer.
impl<C: Send + Sync + 'static> Connection<C> {
    /// Asks the person, unless too many questions are open by now.
    pub(super) fn ask(&mut self, held: Running, confirmation: Confirmation, out: &mut Actions) {
        let Running { to, tool, reports, .. } = held;
        let question = Question { deadline: self.question_deadline(&confirmation), to, tool, confirmation, reports };
        if self.questions.len() >= self.options.limits.pending_questions {
            return self.ask_through_the_host(question, WithdrawDetail::ElicitationFailed, out);
        }
        let id: Box<str> = Uuid::new_v4().to_string().into();
        let message = elicitation::create(&id, question.to.version, &question.confirmation.summary);
        out.push(Action::Send(message));
        self.requests.insert(question.to.id.clone(), Stage::Question(id.clone()));
        self.questions.open(id, question);
    }

    /// `result` is what the client answered, if it answered at all.
    pub(super) fn answer_arrived(&mut self, question: Question, result: Option<&str>, out: &mut Actions) {
        match result.map_or(Answer::Malformed, Answer::read) {
            Answer::Confirmed => self.redeem(question, out),
            Answer::No(detail) => self.decline_question(question, detail, out),
            Answer::Malformed => self.ask_through_the_host(question, WithdrawDetail::ElicitationFailed, out),
        }
    }

    pub(super) fn expire_questions(&mut self, out: &mut Actions) {
        let Some(now) = self.now() else { return };
        for (id, question) in self.questions.close_due(now) {
            tell_withdrawn(&id, out);
            self.ask_through_the_host(question, WithdrawDetail::ElicitationTimeout, out);
        }
    }

    /// Ends a question that nobody needs an answer to any more.
    pub(super) fn withdraw_question(
        &mut self,
        id: &str,
        question: Question,
        detail: WithdrawDetail,
        fate: Fate,
        out: &mut Actions,
    ) {
        tell_withdrawn(id, out);
        let (start, confirmation) = follow_up(question, Slot::NotNeeded);
        self.withdraw(Start { fate, ..start }, confirmation, detail, out);
    }

    /// Spends a token that nobody may use.
    pub(super) fn withdraw(
        &mut self,
        start: Start,
        confirmation: Confirmation,
        detail: WithdrawDetail,
        out: &mut Actions,
    ) {
        self.start(
            start,
            |bridge, principal, options| async move {
                bridge.withdraw(&principal, confirmation.token.expose(), detail, options).await;
                TaskDone(Done::Withdrawn)
            },
            out,
        );
    }

    fn redeem(&mut self, question: Question, out: &mut Actions) {
        let (start, confirmation) = follow_up(question, Slot::Taken);
        self.start(
            start,
            |bridge, principal, options| async move {
                let token = confirmation.token.expose();
                TaskDone(Done::Outcome(bridge.execute_confirmed_with(&principal, token, options).await))
            },
            out,
        );
    }

    fn decline_question(&mut self, question: Question, detail: DeclineDetail, out: &mut Actions) {
        let (start, confirmation) = follow_up(question, Slot::NotNeeded);
        self.start(
            start,
            |bridge, principal, options| async move {
                let token = confirmation.token.expose();
                TaskDone(Done::Declined(TokenUse::of(bridge.decline(&principal, token, detail, options).await)))
            },
            out,
        );
    }

    /// The next carrier: the same call is held again, for the host to ask.
    fn ask_through_the_host(&mut self, question: Question, detail: WithdrawDetail, out: &mut Actions) {
        let (start, confirmation) = follow_up(question, Slot::Taken);
        self.start(
            start,
            |bridge, principal, options| async move {
                let token = confirmation.token.expose();
                TaskDone(Done::Outcome(bridge.reissue(&principal, token, detail, Carrier::Host, options).await))
            },
            out,
        );
    }

    fn question_deadline(&self, confirmation: &Confirmation) -> Timestamp {
        let own = self.options.elicitation_timeout.and_then(|timeout| Some(self.now()?.after(timeout)));
        own.map_or(confirmation.expires_at, |own| own.min(confirmation.expires_at))
    }

    /// A clock that panics tells no time, so nothing is due by it.
    fn now(&self) -> Option<Timestamp> {
        catch_unwind(AssertUnwindSafe(|| self.bridge.clock().now())).ok()
    }
}

/// What comes after a question, for the call that asked it.
fn follow_up(question: Question, slot: Slot) -> (Start, Confirmation) {
    let origin = Origin::Question(question.schema());
    let Question { to, tool, confirmation, reports, .. } = question;
    (elicited(to, tool, origin, slot, reports), confirmation)
}

fn elicited(to: ReplyTo, tool: Box<str>, origin: Origin, slot: Slot, reports: Option<Reports>) -> Start {
    let (asks, fate, carrier) = (Asks::Host, Fate::Wanted, Carrier::Elicited);
    Start { to, tool, asks, origin, slot, fate, reports, carrier }
}

/// The client need not ask any more.
fn tell_withdrawn(question: &str, out: &mut Actions) {
    let message = notifications::cancelled(&RequestId::from(question), wording::QUESTION_WITHDRAWN);
    out.push(Action::Send(message));
}
