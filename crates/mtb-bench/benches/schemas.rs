//! How long schemas take to compile, and values to be judged.
//!
//! Before the benchmarks, each definition is timed by itself and held against the limits, on one core; past one, the
//! run fails. All definitions are taken where `MTB_CATALOGUES` names their folder, else the vendored ones.

use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::{Bencher, black_box};
use mtb_core::{Schema, SchemaRole, SchemaSource};
use mtb_fixtures::Part;
use serde_json::Value;

/// Compiling both schemas of any definition takes no longer.
const ONE: Duration = Duration::from_millis(10);

/// Compiling all of them takes no longer.
const ALL: Duration = Duration::from_millis(500);

/// The quickest of so many tries counts: the others met something else that ran on the machine.
const TRIES: usize = 5;

struct Definition {
    name: String,
    schemas: Vec<(String, SchemaRole)>,
    time: Duration,
}

/// Every definition with its time, the slowest first.
static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let mut definitions = Vec::new();
    for catalogue in mtb_fixtures::full_catalogue().unwrap_or_else(mtb_fixtures::catalogue) {
        for definition in &catalogue.definitions {
            let role = |part| if part == Part::Input { SchemaRole::Arguments } else { SchemaRole::Output };
            let schemas: Vec<_> = definition.schemas().map(|(part, text)| (text.to_owned(), role(part))).collect();
            let name = format!("{}: {}", catalogue.file, definition.name);
            let time = (0..TRIES).map(|_| timed(&schemas)).min().unwrap_or_default();
            definitions.push(Definition { name, schemas, time });
        }
    }
    definitions.sort_by_key(|definition| std::cmp::Reverse(definition.time));
    definitions
});

fn timed(schemas: &[(String, SchemaRole)]) -> Duration {
    let begun = Instant::now();
    compile(schemas);
    begun.elapsed()
}

/// Compiles them; returns how many were accepted.
fn compile(schemas: &[(String, SchemaRole)]) -> usize {
    let accepted = |(text, role): &&(String, SchemaRole)| Schema::compile(&SchemaSource::text(text), *role).is_ok();
    schemas.iter().filter(accepted).count()
}

fn main() -> ExitCode {
    let all: Duration = DEFINITIONS.iter().map(|definition| definition.time).sum();
    let slowest = DEFINITIONS.first();
    let one = slowest.map_or(Duration::ZERO, |definition| definition.time);
    let schemas: usize = DEFINITIONS.iter().map(|definition| definition.schemas.len()).sum();
    let accepted: usize = DEFINITIONS.iter().map(|definition| compile(&definition.schemas)).sum();
    eprintln!("{accepted} of {schemas} schemas of {} definitions accepted", DEFINITIONS.len());
    eprintln!("slowest: {one:?} of {ONE:?}, {}", slowest.map_or("none", |definition| &definition.name));
    eprintln!("all:     {all:?} of {ALL:?}");
    divan::main();
    if one > ONE || all > ALL {
        eprintln!("error: compiling takes longer than it may");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn compile_all(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| DEFINITIONS.iter().map(|definition| compile(&definition.schemas)).sum::<usize>());
}

#[divan::bench]
fn compile_slowest(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| DEFINITIONS.first().map(|definition| compile(&definition.schemas)));
}

/// Arguments that fit, of the definition that is in the middle of all by its time.
#[divan::bench]
fn validate_median(bencher: Bencher<'_, '_>) {
    let (schema, arguments) = median();
    bencher.bench_local(|| schema.validate(black_box(&arguments)).is_ok());
}

#[expect(clippy::expect_used, reason = "a benchmark without its data has nothing to measure")]
fn median() -> (Schema, Value) {
    let accepted = DEFINITIONS.iter().filter_map(|definition| {
        let (text, role) = definition.schemas.first()?;
        Schema::compile(&SchemaSource::text(text), *role).ok()
    });
    let mut accepted: Vec<Schema> = accepted.collect();
    let schema = accepted.swap_remove(accepted.len() / 2);
    let fitting = (0..1_000).map(|seed| mtb_fixtures::valid(schema.value(), seed));
    let arguments = fitting.into_iter().find(|value| schema.validate(value).is_ok());
    (schema, arguments.expect("one of a thousand arguments fits"))
}
