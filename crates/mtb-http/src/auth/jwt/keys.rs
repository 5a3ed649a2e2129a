use std::collections::HashMap;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

/// Most keys of a set that are kept: an issuer has a few.
const MOST: usize = 100;

/// A public key of an issuer.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) key: DecodingKey,
    algorithms: Vec<Algorithm>,
}

impl Key {
    /// Whether signatures of this kind may be checked with it.
    pub(super) fn is_for(&self, algorithm: Algorithm) -> bool {
        self.algorithms.contains(&algorithm)
    }

    /// Nothing, where it is no public key of signatures.
    fn read(jwk: &Jwk) -> Option<Self> {
        let common = &jwk.common;
        let for_signatures = common.public_key_use.as_ref().is_none_or(|of| *of == PublicKeyUse::Signature)
            && common.key_operations.as_ref().is_none_or(|these| these.contains(&KeyOperations::Verify));
        if !for_signatures {
            return None;
        }
        let mut algorithms = match &jwk.algorithm {
            AlgorithmParameters::RSA(_) => vec![
                Algorithm::RS256,
                Algorithm::RS384,
                Algorithm::RS512,
                Algorithm::PS256,
                Algorithm::PS384,
                Algorithm::PS512,
            ],
            AlgorithmParameters::EllipticCurve(key) => match key.curve {
                EllipticCurve::P256 => vec![Algorithm::ES256],
                EllipticCurve::P384 => vec![Algorithm::ES384],
                _ => return None,
            },
            AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => vec![Algorithm::EdDSA],
            _ => return None,
        };
        if let Some(own) = &jwk.common.key_algorithm {
            algorithms.retain(|algorithm| KeyAlgorithm::from(*algorithm) == *own);
        }
        let key = DecodingKey::from_jwk(jwk).ok()?;
        (!algorithms.is_empty()).then_some(Self { key, algorithms })
    }
}

#[derive(Deserialize)]
struct Set {
    keys: Vec<Value>,
}

/// The keys of a set by their ids (<https://www.rfc-editor.org/rfc/rfc7517#section-5>). Those that nothing here can use
/// are left out.
///
/// # Errors
/// When it is no such set.
pub(super) fn read(set: &[u8]) -> Result<HashMap<String, Key>, serde_json::Error> {
    let set: Set = serde_json::from_slice(set)?;
    let keys = set.keys.into_iter().filter_map(|key| {
        let jwk = Jwk::deserialize(key).ok()?;
        Some((jwk.common.key_id.clone()?, Key::read(&jwk)?))
    });
    Ok(keys.take(MOST).collect())
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::Algorithm;
    use serde_json::{Value, json};

    use super::read;

    fn key(changes: &Value) -> Value {
        let mut key =
            json!({"kid": "k", "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        for (name, value) in changes.as_object().unwrap() {
            key[name] = value.clone();
        }
        key
    }

    #[test]
    fn only_public_keys_of_signatures_are_kept() {
        for (changes, kept) in [
            (json!({}), true),
            (json!({"use": "sig", "alg": "EdDSA"}), true),
            (json!({"alg": "ES256"}), false),
            (json!({"use": "enc"}), false),
            (json!({"key_ops": ["verify"]}), true),
            (json!({"key_ops": ["encrypt"]}), false),
            (json!({"kid": null}), false),
            (json!({"kty": "unknown"}), false),
            (json!({"crv": "Ed448"}), false),
            (json!({"x": "!"}), false),
            // A secret that both sides know is none.
            (json!({"kty": "oct", "k": "c2VjcmV0"}), false),
            (json!({"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"}), false),
        ] {
            // What is of no use does not spoil the rest.
            let other = key(&json!({"kid": "other"}));
            let set = json!({"keys": [key(&changes), other, {"kid": 7}, "no key"]}).to_string();
            let keys = read(set.as_bytes()).unwrap();
            assert_eq!((keys.contains_key("k"), keys.contains_key("other")), (kept, true), "{changes}");
            assert!(keys["other"].is_for(Algorithm::EdDSA) && !keys["other"].is_for(Algorithm::HS256));
        }
    }

    #[test]
    fn what_is_no_set_is_told() {
        for text in ["", "[]", "{}", r#"{"keys": {}}"#, "null"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
        assert!(read(br#"{"keys": []}"#).unwrap().is_empty());
    }
}
