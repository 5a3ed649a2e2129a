use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::results::{self, Scenarios};
use crate::child::{Served, run_within};
use crate::node;
use crate::workspace::Workspace;

pub(super) const PACKAGE: &str = "@modelcontextprotocol/conformance";

/// The oldest Node that the suite starts on.
const NODE: &str = "22.0";
/// A scenario that takes longer has failed.
const SCENARIO: Duration = Duration::from_secs(20);
/// All scenarios of one revision.
const WHOLE_RUN: Duration = Duration::from_secs(180);
/// What the server may take to begin, and to end.
const SERVER: Duration = Duration::from_secs(10);

/// The suite, ready to run.
pub(super) struct Suite {
    node: PathBuf,
    /// Where it is installed, and writes its results.
    folder: PathBuf,
    /// Where its package is pinned, and what must fail is listed.
    pins: PathBuf,
}

/// What came of one revision.
pub(super) struct Run {
    pub(super) scenarios: Scenarios,
    pub(super) required: Vec<String>,
    /// Whether the suite itself found nothing that is not as listed, among what is required.
    pub(super) agrees: bool,
    /// What it printed.
    pub(super) log: PathBuf,
}

impl Suite {
    /// # Errors
    /// When Node or the suite cannot be installed.
    pub(super) fn install(workspace: &Workspace, folder: &Path) -> Result<Self> {
        let pins = workspace.root.join("xtask/conformance");
        let node = node::node(workspace, NODE)?;
        node::install(&pins, folder)?;
        Ok(Self { node, folder: folder.to_path_buf(), pins })
    }

    /// The list of what must fail.
    pub(super) fn listed(&self, revision: &str) -> PathBuf {
        self.pins.join(list_of(revision))
    }

    /// Runs everything that the suite has for servers of this revision against a server of its own.
    ///
    /// # Errors
    /// When the server or the suite does not start, or does not end in time.
    pub(super) fn run(&self, revision: &str, program: &Path) -> Result<Run> {
        let runs = self.folder.join("runs").join(revision);
        if runs.exists() {
            fs::remove_dir_all(&runs).with_context(|| format!("cannot remove {}", runs.display()))?;
        }
        let output = runs.join("results");
        fs::create_dir_all(&output).with_context(|| format!("cannot create {}", output.display()))?;
        let file = |name: &str| runs.join(name);
        let served = Served::start(&mut Command::new(program), &file("server.out"), &file("server.err"), SERVER);
        let served = served.context("the server of the suite")?;

        let package = self.folder.join("node_modules").join(PACKAGE);
        let log = file("suite.out");
        let mut command = Command::new(&self.node);
        command.arg(package.join("dist/index.js")).arg("server").args(["--url", &served.address]);
        command.args(["--requirements", revision, "--timeout", &SCENARIO.as_millis().to_string()]);
        command.arg("--expected-failures").arg(self.listed(revision)).arg("-o").arg(&output);
        command.env("NO_COLOR", "1");
        let status = run_within(&mut command, b"", &log, &file("suite.err"), WHOLE_RUN)?.exited();
        let status = status.with_context(|| format!("the suite for {revision}"))?;
        let ended = served.end(SERVER)?.exited().context("the server of the suite")?;
        if !ended.success() {
            bail!("the server of the suite ended with {ended}: see {}", file("server.err").display());
        }

        let requirements = package.join("requirements").join(format!("{revision}.yaml"));
        let text = fs::read_to_string(&requirements).with_context(|| format!("no {}", requirements.display()))?;
        let required = results::required(&text);
        if required.is_empty() {
            bail!("{} requires nothing of servers", requirements.display());
        }
        Ok(Run { scenarios: results::read(&output)?, required, agrees: status.success(), log })
    }
}

pub(super) fn list_of(revision: &str) -> String {
    format!("expected-failures.{revision}.yml")
}
