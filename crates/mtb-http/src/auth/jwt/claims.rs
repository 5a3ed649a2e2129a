use std::time::Duration;

use mtb_core::{PrincipalId, Timestamp};
use serde_json::Value;

use super::problem::Problem;
use super::role_claim::words;
use crate::auth::principal_id;

/// Clients that act for others say who they are in one of these
/// (<https://www.rfc-editor.org/rfc/rfc9068#section-2.2>; elsewhere it is `azp`).
const CLIENT: [&str; 2] = ["client_id", "azp"];
/// Where scopes stand; some issuers have an array in the second.
const SCOPE: [&str; 2] = ["scope", "scp"];

/// Whose token it is.
///
/// # Errors
/// When it is not of `issuer`, or of nobody.
pub(super) fn holder(claims: &Value, issuer: &str) -> Result<PrincipalId, Problem> {
    // The library takes a list in which the issuer is, too.
    if claims.get("iss").and_then(Value::as_str) != Some(issuer) {
        return Err(Problem::Issuer);
    }
    let subject = claims.get("sub").and_then(Value::as_str).filter(|subject| !subject.is_empty());
    let mut client = None;
    for name in CLIENT {
        match claims.get(name) {
            None | Some(Value::Null) => {}
            Some(value) => client = client.or(Some(value.as_str().ok_or(Problem::Subject)?)),
        }
    }
    principal_id(issuer, subject.ok_or(Problem::Subject)?, client).map_err(|_| Problem::Subject)
}

/// # Errors
/// When the token is good only together with a key that its client has: nobody asks for that one here
/// (<https://www.rfc-editor.org/rfc/rfc7800#section-3.1>).
pub(super) fn is_bearers(claims: &Value) -> Result<(), Problem> {
    if claims.get("cnf").is_none_or(Value::is_null) { Ok(()) } else { Err(Problem::Bound) }
}

/// Until when the token is good.
///
/// # Errors
/// When it is not good now, or does not say.
pub(super) fn good_until(claims: &Value, now: Timestamp, leeway: Duration) -> Result<Timestamp, Problem> {
    let expires = claims.get("exp").and_then(moment).ok_or(Problem::NoExpiry)?.after(leeway);
    if expires <= now {
        return Err(Problem::Expired);
    }
    match claims.get("nbf") {
        None | Some(Value::Null) => Ok(expires),
        Some(begins) => {
            let begins = moment(begins).ok_or(Problem::NotYet)?;
            if begins > now.after(leeway) { Err(Problem::NotYet) } else { Ok(expires) }
        }
    }
}

/// Seconds since 1970, whole or not (<https://www.rfc-editor.org/rfc/rfc7519#section-2>).
fn moment(value: &Value) -> Option<Timestamp> {
    let since = match value.as_u64() {
        Some(seconds) => Duration::from_secs(seconds),
        None => Duration::try_from_secs_f64(value.as_f64()?).ok()?,
    };
    Some(Timestamp::from_millis(0).after(since))
}

/// Whether all of these are among the token's scopes.
pub(super) fn has_scopes(claims: &Value, required: &[String]) -> bool {
    let mut granted = Vec::new();
    for name in SCOPE {
        granted.extend(claims.get(name).into_iter().flat_map(words));
    }
    required.iter().all(|scope| granted.contains(&scope.as_str()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mtb_core::Timestamp;
    use serde_json::{Value, json};

    use super::{good_until, has_scopes, holder};
    use crate::auth::jwt::problem::Problem;

    const ISSUER: &str = "https://id.example.com";

    #[test]
    fn a_token_is_somebodys_by_one_issuer() {
        let of = |claims: &Value| holder(claims, ISSUER).map(|id| id.to_string());
        let id = |rest: &str| Ok(format!("22:{ISSUER},{rest}"));
        for (claims, expected) in [
            (json!({"iss": ISSUER, "sub": "alice"}), id("5:alice")),
            (json!({"iss": ISSUER, "sub": "alice", "client_id": "app"}), id("5:alice,3:app")),
            (json!({"iss": ISSUER, "sub": "alice", "azp": "app"}), id("5:alice,3:app")),
            (json!({"iss": ISSUER, "sub": "alice", "azp": "other", "client_id": "app"}), id("5:alice,3:app")),
            (json!({"iss": ISSUER, "sub": "alice", "client_id": null}), id("5:alice")),
            (json!({"iss": ISSUER, "sub": "alice", "client_id": 7}), Err(Problem::Subject)),
            (json!({"iss": ISSUER, "sub": ""}), Err(Problem::Subject)),
            (json!({"iss": ISSUER, "sub": 7}), Err(Problem::Subject)),
            (json!({"iss": ISSUER, "sub": "a\nb"}), Err(Problem::Subject)),
            (json!({"iss": ISSUER}), Err(Problem::Subject)),
            (json!({"iss": [ISSUER], "sub": "alice"}), Err(Problem::Issuer)),
            (json!({"iss": "https://id.example.com/", "sub": "alice"}), Err(Problem::Issuer)),
            (json!({"sub": "alice"}), Err(Problem::Issuer)),
        ] {
            assert_eq!(of(&claims), expected, "{claims}");
        }
    }

    #[test]
    fn a_token_is_good_for_a_time() {
        let now = Timestamp::from_millis(1_000_000);
        let leeway = Duration::from_secs(10);
        for (claims, expected) in [
            (json!({"exp": 1001}), Ok(1_011_000)),
            (json!({"exp": 1001.5}), Ok(1_011_500)),
            (json!({"exp": 991}), Ok(1_001_000)),
            (json!({"exp": 990}), Err(Problem::Expired)),
            (json!({"exp": 0}), Err(Problem::Expired)),
            (json!({"exp": u64::MAX}), Ok(i64::MAX)),
            (json!({"exp": 1001, "nbf": 1010}), Ok(1_011_000)),
            (json!({"exp": 1001, "nbf": null}), Ok(1_011_000)),
            (json!({"exp": 1001, "nbf": 1010.1}), Err(Problem::NotYet)),
            (json!({"exp": 1001, "nbf": "1"}), Err(Problem::NotYet)),
            (json!({"exp": "1001"}), Err(Problem::NoExpiry)),
            (json!({"exp": -1}), Err(Problem::NoExpiry)),
            (json!({"exp": 1e300}), Err(Problem::NoExpiry)),
            (json!({}), Err(Problem::NoExpiry)),
        ] {
            assert_eq!(good_until(&claims, now, leeway).map(Timestamp::as_millis), expected, "{claims}");
        }
    }

    #[test]
    fn every_required_scope_has_to_be_there() {
        let required = ["a".to_owned(), "b:c".to_owned()];
        for (claims, expected) in [
            (json!({"scope": "b:c a"}), true),
            (json!({"scp": ["a", "b:c", "d"]}), true),
            (json!({"scope": "a", "scp": "b:c"}), true),
            (json!({"scope": "a"}), false),
            (json!({"scope": "ab:c"}), false),
            (json!({"scope": "A b:c"}), false),
            (json!({"scope": {"a": 1, "b:c": 1}}), false),
            (json!({}), false),
        ] {
            assert_eq!(has_scopes(&claims, &required), expected, "{claims}");
            assert!(has_scopes(&claims, &[]));
        }
    }
}
