use base64::Engine as _;
use mtb_core::{CallId, Fingerprint, Timestamp};
use mtb_guard::{Bound, Carrier, Guard, Record, RefusalReason, Sealed, Take, TokenHash};

use crate::lab::{NOON, Rigged, bob, check_reason, invoice, issue, name, redeem};

/// Everything a store holds of a record, as text and as bytes.
fn everything(record: &Record) -> Vec<u8> {
    let bound = &record.bound;
    let mut bytes = format!("{record:?} {record:#?} {}", record.hash).into_bytes();
    bytes.extend_from_slice(record.hash.as_bytes());
    bytes.extend_from_slice(record.sealed.as_bytes());
    bytes.extend_from_slice(bound.principal.as_str().as_bytes());
    bytes.extend_from_slice(bound.tool.as_str().as_bytes());
    bytes.extend_from_slice(bound.call_id.as_bytes());
    bytes.extend_from_slice(bound.fingerprint.as_bytes());
    bytes.extend_from_slice(bound.carrier.as_str().as_bytes());
    bytes
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_reader_of_the_store_learns_who_and_which_tool_and_nothing_else() {
    let store = Rigged::honest();
    let issued = issue(&Guard::new(store.clone())).await;
    let seen = everything(&store.record(0));
    let token = issued.token.expose();
    let raw = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(&token[4..]).unwrap();
    let digest = invoice().digest();
    for (what, secret) in [
        ("token", token.as_bytes()),
        ("part of the token", &token.as_bytes()[4..12]),
        ("bytes of the token", &raw[..8]),
        ("arguments", invoice().as_str().as_bytes()),
        ("member name", b"invoiceId".as_slice()),
        ("argument", b"INV-12".as_slice()),
        ("digest", digest.as_bytes()),
        ("digest as text", digest.to_string().as_bytes()),
    ] {
        assert!(!holds(&seen, secret), "{what}");
    }
    for known in ["alice", "send_invoice"] {
        assert!(holds(&seen, known.as_bytes()), "{known}");
    }
}

type Change = fn(&mut Record);

/// One change to each field of a record.
const CHANGES: [(&str, Change); 14] = [
    ("hash", |record| record.hash = TokenHash::from_bytes([9; 32])),
    ("format", |record| record.bound.format = Bound::FORMAT + 1),
    ("principal", |record| record.bound.principal = bob()),
    ("tool", |record| record.bound.tool = name("send_reminder")),
    ("tool, longer", |record| record.bound.tool = name("send_invoices")),
    ("call id", |record| record.bound.call_id = CallId::from_bytes([8; 16])),
    ("issue", |record| record.bound.issued_at = Timestamp::from_millis(NOON.as_millis() - 1)),
    ("expiry, later", |record| record.bound.expires_at = Timestamp::from_millis(i64::MAX)),
    ("expiry, by 1 ms", |record| {
        record.bound.expires_at = Timestamp::from_millis(record.bound.expires_at.as_millis() + 1);
    }),
    ("carrier", |record| record.bound.carrier = Carrier::Elicited),
    ("fingerprint", |record| record.bound.fingerprint = Fingerprint::from_bytes([0; 32])),
    ("payload, cut", |record| record.sealed = Sealed::from_bytes(&record.sealed.as_bytes()[1..])),
    ("payload, longer", |record| record.sealed = Sealed::from_bytes([record.sealed.as_bytes(), &[0]].concat())),
    ("payload, gone", |record| record.sealed = Sealed::from_bytes([])),
];

async fn redeem_changed(change: impl Fn(&mut Record) + Send + Sync + 'static) -> Result<(), RefusalReason> {
    let store = Rigged::new(move |_, answer| match answer? {
        Take::Taken(mut record) => {
            change(&mut record);
            Ok(Take::Taken(record))
        }
        other => Ok(other),
    });
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    redeem(&guard, issued.token.expose(), NOON).await.map(drop).map_err(|refusal| refusal.reason)
}

#[tokio::test]
async fn a_record_with_any_field_changed_is_refused() {
    for (what, change) in CHANGES {
        assert_eq!(redeem_changed(change).await, Err(RefusalReason::RecordInvalid), "{what}");
    }
    assert_eq!(redeem_changed(|_| ()).await, Ok(()));
}

#[tokio::test]
async fn a_record_with_any_sealed_byte_changed_is_refused() {
    let store = Rigged::honest();
    issue(&Guard::new(store.clone())).await;
    let length = store.record(0).sealed.as_bytes().len();
    assert!(length > invoice().as_str().len());
    for at in 0..length {
        let found = redeem_changed(move |record| {
            let mut bytes = record.sealed.as_bytes().to_vec();
            bytes[at] ^= 0x80;
            record.sealed = Sealed::from_bytes(bytes);
        });
        assert_eq!(found.await, Err(RefusalReason::RecordInvalid), "byte {at}");
    }
}

/// A record that went through a table of columns and came back.
#[tokio::test]
async fn a_record_can_be_rebuilt_from_its_fields() {
    let store = Rigged::new(|_, answer| match answer? {
        Take::Taken(record) => {
            let bound = Bound {
                format: record.bound.format,
                principal: mtb_core::PrincipalId::new(record.bound.principal.as_str()).unwrap(),
                tool: name(record.bound.tool.as_str()),
                call_id: CallId::from_bytes(*record.bound.call_id.as_bytes()),
                issued_at: Timestamp::from_millis(record.bound.issued_at.as_millis()),
                expires_at: Timestamp::from_millis(record.bound.expires_at.as_millis()),
                carrier: record.bound.carrier.as_str().parse().unwrap(),
                fingerprint: Fingerprint::from_bytes(*record.bound.fingerprint.as_bytes()),
            };
            let hash = TokenHash::from_bytes(*record.hash.as_bytes());
            Ok(Take::Taken(Record { hash, bound, sealed: Sealed::from_bytes(record.sealed.as_bytes()) }))
        }
        other => Ok(other),
    });
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    redeem(&guard, issued.token.expose(), NOON).await.map(drop).unwrap();
    check_reason(redeem(&guard, issued.token.expose(), NOON).await, RefusalReason::Consumed);
}
