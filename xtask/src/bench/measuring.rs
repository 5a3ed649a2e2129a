use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::case::{Case, Load};
use super::report::{BARE, GOVERNED, Round};
use super::server::Server;
use crate::child::run_within;

/// No round takes so long, on any machine.
const ONE_ROUND: Duration = Duration::from_secs(120);

/// What is measured, and with what.
pub(super) struct Programs<'a> {
    release: PathBuf,
    /// Where the load generator leaves what it prints.
    folder: &'a Path,
}

impl<'a> Programs<'a> {
    pub(super) fn within(target: &Path, folder: &'a Path) -> Self {
        Self { release: target.join("release"), folder }
    }

    /// All rounds of a case.
    pub(super) fn measure(&self, case: &Case) -> Result<Vec<Round>> {
        match case.load {
            Load::Calls { connections, requests } => {
                let governed = self.serve(GOVERNED, &["http", "1"])?;
                let bare = self.serve(BARE, &["http"])?;
                let arguments = ["calls".to_owned(), connections.to_string(), requests.to_string()];
                in_pairs(case, |server| {
                    let announced = if server == GOVERNED { &governed.announced } else { &bare.announced };
                    self.load(&arguments, announced)
                })
            }
            Load::Pipe { depth, requests } => in_pairs(case, |server| {
                let program = self.program(server).to_string_lossy().into_owned();
                let arguments =
                    ["pipe".to_owned(), depth.to_string(), requests.to_string(), program, "stdio".to_owned()];
                self.load(&arguments, "")
            }),
            Load::Sessions { count, principals } => {
                let one = |pair| {
                    let governed = self.serve(GOVERNED, &["http", &principals.to_string()])?;
                    let measured = self.load(&["sessions".to_owned(), count.to_string()], &governed.announced)?;
                    Ok(Round { case: case.name.to_owned(), server: GOVERNED.to_owned(), pair, measured })
                };
                (0..case.rounds).map(one).collect()
            }
        }
    }

    fn program(&self, name: &str) -> PathBuf {
        self.release.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    fn serve(&self, name: &str, arguments: &[&str]) -> Result<Server> {
        Server::start(Command::new(self.program(name)).args(arguments))
    }

    /// One round: what the load generator prints.
    fn load(&self, arguments: &[String], announced: &str) -> Result<BTreeMap<String, f64>> {
        let (stdout, stderr) = (self.folder.join("load.out"), self.folder.join("load.err"));
        let mut command = Command::new(self.program("load"));
        let ended = run_within(command.args(arguments), announced.as_bytes(), &stdout, &stderr, ONE_ROUND)?;
        if !ended.exited()?.success() {
            bail!("`load {}`: {}", arguments.join(" "), fs::read_to_string(&stderr)?.trim());
        }
        serde_json::from_str(&fs::read_to_string(&stdout)?).context("`load` printed something unexpected")
    }
}

/// Both servers in turn; who comes second comes first the next time.
fn in_pairs(case: &Case, measure: impl Fn(&str) -> Result<BTreeMap<String, f64>>) -> Result<Vec<Round>> {
    let mut rounds = Vec::new();
    for pair in 0..case.rounds {
        let order = if pair % 2 == 0 { [GOVERNED, BARE] } else { [BARE, GOVERNED] };
        for server in order {
            let measured = measure(server)?;
            rounds.push(Round { case: case.name.to_owned(), server: server.to_owned(), pair, measured });
        }
    }
    Ok(rounds)
}
