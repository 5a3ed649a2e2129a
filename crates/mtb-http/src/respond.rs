//! One message or a stream of them: which it is, the first one decides.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use futures_util::FutureExt as _;
use http::StatusCode;
use mtb_bridge::Clock;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::answers::Answers;
use crate::auth::Identity;
use crate::headers::Accepts;
use crate::status::{self, Era};
use crate::stream;

/// An answer that takes longer comes as a stream, so that whatever is between sees that the connection lives. What has
/// a status of its own is answered long before.
const AT_ONCE: Duration = Duration::from_secs(5);

/// How an answer is to be given.
pub(crate) struct Manner {
    pub(crate) accepts: Accepts,
    pub(crate) era: Era,
    pub(crate) keep_alive: Duration,
    /// With whose credentials a stream ends, and by which clock.
    pub(crate) identity: Identity,
    pub(crate) clock: Arc<dyn Clock>,
}

/// Answers with what comes, when it comes.
pub(crate) async fn respond(mut answers: Answers, manner: Manner) -> Response {
    let Manner { accepts, era, keep_alive, identity, clock } = manner;
    let mut at_once = pin!(sleep(AT_ONCE));
    let mut lapsed = pin!(stream::lapse(identity.clone(), Arc::clone(&clock)).fuse());
    let first = loop {
        // Most are answered at once, and wait for nothing else.
        tokio::select! {
            biased;
            message = answers.next() => match message {
                // Nothing that is answered.
                None => return status::accepted(),
                Some(message) if message.is_answer() => {
                    let status = status::of(message.kind(), era);
                    if accepts.json || status != StatusCode::OK {
                        return status::held_message(status, message, || answers.place());
                    }
                    break Some(message);
                }
                Some(message) if accepts.events => break Some(message),
                // Nobody reads what comes before the answer.
                Some(_) => {}
            },
            // What there is to say to that comes next; where it goes on, nobody is told to send it again.
            () = &mut lapsed => {
                answers.close();
                match answers.goes_on() {
                    true if accepts.events => break None,
                    true => return status::lapsed(),
                    false => {}
                }
            }
            () = &mut at_once, if accepts.events => break None,
        }
    };
    answers.leave();
    let over = stream::over(identity, clock, CancellationToken::new());
    stream::events(stream::of_answers(first, answers, over), keep_alive)
}
