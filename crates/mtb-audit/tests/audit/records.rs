use mtb_audit::{FailureKind, IssueRef, error_record, result_record};
use mtb_core::Retain;
use serde_json::json;

use super::fixture::send_mail;

#[test]
fn a_result_tells_whether_it_was_an_error_and_what_is_kept() {
    let declaration = send_mail(Retain::nothing().result("/id"));
    for is_error in [false, true] {
        let record = result_record(&declaration, Some(&json!({"id": 7, "text": "private"})), is_error);
        assert_eq!(record.is_error(), is_error);
        assert_eq!(record.kept().unwrap().get("/id"), Some(&json!(7)));
        assert!(format!("{record:?}").contains("/id"), "{record:?}");
        assert!(result_record(&declaration, None, is_error).kept().is_none());
    }
}

#[test]
fn an_issue_tells_its_keyword_and_the_declared_place() {
    let declaration = send_mail(Retain::nothing());
    let issues = declaration.arguments().validate(&json!({"to": 7})).unwrap_err();
    let told: Vec<_> = issues.iter().map(IssueRef::of).collect();
    let told: Vec<_> = told.iter().map(|issue| (issue.keyword(), issue.path())).collect();
    assert_eq!(told, [("type", "/properties/to/type")]);
}

#[test]
fn a_failure_shows_its_kind_and_how_much_is_kept() {
    let declaration = send_mail(Retain::nothing().errors());
    let record = error_record(&declaration, FailureKind::ToolError, Some("private"));
    assert_eq!(record.message(), Some("private"));
    assert_eq!(format!("{record:?}"), "ErrorRecord { kind: ToolError, message_bytes: Some(7) }");
}
