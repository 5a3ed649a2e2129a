use mtb_audit::{EventKind, FailureMode, MemorySink, NoSinks, Trail, WriterSink, danger};
use mtb_core::Retain;

use super::canary::Heard;
use super::fixture::{Failing, NOON, STARTED, block_on, remembered, scope, send_mail, shared, trail};

fn failing() -> [Failing; 3] {
    [Failing::Erring, Failing::PanickingAtOnce, Failing::PanickingLater]
}

fn withdrawn() -> EventKind {
    EventKind::ConfirmationWithdrawn { detail: mtb_audit::WithdrawDetail::Closed }
}

#[test]
fn blocked_when_any_sink_fails() {
    for sink in failing() {
        let good = MemorySink::default();
        let trail = trail([shared(good.clone()), shared(sink), shared(good.clone())]);
        let trail = trail.with_failure_mode(FailureMode::Block);
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        let error = block_on(trail.record(&scope, NOON, STARTED)).unwrap_err(); // case 82
        assert_eq!(error.failed_sinks(), [1]);
        assert_eq!(error.to_string(), "the audit trail did not record the event: 1 of 3 sinks failed (first: sink 1)");
        assert_eq!(good.events().len(), 2);
    }
}

#[test]
fn every_sink_that_failed_is_named() {
    let sinks = [shared(Failing::Erring), shared(MemorySink::default()), shared(Failing::PanickingLater)];
    let trail = trail(sinks).with_failure_mode(FailureMode::Block);
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    assert_eq!(block_on(trail.record(&scope, NOON, STARTED)).unwrap_err().failed_sinks(), [0, 2]);
}

#[test]
fn a_sink_that_is_added_gets_every_event_too() {
    let (first, added) = (MemorySink::default(), MemorySink::default());
    let trail = Trail::to(first.clone()).and_to(added.clone());
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    block_on(trail.record(&scope, NOON, STARTED)).unwrap();
    assert_eq!((first.events().len(), added.events().len()), (1, 1));
}

#[test]
fn a_full_memory_fails_and_forgets_nothing() {
    let sink = MemorySink::new(std::num::NonZeroUsize::MIN);
    let trail = trail([shared(sink.clone())]).with_failure_mode(FailureMode::Block);
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    block_on(async {
        trail.record(&scope, NOON, STARTED).await.unwrap();
        assert!(trail.record(&scope, NOON, withdrawn()).await.is_err());
        assert_eq!(sink.drain().len(), 1);
        trail.record(&scope, NOON, withdrawn()).await.unwrap();
    });
    assert_eq!(sink.events()[0].kind(), &withdrawn());
}

#[test]
fn a_warning_tells_what_the_sink_said() {
    for (sink, text) in failing().into_iter().zip(["disk full", "the sink panicked", "the sink panicked"]) {
        let trail = trail([shared(sink)]);
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        let (outcome, heard) = Heard::during(async {
            trail.record_end(&scope, NOON, withdrawn()).await;
            trail.record(&scope, NOON, STARTED).await
        });
        assert_eq!(outcome, Ok(())); // case 81
        assert_eq!(heard.matches("WARN").count(), 2, "{heard}");
        assert_eq!(heard.matches(text).count(), 2, "{heard}"); // case 81
        assert!(heard.contains("sink=0") && heard.contains("confirmation.withdrawn"), "{heard}");
    }
}

#[test]
fn blocking_warns_too() {
    let trail = trail([shared(Failing::Erring)]).with_failure_mode(FailureMode::Block);
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    let (outcome, heard) = Heard::during(trail.record(&scope, NOON, STARTED));
    assert!(outcome.is_err());
    assert!(heard.contains("disk full"), "{heard}");
}

#[test]
fn good_sinks_get_every_event_whatever_the_others_do() {
    for mode in [FailureMode::Continue, FailureMode::Block] {
        let good = MemorySink::default();
        let sinks = failing().into_iter().map(shared);
        let trail = trail(sinks.chain([shared(good.clone())])).with_failure_mode(mode);
        let scope = scope(&trail, &send_mail(Retain::nothing()));
        let ((), _) = Heard::during(async {
            let _ = trail.record(&scope, NOON, STARTED).await;
            trail.record_end(&scope, NOON, withdrawn()).await;
        });
        let types: Vec<_> = good.events().iter().map(|event| event.kind().as_str()).collect();
        assert_eq!(types, ["call.started", "confirmation.withdrawn"]); // case 83
    }
}

#[test]
fn ids_of_a_trail_and_its_clones_ascend() {
    let (trail, sink) = remembered();
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    block_on(async {
        for trail in [&trail, &trail.clone(), &trail] {
            trail.record(&scope, NOON, STARTED).await.unwrap();
        }
    });
    assert!(sink.events().is_sorted_by(|a, b| a.id() < b.id()));
}

#[test]
fn a_trail_without_sinks_has_to_be_asked_for() {
    assert_eq!(Trail::new([]).unwrap_err(), NoSinks);
    let trail = danger::trail_without_sinks().with_failure_mode(FailureMode::Block);
    let scope = scope(&trail, &send_mail(Retain::nothing()));
    assert_eq!(block_on(trail.record(&scope, NOON, STARTED)), Ok(()));
}

#[test]
fn a_trail_prints_its_sinks_and_no_key() {
    let sinks = [shared(MemorySink::default()), shared(WriterSink::new(Vec::new()))];
    let key = mtb_audit::DigestKey::new(b"canary-canary-canary").unwrap();
    let printed = format!("{:?}", trail(sinks).with_digest_key(key));
    assert!(printed.contains("MemorySink") && printed.contains("WriterSink"), "{printed}");
    assert!(!printed.contains("canary"), "{printed}");
}
