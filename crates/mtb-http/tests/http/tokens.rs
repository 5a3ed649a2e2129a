//! Tokens of an authorization server.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use axum::Router;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Method;
use http::request::Parts;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use mtb_http::{Authenticate, Denied, Identity, Jwks, JwtAlgorithm, JwtBearer, JwtBearerError, ResourceServer};
use serde_json::{Value, json};

use crate::client::{Client, modern};
use crate::issuer::{Issuer, RESOURCE, serve_over_tls};
use crate::site::{BEGINNING, Site};

const ISSUER: &str = "https://id.example.com";
const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

fn with_token(router: &Router, token: &str) -> Client {
    Client::of(router.clone()).with("authorization", &format!("Bearer {token}"))
}

/// The status of a call, and the challenge.
async fn told(router: &Router, token: &str) -> (u16, String) {
    let call = json!({"name": "count", "arguments": {}});
    let answer = with_token(router, token).modern(1, "tools/call", &call).await;
    let challenge = answer.response.headers().get("www-authenticate").map(|value| value.to_str().unwrap().to_owned());
    (answer.status.as_u16(), challenge.unwrap_or_default())
}

#[tokio::test]
async fn tokens_of_the_issuer_for_this_server_let_in() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let router = site.router_for(issuer.trusted(&site));
    let now = BEGINNING / 1_000;
    for token in [
        issuer.token(&json!({})),
        issuer.signed(Algorithm::RS256, "rsa", &issuer.rsa, &json!({})),
        issuer.token(&json!({"aud": ["https://other.example.com", RESOURCE]})),
        issuer.token(&json!({"exp": now - 29, "nbf": now + 30})),
        of_kind("at+jwt", &issuer),
    ] {
        assert_eq!(told(&router, &token).await, (200, String::new()));
    }
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 1);
}

/// The keys of an issuer, all with the id `k`.
fn under_one_id(keys: &str) -> Vec<Value> {
    let mut set: Value = serde_json::from_str(keys).unwrap();
    set["keys"].as_array_mut().unwrap().iter_mut().for_each(|key| key["kid"] = json!("k"));
    set["keys"].as_array().unwrap().clone()
}

#[tokio::test]
async fn keys_of_different_kinds_may_share_an_id() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let keys = json!({"keys": under_one_id(&issuer.keys())}).to_string();
    let router = site.router_for(issuer.trusted_by(Jwks::fixed(&keys).unwrap(), &site));
    for (algorithm, key) in [(Algorithm::ES256, &issuer.ec), (Algorithm::RS256, &issuer.rsa)] {
        let token = issuer.signed(algorithm, "k", key, &json!({}));
        assert_eq!(told(&router, &token).await, (200, String::new()), "{algorithm:?}");
    }
    let forged = issuer.signed(Algorithm::ES256, "k", &Issuer::named(ISSUER).ec, &json!({}));
    assert_eq!(told(&router, &forged).await.0, 401);
}

#[tokio::test]
async fn of_keys_of_one_id_and_kind_the_first_counts() {
    let (site, first, second) = (Site::new(), Issuer::named(ISSUER), Issuer::named(ISSUER));
    let keys = [under_one_id(&first.keys()), under_one_id(&second.keys())].concat();
    let keys = Jwks::fixed(&json!({"keys": keys}).to_string()).unwrap();
    let router = site.router_for(first.trusted_by(keys, &site));
    for (issuer, status) in [(&first, 200), (&second, 401)] {
        let token = issuer.signed(Algorithm::ES256, "k", &issuer.ec, &json!({}));
        assert_eq!(told(&router, &token).await.0, status);
    }
}

/// A header and claims that nobody signed.
fn unsigned(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.", part(header), part(claims))
}

/// Signed with what everybody knows of the public key.
fn with_the_public_key(issuer: &Issuer, id: &str, bytes: &[u8]) -> String {
    issuer.signed(Algorithm::HS256, id, &EncodingKey::from_secret(bytes).unwrap(), &json!({}))
}

#[tokio::test]
async fn other_tokens_let_nobody_in() {
    let (site, issuer, other) = (Site::new(), Issuer::named(ISSUER), Issuer::named("https://other.example.com"));
    let router = site.router_for(issuer.trusted(&site));
    let now = BEGINNING / 1_000;
    let good = issuer.token(&json!({}));
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (header, _) = signed.split_once('.').unwrap();
    let forged = URL_SAFE_NO_PAD.encode(issuer.claims(&json!({"sub": "mallory"})).to_string());
    let mut without_key = Header::new(Algorithm::ES256);
    let no_key = encode(&without_key, &issuer.claims(&json!({})), &issuer.ec).unwrap();
    without_key.kid = Some("ec".into());
    without_key.crit = Some(vec!["exp".into()]);
    let critical = encode(&without_key, &issuer.claims(&json!({})), &issuer.ec).unwrap();
    let public = Jwk::from_encoding_key(&issuer.rsa, Algorithm::RS256).unwrap();
    let public = serde_json::to_value(public).unwrap();
    let modulus = URL_SAFE_NO_PAD.decode(public["n"].as_str().unwrap()).unwrap();
    let none = json!({"alg": "none", "kid": "ec"});
    let claims = issuer.claims(&json!({}));
    let no_audience = issuer.claims(&json!({"aud": null}));
    let expired = "error_description=\"The token has expired\"";
    let elsewhere = "error_description=\"The token is for another server\"";
    for (what, token, description) in [
        ("nothing", String::new(), ""),
        ("no token", "abc".to_owned(), ""),
        ("two parts", format!("{header}.{forged}"), ""),
        ("other claims under the signature", format!("{header}.{forged}.{signature}"), ""),
        ("no signature", format!("{signed}."), ""),
        ("alg none", unsigned(&none, &claims), ""),
        ("alg None", unsigned(&json!({"alg": "None", "kid": "ec"}), &claims), ""),
        ("a secret of the client's", with_the_public_key(&issuer, "ec", b"secret"), ""),
        ("the public key as a secret", with_the_public_key(&issuer, "rsa", &modulus), ""),
        ("the published keys as a secret", with_the_public_key(&issuer, "rsa", issuer.keys().as_bytes()), ""),
        ("a way that is not pinned", issuer.signed(Algorithm::ES384, "other", &issuer.other, &json!({})), ""),
        ("another way of the same key", issuer.signed(Algorithm::PS256, "rsa", &issuer.rsa, &json!({})), ""),
        ("a key of another kind", issuer.signed(Algorithm::ES256, "rsa", &issuer.ec, &json!({})), ""),
        ("no key", no_key, ""),
        ("an unknown key", issuer.signed(Algorithm::ES256, "x", &issuer.ec, &json!({})), ""),
        ("another's signature", other.token(&json!({"iss": ISSUER})), ""),
        ("another issuer", other.token(&json!({})), ""),
        ("another issuer, by this one's key", issuer.token(&json!({"iss": "https://other.example.com"})), ""),
        ("two issuers", issuer.token(&json!({"iss": [ISSUER, "https://other.example.com"]})), ""),
        ("another audience", issuer.token(&json!({"aud": "https://other.example.com/mcp"})), elsewhere),
        ("the audience and more", issuer.token(&json!({"aud": format!("{RESOURCE}/admin")})), elsewhere),
        ("no audience", encode(&header_of("ec"), &no_audience, &issuer.ec).unwrap(), elsewhere),
        ("expired", issuer.token(&json!({"exp": now - 30})), expired),
        ("never expires", issuer.token(&json!({"exp": null})), ""),
        ("not yet", issuer.token(&json!({"nbf": now + 31})), "error_description=\"The token is not good yet\""),
        ("nobody", issuer.token(&json!({"sub": null})), ""),
        ("no one", issuer.token(&json!({"sub": ""})), ""),
        ("what is critical and unknown", critical, ""),
        ("a token of another kind", of_kind("logout+jwt", &issuer), ""),
        ("a token that is bound to a key", issuer.token(&json!({"cnf": {"jkt": "x"}})), ""),
        ("too long", issuer.token(&json!({"x": "x".repeat(16 * 1024)})), ""),
    ] {
        let (status, challenge) = told(&router, &token).await;
        assert_eq!(status, 401, "{what}");
        assert!(challenge.starts_with("Bearer error=\"invalid_token\", "), "{what}: {challenge}");
        assert!(challenge.ends_with(&format!("resource_metadata=\"{METADATA}\"")), "{what}: {challenge}");
        assert!(challenge.contains(description), "{what}: {challenge}");
        assert_eq!(challenge.contains("error_description"), !description.is_empty(), "{what}: {challenge}");
    }
    assert_eq!(site.events(), [""; 0]);
    // In the address it is none, and nobody who sends none has done anything wrong.
    let body = modern(1, "tools/list", &json!({})).to_string();
    let address = format!("/mcp?access_token={good}");
    let answer = Client::of(router).request(Method::POST, &address, body).await;
    assert_eq!(answer.status, 401);
    assert_eq!(answer.response.headers()["www-authenticate"], format!("Bearer resource_metadata=\"{METADATA}\""));
}

fn of_kind(kind: &str, issuer: &Issuer) -> String {
    let header = Header { typ: Some(kind.into()), ..header_of("ec") };
    encode(&header, &issuer.claims(&json!({})), &issuer.ec).unwrap()
}

fn header_of(id: &str) -> Header {
    Header { kid: Some(id.into()), ..Header::new(Algorithm::ES256) }
}

#[tokio::test]
async fn unknown_keys_cost_one_fetch() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let router = site.router_for(issuer.trusted(&site));
    for index in 0..100 {
        let token = issuer.signed(Algorithm::ES256, &format!("key-{index}"), &issuer.ec, &json!({}));
        assert_eq!(told(&router, &token).await.0, 401);
    }
    assert_eq!(told(&router, &issuer.token(&json!({}))).await.0, 200);
    assert_eq!(issuer.fetches.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn roles_are_what_the_claims_grant() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let router = site.router_for(issuer.trusted(&site));
    for (groups, tools) in [
        (json!(["desk"]), 10),
        (json!("staff other"), 8),
        (json!(["editor", "reader"]), 0),
        (json!([]), 0),
        (Value::Null, 0),
    ] {
        let client = with_token(&router, &issuer.token(&json!({"groups": groups})));
        let mut answer = client.modern(1, "tools/list", &json!({})).await;
        assert_eq!(answer.next().await["result"]["tools"].as_array().unwrap().len(), tools, "{groups}");
    }
}

#[tokio::test]
async fn scopes_are_for_the_whole_server() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let tokens = issuer.trusted(&site).with_required_scopes(["orders:read", "orders:pay"]).unwrap();
    let router = site.router_for(tokens);
    let scopes = "scope=\"orders:read orders:pay\"";
    let nobody = Client::of(router.clone()).modern(1, "tools/list", &json!({})).await;
    let expected = format!("Bearer resource_metadata=\"{METADATA}\", {scopes}");
    assert_eq!(nobody.status, 401);
    assert_eq!(nobody.response.headers()["www-authenticate"], expected);
    for scope in ["", "orders:read", "orders:pay orders:reads"] {
        let (status, challenge) = told(&router, &issuer.token(&json!({"scope": scope}))).await;
        assert_eq!(status, 403, "{scope}");
        assert!(challenge.starts_with("Bearer error=\"insufficient_scope\", "), "{challenge}");
        assert!(challenge.ends_with(&format!("resource_metadata=\"{METADATA}\", {scopes}")), "{challenge}");
    }
    assert_eq!(told(&router, &issuer.token(&json!({"scope": "orders:pay x orders:read"}))).await.0, 200);
    assert_eq!(told(&router, &issuer.token(&json!({"scp": ["orders:pay", "orders:read"]}))).await.0, 200);
}

#[tokio::test]
async fn anybody_may_learn_where_tokens_are_to_be_had() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let router = site.router_for(issuer.trusted(&site).with_required_scopes(["orders"]).unwrap());
    let nobody = Client::of(router);
    for place in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let answer = nobody.request(Method::GET, place, "").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.response.headers()["content-type"], "application/json");
        let document: Value = serde_json::from_str(&answer.text().await).unwrap();
        let expected = json!({
            "resource": RESOURCE, "authorization_servers": [ISSUER], "scopes_supported": ["orders"],
            "bearer_methods_supported": ["header"],
        });
        assert_eq!(document, expected);
        assert_eq!(nobody.request(Method::POST, place, "").await.status, 405);
        assert_eq!(nobody.clone().with("host", "evil.example.com").request(Method::GET, place, "").await.status, 403);
    }
    assert_eq!(nobody.request(Method::GET, "/.well-known/oauth-protected-resource/x", "").await.status, 404);
    // Who has keys tells nothing of the kind.
    let keys = Client::of(site.router());
    assert_eq!(keys.request(Method::GET, "/.well-known/oauth-protected-resource", "").await.status, 404);
}

/// Two issuers of one server, each asked for its own.
struct Either(JwtBearer, JwtBearer);

#[async_trait]
impl Authenticate for Either {
    async fn authenticate(&self, head: &Parts) -> Result<Identity, Denied> {
        match self.0.authenticate(head).await {
            Ok(identity) => Ok(identity),
            Err(_) => self.1.authenticate(head).await,
        }
    }
}

#[tokio::test]
async fn a_session_is_bound_to_issuer_subject_and_client_and_to_no_token() {
    let (site, issuer, other) = (Site::new(), Issuer::named(ISSUER), Issuer::named("https://other.example.com"));
    let router = site.router_for(Either(issuer.trusted(&site), other.trusted(&site)));
    let begun = with_token(&router, &issuer.token(&json!({}))).begun("2025-11-25", &json!({})).await;
    let status = async |token: &str| {
        let client = begun.clone().with("authorization", &format!("Bearer {token}"));
        client.call(1, "count", &json!({})).await.status.as_u16()
    };
    let refreshed = json!({"exp": BEGINNING / 1_000 + 600, "groups": ["staff"]});
    for (token, expected) in [
        (issuer.token(&refreshed), 200),
        (issuer.signed(Algorithm::RS256, "rsa", &issuer.rsa, &json!({})), 200),
        (issuer.token(&json!({"sub": "bob"})), 404),
        (issuer.token(&json!({"client_id": "app"})), 404),
        (other.token(&json!({})), 404),
        (issuer.token(&json!({"exp": 0})), 401),
    ] {
        assert_eq!(status(&token).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_when_its_token_expires() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let router = site.router_for(issuer.trusted(&site));
    let begun = with_token(&router, &issuer.token(&json!({}))).begun("2025-11-25", &json!({})).await;
    let mut stream = begun.get().await;
    assert_eq!(stream.status, 200);
    site.pass(300_000 + 30_000);
    assert_eq!(stream.receive().await, None);
    assert_eq!(begun.get().await.status, 401);
}

#[tokio::test]
async fn keys_come_over_tls_from_whoever_is_trusted() {
    let (site, issuer) = (Site::new(), Issuer::named(ISSUER));
    let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let stranger = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let keys = issuer.keys();
    let found =
        |body: &str| format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    let moved = "HTTP/1.1 302 Found\r\nlocation: https://localhost/\r\ncontent-length: 0\r\n\r\n".to_owned();
    for (what, by, answer, status) in [
        ("the keys", &certified, found(&keys), 200),
        ("the keys, from somebody else", &stranger, found(&keys), 503),
        ("no keys", &certified, found("{}"), 503),
        ("another address", &certified, moved, 503),
        ("too much", &certified, found(&format!("{keys}{}", " ".repeat(300_000))), 503),
        ("nothing", &certified, String::new(), 503),
    ] {
        let address = serve_over_tls(by, answer).await;
        let keys = Jwks::at_trusting(&format!("https://localhost:{}/jwks", address.port()), &certified.cert.pem());
        let router = site.router_for(issuer.trusted_by(keys.unwrap(), &site));
        assert_eq!(told(&router, &issuer.token(&json!({}))).await.0, status, "{what}");
    }
}

#[test]
fn what_is_declared_is_checked_at_once() {
    let server = |resource: &str, issuer: &str, audience: &str| ResourceServer {
        resource: resource.into(),
        issuer: issuer.into(),
        audience: audience.into(),
    };
    let keys = || Jwks::at("https://id.example.com/jwks.json").unwrap();
    for (declared, problem) in [
        (server("mcp.example.com", ISSUER, "x"), JwtBearerError::Resource("mcp.example.com".into())),
        (server(RESOURCE, "id.example.com", "x"), JwtBearerError::Issuer("id.example.com".into())),
        (server(RESOURCE, "https://", "x"), JwtBearerError::Issuer("https://".into())),
        (server(RESOURCE, ISSUER, " "), JwtBearerError::Audience),
    ] {
        assert_eq!(JwtBearer::new(declared, keys()).unwrap_err(), problem);
    }
    let bearer = || JwtBearer::new(server(RESOURCE, ISSUER, RESOURCE), keys()).unwrap();
    assert_eq!(bearer().with_algorithms([]).unwrap_err(), JwtBearerError::Algorithms);
    assert!(bearer().with_algorithms([JwtAlgorithm::EdDsa, JwtAlgorithm::Ps256]).is_ok());
    for scope in ["", "a b", "a\"b", "a\\b", "\u{e9}"] {
        assert_eq!(bearer().with_required_scopes([scope]).unwrap_err(), JwtBearerError::Scope(scope.into()));
    }
    assert!(matches!(Jwks::at("http://id.example.com/jwks"), Err(JwtBearerError::KeysAddress(_))));
}
