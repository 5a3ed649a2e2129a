use std::sync::Arc;

use mtb_core::Declaration;

/// What a client may know of a tool that it may use. Roles and sensitivity are not part of it.
#[derive(Clone)]
pub struct ListedTool(Arc<Declaration>);

impl ListedTool {
    pub(crate) fn new(declaration: &Arc<Declaration>) -> Self {
        Self(Arc::clone(declaration))
    }

    /// Whether both are of one registration. A tool that was replaced is another one, also under the same name.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name().as_str()
    }

    /// A name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.title()
    }

    /// What a model reads.
    #[must_use]
    pub fn description(&self) -> &str {
        self.0.description()
    }

    /// The argument schema as JSON text, as declared.
    #[must_use]
    pub fn input_schema(&self) -> &str {
        self.0.arguments().text()
    }

    /// The schema of the structured result as JSON text, as declared.
    #[must_use]
    pub fn output_schema(&self) -> Option<&str> {
        self.0.output().map(mtb_core::Schema::text)
    }

    /// The hint that a call changes nothing.
    #[must_use]
    pub fn read_only_hint(&self) -> bool {
        self.0.read_only_hint()
    }

    /// The hint that a call has an effect that cannot be undone.
    #[must_use]
    pub fn destructive_hint(&self) -> bool {
        self.0.destructive_hint()
    }
}

impl std::fmt::Debug for ListedTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ListedTool").field(&self.name()).finish()
    }
}
