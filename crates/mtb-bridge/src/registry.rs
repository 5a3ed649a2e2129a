use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use indexmap::IndexMap;
use mtb_core::{DefinitionCode, DefinitionError, DefinitionProblem, Principal, ToolName, can_access};

use crate::host_context::IntoTool;
use crate::listing::ListedTool;
use crate::review::ReviewTable;
use crate::tool::Tool;
use crate::warning::warn;

/// The declared tools, in the order they were registered. Cheap to clone: clones are the same registry.
///
/// Tools may come and go while the registry is served; whoever subscribed is told.
pub struct ToolRegistry<C = ()> {
    shared: Arc<Shared<C>>,
}

struct Shared<C> {
    // Readers take the current map and let go of the lock; writers replace the map.
    tools: RwLock<Tools<C>>,
    listeners: Arc<Listeners>,
}

type Tools<C> = Arc<IndexMap<ToolName, Tool<C>>>;

impl<C> ToolRegistry<C> {
    /// A registry without tools.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "an empty registry is a decision, not a default")]
    pub fn new() -> Self {
        Self { shared: Arc::new(Shared { tools: RwLock::default(), listeners: Arc::default() }) }
    }

    /// Registers one tool.
    ///
    /// # Errors
    /// When the declaration has problems or the name is taken; nothing is registered then.
    pub fn register(&self, tool: impl IntoTool<C>) -> Result<(), DefinitionError> {
        self.register_all([tool])
    }

    /// Registers all of these tools, or none of them.
    ///
    /// # Errors
    /// One error with every problem of every tool; nothing is registered then, and nobody is told.
    pub fn register_all<T: IntoTool<C>>(&self, tools: impl IntoIterator<Item = T>) -> Result<(), DefinitionError> {
        let mut problems = Vec::new();
        let mut checked = Vec::new();
        for tool in tools {
            match tool.into_tool() {
                Ok(tool) => checked.push(tool),
                Err(error) => problems.extend(error.into_problems()),
            }
        }
        let added = !checked.is_empty();
        {
            let mut current = self.shared.tools.write().unwrap_or_else(PoisonError::into_inner);
            let mut next = IndexMap::clone(&current);
            for tool in checked {
                let name = tool.declaration().name().clone();
                if next.contains_key(&name) {
                    problems.push(duplicate(&name));
                } else {
                    next.insert(name, tool);
                }
            }
            DefinitionError::unless_empty(problems)?;
            *current = Arc::new(next);
        }
        if added {
            self.shared.listeners.notify();
        }
        Ok(())
    }

    /// Takes a tool out. Its open confirmations are refused from now on. `false` if there is none of that name.
    pub fn unregister(&self, name: &str) -> bool {
        {
            let mut current = self.shared.tools.write().unwrap_or_else(PoisonError::into_inner);
            let mut next = IndexMap::clone(&current);
            if next.shift_remove(name).is_none() {
                return false;
            }
            *current = Arc::new(next);
        }
        self.shared.listeners.notify();
        true
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Tool<C>> {
        let tools = self.shared.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.get(name).cloned()
    }

    /// All tools at this moment, in the order they were registered.
    #[must_use]
    pub fn list(&self) -> Vec<Tool<C>> {
        self.tools().values().cloned().collect()
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools().is_empty()
    }

    /// Calls `listener` after every change, until the subscription is dropped. It runs on the thread that made the
    /// change. A listener that panics undoes nothing and silences nobody.
    #[must_use = "dropping the subscription ends it"]
    pub fn on_change(&self, listener: impl Fn() + Send + Sync + 'static) -> Subscription {
        let listener: Arc<dyn Fn() + Send + Sync> = Arc::new(listener);
        self.shared.listeners.add(Arc::downgrade(&listener));
        Subscription { _listener: listener }
    }

    /// The declarations as a table for review: name, sensitivity, reversibility, confirmation, roles, what is kept.
    #[must_use]
    pub fn review(&self) -> ReviewTable {
        ReviewTable::of(self.tools().values().map(Tool::declaration))
    }

    pub(crate) fn visible(&self, principal: &Principal) -> Vec<ListedTool> {
        let tools = self.tools();
        let visible = tools.values().filter(|tool| can_access(tool.declaration(), principal));
        visible.map(|tool| ListedTool::new(tool.shared_declaration())).collect()
    }

    fn tools(&self) -> Tools<C> {
        Arc::clone(&self.shared.tools.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn duplicate(name: &ToolName) -> DefinitionProblem {
    let remedy = "rename one of them, or unregister the first";
    let problem = "another tool has this name";
    DefinitionProblem::new(name.as_str(), "/name", DefinitionCode::DuplicateName, problem, remedy)
}

/// Keeps a change listener alive; dropping it ends the calls.
#[must_use = "dropping the subscription ends it"]
pub struct Subscription {
    _listener: Arc<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Listeners(Mutex<Vec<Weak<dyn Fn() + Send + Sync>>>);

impl Listeners {
    fn add(&self, listener: Weak<dyn Fn() + Send + Sync>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    fn notify(&self) {
        let alive: Vec<_> = {
            let mut listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            listeners.retain(|listener| listener.strong_count() > 0);
            listeners.iter().filter_map(Weak::upgrade).collect()
        };
        for listener in alive {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| listener())) {
                warn_of(&*panic);
            }
        }
    }
}

/// A listener is the host's own code and sees no content, so its text may be logged.
fn warn_of(panic: &(dyn Any + Send)) {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text");
    warn(&format!("a listener to changes of the tool registry panicked: {text}"));
}

impl<C> Clone for ToolRegistry<C> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<C> fmt::Debug for ToolRegistry<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools().keys()).finish()
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Subscription")
    }
}
