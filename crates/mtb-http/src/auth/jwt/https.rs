use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::ACCEPT;
use http::{Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::error::JwtBearerError;
use super::jwks::{FetchError, FetchKeys};

/// Longest set of keys that is read, in bytes.
const MOST: usize = 256 * 1024;

/// Keys at an address, over TLS.
pub(super) struct HttpsKeys {
    address: Uri,
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
}

impl HttpsKeys {
    pub(super) fn by_this_machine(address: &str) -> Result<Self, JwtBearerError> {
        let found = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        let (usable, _) = roots.add_parsable_certificates(found.certs);
        if usable == 0 {
            let why = found.errors.first().map_or("this machine trusts none".to_owned(), ToString::to_string);
            return Err(JwtBearerError::Certificates(why));
        }
        Self::trusting(address, roots)
    }

    pub(super) fn by(address: &str, pem: &str) -> Result<Self, JwtBearerError> {
        let wrong = |error: &dyn std::fmt::Display| JwtBearerError::Certificates(error.to_string());
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
            let certificate = certificate.map_err(|error| wrong(&error))?;
            roots.add(certificate).map_err(|error| wrong(&error))?;
        }
        if roots.is_empty() {
            return Err(wrong(&"there is none in the text"));
        }
        Self::trusting(address, roots)
    }

    fn trusting(address: &str, roots: RootCertStore) -> Result<Self, JwtBearerError> {
        let wrong = || JwtBearerError::KeysAddress(address.to_owned());
        let uri: Uri = address.parse().map_err(|_| wrong())?;
        let named = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        if uri.scheme_str() != Some("https") || !named {
            return Err(wrong());
        }
        let tls = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| JwtBearerError::Certificates(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls).https_only().enable_http1().build();
        // One fetch in a long time: no connection is worth keeping.
        let client = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        Ok(Self { address: uri, client })
    }
}

#[async_trait]
impl FetchKeys for HttpsKeys {
    async fn fetch(&self) -> Result<Vec<u8>, FetchError> {
        let request = Request::get(self.address.clone()).header(ACCEPT, "application/jwk-set+json, application/json");
        let response = self.client.request(request.body(Empty::new())?).await?;
        if response.status() != StatusCode::OK {
            return Err(format!("the address of the keys answered {}", response.status()).into());
        }
        Ok(Limited::new(response.into_body(), MOST).collect().await?.to_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::HttpsKeys;
    use crate::auth::jwt::error::JwtBearerError;

    #[test]
    fn keys_come_over_tls_from_a_server_that_is_known() {
        let pem = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert.pem();
        for address in ["", "jwks.json", "http://localhost/jwks", "https://a@localhost/", "file:///etc/passwd"] {
            assert_eq!(HttpsKeys::by(address, &pem).err(), Some(JwtBearerError::KeysAddress(address.to_owned())));
        }
        for none in ["", "text", &pem[..80]] {
            assert!(matches!(HttpsKeys::by("https://localhost/", none).err(), Some(JwtBearerError::Certificates(_))));
        }
        assert!(HttpsKeys::by("https://localhost:8443/jwks.json", &pem).is_ok());
    }
}
