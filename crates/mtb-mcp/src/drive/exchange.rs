use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use mtb_bridge::{Bridge, CancellationToken, Progress};
use mtb_core::{Principal, Transport};
use tokio::runtime::Handle;
use tokio_util::sync::WaitForCancellationFutureOwned;

use super::inbox::FromClient;
use super::queue::Queue;
use super::{Changes, Deadline, Envelope, Inbox, Running};
use crate::actions::{Action, Actions};
use crate::connection::Connection;
use crate::era::Client;
use crate::message::Message;
use crate::server_options::ServerOptions;
use crate::task::TaskId;

/// Messages on their way to the client past which reports of progress are dropped. What else an exchange has to say is
/// a question, its withdrawal and an answer, so that a client that does not read holds up nothing and costs little.
const UNREAD: usize = 16;
/// Reports of progress that wait for their turn; past it they are dropped.
const PROGRESS: usize = 256;

/// In whose name a request is served, and how.
pub struct Caller<C> {
    /// The bridge that serves it.
    pub bridge: Bridge<C>,
    /// In whose name everything is done.
    pub principal: Principal,
    /// What the audit calls the channel.
    pub transport: Transport,
    /// How the server speaks.
    pub options: Arc<ServerOptions>,
    /// What `initialize` settled, where it came before. A request of 2026-07-28 describes itself.
    pub handshake: Option<Handshake>,
}

/// What `initialize` settled on another connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handshake(pub(super) Client);

impl Handshake {
    /// With these. A version that is not known here stands for the newest that begins with `initialize`, and
    /// capabilities (JSON) that are no object declare none.
    #[must_use]
    pub fn settled(protocol_version: &str, capabilities: &str) -> Self {
        Self(Client::of_session(protocol_version, capabilities))
    }

    /// The version of the protocol.
    #[must_use]
    pub fn protocol_version(self) -> &'static str {
        self.0.version.as_str()
    }

    /// Whether messages may come as a batch.
    #[must_use]
    pub fn has_batches(self) -> bool {
        self.0.version.has_batches()
    }
}

/// One request on a connection of its own, served in a task of its own.
///
/// Dropping it is hanging up: the call is cancelled, its question withdrawn, and both are recorded. A subscription is
/// told of what its principal can see of the tools.
///
/// ```
/// use std::sync::Arc;
///
/// use mtb_bridge::{Bridge, JsonSchema, Tool, ToolRegistry};
/// use mtb_core::{Governance, Principal, Reversibility, Sensitivity, Transport, any_of};
/// use mtb_mcp::drive::{Caller, Exchange, Handshake};
/// use mtb_mcp::{ServerInfo, ServerOptions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let governance = Governance {
///     sensitivity: Sensitivity::None,
///     reversibility: Reversibility::Reversible,
///     roles: any_of(["reader"]),
/// };
/// let ping = Tool::declare("ping", "Answers.", JsonSchema::no_arguments(), governance);
/// let registry = ToolRegistry::new();
/// registry.register(ping.handler(|_arguments, _call| async { Ok("pong") }))?;
///
/// let info = ServerInfo { name: "example".into(), version: "1.0.0".into(), title: None, instructions: None };
/// let caller = Caller {
///     bridge: Bridge::new(registry),
///     principal: Principal::new("alice", ["reader"])?,
///     transport: Transport::named("queue"),
///     options: Arc::new(ServerOptions::new(info)),
///     handshake: Some(Handshake::settled("2025-11-25", "{}")),
/// };
/// let call = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ping"}}"#;
/// let mut exchange = Exchange::start(caller, call);
/// let answer = exchange.next().await.ok_or("an answer")?;
/// let expected = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"pong"}]}}"#;
/// assert_eq!(answer.as_bytes(), expected.as_bytes());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "dropping it cancels the request"]
pub struct Exchange {
    outgoing: Arc<Queue<Message>>,
    /// Until this side hangs up.
    inbox: Option<Inbox>,
}

impl Exchange {
    /// Serves one message, on the tokio runtime this is called on.
    pub fn start<C: Send + Sync + 'static>(caller: Caller<C>, message: &[u8]) -> Self {
        let options = Arc::clone(&caller.options);
        let envelope = Envelope::read(message, options.limits());
        let (exchange, serving) = Self::new(caller, envelope, CancellationToken::new());
        tokio::spawn(serving);
        exchange
    }

    /// The same, for a driver that has read what is around a message and keeps its tasks together: nothing is called
    /// until the future is polled, and once it is over everything has ended and is recorded. Cancelling `stop` hangs
    /// up, whoever holds what.
    pub fn new<C: Send + Sync + 'static>(
        caller: Caller<C>,
        envelope: Envelope<'_>,
        stop: CancellationToken,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let outgoing = Arc::new(Queue::new());
        let to_client = ToClient(Arc::clone(&outgoing));
        let (inbox, from_client) = Inbox::new();
        let mut serving = Serving::new(caller, to_client, from_client, stop);
        serving.take(envelope);
        (Self { outgoing, inbox: Some(inbox) }, serving)
    }

    /// The next message to the client: questions and progress, then the answer. `None` once nothing more can come.
    pub async fn next(&mut self) -> Option<Message> {
        poll_fn(|cx| self.outgoing.poll_pop(cx)).await
    }

    /// Hands over what the client sent about this request: an answer to a question, a cancellation. What comes too
    /// late, or is one of very many, is dropped.
    pub fn receive(&self, message: Vec<u8>) {
        if let Some(inbox) = &self.inbox {
            inbox.hand_over(None, message.into());
        }
    }

    /// For what arrives where this exchange is out of reach; `None` once it was closed.
    #[must_use]
    pub fn inbox(&self) -> Option<Inbox> {
        self.inbox.clone()
    }

    /// Cancels the call, withdraws its question, ends the subscription. What there is to say to that is still to be
    /// read; after the last message everything has ended and is recorded.
    pub fn close(&mut self) {
        self.inbox = None;
    }
}

/// Whatever is woken on a worker of the runtime waits for what runs there, and no other worker takes it over, unless
/// another task comes after it: a handler that reports its progress and then blocks would keep its own end from being
/// told.
fn make_room() {
    if let Ok(runtime) = Handle::try_current() {
        drop(runtime.spawn(async {}));
    }
}

/// Where messages to the client are put.
struct ToClient(Arc<Queue<Message>>);

impl ToClient {
    fn is_full(&self) -> bool {
        self.0.len() >= UNREAD
    }

    /// Nobody is there to read it once the other end is gone, which the next event tells.
    fn send(&self, message: Message) {
        self.0.push(message);
    }
}

impl Drop for ToClient {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The other end of an [`Exchange`].
struct Serving<C> {
    connection: Connection<C>,
    bridge: Bridge<C>,
    principal: Principal,
    /// Of the tools, while a subscription is to be told of them.
    changes: Option<Changes<C>>,
    actions: Actions,
    tasks: FuturesUnordered<Running>,
    progress: Arc<Queue<(TaskId, Progress)>>,
    deadline: Deadline,
    to_client: ToClient,
    from_client: Arc<Queue<FromClient>>,
    stop: Pin<Box<WaitForCancellationFutureOwned>>,
    hung_up: bool,
}

/// What comes too late is not kept for whoever still holds an [`Inbox`].
impl<C> Drop for Serving<C> {
    fn drop(&mut self) {
        self.from_client.close();
    }
}

/// What a serving task waited for.
enum Event {
    Finished(TaskId, crate::task::TaskDone),
    Progress(TaskId, Progress),
    Message(FromClient),
    HungUp,
    Changed,
    Due,
}

impl<C: Send + Sync + 'static> Serving<C> {
    fn new(
        caller: Caller<C>,
        to_client: ToClient,
        from_client: Arc<Queue<FromClient>>,
        stop: CancellationToken,
    ) -> Self {
        let Caller { bridge, principal, transport, options, handshake } = caller;
        let progress = Arc::new(Queue::new());
        let reports = Arc::clone(&progress);
        let deadline = Deadline::new(Arc::clone(bridge.clock()));
        // A report that finds no room is dropped: the next one says more.
        let report = Arc::new(move |task, progress| {
            reports.push_within(PROGRESS, (task, progress));
            make_room();
        });
        let mut connection = Connection::new(bridge.clone(), principal.clone(), transport, options, report);
        if let Some(Handshake(client)) = handshake {
            connection = connection.with_client(client);
        }
        Self {
            connection,
            bridge,
            principal,
            changes: None,
            actions: Actions::new(),
            tasks: FuturesUnordered::new(),
            progress,
            deadline,
            to_client,
            from_client,
            stop: Box::pin(stop.cancelled_owned()),
            hung_up: false,
        }
    }

    fn take(&mut self, envelope: Envelope<'_>) {
        let message = envelope.message();
        match envelope.into_incoming() {
            Some(message) => self.connection.receive_read(message, &mut self.actions),
            None => self.connection.receive(message, &mut self.actions),
        }
    }

    /// One thing after the other, until everything has ended.
    fn poll_served(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            self.act();
            // Without an open request nothing can be left to wait for but what winds up.
            if self.tasks.is_empty() && (self.hung_up || !self.connection.has_open_requests()) {
                return Poll::Ready(());
            }
            if self.connection.has_subscriptions() && self.changes.is_none() {
                self.changes = Some(Changes::of(self.bridge.clone(), self.principal.clone()));
            }
            match ready!(self.poll_event(cx)) {
                Event::Finished(task, done) => {
                    // What the call reported comes before its answer.
                    while let Some((task, progress)) = self.progress.pop() {
                        self.report(task, progress);
                    }
                    self.connection.finished(task, done, &mut self.actions);
                }
                Event::Progress(task, progress) => self.report(task, progress),
                Event::Message(FromClient { sender, message }) => {
                    // What somebody else sends is about none of this principal's requests.
                    if sender.is_none_or(|sender| self.connection.renew(sender)) {
                        self.connection.receive(&message, &mut self.actions);
                    }
                }
                Event::HungUp => {
                    self.hung_up = true;
                    self.connection.close(&mut self.actions);
                }
                Event::Changed if self.to_client.is_full() => {}
                Event::Changed => self.connection.tools_changed(&mut self.actions),
                Event::Due => self.connection.expire(&mut self.actions),
            }
        }
    }

    /// Progress is the first thing to go when the client does not read.
    fn report(&mut self, task: TaskId, progress: Progress) {
        self.act();
        if !self.to_client.is_full() {
            self.connection.progress(task, progress, &mut self.actions);
        }
    }

    fn act(&mut self) {
        while let Some(action) = self.actions.pop() {
            match action {
                Action::Start(task) => self.tasks.push(Running(task)),
                Action::Send(message) => self.to_client.send(message),
            }
        }
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Event> {
        if let Poll::Ready(Some((task, done))) = self.tasks.poll_next_unpin(cx) {
            return Poll::Ready(Event::Finished(task, done));
        }
        if let Poll::Ready(Some((task, progress))) = self.progress.poll_pop(cx) {
            return Poll::Ready(Event::Progress(task, progress));
        }
        if !self.hung_up {
            if self.stop.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Event::HungUp);
            }
            if let Poll::Ready(message) = self.from_client.poll_pop(cx) {
                return Poll::Ready(message.map_or(Event::HungUp, Event::Message));
            }
        }
        if self.changes.as_mut().is_some_and(|changes| changes.poll_changed(cx)) {
            return Poll::Ready(Event::Changed);
        }
        if self.deadline.poll_due(self.connection.deadline(), cx) {
            return Poll::Ready(Event::Due);
        }
        Poll::Pending
    }
}

/// A future by hand: written as a function, it would hold everything twice, and be moved around with it.
impl<C: Send + Sync + 'static> Future for Serving<C> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.get_mut().poll_served(cx)
    }
}
