use mtb_bridge::JsonSchema;
use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem};

use crate::object::Object;
use crate::options::ImportOptions;
use crate::part::Part;

/// The member that holds the argument schema: Anthropic, MCP, `OpenAI`.
const SCHEMAS: [&str; 3] = ["input_schema", "inputSchema", "parameters"];

/// What a definition for an LLM API says about a tool, whatever its shape.
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) arguments: JsonSchema,
    pub(crate) output: Option<JsonSchema>,
    /// Where name and description stand.
    body: String,
    /// Which of the two are not there, or `null`.
    lacks: Vec<&'static str>,
    /// Where the argument schema stands, or would.
    schema: String,
}

impl Definition {
    /// Reads one of the four shapes:
    /// - `{name, description, input_schema}` (Anthropic Messages),
    /// - `{name, title, description, inputSchema, outputSchema}` (MCP),
    /// - `{type: "function", function: {name, description, parameters}}` (`OpenAI` Chat Completions),
    /// - `{type: "function", name, description, parameters}` (`OpenAI` Responses).
    pub(crate) fn read(
        pointer: &str,
        part: Part<'_>,
        options: &ImportOptions,
        problems: &mut Vec<DefinitionProblem>,
    ) -> Option<Self> {
        let mut refuse = |tool: &str, pointer: &str, problem: &str, remedy: &str| {
            problems.push(DefinitionProblem::new(tool, pointer, DefinitionCode::InvalidDefinition, problem, remedy));
        };
        let Some(outer) = Object::at(pointer.to_owned(), part) else {
            refuse("", pointer, "a definition is a JSON object", "write it in the form of Anthropic, MCP or OpenAI");
            return None;
        };
        let inner = match outer.get("function").map(|function| Object::at(outer.place("function"), function)) {
            Some(None) => {
                let remedy = "put name, description and parameters into it";
                refuse("", &outer.place("function"), "`function` is not a JSON object", remedy);
                return None;
            }
            Some(inner) => inner,
            None => None,
        };
        let body = inner.as_ref().unwrap_or(&outer);
        let text = |member: &str| body.get(member).map(|part| part.scalar::<String>().unwrap_or_default());
        let name = text("name").unwrap_or_default();

        let kind = outer.get("type").map(Part::scalar::<String>);
        if !matches!(kind.as_ref().map(Option::as_deref), None | Some(Some("function" | "custom"))) {
            let problem = "`type` is neither `function` nor `custom`";
            let remedy = "leave the definition out if the API's own side runs the tool, else write `function`";
            refuse(&name, &outer.place("type"), problem, remedy);
        }
        let schemas: Vec<_> = inner.iter().chain([&outer]).flat_map(schemas).collect();
        if let [_, (second, _), ..] = schemas.as_slice() {
            refuse(&name, second, "the definition has a second argument schema", "keep the one that applies");
        }
        for object in inner.iter().chain([&outer]) {
            for member in object.names().filter(|member| looks_like_a_schema(member)) {
                let problem = "is read by nobody, and looks like the argument schema";
                refuse(&name, &object.place(member), problem, "write `input_schema`, `inputSchema` or `parameters`");
            }
        }
        for object in inner.iter().chain([&outer]) {
            object.report_twice(&name, problems);
        }
        let (schema, arguments) = match schemas.into_iter().next() {
            Some((place, part)) => (place, part.schema()),
            None => (body.pointer.clone(), JsonSchema::no_arguments()),
        };
        Some(Self {
            title: text("title"),
            description: text("description").unwrap_or_default(),
            arguments: options.arguments(&name, arguments),
            output: body.get("outputSchema").map(|part| options.output(&name, part.schema())),
            body: body.pointer.clone(),
            lacks: ["name", "description"].into_iter().filter(|member| body.get(member).is_none()).collect(),
            schema,
            name,
        })
    }

    /// What is wrong with the declaration, told by its place in the definitions.
    pub(crate) fn placed(&self, error: DefinitionError) -> impl Iterator<Item = DefinitionProblem> {
        error.into_problems().into_iter().map(|mut problem| {
            problem.pointer = self.place(&problem.pointer);
            problem
        })
    }

    /// The place in the definitions for a place in the declaration; for what is missing, where it would have to be added.
    pub(crate) fn place(&self, pointer: &str) -> String {
        let under = |member: &str| pointer.strip_prefix(member).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        match (under("/arguments"), under("/output")) {
            (Some(rest), _) => format!("{}{rest}", self.schema),
            (_, Some(rest)) => format!("{}/outputSchema{rest}", self.body),
            _ if self.lacks.iter().any(|member| under(&format!("/{member}")).is_some()) => self.body.clone(),
            _ => format!("{}{pointer}", self.body),
        }
    }
}

/// Whether a member is a misspelt argument schema. Passed over, it would make a tool that takes no arguments.
fn looks_like_a_schema(member: &str) -> bool {
    const LOOKS: [&str; 6] = ["argumentschema", "argumentsschema", "inputschema", "parameter", "parameters", "schema"];
    let letters = member.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    !SCHEMAS.contains(&member) && LOOKS.contains(&&*letters.collect::<String>())
}

fn schemas<'d>(object: &Object<'d>) -> Vec<(String, Part<'d>)> {
    SCHEMAS.iter().filter_map(|name| Some((object.place(name), object.get(name)?))).collect()
}
