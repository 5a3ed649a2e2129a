use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use mtb_audit::{StderrSink, Trail, WriterSink};
use mtb_bridge::Bridge;

use crate::effects::Effects;
use crate::settings::Settings;
use crate::tools::registry;

/// What the line of an effect begins with; the effect's name follows. Every other line is an audit event.
pub const PREFIX: &str = "[testbed] ";

/// The bridge over all tools, which tells effects and events where the settings say.
///
/// Servers that are started one after the other may share a log file: each appends to it.
///
/// # Errors
/// When the log cannot be opened.
pub fn bridge(settings: &Settings) -> anyhow::Result<Bridge> {
    let (effects, trail) = match &settings.log {
        None => (Effects::to(|effect| eprintln!("{PREFIX}{effect}")), Trail::to(StderrSink::new())),
        Some(path) => {
            let open = || appended(path).with_context(|| format!("the log `{}` cannot be opened", path.display()));
            let file = open()?;
            let effects = Effects::to(move |effect| {
                // One write for the whole line: events are appended to the same file.
                let line = format!("{PREFIX}{effect}\n");
                if let Err(error) = (&file).write_all(line.as_bytes()) {
                    eprintln!("testbed: an effect was not written down: {error}");
                }
            });
            (effects, Trail::to(WriterSink::new(open()?)))
        }
    };
    Ok(Bridge::builder(registry(&effects)?).audit(trail).build())
}

fn appended(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}
