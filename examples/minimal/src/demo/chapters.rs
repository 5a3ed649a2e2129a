use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::client::{Answer, CONFIRMATION, Client, at, confirmation_meta};
use super::stage::Stage;

fn invoice() -> Value {
    json!({"to": "ada@example.com", "subject": "Invoice 12", "body": "Dear Ada, please find it attached."})
}

pub(crate) fn what_each_role_is_shown(
    stage: &mut Stage<'_>,
    alice: &mut Client,
    bob: &mut Client,
) -> anyhow::Result<()> {
    stage.chapter("What each role is shown")?;
    let (reader, editor) = (alice.list()?, bob.list()?);
    stage.tell("alice", &format!("is a reader and is shown: {}", reader.join(", ")))?;
    stage.tell("bob", &format!("is also an editor and is shown: {}", editor.join(", ")))?;
    ensure!(reader == ["search_notes"], "a reader should be shown one tool");
    ensure!(editor == ["search_notes", "add_note", "send_email"], "an editor should be shown three tools");
    Ok(())
}

pub(crate) fn what_is_not_shown_cannot_be_called(stage: &mut Stage<'_>, alice: &mut Client) -> anyhow::Result<()> {
    stage.chapter("What is not shown cannot be called, and does not seem to exist")?;
    for (tool, audited) in [("send_email", "forbidden"), ("launch_rocket", "unknown_tool")] {
        let arguments = json!({});
        stage.calls("alice", tool, &arguments)?;
        let answer = alice.call(tool, &arguments)?;
        ensure!(at(&answer, "/error/code") == -32602, "an unknown tool should be an error");
        stage.reads(&answer, tool)?;
        stage.audits(alice, &[&format!("call.rejected ({audited})")])?;
    }
    Ok(())
}

pub(crate) fn a_bad_call_is_refused(stage: &mut Stage<'_>, bob: &mut Client) -> anyhow::Result<()> {
    stage.chapter("A bad call is refused with the place, so that the model can correct it")?;
    let arguments = json!({"to": "ada", "subject": "Invoice 12", "body": "", "urgent": true});
    stage.calls("bob", "send_email", &arguments)?;
    let answer = bob.call("send_email", &arguments)?;
    ensure!(at(&answer, "/result/isError") == true, "bad arguments should be an error that the model reads");
    stage.reads(&answer, "/to")?;
    stage.audits(bob, &["call.rejected (invalid_arguments)"])?;
    Ok(())
}

pub(crate) fn a_harmless_call_runs(stage: &mut Stage<'_>, bob: &mut Client) -> anyhow::Result<()> {
    stage.chapter("A harmless call runs at once")?;
    let arguments = json!({"query": "invoice"});
    stage.calls("bob", "search_notes", &arguments)?;
    let answer = bob.call("search_notes", &arguments)?;
    ensure!(at(&answer, "/result/structuredContent/notes/0/id") == "n1", "the first note should be found");
    stage.reads(&answer, "n1")?;
    stage.audits(bob, &["call.started", "call.succeeded"])?;
    Ok(())
}

/// Gives the token that stands for the yes.
pub(crate) fn a_send_is_held(stage: &mut Stage<'_>, bob: &mut Client) -> anyhow::Result<String> {
    stage.chapter("A send is held: nothing leaves before a person has said yes")?;
    stage.calls("bob", "send_email", &invoice())?;
    let mut answer = bob.call("send_email", &invoice())?;
    let result = answer.get_mut("result").and_then(Value::as_object_mut);
    let meta = result.and_then(|result| result.remove("_meta")).context("the call should be held, not refused")?;
    let token = meta.get(CONFIRMATION).and_then(|confirmation| at(confirmation, "/token").as_str());
    let token = token.context("the host should get a token")?.to_owned();
    let status = at(&answer, "/result/structuredContent/status");
    ensure!(status == "confirmation_required", "the call should be held");
    ensure!(!answer.to_string().contains("mtb_"), "the model must not see the token");
    stage.reads(&answer, "Invoice 12")?;
    let length = token.len();
    stage.tell("host", &format!("gets a token of {length} characters in `_meta`, out of the model's sight"))?;
    stage.audits(bob, &["confirmation.issued"])?;
    ensure!(bob.line().is_none(), "nothing should have been sent");
    Ok(token)
}

/// Gives the events of the call.
pub(crate) fn a_yes_runs_it(stage: &mut Stage<'_>, bob: &mut Client, token: &str) -> anyhow::Result<Vec<Value>> {
    stage.chapter("The person says yes: the host repeats the call with the token")?;
    stage.tell("host", "calls send_email again, as before, with the token in the params:")?;
    stage.tell("", &format!("\"_meta\": {}", confirmation_meta("mtb_…")))?;
    let answer = bob.call_confirmed("send_email", &invoice(), token)?;
    ensure!(at(&answer, "/result/structuredContent/messageId").is_string(), "the email should be sent");
    stage.reads(&answer, "messageId")?;
    let events = stage.audits(bob, &["call.started", "call.succeeded"])?;
    let sent = bob.line().context("the server should have said that it sent an email")?;
    stage.tell("stderr", &sent)?;
    ensure!(sent == "[example] email to ada@example.com: Invoice 12", "another email was sent");
    Ok(events)
}

pub(crate) fn the_replay_is_refused(stage: &mut Stage<'_>, bob: &mut Client, token: &str) -> anyhow::Result<()> {
    stage.chapter("The same token a second time: refused")?;
    stage.tell("host", "calls send_email once more, with the same token")?;
    let answer = bob.call_confirmed("send_email", &invoice(), token)?;
    ensure!(at(&answer, "/result/isError") == true, "a token is good once");
    stage.reads(&answer, "Nothing was done")?;
    stage.audits(bob, &["call.rejected (confirmation_invalid, consumed)"])?;
    ensure!(bob.line().is_none(), "nothing should have been sent twice");
    Ok(())
}

pub(crate) fn a_no_in_band(stage: &mut Stage<'_>, carol: &mut Client) -> anyhow::Result<()> {
    stage.chapter("A client that can ask its person is asked in band: no")?;
    stage.calls("carol", "send_email", &invoice())?;
    let answer = carol.call("send_email", &invoice())?;
    asked(stage, carol, "no")?;
    stage.reads(&answer, "Nothing was done")?;
    stage.audits(carol, &["confirmation.issued", "confirmation.declined (declined)"])?;
    ensure!(carol.line().is_none(), "nothing should have been sent");
    Ok(())
}

pub(crate) fn a_yes_in_band(stage: &mut Stage<'_>, carol: &mut Client) -> anyhow::Result<()> {
    stage.chapter("Asked again: yes. The mailbox does not exist, and the model may know")?;
    carol.person_says(Answer::Yes);
    let arguments = json!({"to": "ghost@example.invalid", "subject": "Hello?", "body": "Anybody there?"});
    stage.calls("carol", "send_email", &arguments)?;
    let answer = carol.call("send_email", &arguments)?;
    asked(stage, carol, "yes")?;
    stage.reads(&answer, "Mailbox ghost@example.invalid does not exist.")?;
    stage.audits(carol, &["confirmation.issued", "call.started", "call.failed"])?;
    Ok(())
}

fn asked(stage: &mut Stage<'_>, client: &mut Client, answer: &str) -> anyhow::Result<()> {
    let question = client.question().context("the person should have been asked")?;
    stage.tell("asked", &question)?;
    stage.tell("person", &format!("says {answer}"))
}

pub(crate) fn what_the_audit_keeps(stage: &mut Stage<'_>, events: &[Value]) -> anyhow::Result<()> {
    stage.chapter("What the audit keeps of the email: where it went, as declared, no content")?;
    let event = events.last().and_then(Value::as_object).context("there should be an event to show")?;
    for (member, value) in event {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        stage.field(member, &value)?;
    }
    ensure!(event.get("args") == Some(&json!({"/to": "ada@example.com"})), "the audit should keep the address");
    let shown = Value::from(event.clone()).to_string();
    ensure!(!["Invoice 12", "Dear Ada"].iter().any(|content| shown.contains(content)), "the audit keeps content");
    Ok(())
}
