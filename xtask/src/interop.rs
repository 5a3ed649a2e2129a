//! `cargo xtask interop`: other people's clients drive the built example, and one table says what must come of it.
//!
//! Clients (`xtask/interop/clients.toml`) and scenarios (`xtask/interop/scenarios.toml`) are data. A driver in the
//! client's own language carries out a scenario and reports what it saw; [`judge`] compares that with the table, the
//! same way for every client. Beside the answers, what really happened is counted: the emails that went out.
//! [`differential`] asks another validator about arguments for real schemas.

mod client;
mod differential;
mod drive;
mod judge;
mod matrix;
mod python;
mod scenario;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::clock::spoken;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;
use client::{Client, Mode};
use matrix::{Cell, Verdict};
use python::Pin;
use scenario::Scenario;

/// All scenarios together may take this long; the rest is then a miss.
const WHOLE_RUN: Duration = Duration::from_secs(150);

/// Drives every client in every mode through every scenario that the options select.
///
/// # Errors
/// When a client cannot be installed, the example does not build, or any cell is a miss.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let clients = client::table()?;
    let scenarios = scenario::table()?;
    options.check_only(scenarios.iter().map(|scenario| scenario.name.as_str()).chain([differential::NAME]))?;
    let is_compared = options.selects(differential::NAME);
    let scenarios: Vec<&Scenario> = scenarios.iter().filter(|scenario| options.selects(&scenario.name)).collect();
    if options.list {
        for scenario in &scenarios {
            println!("{}", scenario.name);
        }
        if is_compared {
            println!("{}", differential::NAME);
        }
        return Ok(());
    }
    let folder = workspace.target().join("interop");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if is_compared {
        differential::run(workspace, &folder)?;
    }
    if scenarios.is_empty() {
        return Ok(());
    }
    let server = match &options.server {
        Some(server) => server.canonicalize().with_context(|| format!("no server at {}", server.display()))?,
        None => build_example(workspace)?,
    };
    let mut drivers = BTreeMap::new();
    for client in &clients {
        drivers.insert(client.name.as_str(), install(workspace, client, &folder)?);
    }

    let begun = Instant::now();
    let plan: Vec<Planned> = clients
        .iter()
        .flat_map(|client| client.modes.iter().map(move |mode| (client, mode)))
        .flat_map(|(client, mode)| scenarios.iter().map(move |scenario| Planned { client, mode, scenario }))
        .collect();
    let cells = fill(&plan, |planned| judge_one(planned, &drivers, &server, &folder, begun + WHOLE_RUN));

    print!("{}", matrix::print(&clients, &cells));
    let report = folder.join("report.json");
    std::fs::write(&report, matrix::report(&clients, &cells)?).context("the report cannot be written")?;
    let misses = cells.iter().filter(|cell| matches!(cell.verdict, Verdict::Miss(_))).count();
    if misses > 0 {
        bail!("{misses} of {} cells are misses; what each server said is in {}/runs", cells.len(), folder.display());
    }
    println!(
        "interop: {} cells without a miss in {}, report in {}",
        cells.len(),
        spoken(begun.elapsed()),
        report.display()
    );
    Ok(())
}

/// One cell to fill.
struct Planned<'a> {
    client: &'a Client,
    mode: &'a Mode,
    scenario: &'a Scenario,
}

fn build_example(workspace: &Workspace) -> Result<PathBuf> {
    Invocation::cargo("build --locked -p minimal").run(&workspace.root)?;
    Ok(workspace.target().join("debug").join(format!("minimal{}", std::env::consts::EXE_SUFFIX)))
}

/// Makes the client ready to run; returns the command line of its driver.
fn install(workspace: &Workspace, client: &Client, folder: &Path) -> Result<Vec<PathBuf>> {
    match client.name.as_str() {
        "python" => {
            let driver = workspace.root.join("xtask/interop/python/driver.py");
            let pin = Pin { name: client.package.clone(), version: client.version.clone() };
            Ok(vec![python::install(&[pin], &folder.join("venv"))?, driver])
        }
        other => bail!("no way to install the client `{other}` of clients.toml"),
    }
}

/// Fills the cells with as many workers as the machine has cores, at most four; the order is that of the plan.
fn fill<'a>(plan: &[Planned<'a>], judge: impl Fn(&Planned<'a>) -> Verdict + Sync) -> Vec<Cell<'a>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(planned) = plan.get(at) else { break };
                    let verdict = judge(planned);
                    verdicts.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(at, verdict);
                }
            });
        }
    });
    let verdicts = verdicts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let cell = |(planned, verdict): (&Planned<'a>, Verdict)| Cell {
        client: &planned.client.name,
        mode: &planned.mode.name,
        scenario: &planned.scenario.name,
        verdict,
    };
    plan.iter().zip(verdicts.into_values()).map(cell).collect()
}

fn judge_one(
    planned: &Planned<'_>,
    drivers: &BTreeMap<&str, Vec<PathBuf>>,
    server: &Path,
    folder: &Path,
    deadline: Instant,
) -> Verdict {
    let Planned { client, mode, scenario } = planned;
    if let Some(reason) = client.cannot(&mode.name, &scenario.name) {
        return Verdict::NotApplicable(reason.to_owned());
    }
    if Instant::now() >= deadline {
        return Verdict::Miss(vec![format!("not begun: the run had taken {} already", spoken(WHOLE_RUN))]);
    }
    let driver = drivers.get(client.name.as_str()).map_or(&[][..], Vec::as_slice);
    match drive::drive(driver, client, mode, scenario, server, folder) {
        Err(error) => Verdict::Miss(vec![format!("{error:#}")]),
        Ok(seen) => match judge::judge(scenario, mode, &seen) {
            problems if problems.is_empty() => Verdict::Fine,
            problems => Verdict::Miss(problems),
        },
    }
}
