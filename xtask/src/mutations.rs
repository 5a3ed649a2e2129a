//! `cargo xtask mutations`: every guard is taken away in turn, and named tests must miss it.
//!
//! The table (`xtask/mutations/*.toml`) is data: a guard, an edit that removes it in one place, the tests that must
//! then fail. Each edit is made in a throw-away copy of the workspace, never in place. It must be found exactly once,
//! or it is *stale*; it must compile, or it is *invalid*; every named test must fail, or it has *survived*; what hangs
//! or ends without a verdict is *inconclusive*. Each of these fails the run, and so does a test that is red before
//! anything was changed, a source tree that is not the same afterwards, and an interruption.

mod built;
mod cargo;
mod checkout;
mod libtest;
mod queue;
pub(crate) mod readme;
mod report;
pub(crate) mod table;
mod trial;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::clock::spoken;
use crate::interrupt;
use crate::invocation::Invocation;
use crate::listing;
use crate::options::Options;
use crate::walk;
use crate::workspace::{TEST_COMMAND, Workspace};
use queue::Queue;
use report::{Progress, Tried};
use table::{Guard, Mutation, Table, TestTarget};
use trial::Bench;

/// The most mutants that are tried at once unless `--jobs` says more: each needs a folder of built tests.
const MOST_JOBS: usize = 4;

/// Tries the mutants that the options select.
///
/// # Errors
/// When any of them is not caught, or the run proves nothing.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let table = Table::load(&workspace.root)?;
    if options.write_readme {
        return readme::write(&workspace.root, &table);
    }
    let ids = table.guards.iter().map(|guard| &guard.id).chain(table.mutations().map(|mutation| &mutation.id));
    let ids: Vec<&str> = ids.map(String::as_str).collect();
    options.check_only(ids.iter().copied())?;
    let selected = select(&table, options);
    if options.list {
        let line = |(guard, mutation): (&Guard, &Mutation)| {
            let Mutation { id, file, change, .. } = mutation;
            format!("{:32} {id:40} {file}: {change}", guard.id)
        };
        return listing::print(selected.into_iter().map(line));
    }
    let selected: Vec<&Mutation> = selected.into_iter().map(|(_, mutation)| mutation).collect();
    if let Some(problem) = table.problems().first() {
        bail!("the table of mutations is wrong: {problem}");
    }
    let folder = workspace.target().join("mutations");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // Cargo marks its folder only where it makes it.
    walk::mark_as_cache(workspace.target())?;
    let lock = File::create(folder.join("lock")).context("the lock cannot be made")?;
    lock.try_lock().with_context(|| format!("another run uses {}", folder.display()))?;

    // What a run that was killed has left.
    for entry in fs::read_dir(&folder)? {
        let left = entry?.path().join("checkout");
        if left.exists() {
            checkout::remove(&left)?;
        }
    }
    // Before the work: a report that cannot be written is told at once, and an older one is not taken for this one.
    let report = options.json.as_deref().map(new_report).transpose()?;

    let begun = Instant::now();
    let source = checkout::digest(&workspace.root)?;
    let jobs = options.jobs.map_or_else(ordinary_jobs, NonZeroUsize::get).min(selected.len()).max(1);
    // Dependencies that everyday tests have built already are not built again.
    println!("building the tests of the workspace, which takes minutes the first time");
    Invocation::cargo(TEST_COMMAND.trim_start_matches("cargo ")).with("--no-run --locked").run(&workspace.root)?;
    let benches =
        (1..=jobs).map(|number| Bench::set_up(&workspace.root, &folder.join(number.to_string()), workspace.target()));
    let tried = try_all(benches.collect::<Result<_>>()?, &selected)?;
    if checkout::digest(&workspace.root)? != source {
        bail!("the source tree changed while its mutants were tried: run it again");
    }

    print!("\n{}", report::summary(&table, &tried));
    if let Some(file) = report {
        serde_json::to_writer_pretty(file, &report::json(&table, &tried, &source))
            .context("the report is not written")?;
    }
    let passed = tried.iter().filter(|tried| tried.verdict.is_caught()).count();
    let failed = tried.len() - passed;
    println!("\nsource tree unchanged (SHA-256 {source}), {} with {jobs} at once", spoken(begun.elapsed()));
    println!("{passed} passed, {failed} failed");
    if failed > 0 {
        bail!("{failed} of {} mutants were not caught", tried.len());
    }
    Ok(())
}

/// An empty report, in place of what is there.
fn new_report(path: &Path) -> Result<File> {
    if path.extension().is_none_or(|ending| ending != "json") {
        bail!("{} does not end in `.json`: the report would replace what is there", path.display());
    }
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The mutations that the options name, by their own id or by their guard's.
fn select<'a>(table: &'a Table, options: &Options) -> Vec<(&'a Guard, &'a Mutation)> {
    let guards = table.guards.iter();
    let rows = guards.flat_map(|guard| guard.mutations.iter().map(move |mutation| (guard, mutation)));
    rows.filter(|(guard, mutation)| options.selects(&guard.id) || options.selects(&mutation.id)).collect()
}

fn ordinary_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(MOST_JOBS)
}

/// Sees every named test green, then tries the mutants, one at each bench.
fn try_all<'a>(mut benches: Vec<Bench>, selected: &[&'a Mutation]) -> Result<Vec<Tried<'a>>> {
    println!("{} mutants; first, every test they name without them", selected.len());
    let begun = Instant::now();
    let named = tests_of(selected.iter().copied());
    let targets = Mutex::new(named.clone());
    let open = || targets.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || open().pop_first();
    together(&mut benches, |bench| {
        while let Some((target, tests)) = next() {
            let green = bench.baseline(&BTreeMap::from([(target, tests)]));
            green.inspect_err(|_| open().clear())?;
            println!("    {:>9}  `{target}` is green", spoken(begun.elapsed()));
        }
        Ok(())
    })?;

    let queue = Queue::of(selected.iter().copied());
    let progress = Progress::of(selected.len());
    together(&mut benches, |bench| {
        let mut last = None;
        while let Some(mutation) = queue.take(bench.green(), last) {
            progress.begins(mutation);
            let begun = Instant::now();
            let verdict = warm(bench, mutation, &named).and_then(|()| bench.attempt(mutation));
            let verdict = verdict.inspect_err(|_| queue.abandon())?;
            progress.ends(Tried { mutation, verdict, time: begun.elapsed() });
            last = Some(mutation);
        }
        Ok(())
    })?;
    Ok(progress.tried())
}

/// Does `work` at every bench at once.
///
/// # Errors
/// The first that failed; an interruption before anything else.
fn together(benches: &mut [Bench], work: impl Fn(&mut Bench) -> Result<()> + Sync) -> Result<()> {
    let done: Vec<Result<()>> = std::thread::scope(|scope| {
        let started: Vec<_> = benches.iter_mut().map(|bench| scope.spawn(|| work(bench))).collect();
        let ended = started.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    if interrupt::is_requested() {
        bail!("interrupted: nothing is proved");
    }
    done.into_iter().collect()
}

/// The names of tests by the program they are in.
type Tests<'a> = BTreeMap<&'a TestTarget, BTreeSet<&'a str>>;

/// The tests that these mutants name.
fn tests_of<'a>(mutations: impl IntoIterator<Item = &'a Mutation>) -> Tests<'a> {
    let mut tests = Tests::new();
    for test in mutations.into_iter().flat_map(|mutation| &mutation.tests) {
        tests.entry(&test.target).or_default().insert(&test.name);
    }
    tests
}

/// Sees the programs that a mutant's tests are in green at a bench where they were not run yet: all of their `named`
/// tests, since other mutants will need them here.
fn warm(bench: &mut Bench, mutation: &Mutation, named: &Tests) -> Result<()> {
    let mut tests = named.clone();
    tests.retain(|target, _| mutation.targets().contains(target) && !bench.green().contains(target));
    if tests.is_empty() { Ok(()) } else { bench.baseline(&tests) }
}
