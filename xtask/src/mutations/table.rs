use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// Where the table is, from the root; one file an area.
pub(crate) const FOLDER: &str = "xtask/mutations";

/// The integration tests whose programs must not compile.
const COMPILE_FAIL: &str = "compile_fail";

/// What must hold, and each way of taking it away, in the order of the files and of their rows.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) guards: Vec<Guard>,
}

/// A promise, and the places where the code keeps it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Guard {
    pub(crate) id: String,
    /// The promise, one sentence.
    #[serde(rename = "guard")]
    pub(crate) promise: String,
    /// How the code keeps it.
    pub(crate) mechanism: String,
    /// The invariants of ARCHITECTURE.md that it is part of, by number.
    pub(crate) points: BTreeSet<u8>,
    /// The guards of the reference system that it takes over, by number.
    pub(crate) reference: BTreeSet<u8>,
    #[serde(rename = "mutation")]
    pub(crate) mutations: Vec<Mutation>,
}

/// One edit that takes a guard away in one place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutation {
    pub(crate) id: String,
    /// What the edited code does.
    pub(crate) change: String,
    /// From the root, with `/` between folders.
    pub(crate) file: String,
    /// Stands in the file exactly once.
    pub(crate) text: String,
    pub(crate) replacement: String,
    /// Each of them must fail.
    pub(crate) tests: Vec<TestName>,
    /// The program that must not compile and that the mutant lets compile, from the root. Its test alone would be red
    /// for any change of what the compiler says.
    pub(crate) compiles: Option<String>,
    /// How long the tests of one target may take; two minutes when it is not said.
    pub(crate) seconds: Option<u64>,
}

/// A test, written `PACKAGE TARGET NAME`: `TARGET` is `lib`, `bin` or the name of an integration test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TestName {
    pub(crate) target: TestTarget,
    pub(crate) name: String,
}

/// A program that cargo builds of a package's tests.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TestTarget {
    pub(crate) package: String,
    pub(crate) target: String,
}

impl Table {
    /// Reads every file of [`FOLDER`] below `root`.
    ///
    /// # Errors
    /// When the folder cannot be read or a file is no table; [`Self::problems`] is what is wrong inside one.
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let folder = root.join(FOLDER);
        let entries = std::fs::read_dir(&folder).with_context(|| format!("no table of mutations in {FOLDER}"))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        paths.sort();
        let mut texts = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            texts.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text));
        }
        Self::parse(texts.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// Reads the files, each a name and its text.
    ///
    /// # Errors
    /// When one is no table.
    pub(crate) fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Area {
            guard: Vec<Guard>,
        }
        let mut guards = Vec::new();
        for (name, text) in files {
            let area: Area = toml::from_str(text).with_context(|| format!("{FOLDER}/{name} is no table of guards"))?;
            guards.extend(area.guard);
        }
        Ok(Self { guards })
    }

    pub(crate) fn mutations(&self) -> impl Iterator<Item = &Mutation> {
        self.guards.iter().flat_map(|guard| &guard.mutations)
    }

    /// What makes the table say nothing, or two things.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.guards.is_empty() {
            problems.push("no guard is in it, so it proves nothing".to_owned());
        }
        let mut ids = BTreeSet::new();
        let all = self.guards.iter().map(|guard| &guard.id).chain(self.mutations().map(|mutation| &mutation.id));
        for id in all.filter(|id| !ids.insert(*id)) {
            problems.push(format!("`{id}` is there twice"));
        }
        for guard in self.guards.iter().filter(|guard| guard.mutations.is_empty()) {
            problems.push(format!("`{}` has no mutation", guard.id));
        }
        for Mutation { id, file, text, replacement, tests, compiles, .. } in self.mutations() {
            if text.is_empty() || text == replacement {
                problems.push(format!("`{id}` changes nothing"));
            }
            if tests.is_empty() {
                problems.push(format!("`{id}` names no test"));
            }
            let is_of_compiler = tests.iter().any(|test| test.target.target == COMPILE_FAIL);
            if is_of_compiler != compiles.is_some() {
                problems.push(format!(
                    "`{id}` must say with `compiles` which program of `{COMPILE_FAIL}` compiles without the guard, and \
                     only then"
                ));
            }
            if Path::new(file).components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
                problems.push(format!("`{id}` names `{file}`, which is not a path from the root"));
            }
        }
        problems
    }
}

impl Mutation {
    /// The text of the file as the mutant has it.
    ///
    /// # Errors
    /// How often the text to replace is there, when that is not once.
    pub(crate) fn apply(&self, source: &str) -> Result<String, usize> {
        match source.matches(&self.text).count() {
            1 => Ok(source.replacen(&self.text, &self.replacement, 1)),
            many => Err(many),
        }
    }

    /// The programs that its tests are in.
    pub(crate) fn targets(&self) -> BTreeSet<&TestTarget> {
        self.tests.iter().map(|test| &test.target).collect()
    }
}

impl TryFrom<String> for TestName {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        let parts: Vec<&str> = text.splitn(3, ' ').collect();
        let [package, target, name] = parts.as_slice() else {
            bail!("`{text}` names no test: write `PACKAGE TARGET NAME`");
        };
        let target = TestTarget { package: (*package).into(), target: (*target).into() };
        Ok(Self { target, name: (*name).into() })
    }
}

impl fmt::Display for TestName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.target, self.name)
    }
}

impl fmt::Display for TestTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.package, self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    const SOUND: &str = r#"
        [[guard]]
        id = "once"
        guard = "It works once."
        mechanism = "`take` removes"
        points = [5]
        reference = [2]
        [[guard.mutation]]
        id = "peek"
        change = "it stays"
        file = "crates/a/src/lib.rs"
        text = "remove()"
        replacement = "get()"
        tests = ["a lib tests::once"]
    "#;

    fn problems(edits: &[(&str, &str)]) -> Vec<String> {
        let text = edits.iter().fold(SOUND.to_owned(), |text, (old, new)| text.replace(old, new));
        match Table::parse([("a.toml", text.as_str())]) {
            Ok(table) => table.problems(),
            Err(error) => vec![format!("{error:#}")],
        }
    }

    #[test]
    fn a_table_says_each_thing_once_and_means_something() {
        assert_eq!(problems(&[]), [""; 0]);
        let unsaid = "`peek` must say with `compiles` which program of `compile_fail` compiles without the guard, and \
            only then";
        let rows: [(&[(&str, &str)], &str); 8] = [
            (&[("a lib tests", "a compile_fail tests")], unsaid),
            (&[("text =", "compiles = \"crates/a/tests/compile_fail/b.rs\"\ntext =")], unsaid),
            (&[("\"peek\"", "\"once\"")], "`once` is there twice"),
            (&[("\"get()\"", "\"remove()\"")], "`peek` changes nothing"),
            (&[("\"remove()\"", "\"\"")], "`peek` changes nothing"),
            (&[("\"a lib tests::once\"", "")], "`peek` names no test"),
            (&[("crates/a", "../a")], "`peek` names `../a/src/lib.rs`, which is not a path from the root"),
            (&[("crates/a", "/a")], "`peek` names `/a/src/lib.rs`, which is not a path from the root"),
        ];
        for (edits, problem) in rows {
            assert_eq!(problems(edits), [problem]);
        }
    }

    #[test]
    fn an_empty_table_is_no_proof() {
        for files in [&[][..], &[("a.toml", "guard = []")]] {
            let table = Table::parse(files.iter().copied()).unwrap();
            assert_eq!(table.problems(), ["no guard is in it, so it proves nothing"]);
        }
    }

    #[test]
    fn what_is_no_table_is_not_read() {
        for (old, new) in
            [("a lib tests::once", "tests::once"), ("points", "point"), ("change =", "changed ="), ("[5]", "5")]
        {
            let told = problems(&[(old, new)]);
            assert!(told.len() == 1 && told[0].starts_with("xtask/mutations/a.toml is no table of guards"), "{told:?}");
        }
    }

    #[test]
    fn a_text_is_replaced_where_it_stands_exactly_once() {
        let table = Table::parse([("a.toml", SOUND)]).unwrap();
        let mutation = table.mutations().next().unwrap();
        assert_eq!(mutation.apply("x.remove();").unwrap(), "x.get();");
        assert_eq!(mutation.apply("x.take();"), Err(0));
        assert_eq!(mutation.apply("x.remove(); y.remove();"), Err(2));
    }
}
