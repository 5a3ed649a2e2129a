use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use axum::Router;
use mtb_audit::{MemorySink, Trail};
use mtb_bridge::{Bridge, Clock};
use mtb_core::{Principal, Timestamp};
use mtb_http::{ApiKey, ApiKeys, HttpLimits, HttpOptions, HttpServer};
use mtb_mcp::{ServerInfo, ServerOptions};
use tokio::sync::Notify;

use crate::tools;

/// The moment at which every test begins, in milliseconds.
pub(crate) const BEGINNING: i64 = 1_790_942_400_000;

/// A server, its keys, and what a test may look at or move.
pub(crate) struct Site {
    pub(crate) bridge: Bridge,
    pub(crate) server: HttpServer<()>,
    pub(crate) keys: ApiKeys,
    pub(crate) audit: MemorySink,
    pub(crate) clock: Arc<AtomicI64>,
    /// How often `send` was done.
    pub(crate) sent: Arc<AtomicUsize>,
    /// Lets `linger` go on.
    pub(crate) released: Arc<Notify>,
    /// Two keys of alice, who may do everything, and one of bob, who may too.
    pub(crate) alice: ApiKey,
    pub(crate) alices_other: ApiKey,
    pub(crate) bob: ApiKey,
}

/// A clock that tests move.
#[derive(Clone)]
pub(crate) struct Hand(Arc<AtomicI64>);

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with(limits())
    }

    pub(crate) fn with(limits: HttpLimits) -> Self {
        Self::adjusted(|options| options.with_limits(limits))
    }

    pub(crate) fn adjusted(adjust: impl FnOnce(HttpOptions) -> HttpOptions) -> Self {
        let (audit, clock, sent) =
            (MemorySink::default(), Arc::new(AtomicI64::new(BEGINNING)), Arc::<AtomicUsize>::default());
        let (hand, released) = (Hand(Arc::clone(&clock)), Arc::<Notify>::default());
        let builder = Bridge::builder(tools::registry(&sent, &released)).audit(Trail::to(audit.clone()));
        let bridge = builder.clock(hand.clone()).build();
        let keys = ApiKeys::with_clock(hand);
        let of = |id: &str| {
            let key = ApiKey::generate().unwrap();
            keys.add(key.hash(), Principal::new(id, ["reader", "editor"]).unwrap(), None);
            key
        };
        let (alice, alices_other, bob) = (of("alice"), of("alice"), of("bob"));
        let options = HttpOptions::new(server_options(), keys.clone());
        let server = HttpServer::new(bridge.clone(), adjust(options.with_limits(limits())));
        Self { bridge, server, keys, audit, clock, sent, released, alice, alices_other, bob }
    }

    pub(crate) fn router(&self) -> Router {
        self.server.router()
    }

    /// The same bridge for those whom this knows.
    #[cfg(feature = "jwt")]
    pub(crate) fn router_for(&self, authenticate: impl mtb_http::Authenticate) -> Router {
        let options = HttpOptions::new(server_options(), authenticate).with_limits(limits());
        mtb_http::http_router(self.bridge.clone(), options)
    }

    #[cfg(feature = "jwt")]
    pub(crate) fn hand(&self) -> Hand {
        Hand(Arc::clone(&self.clock))
    }

    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::SeqCst)
    }

    pub(crate) fn pass(&self, milliseconds: i64) {
        self.clock.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// The types of all events so far, with what the ends say.
    pub(crate) fn events(&self) -> Vec<String> {
        let events = self.audit.events().into_iter().map(|event| serde_json::to_value(event).unwrap());
        let told = events.map(|event| {
            let kind = event["type"].as_str().unwrap().to_owned();
            let more = [&event["error"]["kind"], &event["reason"], &event["detail"]];
            match more.into_iter().find_map(|more| more.as_str()) {
                Some(more) => format!("{kind} {more}"),
                None => kind,
            }
        });
        told.collect()
    }
}

/// So many that no test but those of limits meets them.
pub(crate) fn limits() -> HttpLimits {
    HttpLimits { requests_per_minute: NonZeroU32::new(100_000).unwrap(), ..HttpLimits::default() }
}

pub(crate) fn server_options() -> ServerOptions {
    ServerOptions::new(ServerInfo { name: "test".into(), version: "1.0.0".into(), title: None, instructions: None })
}
