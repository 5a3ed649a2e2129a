//! `cargo xtask bench`: how fast a governed server answers, next to a bare server of the official Rust SDK.
//!
//! The programs of `mtb-bench` are built as releases are. Each case alternates its rounds between the two servers, and
//! begins with the other one each time: machines get warm, and others use them, too. What counts are ratios within a
//! pair of rounds; the median of them is judged. All rounds are in `target/bench/report.json`.

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
    Invocation::cargo("build --release --locked -p mtb-bench --bins").run(&workspace.root)?;
    let programs = Programs::within(workspace.target(), &folder);
    let mut rounds = Vec::new();
    for case in cases {
        println!("bench: {}: {}", case.name, case.about);
        rounds.extend(programs.measure(case)?);
    }
    let report = Report::of(Machine::this(), rounds);
    let path = folder.join("report.json");
    fs::write(&path, report.to_json()?).with_context(|| format!("cannot write {}", path.display()))?;
    println!("\n{}\nbench: all rounds are in {}", table::of(&report), path.display());
    let missed = report.missed();
    if !missed.is_empty() {
        bail!("{}", missed.join("\n"));
    }
    Ok(())
}
