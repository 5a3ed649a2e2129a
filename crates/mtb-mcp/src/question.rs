use std::collections::BTreeMap;

use mtb_bridge::Confirmation;
use mtb_core::Timestamp;

use crate::reply_to::ReplyTo;
use crate::running::Reports;
use crate::wire::call_result::OutputSchema;

/// A question that was sent to the client and has no answer yet.
pub(crate) struct Question {
    /// The call that waits for it.
    pub(crate) to: ReplyTo,
    pub(crate) tool: Box<str>,
    /// Holds the token that the yes releases.
    pub(crate) confirmation: Confirmation,
    /// From this moment on nobody waits for the answer.
    pub(crate) deadline: Timestamp,
    pub(crate) reports: Option<Reports>,
}

impl Question {
    pub(crate) fn schema(&self) -> OutputSchema {
        OutputSchema::of(self.confirmation.has_output_schema)
    }
}

/// Open questions by the ids of their requests, which nobody can guess.
#[derive(Default)]
pub(crate) struct Questions(BTreeMap<Box<str>, Question>);

impl Questions {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn open(&mut self, id: Box<str>, question: Question) {
        self.0.insert(id, question);
    }

    /// Takes it out: whatever comes for it later is late.
    pub(crate) fn close(&mut self, id: &str) -> Option<Question> {
        self.0.remove(id)
    }

    pub(crate) fn close_all(&mut self) -> BTreeMap<Box<str>, Question> {
        std::mem::take(&mut self.0)
    }

    /// Takes out what nobody waits for any more.
    pub(crate) fn close_due(&mut self, now: Timestamp) -> BTreeMap<Box<str>, Question> {
        let (due, open) = self.close_all().into_iter().partition(|(_, question)| question.deadline <= now);
        self.0 = open;
        due
    }

    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.0.values().map(|question| question.deadline).min()
    }
}
