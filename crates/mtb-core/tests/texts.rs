//! What values look like as text: in an audit, in a table, in a log.

use std::borrow::Borrow;
use std::collections::BTreeSet;

use mtb_core::{
    CallId, Digest, Fingerprint, KeepPointer, Principal, PrincipalError, Reversibility, Role, Sensitivity, ToolName,
    Transport,
};

#[test]
fn ids_and_digests_are_hexadecimal() {
    let id = CallId::from_bytes([0xab; 16]);
    assert_eq!([id.to_string(), format!("{id:?}")], ["abababab-abab-abab-abab-abababababab"; 2]);
    let digest = Digest::of(b"");
    let hex = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!([digest.to_string(), format!("{digest:?}")], [hex; 2]);
    let fingerprint = Fingerprint::from_bytes(*digest.as_bytes());
    assert_eq!([fingerprint.to_string(), format!("{fingerprint:?}")], [hex; 2]);
}

#[test]
fn names_are_what_they_name() {
    let name = ToolName::new("send_mail").unwrap();
    assert_eq!((name.to_string(), format!("{name:?}")), ("send_mail".into(), "\"send_mail\"".into()));
    assert_eq!(Borrow::<str>::borrow(&name), "send_mail");
    assert!(BTreeSet::from([name]).contains("send_mail"));
    let transports = [Transport::DIRECT, Transport::STDIO, Transport::HTTP, Transport::named("queue")];
    assert_eq!(transports.map(Transport::as_str), ["direct", "stdio", "http", "queue"]);
    assert_eq!(Sensitivity::ALL.map(|level| level.to_string()), ["none", "low", "medium", "high", "critical"]);
    assert_eq!(Reversibility::ALL.map(|value| value.to_string()), ["reversible", "irreversible"]);
}

#[test]
fn who_and_what_is_kept_read_as_they_were_written() {
    let alice = Principal::new("alice", ["staff"]).unwrap();
    let id = alice.id();
    assert_eq!((id.as_str(), id.to_string(), format!("{id:?}")), ("alice", "alice".into(), "\"alice\"".into()));
    let role = Role::new("staff").unwrap();
    assert_eq!((role.to_string(), format!("{role:?}")), ("staff".into(), "\"staff\"".into()));
    let refused = format!("{:?}", PrincipalError::Id);
    assert_eq!(refused, "`id` is text of 1 to 1,024 bytes that is not blank and holds no control characters");
    for (text, is_wild) in [("/notes/0/id", false), ("/notes/*/id", true), ("/*", true), ("/a~1*", false)] {
        let pointer = KeepPointer::new(text).unwrap();
        assert_eq!((pointer.as_str(), pointer.to_string()), (text, text.to_owned()));
        assert_eq!(format!("{pointer:?}"), format!("{text:?}"));
        assert_eq!(pointer.is_wild(), is_wild, "{text}");
    }
}
