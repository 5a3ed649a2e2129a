use mtb_bridge::{
    CallOptions, CallOutcome, CallRequest, Carrier, DeclineDetail, JsonSchema, Rejection, Tool, WithdrawDetail,
};
use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};
use serde_json::json;

use crate::lab::{Lab, Ran, Setup, answers, editor, governance, harmless, invoices, nobody, reader, sends};

fn names(lab: &Lab, principal: &Principal) -> Vec<String> {
    lab.bridge.list_tools(principal).iter().map(|tool| tool.name().to_owned()).collect()
}

fn is_unknown(outcome: &CallOutcome) -> bool {
    matches!(outcome, CallOutcome::Rejected { rejection: Rejection::UnknownTool, .. })
}

fn mail_lab() -> Lab {
    let both = Governance { roles: any_of(["reader", "editor"]), ..harmless("x") };
    let read_mail = Tool::declare("read_mail", "Reads mail.", JsonSchema::no_arguments(), both);
    Lab::new([
        answers("search", "reader"),
        answers("edit", "editor"),
        read_mail.handler(|_arguments, _call| async { Ok("mail") }),
    ])
}

#[test]
fn the_list_shows_what_a_principal_may_use_in_registered_order() {
    let lab = mail_lab();
    assert_eq!(names(&lab, &nobody()), Vec::<String>::new()); // case 5
    assert_eq!(names(&lab, &reader()), ["search", "read_mail"]); // cases 4, 20
    assert_eq!(names(&lab, &editor()), ["search", "edit", "read_mail"]); // case 4
}

#[test]
fn a_listing_tells_no_roles_and_no_sensitivity() {
    let schema = JsonSchema::value(json!({"type": "object", "properties": {}, "additionalProperties": false}));
    let delete = governance(Sensitivity::High, Reversibility::Irreversible, "admin");
    let lab = Lab::new([Tool::declare("delete_file", "Deletes.", schema, delete)
        .title("Delete a file")
        .handler(|_arguments, _call| async { Ok("pong") })]);
    let admin = Principal::new("root", ["admin"]).unwrap();
    let [listed] = lab.bridge.list_tools(&admin).try_into().unwrap();
    assert_eq!((listed.name(), listed.title()), ("delete_file", Some("Delete a file"))); // case 6
    assert!(listed.destructive_hint() && !listed.read_only_hint());
    assert_eq!(format!("{listed:?}"), r#"ListedTool("delete_file")"#);
}

#[test]
fn a_listing_tells_the_rest_as_declared() {
    let text = r#"{"type": "object",  "properties": {}, "additionalProperties": false}"#;
    let tool = |name: &str, governance| Tool::declare(name, "Looks it up.", JsonSchema::text(text), governance);
    let output = r#"{"type":  "object"}"#;
    let changes = governance(Sensitivity::Low, Reversibility::Reversible, "reader");
    let lab = Lab::new([
        tool("look", harmless("reader")).output(&JsonSchema::text(output)).handler(|_, _| async { Ok("x") }),
        tool("mark", changes).handler(|_, _| async { Ok("x") }),
    ]);
    let [look, mark] = lab.bridge.list_tools(&reader()).try_into().unwrap();
    assert_eq!((look.description(), look.input_schema()), ("Looks it up.", text));
    assert_eq!((look.output_schema(), mark.output_schema()), (Some(output), None));
    assert_eq!((look.read_only_hint(), look.destructive_hint()), (true, false));
    assert_eq!((mark.read_only_hint(), mark.destructive_hint()), (false, false));
}

#[tokio::test]
async fn a_refused_role_answers_exactly_like_an_unknown_tool() {
    let ran = Ran::default();
    let delete = governance(Sensitivity::Low, Reversibility::Reversible, "admin");
    let lab = Lab::new([answers("search", "reader"), sends("delete_all", delete, &ran)]);
    // Arguments that would be refused are not looked at: the refusal would tell the schema. (case 23)
    for arguments in [json!({}), json!({"invoiceId": "INV-1"}), json!({"invoiceId": 7, "x": 1}), json!([])] {
        let forbidden = lab.call(&reader(), "delete_all", arguments.clone()).await; // case 21
        let unknown = lab.call(&reader(), "does_not_exist", arguments).await;
        assert!(is_unknown(&forbidden) && is_unknown(&unknown), "{forbidden:?} {unknown:?}"); // case 22
    }
    assert_eq!(ran.times(), 0);
    assert_eq!(lab.refusals(), ["forbidden", "unknown_tool"].repeat(4)); // case 22
}

#[tokio::test]
async fn access_is_decided_at_the_call_not_at_the_list() {
    let ran = Ran::default();
    let lab = Lab::new([sends("delete_all", governance(Sensitivity::Low, Reversibility::Reversible, "admin"), &ran)]);
    let carol = Principal::new("carol", ["admin"]).unwrap();
    assert_eq!(names(&lab, &carol), ["delete_all"]);
    let demoted = Principal::new("carol", Vec::<String>::new()).unwrap();
    let call = lab.call(&demoted, "delete_all", json!({"invoiceId": "INV-1"})).await;
    assert!(is_unknown(&call)); // case 24
    assert!(lab.registry.unregister("delete_all"));
    let call = lab.call(&carol, "delete_all", json!({"invoiceId": "INV-1"})).await;
    assert!(is_unknown(&call)); // case 25
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn a_question_ends_for_a_role_that_was_taken_away() {
    let (lab, ran) = invoices(Setup::default());
    let demoted = Principal::new("alice", ["guest"]).unwrap();
    let hold = async || lab.hold(&reader(), "send_invoice", json!({"invoiceId": "INV-1"})).await.token;
    let repeat = |token: &str| CallRequest::new("send_invoice", json!({"invoiceId": "INV-1"})).with_token(token);
    let detail = WithdrawDetail::ElicitationFailed;

    let token = hold().await;
    let options = CallOptions::new();
    assert!(is_unknown(&lab.bridge.reissue(&demoted, token.expose(), detail, Carrier::Elicited, options).await));
    let call = repeat(hold().await.expose());
    assert!(is_unknown(&lab.bridge.ask_again(&demoted, call, detail, Carrier::Elicited).await));
    let call = repeat(hold().await.expose());
    assert!(!lab.bridge.decline_call(&demoted, call, DeclineDetail::NotConfirmed).await);
    assert_eq!(lab.refusals(), ["forbidden"].repeat(3));
    assert_eq!(ran.times(), 0);
}

#[tokio::test]
async fn roles_are_compared_exactly() {
    let lab = Lab::new([answers("secret", "admin")]);
    for roles in [vec!["Admin"], vec!["*"], vec!["admin:read"], vec!["adm"], vec!["administrator"], vec![]] {
        let principal = Principal::new("mallory", &roles).unwrap();
        assert!(names(&lab, &principal).is_empty(), "{roles:?}");
        assert!(is_unknown(&lab.call(&principal, "secret", json!({})).await), "{roles:?}");
    }
    let admin = Principal::new("root", ["x", "admin"]).unwrap();
    assert_eq!(lab.call(&admin, "secret", json!({})).await.status(), "ok");
}
