//! The lines of the README that a host runs in its own CI, run as they stand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ADDRESS: &str = "https://github.com/mcp-tool-bridge/mcp-tool-bridge";

/// The block of shell lines that ends with the call.
fn recipe() -> String {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let found: Vec<&str> = blocks.filter(|block| block.contains("Cargo.lock")).collect();
    let recipe = found.concat();
    assert!(found.len() == 1 && recipe.trim_end().ends_with("cargo xtask mutations)"), "{found:?}");
    recipe
}

/// A repository with this project's address whose `cargo xtask` says what it was called with, and at which version.
struct Upstream {
    folder: PathBuf,
}

impl Upstream {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("recipe-{name}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let upstream = Self { folder };
        upstream.write("upstream/.cargo/config.toml", "[alias]\nxtask = \"run --quiet --package xtask --\"\n");
        let package = "[package]\nname = \"xtask\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        upstream.write("upstream/Cargo.toml", &format!("{package}\n[workspace]\n"));
        upstream.git(&["init", "--quiet", "--initial-branch", "main"]);
        upstream
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, arguments: &[&str]) -> String {
        let me = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.com", "-c", "commit.gpgsign=false"];
        let mut git = Command::new("git");
        git.args(me).args(arguments).current_dir(self.folder.join("upstream"));
        let output = git.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A version of it; its mutations all pass, or do not.
    fn commit(&self, says: &str, exit_code: u8) -> String {
        let main = format!(
            "fn main() {{\n    println!(\"{says}: {{}}\", std::env::args().skip(1).collect::<String>());\n    \
             std::process::exit({exit_code});\n}}\n"
        );
        self.write("upstream/src/main.rs", &main);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", says]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// What a host sees that has locked this.
    fn run(&self, source: &str) -> Output {
        self.run_locked(&format!(
            "version = 4\n\n[[package]]\nname = \"mcp-tool-bridge\"\nversion = \"0.1.0\"\nsource = \"{source}\"\n\
             dependencies = [\n \"mtb-core\",\n]\n\n[[package]]\nname = \"mcp-tool-bridge-else\"\nversion = \"9.9.9\"\n"
        ))
    }

    fn run_locked(&self, lock: &str) -> Output {
        self.write("host/Cargo.lock", lock);
        let here = format!("url.{}.insteadOf", self.folder.join("upstream").display());
        Command::new("sh")
            .args(["-c", &recipe()])
            .envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", here.as_str()), ("GIT_CONFIG_VALUE_0", ADDRESS)])
            .env("TMPDIR", &self.folder)
            .env_remove("CARGO_TARGET_DIR")
            .current_dir(self.folder.join("host"))
            .output()
            .unwrap()
    }
}

#[test]
fn the_locked_version_is_what_runs() {
    let upstream = Upstream::new("versions");
    let revision = upstream.commit("between", 0);
    upstream.commit("tagged", 0);
    upstream.git(&["tag", "v0.1.0"]);
    upstream.commit("newest", 0);
    let git = format!("git+{ADDRESS}?branch=main#{revision}");
    for (source, said) in [("registry+https://example.com/index", "tagged"), (git.as_str(), "between")] {
        let output = upstream.run(source);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{said}: mutations\n"));
    }
}

#[test]
fn a_guard_that_is_dead_fails_the_hosts_build() {
    let upstream = Upstream::new("dead");
    upstream.commit("tagged", 1);
    upstream.git(&["tag", "v0.1.0"]);
    assert!(!upstream.run("registry+https://example.com/index").status.success());
}

/// Another version than the locked one must never be run in its place.
#[test]
fn a_version_that_is_not_there_fails_the_hosts_build() {
    let upstream = Upstream::new("untagged");
    upstream.commit("newest", 0);
    let fork = format!("git+https://example.com/fork#{}", "0".repeat(40));
    let locks = ["", "version = 4\r\n\r\n[[package]]\r\nname = \"mcp-tool-bridge\"\r\nversion = \"0.1.0\"\r\n"];
    let outputs = ["registry+https://example.com/index", &fork].map(|source| upstream.run(source));
    for output in outputs.into_iter().chain(locks.map(|lock| upstream.run_locked(lock))) {
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
}
