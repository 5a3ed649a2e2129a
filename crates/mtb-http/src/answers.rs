//! Where the messages to a client come from.

use std::sync::Arc;

use mtb_core::json::RequestId;
use mtb_mcp::drive::{Exchange, Inbox};
use mtb_mcp::{Message, MessageKind};
use tokio::sync::mpsc;

use crate::attended::Attended;
use crate::session::Session;

/// Messages that wait for a client that does not read; the exchange behind it bounds the rest.
const WAITING: usize = 4;

/// What a request is answered with, message by message.
pub(crate) enum Answers {
    /// Of a request that stands by itself: whoever hangs up cancels it.
    Own(Attended),
    /// Of a request in a session, which goes on when the client hangs up.
    Pumped(mpsc::Receiver<Message>),
}

impl Answers {
    pub(crate) async fn next(&mut self) -> Option<Message> {
        match self {
            Self::Own(exchange) => exchange.next().await,
            Self::Pumped(messages) => messages.recv().await,
        }
    }

    /// They are made from now on whether or not somebody waits for them: a client that is slow to read what it gets
    /// holds up nothing.
    pub(crate) fn leave(&mut self) {
        if let Self::Own(exchange) = self {
            exchange.leave();
        }
    }

    /// Nobody may read them any more. Ends what is this client's to end; what there is to say to that comes next.
    pub(crate) fn close(&mut self) {
        match self {
            Self::Own(exchange) => exchange.close(),
            Self::Pumped(messages) => messages.close(),
        }
    }
}

/// Carries a request of a session to its end, whether or not the client still listens.
pub(crate) struct Pump {
    pub(crate) exchange: Exchange,
    pub(crate) session: Arc<Session>,
    /// The requests that it is: several, if it came as a batch.
    pub(crate) ids: Vec<RequestId>,
    /// Whether the client reads more than one message.
    pub(crate) streams: bool,
    pub(crate) to_client: mpsc::Sender<Message>,
}

/// What a session keeps of a request while it may be answered, cancelled or asked about.
struct Kept {
    session: Arc<Session>,
    inbox: Inbox,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.session.done(&self.inbox);
    }
}

impl Pump {
    pub(crate) fn channel() -> (mpsc::Sender<Message>, mpsc::Receiver<Message>) {
        mpsc::channel(WAITING)
    }

    pub(crate) async fn run(self) {
        let Self { mut exchange, session, ids, streams, to_client } = self;
        let Some(inbox) = exchange.inbox() else { return };
        for id in ids {
            session.serve(id, inbox.clone());
        }
        let kept = Kept { session, inbox };
        while let Some(message) = exchange.next().await {
            if let MessageKind::Question(id) = message.kind() {
                kept.session.ask(id, kept.inbox.clone());
            }
            if streams || message.is_answer() {
                tokio::select! {
                    // A client that is gone is no reason to stop; one that does not read is, once its session is over.
                    _ = to_client.send(message) => {}
                    () = kept.session.ended.cancelled() => return,
                }
            }
        }
    }
}
