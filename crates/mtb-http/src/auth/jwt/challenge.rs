use std::fmt::Write as _;

use http::HeaderValue;

use super::problem::Problem;

/// What a client is told of how to get a token that is good.
#[derive(Debug, Clone)]
pub(super) struct Challenge {
    /// The address of the metadata.
    pub(super) metadata: String,
    pub(super) scopes: Vec<String>,
}

impl Challenge {
    /// There is no token: <https://www.rfc-editor.org/rfc/rfc6750#section-3> has no error then.
    pub(super) fn to_nobody(&self) -> HeaderValue {
        self.written("")
    }

    /// The token is not good.
    pub(super) fn to(&self, problem: Problem) -> HeaderValue {
        let mut error = String::from("error=\"invalid_token\", ");
        if let Some(text) = problem.told() {
            // Writing to a string cannot fail.
            let _ = write!(error, "error_description=\"{text}\", ");
        }
        self.written(&error)
    }

    /// The token is good, and not for enough.
    pub(super) fn to_more_scopes(&self) -> HeaderValue {
        self.written("error=\"insufficient_scope\", error_description=\"The token lacks a scope\", ")
    }

    /// All of it is visible ASCII without quotes: it was checked when it was declared.
    fn written(&self, error: &str) -> HeaderValue {
        let mut text = format!("Bearer {error}resource_metadata=\"{}\"", self.metadata);
        if !self.scopes.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, ", scope=\"{}\"", self.scopes.join(" "));
        }
        HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
    }
}
