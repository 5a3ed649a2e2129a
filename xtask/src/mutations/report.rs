use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::table::{Guard, Mutation, Table};
use super::verdict::Verdict;
use crate::clock::spoken;

/// One mutant that was tried.
#[derive(Debug)]
pub(super) struct Tried<'a> {
    pub(super) mutation: &'a Mutation,
    pub(super) verdict: Verdict,
    pub(super) time: Duration,
}

/// What is told while mutants are tried: a line for each that is done, and on a terminal one that says what runs.
#[derive(Debug)]
pub(super) struct Progress<'a> {
    total: usize,
    begun: Instant,
    is_watched: bool,
    state: Mutex<State<'a>>,
}

#[derive(Debug, Default)]
struct State<'a> {
    running: Vec<&'a str>,
    tried: Vec<Tried<'a>>,
}

impl<'a> Progress<'a> {
    pub(super) fn of(total: usize) -> Self {
        let is_watched = std::io::stdout().is_terminal();
        Self { total, begun: Instant::now(), is_watched, state: Mutex::default() }
    }

    pub(super) fn begins(&self, mutation: &'a Mutation) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.push(&mutation.id);
        self.tell(&state);
    }

    pub(super) fn ends(&self, tried: Tried<'a>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.retain(|id| *id != tried.mutation.id);
        state.tried.push(tried);
        let Some(Tried { mutation, verdict, time }) = state.tried.last() else { return };
        let (done, total, elapsed) = (state.tried.len(), self.total, spoken(self.begun.elapsed()));
        let (word, time) = (verdict.word(), spoken(*time));
        let clear = if self.is_watched { "\r\x1b[K" } else { "" };
        println!("{clear}{done:>3}/{total} {elapsed:>9}  {word:12} {time:>8}  {}: {}", mutation.id, mutation.change);
        self.tell(&state);
    }

    /// The mutants that were tried, in the order in which they ended.
    pub(super) fn tried(self) -> Vec<Tried<'a>> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).tried
    }

    fn tell(&self, state: &State) {
        if self.is_watched {
            print!("\r\x1b[K{}/{} {}", state.tried.len(), self.total, state.running.join(", "));
            // Nothing is lost when a terminal does not take it.
            let _ = std::io::stdout().flush();
        }
    }
}

/// One line a mutant in the order of the table, then what is wrong with those that were not caught.
pub(super) fn summary(table: &Table, tried: &[Tried]) -> String {
    let width = tried.iter().map(|tried| tried.mutation.id.len()).max().unwrap_or_default();
    let head = format!("{:width$}  {:12} {:>8}  guard", "mutation", "verdict", "time");
    let lines = in_order(table, tried).map(|(guard, tried)| {
        let (id, word) = (&tried.mutation.id, tried.verdict.word());
        format!("{id:width$}  {word:12} {:>8}  {}", spoken(tried.time), guard.id)
    });
    let faults = in_order(table, tried).filter_map(|(guard, tried)| {
        let explained = tried.verdict.explained()?.replace('\n', "\n  ");
        let (Mutation { id, change, file, .. }, word) = (tried.mutation, tried.verdict.word());
        let repeat = format!("cargo xtask mutations --only {id}");
        let guard = &guard.promise;
        Some(format!(
            "\n{word}: `{id}` in {file} ({change})\n  guard: {guard}\n  {explained}\n  repeat it with: {repeat}"
        ))
    });
    let lines: Vec<String> = std::iter::once(head).chain(lines).chain(faults).collect();
    lines.join("\n") + "\n"
}

/// The same for programs.
pub(super) fn json(table: &Table, tried: &[Tried], source: &str) -> Value {
    let mutations = in_order(table, tried).map(|(guard, tried)| {
        let Mutation { id, change, file, tests, .. } = tried.mutation;
        json!({
            "id": id, "guard": guard.id, "points": guard.points, "reference": guard.reference, "change": change,
            "file": file, "tests": tests.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "verdict": tried.verdict.word(), "detail": tried.verdict.explained(), "seconds": tried.time.as_secs_f64(),
        })
    });
    let mutations: Vec<Value> = mutations.collect();
    let passed = tried.iter().filter(|tried| tried.verdict.is_caught()).count();
    json!({"source_sha256": source, "passed": passed, "failed": tried.len() - passed, "mutations": mutations})
}

fn in_order<'a>(table: &'a Table, tried: &'a [Tried<'a>]) -> impl Iterator<Item = (&'a Guard, &'a Tried<'a>)> {
    let rows = table.guards.iter().flat_map(|guard| guard.mutations.iter().map(move |mutation| (guard, mutation)));
    rows.filter_map(|(guard, mutation)| {
        let tried = tried.iter().find(|tried| tried.mutation.id == mutation.id)?;
        Some((guard, tried))
    })
}
