use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::case::{Audit, Case, Load};
use super::report::{BARE, GOVERNED, OTHER, Round};
use super::server::Server;
use crate::child::run_within;

/// No round takes so long, on any machine.
const ONE_ROUND: Duration = Duration::from_secs(120);

/// The smallest example.
const MINIMAL: &str = "minimal";

/// What is measured, and with what.
pub(super) struct Programs<'a> {
    release: PathBuf,
    /// Where the load generator leaves what it prints.
    folder: &'a Path,
    /// How the server is started that whoever measures has brought along.
    versus: Option<&'a str>,
}

impl<'a> Programs<'a> {
    pub(super) fn within(target: &Path, folder: &'a Path, versus: Option<&'a str>) -> Self {
        Self { release: target.join("release"), folder, versus }
    }

    /// All rounds of a case.
    pub(super) fn measure(&self, case: &Case) -> Result<Vec<Round>> {
        match case.load {
            Load::Calls { connections, requests } => {
                let governed = self.serve(GOVERNED, &["http", "1"])?;
                let bare = self.serve(BARE, &["http"])?;
                let arguments = ["calls".to_owned(), connections.to_string(), requests.to_string()];
                in_turn(case, &[GOVERNED, BARE], |server| {
                    let announced = if server == GOVERNED { &governed.announced } else { &bare.announced };
                    self.load(&arguments, announced)
                })
            }
            Load::Pipe { depth, requests, note_bytes, .. } => self
                .started(case, &["pipe".to_owned(), depth.to_string(), requests.to_string(), note_bytes.to_string()]),
            Load::Start => self.started(case, &["start".to_owned()]),
            Load::Dense => self.started(case, &["dense".to_owned()]),
            Load::InProcess => in_turn(case, &[GOVERNED], |_| self.load(&["in-process".to_owned()], "")),
            Load::Sessions { count, principals } => in_turn(case, &[GOVERNED], |server| {
                let governed = self.serve(server, &["http", &principals.to_string()])?;
                self.load(&["sessions".to_owned(), count.to_string()], &governed.announced)
            }),
        }
    }

    /// Rounds of servers that the load generator starts itself, which speak on stdin and stdout.
    fn started(&self, case: &Case, load: &[String]) -> Result<Vec<Round>> {
        let servers: &[&str] = if self.versus.is_some() { &[GOVERNED, BARE, OTHER] } else { &[GOVERNED, BARE] };
        in_turn(case, servers, |server| {
            let command = match (server, self.versus) {
                (OTHER, Some(versus)) => versus.split_whitespace().map(str::to_owned).collect(),
                _ => self.command(server, case.load),
            };
            self.load(&[load, &command].concat(), "")
        })
    }

    fn command(&self, server: &str, load: Load) -> Vec<String> {
        let (program, argument) = match load {
            Load::Start if server == GOVERNED => (MINIMAL, None),
            Load::Pipe { audit: Audit::Lines, .. } if server == GOVERNED => (server, Some("stdio-lines")),
            _ => (server, Some("stdio")),
        };
        let program = self.program(program).to_string_lossy().into_owned();
        std::iter::once(program).chain(argument.map(str::to_owned)).collect()
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

/// The servers in turn; who comes first comes last the next time.
fn in_turn(
    case: &Case,
    servers: &[&str],
    measure: impl Fn(&str) -> Result<BTreeMap<String, f64>>,
) -> Result<Vec<Round>> {
    let mut rounds = Vec::new();
    for pair in 0..case.rounds {
        for server in servers.iter().cycle().skip(pair % servers.len().max(1)).take(servers.len()) {
            let measured = measure(server)?;
            rounds.push(Round { case: case.name.to_owned(), server: (*server).to_owned(), pair, measured });
        }
    }
    Ok(rounds)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::case::CASES;
    use super::in_turn;

    #[test]
    fn nobody_always_comes_first() {
        let case = CASES.iter().find(|case| case.name == "dense").unwrap();
        let order = |servers: &[&str]| {
            let rounds = in_turn(case, servers, |_| Ok(BTreeMap::new())).unwrap();
            rounds.into_iter().map(|round| format!("{}{}", round.pair, round.server)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(order(&["a", "b"]), "0a 0b 1b 1a 2a 2b");
        assert_eq!(order(&["a", "b", "c"]), "0a 0b 0c 1b 1c 1a 2c 2a 2b");
        assert_eq!(order(&["a"]), "0a 1a 2a");
    }
}
