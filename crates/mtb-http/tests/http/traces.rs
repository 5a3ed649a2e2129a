//! What tracing sees.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Once;

#[cfg(feature = "jwt")]
use jsonwebtoken::{Algorithm, Header, encode};
use mtb_core::{Principal, Timestamp};
use mtb_http::ApiKey;
#[cfg(feature = "jwt")]
use mtb_http::{HttpOptions, HttpServer};
use serde_json::json;
use tracing::Level;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::client::{Client, modern};
#[cfg(feature = "jwt")]
use crate::issuer::Issuer;
#[cfg(feature = "jwt")]
use crate::site::server_options;
use crate::site::{BEGINNING, Site};

thread_local! {
    /// Everything that was logged by this test, which has a thread of its own.
    static LOG: RefCell<Vec<u8>> = RefCell::default();
}

struct Log;

impl Write for Log {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        LOG.with_borrow_mut(|log| log.write(text))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// For the whole process: what one thread is the first to log, and nobody there listens to, is not asked for again.
pub(crate) fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tracing_subscriber::fmt()
            .with_max_level(Level::TRACE)
            .with_span_events(FmtSpan::CLOSE)
            .with_ansi(false)
            .with_writer(|| Log)
            .init();
    });
}

pub(crate) fn lines() -> Vec<String> {
    LOG.with_borrow(|log| str::from_utf8(log).unwrap().lines().map(str::to_owned).collect())
}

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

#[tokio::test]
async fn a_request_is_a_span_that_says_its_kind_and_its_trace_and_nothing_that_a_client_made_up() {
    listen();
    let site = Site::new();
    let alice = Client::of(site.router()).known_by(&site.alice);
    let secret = "canary-7f3a";
    let meta = |parent: &str| json!({"traceparent": parent, "tracestate": secret, "baggage": secret});
    let known = json!({"name": "count", "_meta": meta(&format!("00-{TRACE}-{PARENT}-01"))});
    assert_eq!(alice.modern(1, "tools/call", &known).await.status, 200);
    let greeting = json!({"name": "greet", "arguments": {"name": secret}, "_meta": meta(secret)});
    assert_eq!(alice.modern(2, "tools/call", &greeting).await.status, 200);
    assert_eq!(alice.modern(3, "tools/call", &json!({"name": secret, "_meta": meta(secret)})).await.status, 400);
    assert_eq!(alice.modern(4, secret, &json!({})).await.status, 404);
    let begun = alice.begun("2025-11-25", &json!({})).await;
    begun.call(5, "greet", &json!({"name": secret, secret: 1})).await;
    begun.with("mcp-session-id", secret).get().await;
    let query = format!("/mcp?{secret}={secret}");
    alice.clone().with("authorization", secret).request(http::Method::DELETE, &query, secret).await;
    alice.with("host", secret).post(modern(6, secret, &json!({})).to_string()).await;

    let lines = lines();
    let spans: Vec<_> = lines.iter().filter(|line| line.contains("mcp.request{") && line.contains("close")).collect();
    let described = |index: usize, parts: &[&str]| {
        let span: &String = spans[index];
        for part in parts {
            assert!(span.contains(part), "{part}: {span}");
        }
    };
    let traced = [&*format!("trace_id=\"{TRACE}\""), &*format!("parent_span_id=\"{PARENT}\"")];
    described(0, &["http.request.method=\"POST\"", "mcp.method.name=\"tools/call\"", "status_code=200"]);
    described(0, &traced);
    described(1, &["mcp.method.name=\"tools/call\"", "status_code=200"]);
    assert!(!spans[1].contains("trace_id"), "{}", spans[1]);
    described(3, &["mcp.method.name=\"unknown\"", "status_code=404"]);
    described(4, &["mcp.method.name=\"initialize\"", "status_code=200"]);
    // What a handler logs is in the span of its request.
    let counting = lines.iter().find(|line| line.contains("counting")).unwrap();
    assert!(counting.contains("mcp.request{") && counting.contains(TRACE), "{counting}");
    let session = lines.iter().filter(|line| line.contains(secret) || line.contains("mtbk_"));
    assert_eq!(session.collect::<Vec<_>>(), [""; 0], "nothing that a client made up");
}

#[tokio::test]
async fn why_somebody_is_not_let_in_is_told_and_no_credential_is() {
    listen();
    let site = Site::new();
    let (nobody, lent) = (Client::of(site.router()), ApiKey::generate().unwrap());
    site.keys.add(lent.hash(), Principal::new("guest", ["reader"]).unwrap(), Some(Timestamp::from_millis(BEGINNING)));
    let with = |value: &str| nobody.clone().with("authorization", value);
    let secret = "canary-7f3a";
    for (client, told) in [
        (nobody.clone(), "no `Authorization`"),
        (with(secret).and("authorization", secret), "`Authorization` twice"),
        (with(secret), "not `Bearer` and a token"),
        (with(&format!("Bearer {secret}")), "a token is no key"),
        (nobody.clone().known_by(&ApiKey::generate().unwrap()), "a key is not known"),
        (nobody.clone().known_by(&lent), "a key has expired"),
    ] {
        let before = lines().len();
        client.modern(1, "tools/list", &json!({})).await;
        let lines = lines();
        assert!(lines[before..].iter().any(|line| line.contains(told) && line.contains("DEBUG")), "{told}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(secret) || line.contains("mtbk_")), "{lines:#?}");
    }
}

#[cfg(feature = "jwt")]
#[tokio::test]
async fn why_a_token_is_not_good_is_told_and_no_part_of_it_is() {
    listen();
    let (site, issuer) = (Site::new(), Issuer::named("https://id.example.com"));
    let router = site.router_for(issuer.trusted(&site).with_required_scopes(["orders"]).unwrap());
    let secret = "canary-7f3a";
    let signed = |id: &str, changes| issuer.signed(Algorithm::ES256, id, &issuer.ec, &changes);
    let no_key = encode(&Header::new(Algorithm::ES256), &issuer.claims(&json!({"sub": secret})), &issuer.ec).unwrap();
    for (token, told) in [
        (no_key, "problem=NoKey"),
        (signed(secret, json!({"sub": secret})), "problem=UnknownKey"),
        (signed("rsa", json!({"sub": secret})), "problem=UnknownKey"),
        (signed("ec", json!({"aud": secret})), "problem=Audience"),
        (signed("ec", json!({"iss": secret})), "problem=Issuer"),
        (signed("ec", json!({"sub": secret, "scope": secret})), "a token lacks a scope that this server requires"),
    ] {
        let before = lines().len();
        let client = Client::of(router.clone()).with("authorization", &format!("Bearer {token}"));
        client.modern(1, "tools/list", &json!({})).await;
        let lines = lines();
        assert!(lines[before..].iter().any(|line| line.contains(told) && line.contains("DEBUG")), "{told}: {lines:#?}");
        for part in token.split('.').chain([secret]) {
            assert!(!lines.iter().any(|line| line.contains(part)), "{told}: {lines:#?}");
        }
    }
}

#[cfg(feature = "jwt")]
#[tokio::test]
async fn a_resource_that_is_not_this_server_is_told() {
    listen();
    let keys = || mtb_http::Jwks::at("https://id.example.com/jwks.json").unwrap();
    let options = |resource: &str| {
        let server = mtb_http::ResourceServer {
            resource: resource.into(),
            issuer: "https://id.example.com".into(),
            audience: resource.into(),
        };
        HttpOptions::new(server_options(), mtb_http::JwtBearer::new(server, keys()).unwrap())
    };
    let site = Site::new();
    let told = |options: HttpOptions| {
        let before = lines().len();
        let _ = HttpServer::new(site.bridge.clone(), options);
        let lines = lines()[before..].iter().filter(|line| line.contains("WARN")).cloned().collect::<Vec<_>>();
        let about = |name: &str| lines.iter().filter(|line| line.contains(name)).count();
        (about("`with_hosts`"), about("`with_path`"))
    };
    let known = || options("https://mcp.example.com/mcp").with_hosts(["mcp.example.com"]).unwrap();
    assert_eq!((told(options("https://mcp.example.com/mcp")), told(known())), ((1, 0), (0, 0)));
    assert_eq!(told(known().with_path("/other").unwrap()), (0, 1));
    assert_eq!(told(options("https://mcp.example.com/other")), (1, 1));
    // A name at one port is none at others.
    let port = options("https://mcp.example.com/mcp").with_hosts(["mcp.example.com:8443"]).unwrap();
    assert_eq!((told(port), told(options("http://localhost/mcp"))), ((1, 0), (0, 0)));
}
