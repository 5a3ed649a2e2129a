use std::io::Write;

use anyhow::{Context as _, ensure};

mod chapters;
mod client;
mod screen;
mod stage;

use client::{Answer, Client, Person};
use screen::Screen;
use stage::Stage;

/// Starts this program as a server, three times for three people, and walks through what a client sees of it.
///
/// # Errors
/// When any step did not go as told.
pub(crate) fn run(out: &mut dyn Write) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let mut screen = Screen::new(out);
    screen.text("Governed tools over MCP, shown by a client and its servers")?;
    screen.text("==========================================================")?;
    screen.text(
        "This program starts itself three times as an MCP server, each time for another person, and \
         talks to them over pipes as any MCP client would. Beside each step stands what the server's \
         audit recorded: JSON lines on its stderr, told in short here.",
    )?;
    let mut stage = Stage::new(screen);
    let mut alice = Client::start(&program, "alice", "reader", Person::Absent)?;
    let mut bob = Client::start(&program, "bob", "reader,editor", Person::Absent)?;
    let mut carol = Client::start(&program, "carol", "reader,editor", Person::Says(Answer::No))?;

    chapters::what_each_role_is_shown(&mut stage, &mut alice, &mut bob)?;
    chapters::what_is_not_shown_cannot_be_called(&mut stage, &mut alice)?;
    chapters::a_bad_call_is_refused(&mut stage, &mut bob)?;
    chapters::a_harmless_call_runs(&mut stage, &mut bob)?;
    let token = chapters::a_send_is_held(&mut stage, &mut bob)?;
    let events = chapters::a_yes_runs_it(&mut stage, &mut bob, &token)?;
    chapters::the_replay_is_refused(&mut stage, &mut bob, &token)?;
    chapters::a_no_in_band(&mut stage, &mut carol)?;
    chapters::a_yes_in_band(&mut stage, &mut carol)?;
    chapters::what_the_audit_keeps(&mut stage, &events)?;

    for client in [alice, bob, carol] {
        let (status, rest) = client.stop()?;
        ensure!(status.success(), "a server ended with {status}");
        ensure!(rest.is_empty(), "a server had {} more lines to say than were told", rest.len());
    }
    stage.end()
}
