//! An authorization server: it signs, and tells its keys.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use mtb_http::{FetchError, FetchKeys, Jwks, JwtAlgorithm, JwtBearer, ResourceServer, RoleClaim};
use rcgen::{CertifiedKey, KeyPair, PKCS_ECDSA_P384_SHA384, PKCS_RSA_SHA256, RsaKeySize};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::site::{BEGINNING, Site};

pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";

/// Signs as this issuer, with a key of each kind.
pub(crate) struct Issuer {
    pub(crate) name: &'static str,
    pub(crate) ec: EncodingKey,
    pub(crate) rsa: EncodingKey,
    pub(crate) other: EncodingKey,
    pub(crate) fetches: Arc<AtomicUsize>,
}

/// Its keys, and how often they were asked for.
struct Told {
    keys: String,
    fetches: Arc<AtomicUsize>,
}

#[async_trait]
impl FetchKeys for Told {
    async fn fetch(&self) -> Result<Vec<u8>, FetchError> {
        self.fetches.fetch_add(1, Ordering::SeqCst);
        Ok(self.keys.clone().into_bytes())
    }
}

impl Issuer {
    pub(crate) fn named(name: &'static str) -> Self {
        let ec = EncodingKey::from_ec_der(&KeyPair::generate().unwrap().serialize_der());
        let rsa = KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048).unwrap();
        let rsa = EncodingKey::from_rsa_pem(rsa.serialize_pem().as_bytes()).unwrap();
        let other = EncodingKey::from_ec_der(&KeyPair::generate_for(&PKCS_ECDSA_P384_SHA384).unwrap().serialize_der());
        Self { name, ec, rsa, other, fetches: Arc::default() }
    }

    /// Its keys as it publishes them: `ec`, `rsa` and `other`.
    pub(crate) fn keys(&self) -> String {
        let kinds = [
            ("ec", &self.ec, Algorithm::ES256),
            ("rsa", &self.rsa, Algorithm::RS256),
            ("other", &self.other, Algorithm::ES384),
        ];
        let keys = kinds.map(|(id, key, algorithm)| {
            let mut key = Jwk::from_encoding_key(key, algorithm).unwrap();
            key.common.key_id = Some(id.to_owned());
            // As most issuers do: the kind of key is all that it says.
            key.common.key_algorithm = None;
            key
        });
        json!({"keys": keys}).to_string()
    }

    /// What a server goes by that trusts this issuer.
    pub(crate) fn trusted(&self, site: &Site) -> JwtBearer {
        let keys = Jwks::fetched_by(Told { keys: self.keys(), fetches: Arc::clone(&self.fetches) });
        self.trusted_by(keys, site)
    }

    pub(crate) fn trusted_by(&self, keys: Jwks, site: &Site) -> JwtBearer {
        let server = ResourceServer { resource: RESOURCE.into(), issuer: self.name.into(), audience: RESOURCE.into() };
        let roles = RoleClaim::at("/groups").unwrap().grants("staff", ["reader"]).unwrap();
        let roles = roles.grants("desk", ["reader", "editor"]).unwrap();
        let tokens = JwtBearer::new(server, keys).unwrap().with_clock(site.hand()).with_roles(roles);
        tokens.with_algorithms([JwtAlgorithm::Es256, JwtAlgorithm::Rs256]).unwrap()
    }

    /// Claims of somebody on the desk, good for five minutes.
    pub(crate) fn claims(&self, changes: &Value) -> Value {
        let now = BEGINNING / 1_000;
        let mut claims =
            json!({"iss": self.name, "sub": "alice", "aud": RESOURCE, "exp": now + 300, "groups": ["desk"]});
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims
    }

    /// A token that is good but for what is changed.
    pub(crate) fn token(&self, changes: &Value) -> String {
        self.signed(Algorithm::ES256, "ec", &self.ec, changes)
    }

    pub(crate) fn signed(&self, algorithm: Algorithm, id: &str, key: &EncodingKey, changes: &Value) -> String {
        let mut header = Header::new(algorithm);
        header.kid = Some(id.to_owned());
        encode(&header, &self.claims(changes), key).unwrap()
    }
}

/// Serves one text over TLS, as whoever has this certificate; each connection gets one answer.
pub(crate) async fn serve_over_tls(certified: &CertifiedKey<KeyPair>, answer: String) -> SocketAddr {
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_no_client_auth().with_single_cert(vec![certified.cert.der().clone()], key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Who does not trust the certificate hangs up.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let Ok(byte) = stream.read_u8().await else { break };
                request.push(byte);
            }
            let _ = stream.write_all(answer.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    address
}
