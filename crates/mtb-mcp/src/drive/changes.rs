use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;

use futures_util::task::AtomicWaker;
use mtb_bridge::{Bridge, ListedTool, Subscription};
use mtb_core::Principal;

/// Whether the tools that one principal may use have changed since somebody last asked. Many changes count as one, and
/// a change of tools that this principal may not use is none.
pub struct Changes<C> {
    bridge: Bridge<C>,
    principal: Principal,
    seen: Vec<ListedTool>,
    flag: Arc<Flag>,
    _subscription: Subscription,
}

#[derive(Default)]
struct Flag {
    raised: AtomicBool,
    waker: AtomicWaker,
}

impl<C: Send + Sync + 'static> Changes<C> {
    /// Watches from now on.
    #[must_use]
    pub fn of(bridge: Bridge<C>, principal: Principal) -> Self {
        let flag = Arc::<Flag>::default();
        let raise = Arc::clone(&flag);
        let subscription = bridge.registry().on_change(move || {
            raise.raised.store(true, Ordering::Release);
            raise.waker.wake();
        });
        let seen = bridge.list_tools(&principal);
        Self { bridge, principal, seen, flag, _subscription: subscription }
    }

    /// `true` once for each change; otherwise the context is woken by the next.
    pub fn poll_changed(&mut self, cx: &Context<'_>) -> bool {
        self.flag.waker.register(cx.waker());
        if !self.flag.raised.swap(false, Ordering::AcqRel) {
            return false;
        }
        let now = self.bridge.list_tools(&self.principal);
        let same = now.len() == self.seen.len() && now.iter().zip(&self.seen).all(|(now, seen)| now.is_same(seen));
        self.seen = now;
        !same
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Wake, Waker};

    use mtb_bridge::{Bridge, JsonSchema, Tool, ToolDraft, ToolRegistry};
    use mtb_core::{Governance, Principal, Reversibility, Sensitivity, any_of};

    use super::Changes;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn tool(name: &str, role: &str, description: &str) -> ToolDraft {
        let governance = Governance {
            sensitivity: Sensitivity::None,
            reversibility: Reversibility::Reversible,
            roles: any_of([role]),
        };
        let tool = Tool::declare(name, description, JsonSchema::no_arguments(), governance);
        tool.handler(|_args, _call| async { Ok("done") })
    }

    #[test]
    fn tells_each_change_that_the_principal_can_see() {
        let registry = ToolRegistry::<()>::new();
        let reader = Principal::new("alice", ["reader"]).unwrap();
        let mut changes = Changes::of(Bridge::new(registry.clone()), reader);
        let counter = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&counter));
        let cx = Context::from_waker(&waker);

        assert!(!changes.poll_changed(&cx));
        for name in ["one", "two"] {
            registry.register(tool(name, "reader", "Does nothing.")).unwrap();
        }
        assert_eq!(counter.0.load(Ordering::SeqCst), 1, "many changes are one");
        assert!(changes.poll_changed(&cx));
        assert!(!changes.poll_changed(&cx));

        registry.register(tool("three", "editor", "Does nothing.")).unwrap();
        assert!(!changes.poll_changed(&cx), "another's tool came");
        registry.unregister("three");
        assert!(!changes.poll_changed(&cx), "another's tool went");

        registry.unregister("two");
        registry.register(tool("two", "reader", "Does something else.")).unwrap();
        assert!(changes.poll_changed(&cx), "a tool of the same name is another one");
        registry.unregister("one");
        assert!(changes.poll_changed(&cx), "a tool went");
    }
}
