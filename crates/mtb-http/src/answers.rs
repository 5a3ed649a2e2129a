//! Where the messages to a client come from.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;
use mtb_core::json::RequestId;
use mtb_mcp::drive::{Exchange, Inbox};
use mtb_mcp::{Message, MessageKind};
use tokio::sync::mpsc;

use crate::attended::Attended;
use crate::quota::Place;
use crate::session::Session;

/// Messages that wait for a client that does not read; the exchange behind it bounds the rest.
const WAITING: usize = 4;

/// What a request is answered with, message by message. Its place is taken until all of it has been handed on.
pub(crate) struct Answers {
    source: Source,
    place: Arc<Place>,
}

enum Source {
    /// Of a request that stands by itself: whoever hangs up cancels it.
    Own(Attended),
    /// Of a request in a session, which goes on when the client hangs up.
    Pumped(mpsc::Receiver<Message>),
}

impl Answers {
    pub(crate) fn own(attended: Attended, place: Arc<Place>) -> Self {
        Self { source: Source::Own(attended), place }
    }

    pub(crate) fn pumped(messages: mpsc::Receiver<Message>, place: Arc<Place>) -> Self {
        Self { source: Source::Pumped(messages), place }
    }

    pub(crate) async fn next(&mut self) -> Option<Message> {
        match &mut self.source {
            Source::Own(exchange) => exchange.next().await,
            Source::Pumped(messages) => messages.recv().await,
        }
    }

    /// They are made from now on whether or not somebody waits for them: a client that is slow to read what it gets
    /// holds up nothing.
    pub(crate) fn leave(&mut self) {
        if let Source::Own(exchange) = &mut self.source {
            exchange.leave();
        }
    }

    /// Nobody may read them any more. Ends what is this client's to end; what there is to say to that comes next.
    pub(crate) fn close(&mut self) {
        match &mut self.source {
            Source::Own(exchange) => exchange.close(),
            Source::Pumped(messages) => messages.close(),
        }
    }

    /// Whether what they are of goes on although they are closed.
    pub(crate) fn goes_on(&self) -> bool {
        matches!(self.source, Source::Pumped(_))
    }

    /// For whatever still has to be handed on.
    pub(crate) fn place(&self) -> Arc<Place> {
        Arc::clone(&self.place)
    }
}

/// Carries a request of a session to its end, whether or not the client still listens.
pub(crate) struct Pump {
    exchange: Exchange,
    kept: Kept,
    /// Whether the client reads more than one message.
    streams: bool,
    to_client: mpsc::Sender<Message>,
    /// Taken until the last message has been handed on.
    _place: Arc<Place>,
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

    /// Of the requests with these ids: several, if they came as a batch. From now on the session knows them; none,
    /// where the exchange is closed.
    pub(crate) fn of(
        exchange: Exchange,
        session: Arc<Session>,
        ids: Vec<RequestId>,
        streams: bool,
        to_client: mpsc::Sender<Message>,
        place: Arc<Place>,
    ) -> Option<Self> {
        let inbox = exchange.inbox()?;
        for id in ids {
            session.serve(id, inbox.clone());
        }
        Some(Self { exchange, kept: Kept { session, inbox }, streams, to_client, _place: place })
    }

    pub(crate) async fn run(mut self) {
        let session = Arc::clone(&self.kept.session);
        let mut old = pin!(session.grow_old().fuse());
        let mut carried = pin!(self.carry());
        loop {
            tokio::select! {
                () = &mut carried => return,
                // What there is to say to that is still said.
                () = &mut old => {}
            }
        }
    }

    async fn carry(&mut self) {
        while let Some(message) = self.exchange.next().await {
            if let MessageKind::Question(id) = message.kind() {
                self.kept.session.ask(id, self.kept.inbox.clone());
            }
            if self.streams || message.is_answer() {
                tokio::select! {
                    biased;
                    // A client that is gone is no reason to stop; one that does not read is, once its session is over.
                    _ = self.to_client.send(message) => {}
                    () = self.kept.session.ended.cancelled() => return,
                }
            }
        }
    }
}
