use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::checkout::remove;
use super::libtest::{Outcome, compiled, outcomes};
use super::table::TestTarget;
use crate::child::{Ended, run_within};

/// What a child may see of our environment: where its programs and files are. Nothing else gets through, so that no
/// variable can make a test, or the build of one, look away.
const PASSED_ON: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "LD_LIBRARY_PATH",
    // Windows does not start programs without these.
    "SystemRoot",
    "USERPROFILE",
    "TEMP",
    "PATHEXT",
];

/// Building may take this long, from nothing.
const BUILD_LIMIT: Duration = Duration::from_secs(900);

/// How many lines of a compiler's complaint are kept.
const KEPT_LINES: usize = 30;

/// Cargo in one checkout, with one folder for what it builds.
#[derive(Debug)]
pub(super) struct Cargo {
    pub(super) checkout: PathBuf,
    pub(super) target: PathBuf,
    /// Where the children put what they need for a moment.
    pub(super) temporary: PathBuf,
    /// Where what the children print is kept.
    pub(super) printed: PathBuf,
}

/// What came of a build.
#[derive(Debug)]
pub(super) enum Built {
    /// It compiled.
    Compiled(BTreeMap<TestTarget, Program>),
    /// It did not compile; what the compiler said.
    Refused(String),
    TimedOut,
}

/// A built test program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    executable: PathBuf,
    /// The folder of its package.
    folder: PathBuf,
    /// Whether it had to be built anew.
    pub(super) is_new: bool,
}

/// What the tests printed, if they ended in time.
#[derive(Debug)]
pub(super) enum Ran {
    Ended(Printed),
    TimedOut,
}

/// What a test program left.
#[derive(Debug)]
pub(super) struct Printed {
    stdout: String,
    stderr: String,
    has_failed: bool,
}

impl Printed {
    /// How its tests ended. What is said on stderr counts only for a program that keeps stdout for something else, and
    /// a failure only if the program failed.
    pub(super) fn outcomes(&self) -> BTreeMap<&str, Outcome> {
        let told = outcomes(&self.stdout);
        let mut told = if told.is_empty() { outcomes(&self.stderr) } else { told };
        told.retain(|_, outcome| self.has_failed || *outcome != Outcome::Failed);
        told
    }

    /// Whether a test was red because this program, which must not compile, does.
    pub(super) fn tells_compiled(&self, program: &str) -> bool {
        compiled(&self.stderr).any(|path| program.ends_with(path))
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortened(&format!("{}{}", self.stdout, self.stderr)))
    }
}

impl Cargo {
    /// Builds test programs. The whole workspace is always selected, with all features: dependencies are then built
    /// with the same features whatever is asked for, which is once.
    ///
    /// # Errors
    /// When cargo does not start, or we were interrupted.
    pub(super) fn build<'t>(&self, targets: impl IntoIterator<Item = &'t TestTarget>) -> Result<Built> {
        let mut command = self.in_environment(Command::new(cargo()));
        // Each mutant rebuilds one crate a little different, and nobody debugs it.
        command.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_DEBUG", "none");
        command.current_dir(&self.checkout).args(["test", "--no-run", "--message-format", "json-render-diagnostics"]);
        command.args(["--locked", "--offline", "--color", "never", "--workspace", "--all-features"]);
        let names: BTreeSet<&str> = targets.into_iter().map(|target| target.target.as_str()).collect();
        for name in names {
            match name {
                "lib" => command.arg("--lib"),
                "bin" => command.arg("--bins"),
                name => command.args(["--test", name]),
            };
        }
        let (ended, stdout, stderr) = self.run(&mut command, BUILD_LIMIT)?;
        Ok(match ended {
            Ended::TimedOut => Built::TimedOut,
            ended if ended.exited()?.success() => Built::Compiled(programs(&stdout)),
            _ => Built::Refused(shortened(&stderr)),
        })
    }

    /// Runs these tests of one test program, and no others, as `cargo test` would.
    ///
    /// # Errors
    /// When it does not start, or we were interrupted.
    pub(super) fn test(&self, target: &TestTarget, program: &Program, names: &[&str], limit: Duration) -> Result<Ran> {
        let mut command = self.in_environment(Command::new(&program.executable));
        command
            .env("CARGO", cargo())
            .env("CARGO_MANIFEST_DIR", &program.folder)
            .env("CARGO_PKG_NAME", &target.package)
            .current_dir(&program.folder)
            .arg("--exact")
            .args(names);
        let (ended, stdout, stderr) = self.run(&mut command, limit)?;
        if ended == Ended::TimedOut {
            return Ok(Ran::TimedOut);
        }
        let has_failed = !ended.exited()?.success();
        Ok(Ran::Ended(Printed { stdout, stderr, has_failed }))
    }

    /// Takes away what the children left: what one mutant's tests have put there must not fail the next one's.
    ///
    /// # Errors
    /// When the folder cannot be made anew.
    pub(super) fn clear_temporary(&self) -> Result<()> {
        remove(&self.temporary)?;
        std::fs::create_dir_all(&self.temporary).context("no folder for temporary files")
    }

    fn in_environment(&self, mut command: Command) -> Command {
        command.env_clear();
        for name in PASSED_ON {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
            .env("CARGO_TARGET_DIR", &self.target)
            // Whatever a configuration says: two benches that share a folder would test each other's mutants.
            .env("CARGO_BUILD_BUILD_DIR", &self.target)
            .env("TMPDIR", &self.temporary);
        command
    }

    fn run(&self, command: &mut Command, limit: Duration) -> Result<(Ended, String, String)> {
        let (stdout, stderr) = (self.printed.join("stdout"), self.printed.join("stderr"));
        let ended = run_within(command, b"", &stdout, &stderr, limit)?;
        if ended == Ended::Interrupted {
            bail!("interrupted");
        }
        Ok((ended, read(&stdout)?, read(&stderr)?))
    }
}

/// The cargo that started us, so that the toolchain stays the same.
fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The test programs, named as in the table, from cargo's messages.
fn programs(messages: &str) -> BTreeMap<TestTarget, Program> {
    #[derive(Deserialize)]
    struct Artifact {
        package_id: String,
        manifest_path: PathBuf,
        target: Target,
        profile: Profile,
        executable: Option<PathBuf>,
        fresh: bool,
    }
    #[derive(Deserialize)]
    struct Target {
        name: String,
        kind: Vec<String>,
    }
    #[derive(Deserialize)]
    struct Profile {
        test: bool,
    }
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Artifact>(line).ok());
    let programs = artifacts.filter(|artifact| artifact.profile.test).filter_map(|artifact| {
        let target = match artifact.target.kind.first().map(String::as_str) {
            Some("test") => artifact.target.name,
            Some("bin") => "bin".into(),
            _ => "lib".into(),
        };
        let target = TestTarget { package: package_name(&artifact.package_id)?.into(), target };
        let folder = artifact.manifest_path.parent()?.to_path_buf();
        Some((target, Program { executable: artifact.executable?, folder, is_new: !artifact.fresh }))
    });
    programs.collect()
}

/// `path+file:///w/crates/a#0.1.0` is the package `a`, and so is `path+file:///w/crates/b#a@0.1.0`.
fn package_name(id: &str) -> Option<&str> {
    let (source, package) = id.rsplit_once('#')?;
    let last = source.rsplit('/').next();
    package.split_once('@').map(|(name, _)| name).or(last)
}

fn shortened(said: &str) -> String {
    let lines: Vec<&str> = said.lines().take(KEPT_LINES).collect();
    lines.join("\n")
}

fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{package_name, programs};

    #[test]
    fn tells_test_programs_and_whether_they_are_new() {
        let artifact = |name: &str, kind: &str, test: bool, fresh: bool| {
            let target = format!(r#"{{"name":"{name}","kind":["{kind}"]}}"#);
            let rest = format!(r#""profile":{{"test":{test}}},"executable":"/t/{name}","fresh":{fresh}"#);
            format!(
                r#"{{"package_id":"path+file:///c/a#0.1.0","manifest_path":"/c/a/Cargo.toml","target":{target},{rest}}}"#
            )
        };
        let messages = [
            artifact("a", "lib", false, false),
            artifact("a", "lib", true, false),
            artifact("main", "bin", true, false),
            artifact("flows", "test", true, false),
            artifact("old", "test", true, true),
            r#"{"reason":"build-finished","success":true}"#.into(),
        ];
        let programs = programs(&messages.join("\n"));
        let told: Vec<_> = programs
            .iter()
            .map(|(target, program)| (target.to_string(), program.executable.to_str().unwrap(), program.is_new))
            .collect();
        let rows = [
            ("a bin", "/t/main", true),
            ("a flows", "/t/flows", true),
            ("a lib", "/t/a", true),
            ("a old", "/t/old", false),
        ];
        assert_eq!(told, rows.map(|(target, executable, is_new)| (target.to_owned(), executable, is_new)));
        assert!(programs.values().all(|program| program.folder.to_str() == Some("/c/a")));
    }

    #[test]
    fn packages_have_their_names() {
        assert_eq!(package_name("path+file:///w/crates/a#0.1.0"), Some("a"));
        assert_eq!(package_name("path+file:///w/crates/b#a@0.1.0"), Some("a"));
        assert_eq!(package_name("a"), None);
    }
}
