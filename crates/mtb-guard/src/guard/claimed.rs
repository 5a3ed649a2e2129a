use std::fmt;

use mtb_core::json::{Limits, MAX_DEPTH};
use mtb_core::{CallId, CanonicalJson, Declaration, Timestamp, ToolName};

use crate::record::Bound;
use crate::refusal::{Refusal, RefusalReason};
use crate::seal::Content;

/// A token in the hands of its principal, in time. Whether it is good for this tool and these arguments has not been
/// checked yet.
#[must_use = "a claimed token is spent: what it is good for has to be checked, or refused"]
pub struct Claimed {
    bound: Bound,
    content: Content,
}

/// A person's yes to exactly these arguments of a tool as it is declared now. Only the guard makes one.
#[must_use = "the token is spent: the call has to run, or to be refused"]
pub struct Confirmed {
    call_id: CallId,
    expires_at: Timestamp,
    arguments: CanonicalJson,
}

/// A question that ends without a yes. It can be asked again; it cannot be confirmed.
#[must_use = "the question is over, which has to be recorded"]
pub struct Unanswered(Claimed);

impl Claimed {
    pub(super) fn new(bound: Bound, content: Content) -> Self {
        Self { bound, content }
    }

    pub(super) fn bound(&self) -> &Bound {
        &self.bound
    }

    pub(super) fn expires_at(&self) -> Timestamp {
        self.content.expires_at
    }

    /// The tool it was issued for.
    #[must_use]
    pub fn tool(&self) -> &ToolName {
        &self.bound.tool
    }

    /// The call it continues.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        self.bound.call_id
    }

    /// Checks that the tool is declared as it was when the person was asked, then that the arguments are the
    /// confirmed ones. Without arguments the confirmed ones are used.
    ///
    /// # Errors
    /// The first check that does not pass.
    pub fn confirm(self, declaration: &Declaration, arguments: Option<&CanonicalJson>) -> Result<Confirmed, Refusal> {
        self.unchanged(declaration)?;
        if arguments.is_some_and(|arguments| arguments.as_str() != self.content.arguments) {
            return Err(self.refuse(RefusalReason::ArgumentsMismatch));
        }
        let (call_id, expires_at) = (self.call_id(), self.expires_at());
        Ok(Confirmed { call_id, expires_at, arguments: self.into_arguments()? })
    }

    /// Refuses arguments that were sent with the token and do not even fit the tool: they are not the confirmed ones.
    /// That the tool has changed comes first.
    #[must_use]
    pub fn mismatch(self, declaration: &Declaration) -> Refusal {
        self.unchanged(declaration).err().unwrap_or_else(|| self.refuse(RefusalReason::ArgumentsMismatch))
    }

    pub(super) fn refuse(&self, reason: RefusalReason) -> Refusal {
        Refusal { reason, call_id: Some(self.bound.call_id), tool: Some(self.bound.tool.clone()) }
    }

    fn unchanged(&self, declaration: &Declaration) -> Result<(), Refusal> {
        if self.bound.tool != *declaration.name() {
            return Err(self.refuse(RefusalReason::ToolMismatch));
        }
        if self.bound.fingerprint != declaration.fingerprint() {
            return Err(self.refuse(RefusalReason::ToolChanged));
        }
        Ok(())
    }

    /// What was sealed had passed the limits of its time, so it is read without any. What is read has to be what was
    /// sealed, to the byte: a text that another version would write differently is not what the person confirmed.
    fn into_arguments(self) -> Result<CanonicalJson, Refusal> {
        let limits = Limits { depth: MAX_DEPTH, nodes: usize::MAX, string_bytes: usize::MAX };
        match CanonicalJson::from_text(&self.content.arguments, &limits) {
            Ok(arguments) if arguments.as_str() == self.content.arguments => Ok(arguments),
            _ => Err(self.refuse(RefusalReason::RecordInvalid)),
        }
    }
}

impl Confirmed {
    /// The call it continues.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        self.call_id
    }

    /// Until when it would have been good.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    /// The arguments that were confirmed.
    #[must_use]
    pub fn into_arguments(self) -> CanonicalJson {
        self.arguments
    }
}

impl Unanswered {
    pub(super) fn new(claimed: Claimed) -> Self {
        Self(claimed)
    }

    /// The tool that was asked about.
    #[must_use]
    pub fn tool(&self) -> &ToolName {
        self.0.tool()
    }

    /// The call that was asked about.
    #[must_use]
    pub fn call_id(&self) -> CallId {
        self.0.call_id()
    }

    /// The arguments that were asked about, for asking again, if the tool is declared as it was.
    ///
    /// # Errors
    /// When the tool has changed, or the arguments cannot be read.
    pub fn into_arguments(self, declaration: &Declaration) -> Result<CanonicalJson, Refusal> {
        self.0.unchanged(declaration)?;
        self.0.into_arguments()
    }
}

impl fmt::Debug for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claimed").field("tool", &self.bound.tool).finish_non_exhaustive()
    }
}

impl fmt::Debug for Confirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Confirmed").field("call_id", &self.call_id).finish_non_exhaustive()
    }
}

impl fmt::Debug for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unanswered").field("tool", self.0.tool()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use mtb_core::{CallId, Fingerprint, PrincipalId, Timestamp, ToolName};

    use super::Claimed;
    use crate::carrier::Carrier;
    use crate::record::Bound;
    use crate::refusal::RefusalReason;
    use crate::seal::Content;

    #[test]
    fn only_canonical_text_is_what_a_person_confirmed() {
        for (sealed, good) in [
            (r#"{"b":1,"a":2}"#, false),
            (r#"{"a": 2}"#, false),
            (r#"{"a":2.0}"#, false),
            (r#"{"a":2,"a":2}"#, false),
            (r#"{"a":2"#, false),
            ("", false),
            (r#"{"a":2,"b":1}"#, true),
        ] {
            let bound = Bound {
                format: Bound::FORMAT,
                principal: PrincipalId::new("alice").unwrap(),
                tool: ToolName::new("tool").unwrap(),
                call_id: CallId::from_bytes([1; 16]),
                issued_at: Timestamp::from_millis(0),
                expires_at: Timestamp::from_millis(1),
                carrier: Carrier::Host,
                fingerprint: Fingerprint::from_bytes([2; 32]),
            };
            let content = Content { expires_at: bound.expires_at, arguments: sealed.to_owned() };
            match Claimed::new(bound, content).into_arguments() {
                Ok(arguments) => assert!(good && arguments.as_str() == sealed, "{sealed}"),
                Err(refusal) => assert_eq!((good, refusal.reason), (false, RefusalReason::RecordInvalid), "{sealed}"),
            }
        }
    }
}
