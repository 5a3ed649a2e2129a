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

/// Keys by their ids, which those of different kinds may share.
pub(super) type Keys = HashMap<String, Vec<Key>>;

/// The keys of a set (<https://www.rfc-editor.org/rfc/rfc7517#section-5>). Those that nothing here can use are left out.
///
/// # Errors
/// When it is no such set, or nothing is left.
pub(super) fn read(set: &[u8]) -> Result<Keys, &'static str> {
    let set: Set =
        serde_json::from_slice(set).map_err(|_| "write a JSON Web Key Set: an object with the array `keys`")?;
    let keys = set.keys.into_iter().filter_map(|key| {
        let jwk = Jwk::deserialize(key).ok()?;
        Some((jwk.common.key_id.clone()?, Key::read(&jwk)?))
    });
    let mut read = Keys::new();
    for (id, key) in keys.take(MOST) {
        read.entry(id).or_default().push(key);
    }
    if read.is_empty() {
        return Err("none of them is of use: each needs a `kid` and a public RSA, P-256, P-384 or Ed25519 key for \
                    signatures");
    }
    Ok(read)
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
            let other = &keys["other"][0];
            assert!(other.is_for(Algorithm::EdDSA) && !other.is_for(Algorithm::HS256));
        }
    }

    #[test]
    fn what_is_no_set_or_of_no_use_is_told() {
        for text in ["", "[]", "{}", r#"{"keys": {}}"#, "null"] {
            assert!(read(text.as_bytes()).is_err_and(|error| error.contains("JSON Web Key Set")), "{text}");
        }
        let secret = json!([{"kid": "k", "kty": "oct", "k": "c2VjcmV0"}]);
        for keys in [json!([]), json!([{"kty": "RSA"}, {}]), json!([key(&json!({"kid": null}))]), secret] {
            let error = read(json!({"keys": keys}).to_string().as_bytes()).err();
            assert!(error.is_some_and(|error| error.contains("`kid`")), "{keys}");
        }
    }

    #[test]
    fn keys_of_different_kinds_may_share_an_id() {
        // The example of <https://www.rfc-editor.org/rfc/rfc7517#appendix-A.1>.
        let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4";
        let y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM";
        let other = json!({"kid": "k", "kty": "EC", "crv": "P-256", "x": x, "y": y});
        for set in [[key(&json!({})), other.clone()], [other, key(&json!({}))]] {
            let keys = read(json!({"keys": set}).to_string().as_bytes()).unwrap();
            for algorithm in [Algorithm::EdDSA, Algorithm::ES256] {
                assert!(keys["k"].iter().any(|key| key.is_for(algorithm)), "{algorithm:?}");
            }
        }
    }
}
