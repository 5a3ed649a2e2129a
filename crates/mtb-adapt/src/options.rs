use std::collections::{BTreeMap, BTreeSet};

use mtb_bridge::{Arguments, JsonSchema};
use mtb_core::{DefinitionCode, DefinitionProblem, Dialect, SchemaProblem, ToolName, UnknownArguments, escape_token};

mod needless;
mod summarize;

pub(crate) use summarize::Summarize;

/// How imported definitions are read. By default their schemas are read as strictly as those of any other tool, and a
/// person who confirms a call reads the title of the tool, else its name.
///
/// Each widening is a single point that is named here, for every tool of the import or for one. The registry's review
/// table shows it beside the tools it holds for.
///
/// ```
/// use mtb_adapt::{ImportOptions, SchemaOptions, check_definitions};
/// use mtb_core::UnknownArguments;
///
/// let definitions = r#"[{"name": "ask", "description": "Asks the data base.", "inputSchema": {
///     "type": "object", "properties": {"query": {"type": "string", "format": "sql", "x-order": 1}}
/// }}]"#;
/// assert!(check_definitions(definitions, &ImportOptions::default()).refused().is_some());
///
/// let options = ImportOptions::default()
///     .unknown_arguments(UnknownArguments::Refuse)
///     .allow_keywords(["x-order"])
///     .for_tool("ask", SchemaOptions::default().allow_formats(["sql"]));
/// assert_eq!(check_definitions(definitions, &options).accepted(), ["ask"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "options do nothing until definitions are imported with them"]
pub struct ImportOptions {
    all: SchemaOptions,
    tools: BTreeMap<String, SchemaOptions>,
    pub(crate) summarize: Option<Summarize>,
}

/// How the schemas of one tool are read, beyond what holds for every tool of the import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "options do nothing until they are part of the options of an import"]
pub struct SchemaOptions {
    formats: BTreeSet<String>,
    keywords: BTreeSet<String>,
    dialects: BTreeMap<String, Dialect>,
    unknown_arguments: Option<UnknownArguments>,
}

impl ImportOptions {
    /// Lets every schema use these formats although nothing checks them. See
    /// [`SchemaSource::allow_formats`](mtb_core::SchemaSource::allow_formats).
    pub fn allow_formats(mut self, formats: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.all = self.all.allow_formats(formats);
        self
    }

    /// Lets every schema hold these keywords although nothing enforces them. See
    /// [`SchemaSource::allow_keywords`](mtb_core::SchemaSource::allow_keywords).
    pub fn allow_keywords(mut self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.all = self.all.allow_keywords(keywords);
        self
    }

    /// Reads every schema that declares a foreign dialect as one that is known. See
    /// [`SchemaSource::allow_dialect`](mtb_core::SchemaSource::allow_dialect).
    pub fn allow_dialect(mut self, uri: impl Into<String>, read_as: Dialect) -> Self {
        self.all = self.all.allow_dialect(uri, read_as);
        self
    }

    /// What is done about arguments that a schema does not declare. See [`UnknownArguments`].
    pub fn unknown_arguments(mut self, unknown_arguments: UnknownArguments) -> Self {
        self.all = self.all.unknown_arguments(unknown_arguments);
        self
    }

    /// The same options with more for one tool. A name that is not defined is a problem of the import; what is said
    /// about a tool twice adds up.
    pub fn for_tool(mut self, name: impl Into<String>, options: SchemaOptions) -> Self {
        self.tools.entry(name.into()).or_default().add(options);
        self
    }

    /// One sentence for the person who confirms a call of an imported tool, made from its name and its arguments: what
    /// happens, to whom, with what consequence. `None` leaves it at the title, else the name. Control characters are
    /// taken out and the rest is cut at 1,000 characters, so say first what matters most. If it panics, the call is
    /// refused.
    ///
    /// The sentence may hold values of arguments: the person must see what is asked for. Where a host carries the yes,
    /// the held result shows it to the model, too, so it must hold nothing that the model may not know. It is never
    /// recorded.
    ///
    /// ```
    /// use mtb_adapt::{GovernanceTable, ImportOptions, import_definitions_with};
    /// use mtb_bridge::{Arguments, Bridge, Call, CallOutcome, CallRequest, ToolRegistry};
    /// use mtb_core::{Principal, ToolName};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let definitions = r#"[{"name": "refund", "description": "Pays an order back.", "inputSchema": {
    ///     "type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]
    /// }}]"#;
    /// let governance = GovernanceTable::text(
    ///     r#"{"refund": {"sensitivity": "high", "reversible": false, "roles": ["billing"]}}"#,
    /// );
    /// let options = ImportOptions::default().summarize(|tool, arguments| match tool.as_str() {
    ///     "refund" => Some(format!("Pay order {} back", arguments.string("order").ok()?)),
    ///     _ => None,
    /// });
    /// let dispatch = |name: ToolName, _: Arguments, _: Call| async move { Ok(name.to_string()) };
    /// let registry = ToolRegistry::new();
    /// registry.register_all(import_definitions_with(definitions, dispatch, &governance, &options)?)?;
    ///
    /// let ada = Principal::new("ada", ["billing"])?;
    /// let call = CallRequest::new("refund", serde_json::json!({"order": "A-7"}));
    /// let outcome = Bridge::new(registry).call_tool(&ada, call).await;
    /// let CallOutcome::ConfirmationRequired { confirmation, .. } = outcome else { panic!("it is held") };
    /// assert_eq!(confirmation.summary, "Pay order A-7 back");
    /// # Ok(())
    /// # }
    /// ```
    pub fn summarize(
        mut self,
        summarize: impl Fn(&ToolName, &Arguments) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.summarize = Some(Summarize::new(summarize));
        self
    }

    pub(crate) fn arguments(&self, tool: &str, schema: JsonSchema) -> JsonSchema {
        let options = self.of(tool);
        let unknown = options.unknown_arguments.unwrap_or_default();
        options.widen(schema).unknown_arguments(unknown)
    }

    pub(crate) fn output(&self, tool: &str, schema: JsonSchema) -> JsonSchema {
        self.of(tool).widen(schema)
    }

    /// The options without what every schema has checked already. Each such point is one problem of the import, not one
    /// of every tool.
    pub(crate) fn without_needless(&self, problems: &mut Vec<DefinitionProblem>) -> Self {
        let mut options = self.clone();
        let mut refuse = |tool: &str, place: &str, needless: Vec<SchemaProblem>| {
            problems.extend(needless.into_iter().map(|SchemaProblem { problem, remedy, .. }| {
                DefinitionProblem::new(tool, place, DefinitionCode::NeedlessOptions, problem, remedy)
            }));
        };
        refuse("", "/options", needless::remove(&mut options.all));
        for (name, options) in &mut options.tools {
            refuse(name, &place(name), needless::remove(options));
        }
        options
    }

    /// A problem for every tool that is named here and not defined.
    pub(crate) fn unknown(&self, is_defined: impl Fn(&str) -> bool, problems: &mut Vec<DefinitionProblem>) {
        for name in self.tools.keys().filter(|name| !is_defined(name)) {
            let problem = "the options name a tool that no definition has";
            let remedy = "correct the name, or remove the options";
            problems.push(DefinitionProblem::new(name, place(name), DefinitionCode::UnknownOptions, problem, remedy));
        }
    }

    fn of(&self, tool: &str) -> SchemaOptions {
        let mut options = self.all.clone();
        options.add(self.tools.get(tool).cloned().unwrap_or_default());
        options
    }
}

impl SchemaOptions {
    /// Lets the schemas of the tool use these formats although nothing checks them.
    pub fn allow_formats(mut self, formats: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.formats.extend(formats.into_iter().map(Into::into));
        self
    }

    /// Lets the schemas of the tool hold these keywords although nothing enforces them.
    pub fn allow_keywords(mut self, keywords: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.keywords.extend(keywords.into_iter().map(Into::into));
        self
    }

    /// Reads the schemas of the tool that declare a foreign dialect as one that is known.
    pub fn allow_dialect(mut self, uri: impl Into<String>, read_as: Dialect) -> Self {
        self.dialects.insert(uri.into(), read_as);
        self
    }

    /// What is done about arguments that the tool's schema does not declare, whatever holds for the others.
    pub fn unknown_arguments(mut self, unknown_arguments: UnknownArguments) -> Self {
        self.unknown_arguments = Some(unknown_arguments);
        self
    }

    fn add(&mut self, more: Self) {
        self.formats.extend(more.formats);
        self.keywords.extend(more.keywords);
        self.dialects.extend(more.dialects);
        self.unknown_arguments = more.unknown_arguments.or(self.unknown_arguments);
    }

    fn widen(self, schema: JsonSchema) -> JsonSchema {
        let schema = schema.allow_formats(self.formats).allow_keywords(self.keywords);
        self.dialects.into_iter().fold(schema, |schema, (uri, read_as)| schema.allow_dialect(uri, read_as))
    }
}

fn place(tool: &str) -> String {
    format!("/options/{}", escape_token(tool))
}
