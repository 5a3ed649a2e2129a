use std::collections::BTreeMap;
use std::time::Duration;

use mtb_bridge::{JsonSchema, ToolBuilder};
use mtb_core::{
    ConfirmMode, DefinitionCode, DefinitionProblem, Governance, Retain, Reversibility, Sensitivity, any_of,
    escape_token,
};

mod read;

/// What imported definitions do not say: harm, reversibility and roles of every tool, by name.
///
/// Nothing is checked until tools are imported; then every problem of it is reported together with theirs.
///
/// ```
/// use std::time::Duration;
///
/// use mtb_adapt::{Governed, GovernanceTable};
/// use mtb_core::{Governance, Retain, Reversibility, Sensitivity, any_of};
///
/// let search = Governance {
///     sensitivity: Sensitivity::None,
///     reversibility: Reversibility::Reversible,
///     roles: any_of(["support"]),
/// };
/// let refund = Governance {
///     sensitivity: Sensitivity::High,
///     reversibility: Reversibility::Irreversible,
///     roles: any_of(["billing"]),
/// };
/// let table = GovernanceTable::new().tool("search_orders", search).tool(
///     "refund_order",
///     Governed::new(refund).retain(Retain::nothing().argument("/order")).timeout(Duration::from_secs(10)),
/// );
///
/// let same = GovernanceTable::text(
///     r#"{
///         "search_orders": {"sensitivity": "none", "reversible": true, "roles": ["support"]},
///         "refund_order": {
///             "sensitivity": "high", "reversible": false, "roles": ["billing"],
///             "retain": {"arguments": ["/order"]}, "timeout_ms": 10000
///         }
///     }"#,
/// );
/// assert_eq!(table, same);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a table does nothing until definitions are imported with it"]
pub struct GovernanceTable {
    rows: BTreeMap<String, Row>,
    problems: Vec<DefinitionProblem>,
    is_readable: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Row {
    Read(Governed),
    /// Its problems are among those of the table.
    Unreadable,
}

/// The governance of one imported tool, with what is optional.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "governance does nothing until it is in a table"]
pub struct Governed {
    governance: Governance,
    confirm: ConfirmMode,
    retain: Retain,
    timeout: Option<Duration>,
}

impl GovernanceTable {
    /// A table without tools.
    #[expect(clippy::new_without_default, reason = "governance has no default")]
    pub fn new() -> Self {
        Self { rows: BTreeMap::new(), problems: Vec::new(), is_readable: true }
    }

    /// A table as JSON text: an object with one member for each tool.
    ///
    /// A tool has `sensitivity` (`none`, `low`, `medium`, `high` or `critical`), `reversible` (a boolean) and `roles`
    /// (an array of names, at least one). It may have `confirm` (`policy` or `always`), `retain` (`arguments` and
    /// `result`, arrays of JSON Pointers, and `errors`, a boolean) and `timeout_ms` (milliseconds). A member that is
    /// `null` is not set. Anything else is a problem, except members of the name `//`: these are comments, in the
    /// table, in a tool and in `retain`, and hold whatever people write to each other. No tool can have that name.
    ///
    /// ```
    /// use mtb_adapt::GovernanceTable;
    ///
    /// let table = r#"{
    ///     "//": "reviewed by the billing team",
    ///     "refund": {"//": ["money leaves"], "sensitivity": "high", "reversible": false, "roles": ["billing"]}
    /// }"#;
    /// let without = r#"{"refund": {"sensitivity": "high", "reversible": false, "roles": ["billing"]}}"#;
    /// assert_eq!(GovernanceTable::text(table), GovernanceTable::text(without));
    /// ```
    pub fn text(table: &str) -> Self {
        read::table(table)
    }

    /// The same table with the governance of one more tool.
    pub fn tool(mut self, name: &str, governed: impl Into<Governed>) -> Self {
        self.add(name, Row::Read(governed.into()));
        self
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Row> {
        self.rows.get(name)
    }

    /// Whether a tool that is not in it was left out. A text that nobody can read says of no tool that it is ungoverned.
    pub(crate) fn is_readable(&self) -> bool {
        self.is_readable
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    pub(crate) fn problems(&self) -> &[DefinitionProblem] {
        &self.problems
    }

    fn add(&mut self, name: &str, row: Row) {
        if self.rows.insert(name.to_owned(), row).is_some() {
            let problem = "the governance of the tool is given twice";
            let code = DefinitionCode::DuplicateName;
            self.problems.push(DefinitionProblem::new(name, place(name, ""), code, problem, "keep one of them"));
        }
    }
}

impl Governed {
    /// This governance, with confirmation left to the policy, nothing kept by the audit and no time limit.
    pub fn new(governance: Governance) -> Self {
        Self { governance, confirm: ConfirmMode::Policy, retain: Retain::nothing(), timeout: None }
    }

    /// Every call waits for a person's yes, whatever the policy says.
    pub fn always_confirm(mut self) -> Self {
        self.confirm = ConfirmMode::Always;
        self
    }

    /// What the audit may keep of calls.
    pub fn retain(mut self, retain: Retain) -> Self {
        self.retain = retain;
        self
    }

    /// The longest one call may take, 1 ms to 2^31 − 1 ms.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Stands in for governance that is missing or unreadable while the rest of a definition is checked. Such a tool
    /// never comes out: the problem is reported already.
    pub(crate) fn unclassified() -> Self {
        Self::new(Governance {
            sensitivity: Sensitivity::Critical,
            reversibility: Reversibility::Irreversible,
            roles: any_of(["unclassified"]),
        })
    }

    pub(crate) fn governance(&self) -> &Governance {
        &self.governance
    }

    pub(crate) fn apply(&self, tool: ToolBuilder<JsonSchema>) -> ToolBuilder<JsonSchema> {
        let tool = tool.retain(self.retain.clone());
        let tool = match self.confirm {
            ConfirmMode::Always => tool.always_confirm(),
            ConfirmMode::Policy => tool,
        };
        if let Some(limit) = self.timeout { tool.timeout(limit) } else { tool }
    }
}

impl From<Governance> for Governed {
    fn from(governance: Governance) -> Self {
        Self::new(governance)
    }
}

/// A place in the governance of a tool.
pub(crate) fn place(name: &str, rest: &str) -> String {
    format!("/governance/{}{rest}", escape_token(name))
}
