//! The matrix that the README shows. It follows from the tables alone, since a run passes only if every client can do
//! whatever nothing keeps it from.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::client::{self, Client};
use super::scenario::{self, Scenario};
use super::transport;

const README: &str = "README.md";
const BEGIN: &str = "<!-- clients: written by `cargo xtask interop --write-readme` -->\n";
const END: &str = "<!-- end of clients -->\n";

/// Puts the matrix into the README.
///
/// # Errors
/// When the README cannot be read or written, or has no place for it.
pub(crate) fn write(root: &Path) -> Result<()> {
    let path = root.join(README);
    let text = fs::read_to_string(&path).context("the README cannot be read")?;
    let Some(written) = with_matrix(&text, &matrix()?) else { bail!("{}", no_place()) };
    fs::write(&path, written).context("the README cannot be written")
}

/// What is wrong with the matrix in this README.
///
/// # Errors
/// When a table of `xtask/interop` cannot be read.
pub(crate) fn problem(readme: &str) -> Result<Option<String>> {
    Ok(match with_matrix(readme, &matrix()?) {
        None => Some(no_place()),
        Some(written) if written != readme => {
            Some("the clients are not those of the tables: run `cargo xtask interop --write-readme`".into())
        }
        Some(_) => None,
    })
}

fn no_place() -> String {
    format!("has no place for the clients: write `{}` and `{}`", BEGIN.trim_end(), END.trim_end())
}

fn with_matrix(readme: &str, matrix: &str) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{matrix}{END}{after}"))
}

fn matrix() -> Result<String> {
    let transports = transport::table()?;
    let transports: Vec<&str> = transports.iter().map(|transport| transport.name.as_str()).collect();
    Ok(rows(&client::table()?, &transports, &scenario::table()?))
}

/// The clients, a row for each scenario, and why some cells are empty.
fn rows(clients: &[Client], transports: &[&str], scenarios: &[Scenario]) -> String {
    let mut text = "| client | package | modes | over |\n|---|---|---|---|\n".to_owned();
    for client in clients {
        let Client { name, about, package, version, modes, .. } = client;
        let over: Vec<&str> = transports.iter().copied().filter(|transport| client.speaks(transport)).collect();
        let modes: Vec<&str> = modes.iter().map(|mode| mode.name.as_str()).collect();
        // Writing to a string cannot fail.
        let (modes, over) = (modes.join(", "), over.join(", "));
        let _ = writeln!(text, "| {name}: {about} | `{package}` {version} | {modes} | {over} |");
    }
    text.push_str("\n| scenario |");
    for client in clients {
        let _ = write!(text, " {} |", client.name);
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(clients.len()));
    let mut notes: Vec<String> = Vec::new();
    for scenario in scenarios {
        let _ = write!(text, "| {} |", scenario.name);
        for client in clients {
            let _ = write!(text, " {} |", cell(client, transports, scenario, &mut notes));
        }
        text.push('\n');
    }
    text.push('\n');
    for (at, note) in notes.iter().enumerate() {
        let _ = writeln!(text, "{}. {note}", at + 1);
    }
    text
}

/// In how many modes it works over all that the client speaks, and the numbers of the notes on those where it cannot.
fn cell(client: &Client, transports: &[&str], scenario: &Scenario, notes: &mut Vec<String>) -> String {
    let over = || transports.iter().filter(|transport| client.speaks(transport));
    let mut numbers: Vec<usize> = Vec::new();
    let mut able = 0_usize;
    for mode in &client.modes {
        let Some(reason) = over().find_map(|transport| client.cannot(mode, transport, scenario)) else {
            able += 1;
            continue;
        };
        let at = notes.iter().position(|note| *note == reason).unwrap_or_else(|| {
            notes.push(reason);
            notes.len() - 1
        });
        if !numbers.contains(&(at + 1)) {
            numbers.push(at + 1);
        }
    }
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let why = if numbers.is_empty() { String::new() } else { format!(" [{}]", numbers.join(", ")) };
    match able {
        0 => format!("–{why}"),
        all if all == client.modes.len() => format!("✓{why}"),
        some => format!("{some} of {}{why}", client.modes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::client::{Client, Install, Mode};
    use super::super::scenario;
    use super::{BEGIN, END, problem, rows, with_matrix};

    #[test]
    fn the_readme_shows_what_each_client_can_and_why_not() {
        let mode = |name: &str, protocol: &str| Mode { name: name.into(), protocol: protocol.into() };
        let client = |name: &str| Client {
            name: name.into(),
            about: "a client".into(),
            package: "p".into(),
            version: "1".into(),
            install: Install::Pip,
            driver: "d".into(),
            node: None,
            transports: Vec::new(),
            modes: vec![mode("old", "1"), mode("new", "3")],
            unable: Vec::new(),
        };
        let step = "[[scenario.step]]\ndo = \"listen\"\n";
        let scenarios = format!(
            "[[scenario]]\nname = \"x\"\n{step}[[scenario]]\nname = \"y\"\nsince = \"2\"\n{step}\
             [[scenario]]\nname = \"z\"\nsince = \"4\"\n{step}"
        );
        let shown = rows(&[client("a"), client("b")], &["stdio"], &scenario::parse(&scenarios).unwrap());
        let expected = [
            "| client | package | modes | over |",
            "|---|---|---|---|",
            "| a: a client | `p` 1 | old, new | stdio |",
            "| b: a client | `p` 1 | old, new | stdio |",
            "",
            "| scenario | a | b |",
            "|---|---|---|",
            "| x | ✓ | ✓ |",
            "| y | 1 of 2 [1] | 1 of 2 [1] |",
            "| z | – [2] | – [2] |",
            "",
            "1. the protocol has this since 2",
            "2. the protocol has this since 4",
        ];
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
        assert_eq!(
            with_matrix(&format!("x\n{BEGIN}old\n{END}y\n"), "new\n").unwrap(),
            format!("x\n{BEGIN}new\n{END}y\n")
        );
    }

    #[test]
    fn a_readme_with_another_matrix_or_without_a_place_is_refused() {
        let place = format!("{BEGIN}{END}");
        for (readme, told) in [("", "has no place"), (BEGIN, "has no place"), (place.as_str(), "are not those")] {
            assert!(problem(readme).unwrap().unwrap().contains(told), "{readme:?}");
        }
    }
}
