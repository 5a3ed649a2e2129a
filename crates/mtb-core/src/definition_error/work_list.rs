use std::collections::HashMap;

use serde::Serialize;

use super::DefinitionProblem;

/// Everything that is wrong with one tool. Serialised as `{"tool", "problems"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolProblems<'e> {
    /// The name of the tool, as declared; empty for what is no tool's own.
    pub tool: &'e str,
    /// Its problems, in the order of the error.
    pub problems: Vec<&'e DefinitionProblem>,
}

pub(super) fn by_tool(problems: &[DefinitionProblem]) -> Vec<ToolProblems<'_>> {
    let mut tools: Vec<ToolProblems<'_>> = Vec::new();
    let mut places = HashMap::new();
    for problem in problems {
        let tool = problem.tool.as_str();
        let place = *places.entry(tool).or_insert(tools.len());
        match tools.get_mut(place) {
            Some(known) => known.problems.push(problem),
            None => tools.push(ToolProblems { tool, problems: vec![problem] }),
        }
    }
    tools
}
