//! `cargo xtask bench`: how fast a governed server answers, next to a bare server of the official Rust SDK.
//!
//! The programs of `mtb-bench` are built as releases are. Each case alternates its rounds between the two servers, and
//! begins with the other one each time: machines get warm, and others use them, too. What counts are ratios within a
//! round; the median of them is judged. All rounds of all cases are in `target/bench/report.json`.
//!
//! `--versus COMMAND` takes another server into the rounds on stdin and stdout: the one that a host had before, or one
//! of another SDK. It has to serve the same tool, `add` of two integers `a` and `b` and a text `note` that may be left
//! out, and to answer with the sum as a text.

mod case;
mod machine;
mod measuring;
mod readme;
mod report;
mod server;
mod table;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::invocation::Invocation;
use crate::listing;
use crate::options::Options;
use crate::workspace::Workspace;
use case::CASES;
use machine::Machine;
use measuring::Programs;
use report::Report;

/// Measures every case that the options select.
///
/// # Errors
/// When something does not build or does not answer rightly, or a case misses its target.
pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let folder = workspace.target().join("bench");
    if options.write_readme {
        return readme::write(&workspace.root, &folder);
    }
    options.check_only(CASES.iter().map(|case| case.name))?;
    let cases = CASES.iter().filter(|case| options.selects(case.name));
    if options.list {
        return listing::print(cases.map(|case| format!("{:13} {}", case.name, case.about)));
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    // Each by itself: what one needs of a shared dependency is not what the other has to carry.
    for package in ["mtb-bench", "minimal"] {
        Invocation::cargo("build --release --locked --bins -p").with(package).run(&workspace.root)?;
    }
    let programs = Programs::within(workspace.target(), &folder, options.versus.as_deref());
    let mut rounds = Vec::new();
    for case in cases {
        println!("bench: {}: {}", case.name, case.about);
        rounds.extend(programs.measure(case)?);
    }
    let report = Report::of(Machine::this(workspace)?, rounds);
    // Only what is whole may get into the README.
    let is_whole = options.only.is_empty() && options.versus.is_none();
    let path = folder.join(if is_whole { "report.json" } else { "partial.json" });
    fs::write(&path, report.to_json()?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("\n{}\n{}\nbench: all rounds are in {}", table::of(&report), table::targets(&report), path.display());
    let missed = report.missed();
    if !missed.is_empty() {
        bail!("{}", missed.join("\n"));
    }
    Ok(())
}
