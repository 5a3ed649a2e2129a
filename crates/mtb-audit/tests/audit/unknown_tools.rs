use mtb_audit::AuditedTool;
use mtb_core::{Digest, Transport};

use super::fixture::{alice, call_id, remembered};

#[track_caller]
fn kept(name: &str) -> String {
    let trail = remembered().0.keep_unknown_names();
    match trail.unknown_scope(call_id(), Transport::DIRECT, &alice(), name).tool() {
        AuditedTool::Unknown(unknown) => unknown.name().unwrap().to_owned(),
        AuditedTool::Declared(_) => panic!("nobody declared it"),
    }
}

#[test]
fn an_invented_name_is_measured_and_not_kept() {
    let (trail, _) = remembered();
    for name in ["", "rm -rf /", &"ü".repeat(10_000)] {
        let scope = trail.unknown_scope(call_id(), Transport::DIRECT, &alice(), name);
        let AuditedTool::Unknown(unknown) = scope.tool() else { panic!("nobody declared it") };
        assert_eq!(unknown.name(), None);
        assert_eq!(unknown.measure(), Some((name.len(), Digest::of(name.as_bytes()))));
        assert_eq!(scope.tool().name(), None);
    }
}

#[test]
fn a_kept_name_is_cut_and_printable() {
    for (name, expect) in [
        ("", String::new()),
        ("delete\u{1b}[31m_all\u{202e}\n", "delete [31m_all ".to_owned()),
        (&"ü".repeat(128), "ü".repeat(128)),
        (&"ü".repeat(129), format!("{}…", "ü".repeat(128))),
    ] {
        assert_eq!(kept(name), expect);
    }
}
