use mtb_guard::{Carrier, Guard, Record, RefusalReason, Sealed, Take};

use crate::lab::{MINUTE, NOON, Rigged, alice, bob, invoice, issue, json, name, send_invoice, send_invoice_changed};

/// The checks after the take, first to last. Of several that fail, the first one is the reason.
const ORDER: [RefusalReason; 7] = [
    RefusalReason::RecordInvalid,
    RefusalReason::PrincipalMismatch,
    RefusalReason::Expired,
    RefusalReason::CarrierMismatch,
    RefusalReason::ToolMismatch,
    RefusalReason::ToolChanged,
    RefusalReason::ArgumentsMismatch,
];

fn damaged(record: Record) -> Record {
    let mut bytes = record.sealed.as_bytes().to_vec();
    bytes[0] ^= 1;
    Record { sealed: Sealed::from_bytes(bytes), ..record }
}

/// Redeems with exactly these checks failing; the store either forgets the time or tells that it is over.
async fn redeem(failing: &[RefusalReason], store_knows_the_time: bool) -> Result<(), RefusalReason> {
    let wrong = |reason| failing.contains(&reason);
    let damage = wrong(RefusalReason::RecordInvalid);
    let store = Rigged::new(move |_, answer| {
        let (record, expired) = match answer? {
            Take::Taken(record) => (record, false),
            Take::Expired(Some(record)) => (record, true),
            other => return Ok(other),
        };
        let record = if damage { damaged(record) } else { record };
        Ok(if expired && store_knows_the_time { Take::Expired(Some(record)) } else { Take::Taken(record) })
    });
    let guard = Guard::new(store);
    let issued = issue(&guard).await;
    let now = if wrong(RefusalReason::Expired) { NOON.after(5 * MINUTE) } else { NOON };
    let principal = if wrong(RefusalReason::PrincipalMismatch) { bob() } else { alice() };
    let carrier = if wrong(RefusalReason::CarrierMismatch) { Carrier::Elicited } else { Carrier::Host };
    let tool = name(if wrong(RefusalReason::ToolMismatch) { "send_reminder" } else { "send_invoice" });
    let declaration = if wrong(RefusalReason::ToolChanged) { send_invoice_changed() } else { send_invoice() };
    let arguments = if wrong(RefusalReason::ArgumentsMismatch) { json("{}") } else { invoice() };
    let presented = guard.take(issued.token.expose(), now).await;
    let confirmed = presented
        .claim(&principal, carrier, Some(&tool), now)
        .and_then(|claimed| claimed.confirm(&declaration, Some(&arguments)));
    confirmed.map(drop).map_err(|refusal| refusal.reason)
}

#[tokio::test]
async fn of_several_failing_checks_the_first_is_the_reason() {
    for combination in 0_u32..1 << ORDER.len() {
        let failing: Vec<_> = ORDER.into_iter().enumerate().filter(|(bit, _)| combination >> bit & 1 == 1).collect();
        let failing: Vec<_> = failing.into_iter().map(|(_, reason)| reason).collect();
        for store_knows_the_time in [true, false] {
            let found = redeem(&failing, store_knows_the_time).await; // case 167 among them
            assert_eq!(found, failing.first().map_or(Ok(()), |first| Err(*first)), "{failing:?}");
        }
    }
}

#[tokio::test]
async fn without_a_named_tool_the_declaration_still_has_to_be_the_tool() {
    let guard = crate::lab::guard();
    let issued = issue(&guard).await;
    let claimed = guard.take(issued.token.expose(), NOON).await.claim(&alice(), Carrier::Host, None, NOON).unwrap();
    let other = crate::lab::draft("send_reminder", mtb_core::Sensitivity::High, mtb_core::Reversibility::Irreversible);
    let refusal = claimed.confirm(&other.check().unwrap(), None).unwrap_err();
    assert_eq!(refusal.reason, RefusalReason::ToolMismatch);
}
