use std::fmt::{self, Write as _};

use mtb_core::{DefinitionError, DefinitionProblem};
use serde::Serialize;

use crate::catalogue::Catalogue;
use crate::remedy::as_options;
use crate::warning::{Warning, warnings};

/// What is accepted and what is refused, file by file.
pub(crate) struct Report {
    files: Vec<Judged>,
    warnings: Vec<Warning>,
}

struct Judged {
    file: String,
    accepted: Vec<String>,
    /// How many definitions are not accepted: several may share a name, or have none.
    count: usize,
    refused: Option<DefinitionError>,
}

/// The report for programs. Names may repeat from file to file.
#[derive(Serialize)]
struct Document<'r> {
    accepted: Vec<&'r str>,
    refused: Vec<Refused<'r>>,
    #[serde(skip_serializing_if = "<[Warning]>::is_empty")]
    warnings: &'r [Warning],
}

#[derive(Serialize)]
struct Refused<'r> {
    tool: &'r str,
    file: &'r str,
    problems: Vec<&'r DefinitionProblem>,
}

impl Report {
    pub(crate) fn on(catalogues: &[Catalogue], has_governance: bool) -> Self {
        let warnings = warnings(catalogues, has_governance);
        Self { files: catalogues.iter().map(Judged::of).collect(), warnings }
    }

    /// Whether nothing is refused.
    pub(crate) fn is_accepted(&self) -> bool {
        self.files.iter().all(|judged| judged.refused.is_none())
    }

    pub(crate) fn to_json(&self) -> String {
        let accepted = self.files.iter().flat_map(|judged| judged.accepted.iter().map(String::as_str)).collect();
        let refused = self.files.iter().flat_map(|judged| {
            let tools = judged.refused.iter().flat_map(DefinitionError::by_tool);
            tools.map(|tool| Refused { tool: tool.tool, file: &judged.file, problems: tool.problems })
        });
        let document = Document { accepted, refused: refused.collect(), warnings: &self.warnings };
        // Text under fixed names can always be written.
        escaped(&serde_json::to_string_pretty(&document).unwrap_or_default())
    }
}

/// JSON with what changes how a line is shown as an escape; outside strings there is nothing of the kind.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || mtb_core::printable(c.encode_utf8(&mut [0; 4])).starts_with(c) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

impl Judged {
    fn of(catalogue: &Catalogue) -> Self {
        let report = &catalogue.report;
        let mut problems = report.refused().map(|error| error.problems().to_vec()).unwrap_or_default();
        for problem in &mut problems {
            problem.remedy = as_options(&problem.remedy);
        }
        Self {
            file: catalogue.label.clone(),
            accepted: report.accepted().to_vec(),
            count: catalogue.definitions().iter().filter(|definition| !definition.is_accepted()).count(),
            refused: DefinitionError::unless_empty(problems).err(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Judged { file, accepted, count, refused }) in self.files.iter().enumerate() {
            let blank = if at == 0 { "" } else { "\n" };
            writeln!(f, "{blank}{file}: {} accepted, {count} refused", accepted.len())?;
            accepted.iter().try_for_each(|name| writeln!(f, "accepted: {name}"))?;
            refused.iter().try_for_each(|error| write!(f, "{}", error.table()))?;
        }
        if self.files.len() > 1 {
            let sum = |count: fn(&Judged) -> usize| self.files.iter().map(count).sum::<usize>();
            let (accepted, refused) = (sum(|judged| judged.accepted.len()), sum(|judged| judged.count));
            writeln!(f, "\nin all: {accepted} accepted, {refused} refused")?;
        }
        if !self.warnings.is_empty() {
            writeln!(f)?;
        }
        self.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {}", warning.problem))
    }
}
