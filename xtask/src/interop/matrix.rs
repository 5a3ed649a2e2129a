//! What is printed and written of a run.

use std::fmt::Write;

use anyhow::Result;
use serde::Serialize;
use serde_json::json;

use super::client::Client;
use super::transport::Transport;

/// How one client did in one mode over one transport in one scenario.
pub(super) struct Cell<'a> {
    pub(super) client: &'a str,
    pub(super) mode: &'a str,
    pub(super) transport: &'a str,
    pub(super) scenario: &'a str,
    pub(super) verdict: Verdict,
}

/// The reasons of a verdict are for people.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "verdict", content = "reasons")]
pub(super) enum Verdict {
    Fine,
    /// What differed.
    Miss(Vec<String>),
    /// Why the client itself cannot.
    NotApplicable(String),
}

/// How wide a line may be.
const WIDTH: usize = 100;

/// One table a client: scenarios down, and across each mode over each transport. What is not fine is explained below.
pub(super) fn print(clients: &[&Client], cells: &[Cell<'_>]) -> String {
    let mut text = String::new();
    let mut notes = String::new();
    let longest = cells.iter().map(|cell| cell.scenario.chars().count()).max().unwrap_or(0);
    for client in clients {
        let own: Vec<&Cell<'_>> = cells.iter().filter(|cell| cell.client == client.name).collect();
        let _ = writeln!(text, "\n{}: {}, {} {}", client.name, client.about, client.package, client.version);
        let first = own.first().map(|cell| cell.scenario);
        let columns = || own.iter().filter(|cell| Some(cell.scenario) == first);
        let _ = writeln!(text, "{}", row("", longest, columns().map(|cell| cell.mode)));
        let _ = writeln!(text, "{}", row("", longest, columns().map(|cell| cell.transport)));
        let mut scenarios: Vec<&str> = Vec::new();
        for cell in &own {
            if !scenarios.contains(&cell.scenario) {
                scenarios.push(cell.scenario);
            }
        }
        for scenario in scenarios {
            let words = own.iter().filter(|cell| cell.scenario == scenario).map(|cell| cell.verdict.word());
            let _ = writeln!(text, "{}", row(scenario, longest, words));
        }
        // The same reason is told once, with all that it is the reason of.
        let mut told: Vec<(&str, &[String], Vec<String>)> = Vec::new();
        for cell in own.iter().filter(|cell| !cell.verdict.reasons().is_empty()) {
            let (word, reasons) = (cell.verdict.word(), cell.verdict.reasons());
            let place = format!("{} · {} · {}", cell.mode, cell.transport, cell.scenario);
            match told.iter_mut().find(|(other, same, _)| *other == word && *same == reasons) {
                Some((_, _, places)) => places.push(place),
                None => told.push((word, reasons, vec![place])),
            }
        }
        for (word, reasons, places) in told {
            let more = places.len().checked_sub(1).filter(|more| *more > 0);
            let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
            let first = places.first().map_or("", String::as_str);
            let _ = writeln!(notes, "{} · {first}{more}: {word}", client.name);
            for line in reasons.iter().flat_map(|reason| wrapped(reason, WIDTH - 4)) {
                let _ = writeln!(notes, "    {line}");
            }
        }
    }
    if notes.is_empty() { text } else { format!("{text}\n{notes}") }
}

/// A name and, in columns, what belongs to it.
fn row<'a>(name: &str, longest: usize, cells: impl Iterator<Item = &'a str>) -> String {
    let line = cells.fold(format!("{name:longest$}"), |line, cell| format!("{line}  {cell:<12}"));
    line.trim_end().to_owned()
}

/// The whole run as JSON.
pub(super) fn report(clients: &[&Client], transports: &[Transport], cells: &[Cell<'_>]) -> Result<Vec<u8>> {
    let cell = |cell: &Cell<'_>| -> Result<serde_json::Value> {
        let mut value = serde_json::to_value(&cell.verdict)?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("client".into(), cell.client.into());
            fields.insert("mode".into(), cell.mode.into());
            fields.insert("scenario".into(), cell.scenario.into());
            fields.insert("transport".into(), cell.transport.into());
        }
        Ok(value)
    };
    let cells = cells.iter().map(cell).collect::<Result<Vec<_>>>()?;
    Ok(serde_json::to_vec_pretty(&json!({"clients": clients, "transports": transports, "cells": cells}))?)
}

impl Verdict {
    fn word(&self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Miss(_) => "MISS",
            Self::NotApplicable(_) => "n/a",
        }
    }

    fn reasons(&self) -> &[String] {
        match self {
            Self::Fine => &[],
            Self::Miss(reasons) => reasons,
            Self::NotApplicable(reason) => std::slice::from_ref(reason),
        }
    }
}

/// The text in lines of at most `width` characters, broken anywhere: it may be one long JSON.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let printable: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable.chunks(width).map(|line| line.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cell, Verdict, WIDTH, print, report};
    use crate::interop::client::{Client, Install, Mode};

    fn fixture() -> (Vec<Client>, Vec<Cell<'static>>) {
        let mode = |name: &str| Mode { name: name.into(), protocol: "v".into() };
        let client = Client {
            name: "py".into(),
            about: "a client".into(),
            package: "p".into(),
            version: "1".into(),
            install: Install::Pip,
            driver: "d".into(),
            node: None,
            transports: Vec::new(),
            modes: vec![mode("old"), mode("new")],
            unable: Vec::new(),
        };
        let cell = |mode, scenario, verdict| Cell { client: "py", mode, transport: "stdio", scenario, verdict };
        let cells = vec![
            cell("old", "list", Verdict::Fine),
            cell("old", "call", Verdict::Miss(vec!["x".repeat(250)])),
            cell("new", "list", Verdict::NotApplicable("too new".into())),
            cell("new", "call", Verdict::Fine),
        ];
        (vec![client], cells)
    }

    #[test]
    fn the_matrix_has_a_row_a_scenario_and_reasons_below() {
        let (clients, cells) = fixture();
        let text = print(&clients.iter().collect::<Vec<_>>(), &cells);
        let rows: Vec<String> =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for row in [
            "py: a client, p 1",
            "old new",
            "stdio stdio",
            "list ok n/a",
            "call MISS ok",
            "py · new · stdio · list: n/a",
        ] {
            assert!(rows.iter().any(|found| found == row), "{row}\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn the_report_has_every_cell() {
        let (clients, cells) = fixture();
        let report: serde_json::Value =
            serde_json::from_slice(&report(&clients.iter().collect::<Vec<_>>(), &[], &cells).unwrap()).unwrap();
        assert_eq!(report["cells"].as_array().unwrap().len(), 4);
        assert_eq!(report["cells"][2]["verdict"], "not-applicable");
        assert_eq!(report["cells"][1]["reasons"][0].as_str().unwrap().len(), 250);
        assert_eq!(report["cells"][0]["transport"], "stdio");
        assert_eq!(report["clients"][0]["version"], "1");
    }
}
