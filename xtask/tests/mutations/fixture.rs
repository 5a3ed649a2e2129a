use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

const LIB: &str = r#"
pub fn may(role: &str) -> bool {
    role == "admin"
}

pub fn rows() -> (u8, u8) {
    (1, 1)
}

#[cfg(test)]
mod tests {
    use super::may;

    fn lenient() -> bool {
        cfg!(lenient) || std::env::var_os("TINY_LENIENT").is_some()
    }

    #[test]
    fn only_admins_may() {
        assert!(may("admin"));
        assert!(lenient() || !may("reader"));
    }

    #[test]
    fn is_never_red() {}

    #[test]
    fn nothing_is_left_of_others() {
        assert!(!std::path::Path::new("left").exists() && !std::env::temp_dir().join("left").exists());
    }

    #[test]
    fn is_red() {
        assert!(may("reader"));
    }

    #[test]
    #[ignore]
    fn is_ignored() {}
}
"#;

const ROLE: &str = r#"role == "admin""#;
const MAY: &str = "tests::only_admins_may";

/// A workspace of two crates with its table, in a folder of its own.
pub(crate) struct Fixture(PathBuf);

/// What a run printed, and whether its exit code says that all is well.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) passed: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Fixture {
    pub(crate) fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mutations-{name}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let fixture = Self(folder);
        fixture.write("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"tiny\", \"other\"]\n");
        let package = |name: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
        fixture.write("Cargo.lock", &format!("version = 4\n\n{}\n{}", package("other"), package("tiny")));
        for name in ["tiny", "other"] {
            let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
            fixture.write(&format!("{name}/Cargo.toml"), &manifest);
        }
        fixture.write("tiny/src/lib.rs", LIB);
        fixture.write("other/src/lib.rs", "pub const OTHER: u8 = 1;\n");
        let hangs = "loop { std::thread::park() }";
        let not_built = row("not-built", "other/src/lib.rs", "= 1", "= 2", &[MAY], "");
        let half = row("half-noticed", "tiny/src/lib.rs", ROLE, "true", &[MAY, "tests::is_never_red"], "");
        let no_file = row("no-such-file", "tiny/src/no.rs", ROLE, "true", &[MAY], "");
        let table = table(&[
            ("anyone", ROLE, "true", MAY),
            ("gone", "role == \"reader\"", "true", MAY),
            ("twice", "1", "2", MAY),
            ("nonsense", ROLE, "role", MAY),
            ("unnoticed", ROLE, "role != \"reader\"", MAY),
            ("dies", ROLE, "std::process::exit(1)", MAY),
        ]);
        let hangs = row("hangs", "tiny/src/lib.rs", ROLE, hangs, &[MAY], "seconds = 1\n");
        fixture.write("xtask/mutations/tiny.toml", &(table + &half + &no_file + &not_built + &hangs));
        fixture
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// How many copies of the workspace there are.
    pub(crate) fn checkouts(&self) -> usize {
        let Ok(folder) = fs::read_dir(self.0.join("target/mutations")) else { return 0 };
        folder.filter(|entry| entry.as_ref().unwrap().path().join("checkout").exists()).count()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, &[])
    }

    pub(crate) fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Run {
        ended(self.start(arguments, environment))
    }

    pub(crate) fn start(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("mutations")
            .args(arguments)
            .env("CARGO_MANIFEST_DIR", self.0.join("xtask"))
            .env_remove("CARGO_TARGET_DIR")
            .envs(environment.iter().copied())
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// What stands in the file, as soon as something does.
    pub(crate) fn wait_for(&self, name: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match fs::read_to_string(self.0.join(name)) {
                Ok(text) if !text.is_empty() => return text,
                _ => assert!(Instant::now() < deadline, "`{name}` was never written"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A table of one guard with these mutations of `tiny`: id, text, replacement, test.
pub(crate) fn table(mutations: &[(&str, &str, &str, &str)]) -> String {
    let head =
        "[[guard]]\nid = 'guard'\nguard = 'Only admins may.'\nmechanism = 'a check'\npoints = []\nreference = []\n";
    let rows = mutations
        .iter()
        .map(|(id, text, replacement, test)| row(id, "tiny/src/lib.rs", text, replacement, &[test], ""));
    head.to_owned() + &rows.collect::<String>()
}

fn row(id: &str, file: &str, text: &str, replacement: &str, tests: &[&str], more: &str) -> String {
    let tests: Vec<String> = tests.iter().map(|test| format!("'tiny lib {test}'")).collect();
    format!(
        "[[guard.mutation]]\nid = '{id}'\nchange = 'something else'\nfile = '{file}'\ntext = '''{text}'''\n\
         replacement = '''{replacement}'''\ntests = [{}]\n{more}",
        tests.join(", "),
    )
}

pub(crate) fn ended(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { passed: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Whether the process is there and not merely waiting to be forgotten by its parent.
#[cfg(target_os = "linux")]
pub(crate) fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}
