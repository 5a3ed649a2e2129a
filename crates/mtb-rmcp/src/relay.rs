use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use mtb_mcp::drive::Exchange;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientResult, CustomRequest, ProgressNotification,
    ProgressNotificationParam, RequestId, ServerNotification, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use rmcp::{ErrorData, Peer, RoleServer};
use serde_json::Value;
use tokio::time::sleep;

use crate::message::{self, Outgoing};
use crate::open::{Place, Room};

/// How long a client has to take a message before another takes its place.
const PATIENCE: Duration = Duration::from_millis(100);

/// Carries what a served request says to the client, and back what the client says to that.
///
/// It runs where the SDK runs the request: only there does the SDK know which stream a question belongs to.
pub(crate) struct Relay<'a> {
    pub(crate) exchange: Exchange,
    pub(crate) context: &'a RequestContext<RoleServer>,
    pub(crate) calls: &'a Room,
    pub(crate) questions: &'a Room,
    /// The place among the calls in flight; a call whose question is open has none.
    pub(crate) place: Option<Place>,
}

/// A question that the client has not answered.
struct Asked {
    /// As the protocol layer calls it.
    id: String,
    /// As the SDK calls it.
    request: RequestId,
    response: Pin<Box<dyn Future<Output = Result<ClientResult, ServiceError>> + Send>>,
    _place: Place,
}

/// What a relay waited for.
enum Event {
    Outgoing(Option<mtb_mcp::Message>),
    Answered(Result<ClientResult, ServiceError>),
    Cancelled,
}

impl Relay<'_> {
    /// The answer to the request.
    pub(crate) async fn run(mut self) -> Result<String, ErrorData> {
        let (mut asked, mut told) = (None, None);
        loop {
            let event = match told.take() {
                Some(message) => Event::Outgoing(message),
                None => self.event(asked.as_mut()).await,
            };
            match event {
                Event::Outgoing(None) => return Err(message::unreadable("no answer")),
                Event::Outgoing(Some(message)) => match Outgoing::read(message.as_bytes())? {
                    Outgoing::Answer(answer) => return answer,
                    Outgoing::Ask { id, method, params } => {
                        asked = self.ask(id, method, params).await;
                        self.place = None;
                    }
                    Outgoing::Tell { method, params } => {
                        // A client that does not read holds up neither the call, nor its end, nor its cancellation:
                        // what it does not take for a while is left out once there is more to say.
                        tokio::select! {
                            biased;
                            () = self.context.ct.cancelled() => {}
                            () = tell(&self.context.peer, &method, params, &mut asked) => {}
                            message = after(PATIENCE, self.exchange.next()) => told = Some(message),
                        }
                    }
                },
                Event::Answered(response) => {
                    if let Some(Asked { id, .. }) = asked.take() {
                        self.place = Some(self.calls.take_anyway());
                        self.exchange.receive(message::answer(&id, response.ok()));
                    }
                }
                Event::Cancelled => {
                    self.exchange.receive(message::cancellation());
                    let (peer, Self { mut exchange, place, .. }) = (self.context.peer.clone(), self);
                    tokio::spawn(async move {
                        let wound_up = async {
                            while exchange.next().await.is_some() {}
                            // The place is free once the call has ended, not before.
                            drop(place);
                        };
                        tokio::join!(withdraw(&peer, asked), wound_up)
                    });
                    // The SDK sends nothing for a request that was cancelled.
                    return Err(ErrorData::internal_error("The call was cancelled.", None));
                }
            }
        }
    }

    async fn event(&mut self, asked: Option<&mut Asked>) -> Event {
        let answered = async {
            match asked {
                Some(asked) => asked.response.as_mut().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.context.ct.cancelled() => Event::Cancelled,
            outgoing = self.exchange.next() => Event::Outgoing(outgoing),
            response = answered => Event::Answered(response),
        }
    }

    /// Asks the client. What cannot be asked counts as answered by nothing.
    async fn ask(&self, id: String, method: String, params: Value) -> Option<Asked> {
        let sent = match self.questions.take() {
            None => None,
            Some(place) => {
                let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
                let sent = self.context.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
                sent.ok().map(|sent| (place, sent))
            }
        };
        let Some((place, sent)) = sent else {
            self.exchange.receive(message::answer(&id, None::<Value>));
            return None;
        };
        let request = sent.id.clone();
        Some(Asked { id, request, response: Box::pin(sent.await_response()), _place: place })
    }
}

async fn after<T>(time: Duration, then: impl Future<Output = T>) -> T {
    sleep(time).await;
    then.await
}

async fn tell(peer: &Peer<RoleServer>, method: &str, params: Value, asked: &mut Option<Asked>) {
    match method {
        "notifications/progress" => {
            if let Ok(params) = serde_json::from_value::<ProgressNotificationParam>(params) {
                let progress = ServerNotification::ProgressNotification(ProgressNotification::new(params));
                // A client that is gone is told of by the end of the request.
                let _ = peer.send_notification(progress).await;
            }
        }
        // The question that is open is the only thing that this side can cancel.
        "notifications/cancelled" => withdraw(peer, asked.take()).await,
        _ => {}
    }
}

/// Nobody needs an answer any more.
async fn withdraw(peer: &Peer<RoleServer>, asked: Option<Asked>) {
    if let Some(Asked { request, .. }) = asked {
        let why = Some("The question is no longer open.".to_owned());
        let params = CancelledNotificationParam::new(Some(request), why);
        let cancelled = ServerNotification::CancelledNotification(CancelledNotification::new(params));
        let _ = peer.send_notification(cancelled).await;
    }
}
