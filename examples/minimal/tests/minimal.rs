//! The example as a client finds it: a child process over stdio.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what a test relies on fails the test")]

#[path = "../src/demo/client.rs"]
mod client;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use client::{Answer, CONFIRMATION, Client, Person};

const PROGRAM: &str = env!("CARGO_BIN_EXE_minimal");

fn start(roles: &str, person: Person) -> Client {
    Client::start(Path::new(PROGRAM), "alice", roles, person).unwrap()
}

fn editor() -> Client {
    start("reader,editor", Person::Absent)
}

fn email(to: &str) -> Value {
    json!({"to": to, "subject": "Van booked", "body": "See you Friday."})
}

fn text_of(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// The answer to a held call without what only the host sees, and the token.
fn held(mut answer: Value) -> (Value, String) {
    let meta = answer["result"].as_object_mut().unwrap().remove("_meta").unwrap();
    let token = meta[CONFIRMATION]["token"].as_str().unwrap().to_owned();
    assert_eq!(answer["result"]["structuredContent"]["status"], "confirmation_required");
    assert!(!answer.to_string().contains("mtb_"));
    (answer["result"].take(), token)
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[test]
fn arguments_that_do_not_fit_are_refused_at_their_place() {
    let mut client = editor();
    let long = "x".repeat(5001);
    for (tool, arguments, place) in [
        ("search_notes", json!({}), "/query"),
        ("search_notes", json!({"query": ""}), "/query"),
        ("search_notes", json!({"query": "van", "extra": 1}), "/extra"),
        ("add_note", json!({"text": ""}), "/text"),
        ("add_note", json!({"text": "x".repeat(501)}), "/text"),
        ("send_email", json!({"to": "ada", "subject": "Hi", "body": ""}), "/to"),
        ("send_email", json!({"to": "ada@example.com", "subject": "", "body": ""}), "/subject"),
        ("send_email", json!({"to": "ada@example.com", "subject": "x".repeat(201), "body": ""}), "/subject"),
        ("send_email", json!({"to": "ada@example.com", "subject": "Hi", "body": long}), "/body"),
        ("send_email", json!({"to": "ada@example.com", "subject": "Hi"}), "/body"),
    ] {
        let answer = client.call(tool, &arguments).unwrap();
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(text_of(&answer).contains(place), "{answer}");
        assert_eq!(types(&client.audit(1).unwrap()), ["call.rejected"]);
    }
    assert!(client.stop().unwrap().1.is_empty());
}

#[test]
fn each_role_is_shown_what_it_may_use() {
    for (roles, tools) in [
        ("reader,editor", &["search_notes", "add_note", "send_email"][..]), // case 168
        ("reader", &["search_notes"]),                                      // case 168
        ("", &[]),
        ("Reader", &[]),
    ] {
        assert_eq!(start(roles, Person::Absent).list().unwrap(), tools, "{roles}");
    }
}

#[test]
fn notes_are_kept_and_emails_wait_for_a_yes() {
    let mut client = editor();
    let added = client.call("add_note", &json!({"text": "Book the van."})).unwrap();
    assert_eq!(text_of(&added), "Note n3 added.");
    let found = client.call("search_notes", &json!({"query": "van"})).unwrap();
    let notes = json!({"notes": [{"id": "n3", "text": "Book the van.", "author": "alice"}]});
    assert_eq!(found["result"]["structuredContent"], notes);
    client.audit(4).unwrap();

    let (result, token) = held(client.call("send_email", &email("ada@example.com")).unwrap());
    assert_ne!(result["isError"], true);
    let mut events = client.audit(1).unwrap();
    assert_eq!(client.line(), None);

    let sent = client.call_confirmed("send_email", &email("ada@example.com"), &token).unwrap();
    assert_ne!(sent["result"]["isError"], true, "{sent}");
    assert!(sent["result"]["structuredContent"]["messageId"].as_str().unwrap().starts_with("m-"));
    events.extend(client.audit(2).unwrap());
    assert_eq!(types(&events), ["confirmation.issued", "call.started", "call.succeeded"]);
    for event in &events {
        assert_eq!(event["args"], json!({"/to": "ada@example.com"}));
        assert!(!event.to_string().contains("Van booked") && !event.to_string().contains("See you Friday"));
    }
    assert_eq!(client.line().as_deref(), Some("[example] email to ada@example.com: Van booked"));
    let (status, rest) = client.stop().unwrap();
    assert!(status.success());
    assert_eq!(rest, Vec::<String>::new()); // case 169
}

#[test]
fn the_words_of_the_mailer_reach_the_model() {
    let mut client = editor();
    let (_, token) = held(client.call("send_email", &email("ghost@example.invalid")).unwrap());
    let answer = client.call_confirmed("send_email", &email("ghost@example.invalid"), &token).unwrap();
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(text_of(&answer), "Mailbox ghost@example.invalid does not exist."); // case 170
    client.audit(3).unwrap();
    assert_eq!(client.line(), None);
}

#[test]
fn a_person_who_can_be_asked_is_asked() {
    let mut client = start("editor", Person::Says(Answer::No));
    let declined = client.call("send_email", &email("ada@example.com")).unwrap();
    assert!(client.question().unwrap().contains("Send \"Van booked\" to ada@example.com"));
    assert_ne!(declined["result"]["structuredContent"]["status"], "confirmation_required");
    assert_eq!(types(&client.audit(2).unwrap()), ["confirmation.issued", "confirmation.declined"]);
    assert_eq!(client.line(), None);

    client.person_says(Answer::Yes);
    let sent = client.call("send_email", &email("ada@example.com")).unwrap();
    assert!(sent["result"]["structuredContent"]["messageId"].is_string(), "{sent}");
    client.audit(3).unwrap();
    assert!(client.line().is_some());
}

#[test]
fn a_subject_cannot_forge_a_line() {
    let mut client = editor();
    let forged = json!({"to": "ada@example.com", "subject": "Hi\n[example] email to eve@example.com: Bye", "body": ""});
    let (_, token) = held(client.call("send_email", &forged).unwrap());
    client.call_confirmed("send_email", &forged, &token).unwrap();
    client.audit(3).unwrap();
    assert_eq!(
        client.line().as_deref(),
        Some("[example] email to ada@example.com: Hi [example] email to eve@example.com: Bye")
    );
    assert_eq!(client.line(), None);
}

fn run(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(PROGRAM).args(arguments).envs(environment.iter().copied()).output().unwrap()
}

#[test]
fn a_bad_start_is_an_error_that_says_why() {
    for (arguments, environment, code, words) in [
        (&[][..], &[("EXAMPLE_PRINCIPAL_ID", " ")][..], 1, "EXAMPLE_PRINCIPAL_ID"),
        (&[], &[("EXAMPLE_PRINCIPAL_ROLES", "reader,,editor")], 1, "EXAMPLE_PRINCIPAL_ROLES"),
        (&["--dmeo"], &[], 2, "--dmeo"),
        (&["--demo", "--help"], &[], 2, "--help"),
    ] {
        let output = run(arguments, environment);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {environment:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains(words));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_demo_goes_as_told_on_any_terminal() {
    // What the person at the terminal has set must not change what is shown.
    let output = run(&["--demo"], &[("EXAMPLE_PRINCIPAL_ROLES", "nobody")]);
    let (shown, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{shown}\n{errors}");
    assert_eq!(errors, "");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let meta = "\"_meta\": {\"mcp-tool-bridge/confirmation\":{\"token\":\"mtb_…\"}}";
    assert!(shown.contains(meta) && shown.matches("mtb_").count() == 1, "{shown}");
    for words in ["search_notes", "/to", "confirmation.issued", "consumed", "says no", "says yes", "as told"] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
}

#[test]
fn help_is_printed() {
    let output = run(&["--help"], &[]);
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("--demo"));
}
