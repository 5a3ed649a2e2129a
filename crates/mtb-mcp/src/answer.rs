use mtb_bridge::DeclineDetail;
use mtb_core::json::member;

use crate::params::{is_object, string};

/// What came back for a question, by 2025-06-18/client/elicitation. Its content is whatever the client sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A yes that says so: accepted, with the switch on.
    Confirmed,
    /// A no, of whatever kind.
    No(DeclineDetail),
    /// No answer to the question at all.
    Malformed,
}

impl Answer {
    /// Reads the result of an elicitation.
    pub(crate) fn read(result: &str) -> Self {
        if !is_object(result) {
            return Self::Malformed;
        }
        match string(member(result, "action")).as_deref() {
            Some("accept") if confirms(result) => Self::Confirmed,
            Some("accept") => Self::No(DeclineDetail::NotConfirmed),
            Some("decline") => Self::No(DeclineDetail::Declined),
            Some("cancel") => Self::No(DeclineDetail::Dismissed),
            _ => Self::Malformed,
        }
    }
}

fn confirms(result: &str) -> bool {
    let content = member(result, "content").filter(|content| is_object(content));
    content.and_then(|content| member(content, crate::wire::elicitation::CONFIRM)) == Some("true")
}

#[cfg(test)]
mod tests {
    use mtb_bridge::DeclineDetail::{Declined, Dismissed, NotConfirmed};

    use super::Answer::{self, Confirmed, Malformed, No};

    #[test]
    fn only_a_boolean_yes_confirms() {
        for (result, answer) in [
            ("null", Malformed),
            ("7", Malformed),
            (r#"["accept"]"#, Malformed),
            ("{}", Malformed),
            (r#"{"content": {"confirm": true}}"#, Malformed),
            (r#"{"action": true, "content": {"confirm": true}}"#, Malformed),
            (r#"{"action": "ACCEPT", "content": {"confirm": true}}"#, Malformed),
            (r#"{"action": "accept"}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "confirm": true}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": null}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": [true]}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": {"confirm": false}}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": {"confirm": "true"}}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": {"confirm": 1}}"#, No(NotConfirmed)),
            (r#"{"action": "accept", "content": {"confirm": [true]}}"#, No(NotConfirmed)),
            (r#"{"action": "decline", "content": {"confirm": true}}"#, No(Declined)),
            (r#"{"action": "cancel"}"#, No(Dismissed)),
            (r#"{"action": "accept", "content": {"confirm": true}}"#, Confirmed),
            (r#"{ "content" : { "confirm" : true , "extra": 1 } , "action" : "\u0061ccept" }"#, Confirmed),
        ] {
            assert_eq!(Answer::read(result), answer, "{result}");
        }
    }
}
