use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use mtb_core::{
    CallId, CanonicalJson, ConfirmMode, Declaration, DeclarationDraft, Governance, PrincipalId, Reversibility,
    SchemaSource, Sensitivity, Timestamp, ToolName, any_of,
};
use mtb_guard::{
    Carrier, ConfirmationStore, Confirmed, Guard, HeldCall, Issued, MemoryStore, Put, Quota, Record, Refusal,
    RefusalReason, StoreError, Take, TokenHash,
};

/// 2026-10-02T12:00:00Z.
pub(crate) const NOON: Timestamp = Timestamp::from_millis(1_790_942_400_000);
pub(crate) const MINUTE: Duration = Duration::from_secs(60);
/// The last moment of a confirmation issued at noon that lives five minutes.
pub(crate) const LAST: Timestamp = Timestamp::from_millis(1_790_942_699_999);
pub(crate) const CALL: [u8; 16] = [7; 16];

pub(crate) fn alice() -> PrincipalId {
    PrincipalId::new("alice").unwrap()
}

pub(crate) fn bob() -> PrincipalId {
    PrincipalId::new("bob").unwrap()
}

pub(crate) fn json(text: &str) -> CanonicalJson {
    CanonicalJson::from_text(text, &mtb_core::json::Limits::default()).unwrap()
}

pub(crate) fn invoice() -> CanonicalJson {
    json(r#"{"invoiceId":"INV-12"}"#)
}

pub(crate) fn name(name: &str) -> ToolName {
    ToolName::new(name).unwrap()
}

pub(crate) fn draft(name: &str, sensitivity: Sensitivity, reversibility: Reversibility) -> DeclarationDraft {
    let schema =
        r#"{"type": "object", "properties": {"invoiceId": {"type": "string"}}, "additionalProperties": false}"#;
    let governance = Governance { sensitivity, reversibility, roles: any_of(["reader"]) };
    DeclarationDraft::new(name, "Emails an invoice.", SchemaSource::text(schema), governance)
}

pub(crate) fn send_invoice() -> Declaration {
    draft("send_invoice", Sensitivity::High, Reversibility::Irreversible).check().unwrap()
}

/// The same tool after somebody edited its description.
pub(crate) fn send_invoice_changed() -> Declaration {
    let mut draft = draft("send_invoice", Sensitivity::High, Reversibility::Irreversible);
    draft.description.push_str(" And a copy.");
    draft.check().unwrap()
}

pub(crate) fn always(sensitivity: Sensitivity, reversibility: Reversibility) -> Declaration {
    let mut draft = draft("tool", sensitivity, reversibility);
    draft.confirm = ConfirmMode::Always;
    draft.check().unwrap()
}

pub(crate) fn guard() -> Guard {
    Guard::new(Arc::new(MemoryStore::default()))
}

/// Issues a Host confirmation of alice's `send_invoice`, at noon.
pub(crate) async fn issue(guard: &Guard) -> Issued {
    issue_for(guard, &alice(), Carrier::Host).await
}

pub(crate) async fn issue_for(guard: &Guard, principal: &PrincipalId, carrier: Carrier) -> Issued {
    let (declaration, arguments) = (send_invoice(), invoice());
    let call_id = CallId::from_bytes(CALL);
    let call = HeldCall { principal, declaration: &declaration, arguments: &arguments, call_id, carrier };
    guard.issue(&call, NOON).await.unwrap()
}

/// Presents a token as alice's host does when everything is as it was.
pub(crate) async fn redeem(guard: &Guard, token: &str, now: Timestamp) -> Result<Confirmed, Refusal> {
    let presented = guard.take(token, now).await;
    let claimed = presented.claim(&alice(), Carrier::Host, Some(&name("send_invoice")), now)?;
    claimed.confirm(&send_invoice(), Some(&invoice()))
}

#[track_caller]
pub(crate) fn check_reason<T: std::fmt::Debug>(found: Result<T, Refusal>, reason: RefusalReason) {
    assert_eq!(found.unwrap_err().reason, reason);
}

type Answer = Result<Take, StoreError>;
type Answering = dyn Fn(&Rigged, Answer) -> Answer + Send + Sync;

/// A memory store whose takes are answered by somebody else, and which shows what was put.
pub(crate) struct Rigged {
    pub(crate) memory: MemoryStore,
    pub(crate) put: Mutex<Vec<Record>>,
    answer: Box<Answering>,
}

impl Rigged {
    /// `answer` gets the store and its honest answer.
    pub(crate) fn new(answer: impl Fn(&Self, Answer) -> Answer + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { memory: MemoryStore::default(), put: Mutex::default(), answer: Box::new(answer) })
    }

    pub(crate) fn honest() -> Arc<Self> {
        Self::new(|_, answer| answer)
    }

    pub(crate) fn record(&self, index: usize) -> Record {
        self.put.lock().unwrap()[index].clone()
    }
}

#[async_trait]
impl ConfirmationStore for Rigged {
    async fn put(&self, record: Record, quota: Quota, now: Timestamp) -> Result<Put, StoreError> {
        self.put.lock().unwrap().push(record.clone());
        self.memory.put(record, quota, now).await
    }

    async fn take(&self, hash: &TokenHash, now: Timestamp) -> Answer {
        let honest = self.memory.take(hash, now).await;
        (self.answer)(self, honest)
    }
}
