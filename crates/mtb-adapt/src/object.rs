use std::collections::BTreeSet;

use mtb_core::{DefinitionCode, DefinitionProblem, escape_token};

use crate::part::Part;

/// An object of a document, with the place where it stands.
pub(crate) struct Object<'d> {
    pub(crate) pointer: String,
    members: Vec<(String, Part<'d>)>,
}

impl<'d> Object<'d> {
    /// The object at this place, if the part is one.
    pub(crate) fn at(pointer: String, part: Part<'d>) -> Option<Self> {
        Some(Self { pointer, members: part.members()? })
    }

    /// A member that is there and not `null`.
    pub(crate) fn get(&self, name: &str) -> Option<Part<'d>> {
        self.members.iter().find(|(member, part)| member == name && !part.is_null()).map(|(_, part)| *part)
    }

    /// Each name once, in the order of the document.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        self.members.iter().map(|(name, _)| name.as_str()).filter(move |name| seen.insert(*name))
    }

    /// The place of a member.
    pub(crate) fn place(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, escape_token(name))
    }

    /// A problem for every name that stands in it twice: readers would differ in which one they take.
    pub(crate) fn report_twice(&self, tool: &str, problems: &mut Vec<DefinitionProblem>) {
        let mut seen = BTreeSet::new();
        for (name, _) in self.members.iter().filter(|(name, _)| !seen.insert(name)) {
            let problem = "is given twice in the same object";
            let code = DefinitionCode::InvalidDefinition;
            problems.push(DefinitionProblem::new(tool, self.place(name), code, problem, "keep one of them"));
        }
    }
}
