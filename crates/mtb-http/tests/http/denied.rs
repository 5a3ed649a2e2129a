//! Who is let in.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use http::request::Parts;
use http::{HeaderValue, Method};
use mtb_bridge::{Bridge, Clock, ToolRegistry};
use mtb_core::{Principal, Timestamp};
use mtb_http::{ApiKey, Authenticate, Denied, HttpLimits, HttpOptions, Identity, http_router};
use serde_json::json;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::client::{Client, modern};
use crate::site::{BEGINNING, Site, limits, server_options};

#[tokio::test]
async fn nobody_is_let_in_without_a_key_that_is_known() {
    let site = Site::new();
    let unknown = ApiKey::generate().unwrap();
    let nobody = Client::of(site.router());
    let known = format!("Bearer {}", site.alice.expose());
    for (client, status) in [
        (nobody.clone(), 401),
        (nobody.clone().known_by(&unknown), 401),
        (nobody.clone().with("authorization", site.alice.expose()), 401),
        (nobody.clone().with("authorization", &known.replace("Bearer", "Basic")), 401),
        (nobody.clone().with("authorization", &format!("{known}x")), 401),
        (nobody.clone().with("authorization", &known.replace("mtbk_", "")), 401),
        (nobody.clone().with("authorization", &known).and("authorization", &known), 400),
        (nobody.clone().known_by(&site.alice), 200),
    ] {
        let answer = client.modern(1, "tools/call", &json!({"name": "count", "arguments": {}})).await;
        assert_eq!(answer.status, status);
        if status == 401 {
            assert_eq!(answer.response.headers()["www-authenticate"], "Bearer");
        }
    }
    // Nothing of a refused request was looked at.
    assert_eq!(site.events(), ["call.started", "call.succeeded"]);
    for method in [http::Method::GET, http::Method::DELETE] {
        assert_eq!(nobody.request(method, "/mcp", "").await.status, 401);
    }
    // A key in the address is none.
    let address = format!("/mcp?access_token={}", site.alice.expose());
    let body = modern(1, "tools/list", &json!({})).to_string();
    assert_eq!(nobody.request(http::Method::POST, &address, body).await.status, 401);
}

#[tokio::test]
async fn keys_expire_and_are_revoked_while_they_are_in_use() {
    let site = Site::new();
    let lent = ApiKey::generate().unwrap();
    let guest = Principal::new("guest", ["reader"]).unwrap();
    site.keys.add(lent.hash(), guest.clone(), Some(Timestamp::from_millis(BEGINNING + 1_000)));
    let status =
        async |key: &ApiKey| Client::of(site.router()).known_by(key).modern(1, "tools/list", &json!({})).await.status;
    assert_eq!(status(&lent).await, 200);
    site.pass(1_000);
    assert_eq!(status(&lent).await, 401);
    assert!(site.keys.revoke(&site.alice.hash()) && !site.keys.revoke(&site.alice.hash()));
    assert_eq!(status(&site.alice).await, 401);
    assert_eq!(status(&site.alices_other).await, 200);
    let alice = Principal::new("alice", ["reader"]).unwrap();
    assert_eq!(site.keys.revoke_all(alice.id()), 1);
    assert_eq!(status(&site.alices_other).await, 401);
    assert_eq!(status(&site.bob).await, 200);
}

/// Says nothing in time, or nothing at all.
struct Broken(fn() -> Result<(), ()>);

#[async_trait]
impl Authenticate for Broken {
    async fn authenticate(&self, _head: &Parts) -> Result<Identity, Denied> {
        match (self.0)() {
            Ok(()) => sleep(Duration::from_secs(3_600)).await,
            Err(()) => return Err(Denied::Unavailable),
        }
        Ok(Identity::of(Principal::new("alice", ["reader"]).unwrap()))
    }
}

#[tokio::test]
async fn who_cannot_be_known_is_not_let_in() {
    for broken in [|| panic!("a store that panics"), || Ok(()), || Err(())] {
        let limits = HttpLimits { authentication: Duration::from_millis(20), ..limits() };
        let options = HttpOptions::new(server_options(), Broken(broken)).with_limits(limits);
        let router = http_router(Bridge::new(ToolRegistry::<()>::new()), options);
        let answer = Client::of(router).modern(1, "tools/list", &json!({})).await;
        assert_eq!(answer.status, 503);
        assert!(answer.response.headers().contains_key("retry-after"));
    }
}

/// Knows them, and has no use for them.
struct Refusing;

#[async_trait]
impl Authenticate for Refusing {
    async fn authenticate(&self, _head: &Parts) -> Result<Identity, Denied> {
        Err(Denied::Forbidden(HeaderValue::from_static("Bearer error=\"insufficient_scope\"")))
    }
}

#[tokio::test]
async fn a_challenge_reaches_the_client() {
    let options = HttpOptions::new(server_options(), Refusing);
    let router = http_router(Bridge::new(ToolRegistry::<()>::new()), options);
    let answer = Client::of(router).modern(1, "tools/list", &json!({})).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.response.headers()["www-authenticate"], "Bearer error=\"insufficient_scope\"");
}

/// Asks nobody, and knows the same one for ever.
struct Remembers(Identity);

#[async_trait]
impl Authenticate for Remembers {
    async fn authenticate(&self, _head: &Parts) -> Result<Identity, Denied> {
        Ok(self.0.clone())
    }
}

#[tokio::test]
async fn an_identity_that_is_over_is_none() {
    let site = Site::new();
    let alice = || Identity::of(Principal::new("alice", ["reader"]).unwrap());
    let revoked = CancellationToken::new();
    let status = async |identity: Identity, method: Method| {
        let options = HttpOptions::new(server_options(), Remembers(identity)).with_limits(limits());
        let client = Client::of(http_router(site.bridge.clone(), options.with_legacy_sse(true)));
        match method {
            Method::POST => client.modern(1, "tools/call", &json!({"name": "count"})).await.status.as_u16(),
            method => client.request(method, "/sse", "").await.status.as_u16(),
        }
    };
    let good = || alice().until(Timestamp::from_millis(BEGINNING + 1)).unless_revoked(revoked.clone());
    for method in [Method::POST, Method::GET] {
        assert_eq!(status(good(), method.clone()).await, 200);
        let expired = good().until(Timestamp::from_millis(BEGINNING));
        assert_eq!(status(expired, method).await, 401);
    }
    revoked.cancel();
    for method in [Method::POST, Method::GET] {
        assert_eq!(status(good(), method).await, 401);
    }
    assert_eq!(site.events(), ["call.started", "call.succeeded"]);
}

/// One that panics before it gives a future.
struct Collapses;

impl Authenticate for Collapses {
    fn authenticate<'a: 'c, 'b: 'c, 'c>(
        &'a self,
        _head: &'b Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Identity, Denied>> + Send + 'c>> {
        unreachable!("nobody can be asked")
    }
}

struct NoTime;

impl Clock for NoTime {
    fn now(&self) -> Timestamp {
        unreachable!("there is no time")
    }
}

#[tokio::test]
async fn what_panics_lets_nobody_in_and_is_answered() {
    let known = Remembers(Identity::of(Principal::new("alice", ["reader"]).unwrap()).until(Timestamp::from_millis(0)));
    let bridge = || Bridge::builder(ToolRegistry::<()>::new());
    for (bridge, options) in [
        (bridge().build(), HttpOptions::new(server_options(), Collapses)),
        (bridge().clock(NoTime).build(), HttpOptions::new(server_options(), known)),
    ] {
        let client = Client::of(http_router(bridge, options.with_limits(limits())));
        let answer = client.modern(1, "tools/list", &json!({})).await;
        assert_eq!(answer.status, 503);
        assert!(answer.response.headers().contains_key("retry-after"));
    }
}
