use std::future::Future;
use std::sync::Arc;

use mtb_bridge::{Arguments, Call, HandlerError, JsonSchema, Tool, ToolBuilder, ToolResult};
use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem, ToolName};

use crate::catalogue::{self, Catalogue};
use crate::definition::Definition;
use crate::governance_table::{GovernanceTable, Governed, Row, place};
use crate::options::ImportOptions;
use crate::part::Definitions;

/// Turns tool definitions written for an LLM API and one dispatcher into tools, in the order of the definitions.
///
/// `definitions` is an array, as JSON text or value, or the answer to `tools/list` that holds one. Its items have any
/// of four shapes: Anthropic (`input_schema`), MCP (`inputSchema`, also `title` and `outputSchema`), `OpenAI` Chat
/// Completions (`function` with `parameters`) and `OpenAI` Responses (`parameters`). Hints and other members are
/// ignored: they decide nothing. A definition without a schema is a tool that takes no arguments. An answer with a
/// `nextCursor` is one page: its tools come out, and [`check_definitions`](crate::check_definitions) says that there
/// are more.
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
/// Pointers into the definitions, such as `/3/input_schema/properties/to`, or begin with `/governance/`. The error comes
/// as a [table](DefinitionError::table) and as [JSON](DefinitionError::to_json), too.
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
    import_definitions_with(definitions, dispatch, governance, &ImportOptions::default())
}

/// [`import_definitions`], with schemas read as the options say.
///
/// ```
/// use mtb_adapt::{GovernanceTable, ImportOptions, import_definitions_with};
/// use mtb_bridge::{Arguments, Call, ToolRegistry};
/// use mtb_core::ToolName;
///
/// let definitions = r#"[{"name": "ask", "description": "Asks the data base.", "inputSchema": {
///     "type": "object", "properties": {"query": {"type": "string", "format": "sql"}}
/// }}]"#;
/// let governance = GovernanceTable::text(
///     r#"{"ask": {"sensitivity": "none", "reversible": true, "roles": ["reader"]}}"#,
/// );
/// let dispatch = |name: ToolName, _: Arguments, _: Call| async move { Ok(name.to_string()) };
/// let options = ImportOptions::default().allow_formats(["sql"]);
/// let registry = ToolRegistry::<()>::new();
/// registry.register_all(import_definitions_with(definitions, dispatch, &governance, &options)?)?;
/// assert!(registry.review().to_string().contains("formats `sql`"));
/// # Ok::<(), mtb_core::DefinitionError>(())
/// ```
///
/// # Errors
/// As [`import_definitions`], and when the options name a tool that is not defined or allow what is checked already; the
/// place is then `/options`, or begins with `/options/` and the name of a tool.
pub fn import_definitions_with<'d, C, D, Fut, R>(
    definitions: impl Into<Definitions<'d>>,
    dispatch: D,
    governance: &GovernanceTable,
    options: &ImportOptions,
) -> Result<Vec<Tool<C>>, DefinitionError>
where
    C: Send + Sync + 'static,
    D: Fn(ToolName, Arguments, Call<C>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, HandlerError>> + Send + 'static,
    R: Into<ToolResult> + 'static,
{
    let dispatch = Arc::new(dispatch);
    let mut problems = Vec::new();
    let mut tools = Vec::new();
    let read = catalogue::read(definitions.into(), options, &mut problems, |definition, problems| {
        let mut import = Import { governance, problems };
        let governed = import.governed(&definition);
        let name = ToolName::new(&definition.name);
        let dispatch = Arc::clone(&dispatch);
        let tool = builder(&definition, &governed, options).handler(move |arguments, call| {
            let name = name.clone();
            let dispatch = Arc::clone(&dispatch);
            // A tool whose name is none is refused by the check below, so the error is never seen.
            async move { dispatch(name?, arguments, call).await }
        });
        match tool.build() {
            Ok(tool) => tools.push(tool),
            Err(error) => import.refused(&definition, error),
        }
    });
    if let Some(catalogue) = read {
        Import { governance, problems: &mut problems }.unknown(&catalogue);
    }
    problems.extend_from_slice(governance.problems());
    DefinitionError::unless_empty(problems)?;
    Ok(tools)
}

fn builder(definition: &Definition, governed: &Governed, options: &ImportOptions) -> ToolBuilder<JsonSchema> {
    let (name, description) = (&definition.name, &definition.description);
    let tool = Tool::declare(name, description, definition.arguments.clone(), governed.governance().clone());
    let tool = governed.apply(tool);
    let tool = match (options.summarize.clone(), ToolName::new(name)) {
        (Some(summarize), Ok(name)) => {
            let title = definition.title.clone();
            tool.summarize(move |arguments| summarize.of(&name, title.as_deref(), arguments))
        }
        _ => tool,
    };
    let tool = if let Some(title) = &definition.title { tool.title(title) } else { tool };
    if let Some(output) = &definition.output { tool.output(output) } else { tool }
}

/// Compares the definitions with their governance, and collects the problems.
struct Import<'i> {
    governance: &'i GovernanceTable,
    problems: &'i mut Vec<DefinitionProblem>,
}

impl Import<'_> {
    /// The governance of a tool. Whoever has no usable name is told that first.
    fn governed(&mut self, definition: &Definition) -> Governed {
        let name = &definition.name;
        match self.governance.get(name) {
            Some(Row::Read(governed)) => return governed.clone(),
            None if self.governance.is_readable() && ToolName::new(name).is_ok() => {
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

    fn unknown(&mut self, catalogue: &Catalogue) {
        for name in self.governance.names().filter(|name| !catalogue.defines(name)) {
            let (code, place) = (DefinitionCode::UnknownGovernance, place(name, ""));
            let problem = "no definition has this name";
            let remedy = "correct the name, or remove the governance";
            self.problems.push(DefinitionProblem::new(name, place, code, problem, remedy));
        }
    }
}
