//! `cargo xtask interop`: other people's clients drive the testbed, and one table says what must come of it.
//!
//! Clients (`xtask/interop/clients.toml`), ways to serve (`transports.toml`) and scenarios (`scenarios.toml`) are data.
//! A driver in the client's own language carries out the scenarios and reports what it saw; [`judge`] compares that
//! with the table, the same way for every client. Beside the answers, what really happened is counted: the testbed
//! writes down its effects and its audit. [`differential`] asks another validator about arguments for real schemas.

mod client;
mod differential;
mod drive;
mod judge;
mod matrix;
mod python;
pub(crate) mod readme;
mod scenario;
mod selection;
mod transport;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::clock::spoken;
use crate::invocation::Invocation;
use crate::listing;
use crate::node;
use crate::options::Options;
use crate::workspace::Workspace;
use client::{Client, Install, Mode};
use drive::Cast;
use matrix::{Cell, Verdict};
use python::Pin;
use scenario::Scenario;
use selection::Selection;
use transport::Transport;

/// All scenarios together may take this long; the rest is then a miss.
const WHOLE_RUN: Duration = Duration::from_secs(900);

/// Drives every client in every mode through every scenario that the options select.
///
/// # Errors
/// When a client cannot be installed, the testbed does not build, or any cell is a miss.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    if options.write_readme {
        return readme::write(&workspace.root);
    }
    let (clients, transports, scenarios) = (client::table()?, transport::table()?, scenario::table()?);
    let Selection { clients, scenarios, is_compared } = Selection::new(options, &clients, &scenarios)?;
    if options.list {
        let clients = clients.iter().map(|client| format!("client    {}", client.name));
        let scenarios = scenarios.iter().map(|scenario| format!("scenario  {}", scenario.name));
        let compared = is_compared.then(|| format!("scenario  {}", differential::NAME));
        return listing::print(clients.chain(scenarios).chain(compared));
    }
    let folder = workspace.target().join("interop");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    if is_compared {
        differential::run(workspace, &folder)?;
    }
    if scenarios.is_empty() {
        return Ok(());
    }
    Invocation::cargo("build --locked -p mtb-testbed").run(&workspace.root)?;
    let mut drivers = BTreeMap::new();
    for client in &clients {
        drivers.insert(client.name.as_str(), install(workspace, client, &folder)?);
    }
    let server = |transport: &Transport| match &options.server {
        Some(server) => server.canonicalize().with_context(|| format!("no server at {}", server.display())),
        None => Ok(workspace.program(&transport.program)),
    };
    let mut plan = Vec::new();
    for transport in &transports {
        let server = server(transport)?;
        for client in clients.iter().filter(|client| client.speaks(&transport.name)) {
            plan.extend(client.modes.iter().map(|mode| Planned { client, mode, transport, server: server.clone() }));
        }
    }

    let begun = Instant::now();
    let cells = fill(&plan, |planned| judge_all(planned, &scenarios, &drivers, &folder, begun + WHOLE_RUN));
    print!("{}", matrix::print(&clients, &cells));
    let report = folder.join("report.json");
    std::fs::write(&report, matrix::report(&clients, &transports, &cells)?).context("the report cannot be written")?;
    let misses = cells.iter().filter(|cell| matches!(cell.verdict, Verdict::Miss(_))).count();
    if misses > 0 {
        bail!("{misses} of {} cells are misses; what was logged is in {}/runs", cells.len(), folder.display());
    }
    println!(
        "interop: {} cells without a miss in {}, report in {}",
        cells.len(),
        spoken(begun.elapsed()),
        report.display()
    );
    Ok(())
}

/// A client in one mode over one transport: what one run of its driver looks after.
struct Planned<'a> {
    client: &'a Client,
    mode: &'a Mode,
    transport: &'a Transport,
    server: PathBuf,
}

/// Makes the client ready to run; returns the command line of its driver.
fn install(workspace: &Workspace, client: &Client, folder: &Path) -> Result<Vec<PathBuf>> {
    let sources = workspace.root.join("xtask/interop");
    let driver = sources.join(&client.driver);
    match client.install {
        Install::Cargo => Ok(vec![workspace.program(&client.driver)]),
        Install::Pip => {
            let pin = Pin { name: client.package.clone(), version: client.version.clone() };
            Ok(vec![python::install(&[pin], &folder.join("venv"))?, driver])
        }
        Install::Npm => {
            let least = client.node.as_deref().context("an npm client of clients.toml says which Node it needs")?;
            let node = node::node(workspace, least)?;
            let part = Path::new(&client.driver).parent().context("a driver of clients.toml has a folder")?;
            node::install(&sources.join(part), &folder.join(part))?;
            Ok(vec![node, folder.join(&client.driver)])
        }
    }
}

/// Fills the cells with as many workers as the machine has cores, at most four; the order is that of the plan.
fn fill<'a>(plan: &[Planned<'a>], judge: impl Fn(&Planned<'a>) -> Vec<Cell<'a>> + Sync) -> Vec<Cell<'a>> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let next = AtomicUsize::new(0);
    let filled = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(planned) = plan.get(at) else { break };
                    let cells = judge(planned);
                    filled.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(at, cells);
                }
            });
        }
    });
    let filled = filled.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    filled.into_values().flatten().collect()
}

fn judge_all<'a>(
    planned: &Planned<'a>,
    scenarios: &[&'a Scenario],
    drivers: &BTreeMap<&str, Vec<PathBuf>>,
    folder: &Path,
    deadline: Instant,
) -> Vec<Cell<'a>> {
    let Planned { client, mode, transport, server } = planned;
    let able: Vec<&Scenario> =
        scenarios.iter().copied().filter(|scenario| client.cannot(mode, &transport.name, scenario).is_none()).collect();
    let driver = drivers.get(client.name.as_str()).map_or(&[][..], Vec::as_slice);
    let cast = Cast { driver, client, mode, transport, server };
    let late = || format!("not begun: the run had taken {} already", spoken(WHOLE_RUN));
    let seen = if able.is_empty() {
        Vec::new()
    } else if Instant::now() >= deadline {
        able.iter().map(|_| Err(late())).collect()
    } else {
        drive::drive(&cast, &able, folder, deadline)
            .unwrap_or_else(|error| able.iter().map(|_| Err(format!("{error:#}"))).collect())
    };
    let mut seen = seen.into_iter();
    let mut verdict = |scenario: &Scenario| {
        if let Some(reason) = client.cannot(mode, &transport.name, scenario) {
            return Verdict::NotApplicable(reason);
        }
        match seen.next() {
            None => Verdict::Miss(vec!["nothing was seen".into()]),
            Some(Err(problem)) => Verdict::Miss(vec![problem]),
            Some(Ok(seen)) => match judge::judge(scenario, mode, &seen) {
                problems if problems.is_empty() => Verdict::Fine,
                problems => Verdict::Miss(problems),
            },
        }
    };
    scenarios
        .iter()
        .map(|scenario| Cell {
            client: &client.name,
            mode: &mode.name,
            transport: &transport.name,
            scenario: &scenario.name,
            verdict: verdict(scenario),
        })
        .collect()
}
