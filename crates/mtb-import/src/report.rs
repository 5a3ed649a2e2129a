use std::fmt;

use mtb_adapt::{ImportOptions, check_definitions};
use mtb_core::{DefinitionError, DefinitionProblem};
use serde::Serialize;

use crate::catalogue::Catalogue;

/// What is accepted and what is refused, file by file.
pub(crate) struct Report(Vec<Judged>);

struct Judged {
    file: String,
    accepted: Vec<String>,
    refused: Option<DefinitionError>,
}

/// The report for programs. Names may repeat from file to file.
#[derive(Serialize)]
struct Document<'r> {
    accepted: Vec<&'r str>,
    refused: Vec<Refused<'r>>,
}

#[derive(Serialize)]
struct Refused<'r> {
    tool: &'r str,
    file: &'r str,
    problems: Vec<&'r DefinitionProblem>,
}

impl Report {
    pub(crate) fn on(catalogues: &[Catalogue], options: &ImportOptions) -> Self {
        Self(catalogues.iter().map(|catalogue| Judged::of(catalogue, options)).collect())
    }

    /// Whether nothing is refused.
    pub(crate) fn is_accepted(&self) -> bool {
        self.0.iter().all(|judged| judged.refused.is_none())
    }

    pub(crate) fn to_json(&self) -> String {
        let accepted = self.0.iter().flat_map(|judged| judged.accepted.iter().map(String::as_str)).collect();
        let refused = self.0.iter().flat_map(|judged| {
            let tools = judged.refused.iter().flat_map(DefinitionError::by_tool);
            tools.map(|tool| Refused { tool: tool.tool, file: &judged.file, problems: tool.problems })
        });
        // Text under fixed names can always be written.
        serde_json::to_string_pretty(&Document { accepted, refused: refused.collect() }).unwrap_or_default()
    }
}

impl Judged {
    fn of(catalogue: &Catalogue, options: &ImportOptions) -> Self {
        let report = check_definitions(catalogue.definitions.get(), options);
        let mut problems = report.refused().map(|error| error.problems().to_vec()).unwrap_or_default();
        for problem in &mut problems {
            problem.pointer.insert_str(0, catalogue.place);
        }
        Self {
            file: catalogue.label.clone(),
            accepted: report.accepted().to_vec(),
            refused: DefinitionError::unless_empty(problems).err(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Judged { file, accepted, refused }) in self.0.iter().enumerate() {
            let count = refused.as_ref().map_or(0, |error| error.by_tool().len());
            let blank = if at == 0 { "" } else { "\n" };
            writeln!(f, "{blank}{file}: {} accepted, {count} refused", accepted.len())?;
            accepted.iter().try_for_each(|name| writeln!(f, "accepted: {name}"))?;
            refused.iter().try_for_each(|error| write!(f, "{}", error.table()))?;
        }
        Ok(())
    }
}
