use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use mtb_bridge::{Arguments, Call, HandlerError, JsonSchema, Tool, ToolBuilder, ToolResult};
use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem, ToolName};

use crate::definition::Definition;
use crate::governance_table::{GovernanceTable, Governed, Row, place};
use crate::part::{Definitions, NotJson, Part};

/// Turns tool definitions written for an LLM API and one dispatcher into tools, in the order of the definitions.
///
/// `definitions` is an array, as JSON text or value, whose items have any of four shapes: Anthropic (`input_schema`),
/// MCP (`inputSchema`, also `title` and `outputSchema`), `OpenAI` Chat Completions (`function` with `parameters`) and
/// `OpenAI` Responses (`parameters`). Hints and other members are ignored: they decide nothing. A definition without a
/// schema is a tool that takes no arguments.
///
/// `dispatch` runs every one of them. It gets the name and validated arguments, and fails as handlers do.
///
/// ```
/// use mtb_adapt::{GovernanceTable, import_definitions};
/// use mtb_bridge::{Arguments, Call};
/// use mtb_core::{DefinitionCode, ToolName};
///
/// let definitions = r#"[
///     {"type": "function", "function": {"name": "search", "description": "Finds notes."}},
///     {"name": "wipe", "description": "Deletes every note.", "inputSchema": {"type": "object"}}
/// ]"#;
/// let governance = GovernanceTable::text(
///     r#"{"search": {"sensitivity": "none", "reversible": true, "roles": ["reader"]}}"#,
/// );
/// let dispatch = |name: ToolName, _: Arguments, _: Call| async move { Ok(name.to_string()) };
///
/// // `wipe` was not classified, so neither of them starts.
/// let error = import_definitions(definitions, dispatch, &governance).unwrap_err();
/// assert!(error.has(DefinitionCode::MissingGovernance));
/// assert_eq!(error.problems()[0].tool, "wipe");
/// ```
///
/// # Errors
/// One error with every problem of every definition and of the governance; no tool is returned then. Places are JSON
/// Pointers into the definitions, such as `/3/input_schema/properties/to`, or begin with `/governance/`.
pub fn import_definitions<'d, C, D, Fut, R>(
    definitions: impl Into<Definitions<'d>>,
    dispatch: D,
    governance: &GovernanceTable,
) -> Result<Vec<Tool<C>>, DefinitionError>
where
    C: Send + Sync + 'static,
    D: Fn(ToolName, Arguments, Call<C>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, HandlerError>> + Send + 'static,
    R: Into<ToolResult> + 'static,
{
    let dispatch = Arc::new(dispatch);
    let mut import = Import { governance, problems: Vec::new() };
    let mut first = BTreeMap::new();
    let mut tools = Vec::new();
    let items = import.items(definitions.into());
    for (index, item) in items.iter().flatten().enumerate() {
        let Some(definition) = Definition::read(&format!("/{index}"), *item, &mut import.problems) else { continue };
        if let Some(first) = first.insert(definition.name.clone(), index) {
            import.duplicate(&definition, first);
        }
        let governed = import.governed(&definition);
        let name = ToolName::new(&definition.name);
        let dispatch = Arc::clone(&dispatch);
        let tool = builder(&definition, &governed).handler(move |arguments, call| {
            let name = name.clone();
            let dispatch = Arc::clone(&dispatch);
            // A tool whose name is none is refused by the check below, so the error is never seen.
            async move { dispatch(name?, arguments, call).await }
        });
        match tool.build() {
            Ok(tool) => tools.push(tool),
            Err(error) => import.refused(&definition, error),
        }
    }
    if items.is_some() {
        import.unknown(&first);
    }
    import.problems.extend_from_slice(governance.problems());
    DefinitionError::unless_empty(import.problems)?;
    Ok(tools)
}

fn builder(definition: &Definition, governed: &Governed) -> ToolBuilder<JsonSchema> {
    let arguments = definition.arguments.clone().unwrap_or_else(JsonSchema::no_arguments);
    let tool = Tool::declare(&definition.name, &definition.description, arguments, governed.governance().clone());
    let tool = governed.apply(tool);
    let tool = if let Some(title) = &definition.title { tool.title(title) } else { tool };
    if let Some(output) = &definition.output { tool.output(output) } else { tool }
}

/// Collects the problems of everything that is imported together.
struct Import<'g> {
    governance: &'g GovernanceTable,
    problems: Vec<DefinitionProblem>,
}

impl Import<'_> {
    fn items<'d>(&mut self, definitions: Definitions<'d>) -> Option<Vec<Part<'d>>> {
        let (problem, remedy) = match Part::read(definitions.0).map(Part::items) {
            Ok(Some(items)) => return Some(items),
            Ok(None) => {
                let remedy = "pass the array of definitions, for example the `tools` of a `tools/list` result";
                ("the definitions are not a JSON array".to_owned(), remedy)
            }
            Err(NotJson { line, column }) => {
                let problem = format!("the definitions are not valid JSON (line {line}, column {column})");
                (problem, "pass one JSON array of definitions")
            }
        };
        self.problems.push(DefinitionProblem::new("", "", DefinitionCode::InvalidDefinition, problem, remedy));
        None
    }

    fn duplicate(&mut self, definition: &Definition, first: usize) {
        let problem = format!("definition {first} has the same name");
        let (code, place) = (DefinitionCode::DuplicateName, definition.place("/name"));
        self.problems.push(DefinitionProblem::new(&definition.name, place, code, problem, "rename one of them"));
    }

    /// The governance of a tool. Whoever has no usable name is told that first.
    fn governed(&mut self, definition: &Definition) -> Governed {
        let name = &definition.name;
        match self.governance.get(name) {
            Some(Row::Read(governed)) => return governed.clone(),
            None if ToolName::new(name).is_ok() => {
                let remedy = "say how much harm it can do, whether that can be undone, and who may use it";
                let (code, place) = (DefinitionCode::MissingGovernance, definition.place(""));
                self.problems.push(DefinitionProblem::new(name, place, code, "the tool has no governance", remedy));
            }
            Some(Row::Unreadable) | None => {}
        }
        Governed::unclassified()
    }

    /// What the declaration says is told by its place in the definitions or in the governance.
    fn refused(&mut self, definition: &Definition, error: DefinitionError) {
        let name = &definition.name;
        self.problems.extend(error.into_problems().into_iter().map(|mut problem| {
            problem.pointer = match problem.pointer.as_str() {
                "/timeout" => place(name, "/timeout_ms"),
                retain if retain.starts_with("/retain/") => place(name, retain),
                pointer => match pointer.strip_prefix("/governance") {
                    Some(rest) => place(name, rest),
                    None => definition.place(pointer),
                },
            };
            problem
        }));
    }

    fn unknown(&mut self, defined: &BTreeMap<String, usize>) {
        for name in self.governance.names().filter(|name| !defined.contains_key(*name)) {
            let (code, place) = (DefinitionCode::UnknownGovernance, place(name, ""));
            let problem = "no definition has this name";
            let remedy = "correct the name, or remove the governance";
            self.problems.push(DefinitionProblem::new(name, place, code, problem, remedy));
        }
    }
}
