//! `cargo xtask fuzz`: every target of `xtask/fuzz` gets hostile input for a while.
//!
//! cargo-fuzz is installed into `target/`, pinned, and builds with the ordinary toolchain: without a sanitizer of its
//! own, since nothing here is unsafe. Inputs begin with the schemas of the vendored tool definitions. What breaks a
//! target is kept in `target/fuzz/artifacts`; it becomes a row of an ordinary test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::child::run_within;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

const VERSION: &str = "0.13.2";

/// Each target with the longest input, in bytes.
const TARGETS: [(&str, u32); 4] = [("schema", 16_384), ("arguments", 4_096), ("canonical", 4_096), ("pointer", 256)];

/// How long each target runs.
const SECONDS: u32 = 15;
/// A single input that takes longer is a finding.
const ONE_INPUT_SECONDS: u32 = 5;
/// More memory than this is a finding.
const MEGABYTES: u32 = 1_024;

/// The definitions that inputs begin with.
const SEEDS: &str = "crates/mtb-fixtures/data/catalogue";

/// Builds the targets and runs each for its time.
///
/// # Errors
/// When cargo-fuzz cannot be installed, a target does not build, or an input breaks one.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("fuzz: not run: libFuzzer is set up for Linux on x86-64 only");
        return Ok(());
    }
    let folder = workspace.target().join("fuzz");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let cargo_fuzz = install(workspace, &folder)?;
    let fuzz = |action: &str, target: &str| {
        let mut command = Command::new(&cargo_fuzz);
        command.args(["fuzz", action, "--fuzz-dir", "xtask/fuzz", "--sanitizer", "none", "--target-dir"]);
        command.arg(folder.join("target")).arg(target).current_dir(&workspace.root);
        command
    };
    for (target, _) in TARGETS {
        let built = fuzz("build", target).status().context("cargo-fuzz did not start")?;
        if !built.success() {
            bail!("the fuzz target `{target}` does not build: cargo-fuzz ended with {built}");
        }
    }
    for (target, bytes) in TARGETS {
        let corpus = seeds(workspace, &folder, target)?;
        let artifacts = folder.join("artifacts").join(target);
        fs::create_dir_all(&artifacts).with_context(|| format!("cannot create {}", artifacts.display()))?;
        let mut command = fuzz("run", target);
        command.arg(corpus).arg("--").arg(format!("-artifact_prefix={}/", artifacts.display())).args([
            format!("-max_total_time={SECONDS}"),
            format!("-timeout={ONE_INPUT_SECONDS}"),
            format!("-rss_limit_mb={MEGABYTES}"),
            format!("-max_len={bytes}"),
        ]);
        let (stdout, stderr) = (folder.join(format!("{target}.out")), folder.join(format!("{target}.err")));
        let limit = Duration::from_secs(u64::from(SECONDS) * 4);
        let status = run_within(&mut command, b"", &stdout, &stderr, limit)?.exited()?;
        let said = fs::read_to_string(&stderr).unwrap_or_default();
        let Some(runs) = runs(&said).filter(|_| status.success()) else {
            bail!("fuzz target `{target}` broke ({status}); its input is in {}", artifacts.display());
        };
        println!("fuzz: {target}: {runs} inputs");
    }
    Ok(())
}

/// How many inputs were tried, which libFuzzer says in its last line.
fn runs(said: &str) -> Option<u64> {
    let line = said.lines().rev().find(|line| line.starts_with("Done "))?;
    line.split_whitespace().nth(1)?.parse().ok().filter(|runs| *runs > 0)
}

/// cargo-fuzz in the pinned version, from a folder below `target`.
fn install(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let root = folder.join("tools");
    let program = root.join("bin").join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(&program).arg("--version").output();
    let found = output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(VERSION));
    if !found {
        println!("installing cargo-fuzz {VERSION} into {}", root.display());
        let install = Invocation::cargo(&format!("install cargo-fuzz --version {VERSION} --locked --quiet --root"));
        let install = install.with_argument(root.to_string_lossy());
        // Else it builds in the system's temporary folder, which is small on many machines.
        let install = install.with_env("CARGO_TARGET_DIR", folder.join("tools-build").to_string_lossy());
        install.run(&workspace.root).context("cargo-fuzz cannot be installed; is the package registry reachable?")?;
    }
    Ok(program)
}

/// A folder of inputs to begin with; what an earlier run found in it stays.
fn seeds(workspace: &Workspace, folder: &Path, target: &str) -> Result<PathBuf> {
    let corpus = folder.join("corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot create {}", corpus.display()))?;
    let definitions = workspace.root.join(SEEDS);
    let files = fs::read_dir(&definitions).with_context(|| format!("cannot read {}", definitions.display()))?;
    for path in files.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let definitions: Vec<Value> = serde_json::from_str(&text).with_context(|| format!("{name} is no catalogue"))?;
        let Some(first) = definitions.first() else { continue };
        let seed = match target {
            "schema" => first.get("inputSchema").unwrap_or(first).to_string(),
            "pointer" => "/messages/*/a~1b/0".to_owned(),
            _ => first.to_string(),
        };
        fs::write(corpus.join(name), seed).context("a seed cannot be written")?;
    }
    Ok(corpus)
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn a_run_that_tried_nothing_is_none() {
        assert_eq!(runs("INFO: Seed: 1\n#2 INITED\nDone 4711 runs in 16 second(s)\nstat::number: 3\n"), Some(4_711));
        for said in ["", "Done 0 runs in 16 second(s)", "==1== ERROR: libFuzzer: timeout"] {
            assert_eq!(runs(said), None);
        }
    }
}
