use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::python::{self, Pin};
use crate::child::run_within;
use crate::clock::spoken;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

/// What `--only` calls it.
pub(super) const NAME: &str = "differential";

/// So many arguments that mostly fit, and as many that mostly do not, for each schema.
const ARGUMENTS: u32 = 10;
/// The other validator ends within this.
const LIMIT: Duration = Duration::from_secs(180);

/// `xtask/interop/differential.toml`: what judges, and where it may judge otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    package: Vec<Pin>,
    #[serde(default)]
    disagreement: Vec<Rule>,
}

/// A kind of disagreement with its reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    refused_by: Side,
    /// The keyword that refuses.
    keyword: String,
    /// The keyword's text, such as a format's name; left out: any.
    of: Option<String>,
    reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Ours,
    Theirs,
}

/// Why a value is refused: keywords, each with its text where it has one. Empty when it is accepted.
type Refused = Vec<(String, Option<String>)>;

/// A schema with arguments, as our program prints it and theirs answers it.
#[derive(Debug, Deserialize)]
struct Judged {
    tool: String,
    part: String,
    cases: Vec<Case>,
}

#[derive(Debug, Deserialize)]
struct Case {
    value: Value,
    refused: Refused,
}

/// Has arguments for every accepted schema judged by our validator and by the Python one.
///
/// # Errors
/// When either does not run, or a disagreement has no reason in the table.
pub(super) fn run(workspace: &Workspace, folder: &Path) -> Result<()> {
    let begun = Instant::now();
    let rules: Rules = toml::from_str(include_str!("../../interop/differential.toml")).context("differential.toml")?;
    let ours = Invocation::cargo("run --quiet --locked -p mtb-bench --bin differential --");
    let ours = workspace.with_data(ours.with(&ARGUMENTS.to_string())).output(&workspace.root)?;
    let python = python::install(&rules.package, &folder.join("differential-venv"))?;
    let (stdout, stderr) = (folder.join("differential.out"), folder.join("differential.err"));
    let mut judge = Command::new(python);
    judge.arg(workspace.root.join("xtask/interop/python/differential.py")).env("PYTHONDONTWRITEBYTECODE", "1");
    if !run_within(&mut judge, &ours, &stdout, &stderr, LIMIT)?.exited()?.success() {
        bail!("the other validator failed; what it said is in {}", stderr.display());
    }
    let ours: Vec<Judged> = lines(&ours).context("what our validator said")?;
    let theirs: Vec<Vec<Refused>> = lines(&std::fs::read(&stdout)?).context("what the other validator said")?;
    let compared = compare(&ours, &theirs, &rules.disagreement)?;
    println!("{} in {}", compared.told(&rules.disagreement), spoken(begun.elapsed()));
    compared.verdict()
}

fn lines<T: serde::de::DeserializeOwned>(text: &[u8]) -> Result<Vec<T>> {
    Ok(serde_json::Deserializer::from_slice(text).into_iter().collect::<Result<_, _>>()?)
}

/// What came of the comparison.
#[derive(Debug, Default)]
struct Compared {
    schemas: usize,
    accepted: usize,
    refused: usize,
    /// How often each rule was the reason, by its place in the table.
    explained: BTreeMap<usize, usize>,
    unexplained: Vec<String>,
}

fn compare(ours: &[Judged], theirs: &[Vec<Refused>], rules: &[Rule]) -> Result<Compared> {
    if ours.is_empty() || ours.len() != theirs.len() {
        bail!("{} schemas were given to the other validator, which answered {}", ours.len(), theirs.len());
    }
    let mut compared = Compared { schemas: ours.len(), ..Compared::default() };
    for (judged, answers) in ours.iter().zip(theirs) {
        if judged.cases.len() != answers.len() {
            bail!("{}: {} answers for {} arguments", judged.tool, answers.len(), judged.cases.len());
        }
        for (case, theirs) in judged.cases.iter().zip(answers) {
            match (case.refused.is_empty(), theirs.is_empty()) {
                (true, true) => compared.accepted += 1,
                (false, false) => compared.refused += 1,
                (false, true) => compared.disagreement(judged, case, Side::Ours, &case.refused, rules),
                (true, false) => compared.disagreement(judged, case, Side::Theirs, theirs, rules),
            }
        }
    }
    Ok(compared)
}

impl Compared {
    /// Every keyword that refuses needs its reason.
    fn disagreement(&mut self, judged: &Judged, case: &Case, side: Side, refused: &Refused, rules: &[Rule]) {
        let reason = |(keyword, text): &(String, Option<String>)| {
            rules.iter().position(|rule| {
                let of = rule.of.is_none() || rule.of == *text;
                rule.refused_by == side && rule.keyword == *keyword && of
            })
        };
        let Some(reasons) = refused.iter().map(reason).collect::<Option<Vec<usize>>>() else {
            let (Judged { tool, part, .. }, value) = (judged, &case.value);
            return self.unexplained.push(format!("{tool}, {part}: by {side:?} only, for {refused:?}: {value}"));
        };
        for rule in reasons {
            *self.explained.entry(rule).or_default() += 1;
        }
    }

    fn told(&self, rules: &[Rule]) -> String {
        let explained: usize = self.explained.values().sum();
        let reasons = self.explained.iter().filter_map(|(at, count)| Some((rules.get(*at)?, count)));
        let reasons = reasons.map(|(rule, count)| format!("  {count:5}  {}: {}\n", rule.keyword, rule.reason));
        format!(
            "{}{} schemas, both accept {} arguments and refuse {}, {explained} disagreements explained",
            reasons.collect::<String>(),
            self.schemas,
            self.accepted,
            self.refused
        )
    }

    /// # Errors
    /// When a disagreement is not explained, and when arguments of one verdict are missing altogether.
    fn verdict(&self) -> Result<()> {
        if !self.unexplained.is_empty() {
            let shown: Vec<&str> = self.unexplained.iter().take(20).map(String::as_str).collect();
            bail!("{} disagreements without a reason:\n{}", self.unexplained.len(), shown.join("\n"));
        }
        if self.accepted == 0 || self.refused == 0 {
            bail!("both accept {} arguments and refuse {}: that compares nothing", self.accepted, self.refused);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Case, Compared, Judged, Refused, Rules, compare};

    const RULES: &str = "package = []\n[[disagreement]]\nrefused_by = \"ours\"\nkeyword = \"format\"\nof = \"email\"\n\
        reason = \"stricter\"\n";

    fn because(keyword: &str, text: Option<&str>) -> Refused {
        vec![(keyword.into(), text.map(String::from))]
    }

    fn compared(ours: Refused, theirs: Refused) -> Compared {
        let both = || Case { value: json!(1), refused: because("type", None) };
        let neither = || Case { value: json!(2), refused: Vec::new() };
        let cases = vec![both(), neither(), Case { value: json!(3), refused: ours }];
        let judged = Judged { tool: "t".into(), part: "Input".into(), cases };
        let rules: Rules = toml::from_str(RULES).unwrap();
        compare(&[judged], &[vec![because("type", None), Vec::new(), theirs]], &rules.disagreement).unwrap()
    }

    fn problem(ours: Refused, theirs: Refused) -> Option<String> {
        compared(ours, theirs).verdict().err().map(|error| error.to_string())
    }

    #[test]
    fn a_disagreement_needs_its_reason() {
        let email = || because("format", Some("email"));
        for (ours, theirs) in [
            (because("type", None), Vec::new()),
            (because("format", Some("uri")), Vec::new()),
            (Vec::new(), email()),
            ([email(), because("type", None)].concat(), Vec::new()),
        ] {
            let told = problem(ours, theirs).unwrap();
            assert!(told.starts_with("1 disagreements without a reason"), "{told}");
        }
        assert_eq!(problem(email(), Vec::new()), None);
    }

    #[test]
    fn a_comparison_that_refused_nothing_is_none() {
        let judged = Judged { tool: "t".into(), part: "Input".into(), cases: Vec::new() };
        let error = compare(&[judged], &[Vec::new()], &[]).unwrap().verdict().unwrap_err().to_string();
        assert!(error.contains("compares nothing"), "{error}");
    }

    #[test]
    fn an_answer_that_is_missing_is_noticed() {
        let judged = || Judged { tool: "t".into(), part: "Input".into(), cases: Vec::new() };
        assert!(compare(&[], &[], &[]).is_err());
        assert!(compare(&[judged()], &[], &[]).is_err());
        assert!(compare(&[judged()], &[vec![Vec::new()]], &[]).is_err());
    }
}
