//! Runs the built program.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The root of the workspace, where the program runs.
pub(crate) fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

/// Published definitions that `mtb-adapt` keeps for its tests, with their licences.
pub(crate) fn published(name: &str) -> String {
    format!("crates/mtb-adapt/tests/data/{name}.json")
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, "")
}

pub(crate) fn run_with(arguments: &[&str], stdin: &str) -> Ran {
    let mut child = spawn(arguments);
    give(&mut child, stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The exit code of a program that reads its input only when nobody reads its output any more.
pub(crate) fn run_unread(arguments: &[&str], stdin: &str) -> Option<i32> {
    let mut child = spawn(arguments);
    drop((child.stdout.take(), child.stderr.take()));
    give(&mut child, stdin);
    child.wait().unwrap().code()
}

fn spawn(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mtb-import"));
    command.args(arguments).current_dir(root()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn give(child: &mut Child, stdin: &str) {
    // A program that does not read its input may have closed it.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
}

/// The JSON report on these files, and the exit code.
pub(crate) fn report(arguments: &[&str]) -> (Value, i32) {
    let ran = run(&[&["--json"], arguments].concat());
    assert_eq!(ran.stderr, "");
    (serde_json::from_str(&ran.stdout).unwrap(), ran.code)
}

/// A path of this test's own at which no file is.
pub(crate) fn fresh(name: &str) -> String {
    // Tests run at the same time; each has its thread, named for it.
    let test = std::thread::current().name().unwrap().replace("::", "-");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{name}"));
    let _ = fs::remove_file(&path);
    path.into_os_string().into_string().unwrap()
}

/// A file of this test's own.
pub(crate) fn file(name: &str, text: &str) -> String {
    let path = fresh(name);
    fs::write(&path, text).unwrap();
    path
}
