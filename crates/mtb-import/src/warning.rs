use std::collections::BTreeMap;

use mtb_core::{ToolName, cut, printable};
use serde::Serialize;

use crate::catalogue::Catalogue;

/// What refuses no tool and should be known.
#[derive(Serialize)]
pub(crate) struct Warning {
    pub(crate) code: Code,
    pub(crate) problem: String,
}

/// Kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    /// The file is one page of the tools of a server.
    OnePage,
    /// The list of tools is empty.
    NoTools,
    /// Several files define a tool of this name.
    RepeatedName,
    /// The governance file has no entry for a definition.
    NoGovernance,
}

/// Everything to warn of in these catalogues, whose governance may be written at the same time.
pub(crate) fn warnings(catalogues: &[Catalogue], has_governance: bool) -> Vec<Warning> {
    let single = catalogues.iter().flat_map(|catalogue| one_page(catalogue).into_iter().chain(no_tools(catalogue)));
    let mut warnings: Vec<_> = single.chain(repeated(catalogues)).collect();
    if has_governance {
        warnings.extend(catalogues.iter().flat_map(ungoverned));
    }
    warnings
}

fn one_page(catalogue: &Catalogue) -> Option<Warning> {
    let problem = format!(
        "{} is one page: it has a `nextCursor`, so the server has more tools; ask `tools/list` for the rest",
        catalogue.label
    );
    catalogue.report.is_one_page().then_some(Warning { code: Code::OnePage, problem })
}

fn no_tools(catalogue: &Catalogue) -> Option<Warning> {
    let problem = format!("{} has no tools: its list of them is empty", catalogue.label);
    catalogue.definitions().is_empty().then_some(Warning { code: Code::NoTools, problem })
}

/// Of two definitions in the same file, both are refused.
fn repeated(catalogues: &[Catalogue]) -> Vec<Warning> {
    let mut places: BTreeMap<&str, BTreeMap<usize, String>> = BTreeMap::new();
    for (file, catalogue) in catalogues.iter().enumerate() {
        for definition in catalogue.definitions().iter().filter(|definition| !definition.name().is_empty()) {
            let place = || format!("{} at {}", catalogue.label, definition.pointer());
            places.entry(definition.name()).or_default().entry(file).or_insert_with(place);
        }
    }
    let repeated = places.into_iter().filter(|(_, files)| files.len() > 1).map(|(name, files)| {
        let files: Vec<_> = files.into_values().collect();
        let name = cut(&printable(name), ToolName::MAX_CHARS);
        let problem = format!("`{name}` is defined in {}; a registry takes one tool of a name", files.join(" and in "));
        Warning { code: Code::RepeatedName, problem }
    });
    repeated.collect()
}

fn ungoverned(catalogue: &Catalogue) -> impl Iterator<Item = Warning> {
    let unusable = catalogue.definitions().iter().filter(|definition| ToolName::new(definition.name()).is_err());
    unusable.map(|definition| {
        let (label, place) = (&catalogue.label, definition.pointer());
        let problem = format!("the governance has no entry for {label} at {place}: the definition has no usable name");
        Warning { code: Code::NoGovernance, problem }
    })
}
