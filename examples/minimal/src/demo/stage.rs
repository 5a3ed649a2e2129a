use anyhow::{Context as _, ensure};
use serde_json::Value;

use super::client::{Client, at};
use super::screen::Screen;

/// Where the walk is shown, and where what was shown is held against what should have happened.
pub(crate) struct Stage<'w> {
    screen: Screen<'w>,
    chapter: usize,
}

impl<'w> Stage<'w> {
    pub(crate) fn new(screen: Screen<'w>) -> Self {
        Self { screen, chapter: 0 }
    }

    pub(crate) fn chapter(&mut self, title: &str) -> anyhow::Result<()> {
        self.chapter += 1;
        Ok(self.screen.heading(&format!("{}. {title}", self.chapter))?)
    }

    pub(crate) fn tell(&mut self, label: &str, text: &str) -> anyhow::Result<()> {
        Ok(self.screen.beside(label, text)?)
    }

    pub(crate) fn field(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        Ok(self.screen.field(name, value)?)
    }

    /// Shows the call of a tool.
    pub(crate) fn calls(&mut self, who: &str, tool: &str, arguments: &Value) -> anyhow::Result<()> {
        let members = arguments.as_object().into_iter().flatten();
        let arguments: Vec<_> = members.map(|(name, value)| format!("{name}: {value}")).collect();
        self.tell(who, &format!("calls {tool} ({})", arguments.join(", ")))
    }

    /// Shows what the model reads of an answer, which must hold this text.
    pub(crate) fn reads(&mut self, answer: &Value, expected: &str) -> anyhow::Result<()> {
        let text = text_of(answer).context("an answer has neither text nor error")?;
        self.tell("reads", &text)?;
        ensure!(text.contains(expected), "the model did not read what it should: `{expected}`");
        Ok(())
    }

    /// Shows the events that a step left, which must be of these types. Reasons and details follow in brackets.
    pub(crate) fn audits(&mut self, client: &mut Client, expected: &[&str]) -> anyhow::Result<Vec<Value>> {
        let events = client.audit(expected.len())?;
        for (event, expected) in events.iter().zip(expected) {
            let what = what_happened(event);
            let principal = at(event, "/principal/id").as_str().unwrap_or_default();
            let tool = at(event, "/tool").as_str().unwrap_or("a name nobody declared");
            self.tell("audit", &format!("{what}: {principal}, {tool}"))?;
            ensure!(what == *expected, "the audit should say `{expected}`");
        }
        Ok(events)
    }

    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        self.screen.text("")?;
        self.screen.text(
            "Every step went as told. `minimal --help` says how to serve a client of your own; \
             the tools are in examples/minimal/src/tools/, a good place to read on.",
        )?;
        Ok(())
    }
}

/// The type of an event with its reason and detail.
fn what_happened(event: &Value) -> String {
    let kind = at(event, "/type").as_str().unwrap_or_default();
    let reasons: Vec<_> = ["/reason", "/detail"].iter().filter_map(|member| at(event, member).as_str()).collect();
    if reasons.is_empty() { kind.to_owned() } else { format!("{kind} ({})", reasons.join(", ")) }
}

fn text_of(answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(format!("error {}: {}", at(error, "/code"), at(error, "/message").as_str()?));
    }
    let content = at(answer, "/result/content").as_array()?;
    let texts: Option<Vec<_>> = content.iter().map(|block| at(block, "/text").as_str()).collect();
    Some(texts?.join("\n"))
}
