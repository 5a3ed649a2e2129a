use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use super::built;
use super::cargo::{Built, Cargo, Program, Ran};
use super::checkout::Checkout;
use super::libtest::Outcome;
use super::table::{Mutation, TestName, TestTarget};
use super::verdict::Verdict;

/// How long the tests of one target may take, unless a mutation says otherwise.
const TEST_LIMIT: Duration = Duration::from_secs(120);

/// A place to try mutants one after the other: a checkout, and a folder of built tests that stays warm.
#[derive(Debug)]
pub(super) struct Bench {
    checkout: Checkout,
    cargo: Cargo,
    /// The test programs that were seen green here, without any mutant.
    green: BTreeSet<TestTarget>,
}

impl Bench {
    /// Makes the checkout in `folder`, and uses what an earlier run has built there. Where nothing was built yet, it
    /// starts with the dependencies that stand in `ordinary`, the target folder of everyday builds.
    ///
    /// # Errors
    /// When a file cannot be copied.
    pub(super) fn set_up(root: &Path, folder: &Path, ordinary: &Path) -> Result<Self> {
        let target = folder.join("target");
        if !target.exists() {
            built::copy(ordinary, &target)?;
        }
        // After that: the checkout must be newer than what was built of the same files elsewhere.
        let checkout = Checkout::copy(root, folder.join("checkout"))?;
        let cargo = Cargo {
            checkout: checkout.folder().to_path_buf(),
            target,
            temporary: folder.join("temporary"),
            printed: folder.to_path_buf(),
        };
        cargo.clear_temporary()?;
        Ok(Self { checkout, cargo, green: BTreeSet::new() })
    }

    pub(super) fn green(&self) -> &BTreeSet<TestTarget> {
        &self.green
    }

    /// Sees these tests pass as the source is.
    ///
    /// # Errors
    /// When they do not compile, or one does not pass or does not exist: then no mutant proves anything.
    pub(super) fn baseline(&mut self, tests: &BTreeMap<&TestTarget, BTreeSet<&str>>) -> Result<()> {
        let programs = self.build(tests.keys().copied())?;
        for (&target, names) in tests {
            let names: Vec<&str> = names.iter().copied().collect();
            let Some(program) = programs.get(target) else { bail!("there is no `{target}`") };
            // The first run of a program may build more, for programs that must not compile.
            let Ran::Ended(printed) = self.cargo.test(target, program, &names, 4 * TEST_LIMIT)? else {
                bail!("the tests of `{target}` took too long without any mutant");
            };
            let outcomes = printed.outcomes();
            for name in names {
                match outcomes.get(name) {
                    Some(Outcome::Passed) => {}
                    Some(Outcome::Failed) => bail!("`{target} {name}` is red without any mutant:\n{printed}"),
                    Some(Outcome::Ignored) => bail!("`{target} {name}` is not run: it is ignored"),
                    None => bail!("`{target}` has no test `{name}`:\n{printed}"),
                }
            }
            self.green.insert(target.clone());
        }
        Ok(())
    }

    /// Tries one mutant.
    ///
    /// # Errors
    /// When the checkout or cargo fails, or we were interrupted: nothing is known then.
    pub(super) fn attempt(&self, mutation: &Mutation) -> Result<Verdict> {
        let judged = self.checkout.with(mutation, || self.judge(mutation))?;
        self.cargo.clear_temporary()?;
        Ok(judged.unwrap_or_else(Verdict::Stale))
    }

    fn build<'t>(&self, targets: impl IntoIterator<Item = &'t TestTarget>) -> Result<BTreeMap<TestTarget, Program>> {
        match self.cargo.build(targets)? {
            Built::Compiled(programs) => Ok(programs),
            Built::Refused(said) => bail!("the tests do not compile:\n{said}"),
            Built::TimedOut => bail!("building the tests took too long"),
        }
    }

    fn judge(&self, mutation: &Mutation) -> Result<Verdict> {
        let limit = mutation.seconds.map_or(TEST_LIMIT, Duration::from_secs);
        let mut by_target: BTreeMap<&TestTarget, Vec<&TestName>> = BTreeMap::new();
        for test in &mutation.tests {
            by_target.entry(&test.target).or_default().push(test);
        }
        let programs = match self.cargo.build(by_target.keys().copied())? {
            Built::Compiled(programs) => programs,
            Built::Refused(said) => return Ok(Verdict::Invalid(said)),
            Built::TimedOut => return Ok(Verdict::Inconclusive("building it took too long".into())),
        };
        let mut survived = Vec::new();
        for (target, tests) in by_target {
            let Some(program) = programs.get(target).filter(|program| program.is_new) else {
                return Ok(Verdict::Inconclusive(format!("`{target}` is built without `{}`", mutation.file)));
            };
            let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
            let Ran::Ended(printed) = self.cargo.test(target, program, &names, limit)? else {
                let why =
                    format!("`{target}` did not end within {} s: name tests that fail, not hang", limit.as_secs());
                return Ok(Verdict::Inconclusive(why));
            };
            let outcomes = printed.outcomes();
            for test in tests {
                match outcomes.get(test.name.as_str()) {
                    Some(Outcome::Failed) => {}
                    Some(_) => survived.push(test.clone()),
                    None => return Ok(Verdict::Inconclusive(format!("`{test}` ended without a verdict:\n{printed}"))),
                }
            }
            if let Some(program) = &mutation.compiles
                && survived.is_empty()
                && !printed.tells_compiled(program)
            {
                let why = "still does not compile: give the program this one error, or the mutant all it takes";
                return Ok(Verdict::Inconclusive(format!("`{program}` {why}\n{printed}")));
            }
        }
        Ok(if survived.is_empty() { Verdict::Caught } else { Verdict::Survived(survived) })
    }
}
