use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;

use futures_util::task::AtomicWaker;
use mtb_bridge::{Subscription, ToolRegistry};

/// Whether the registry has changed since somebody last asked. Many changes count as one.
pub(super) struct Changes {
    flag: Arc<Flag>,
    _subscription: Subscription,
}

#[derive(Default)]
struct Flag {
    raised: AtomicBool,
    waker: AtomicWaker,
}

impl Changes {
    pub(super) fn of<C>(registry: &ToolRegistry<C>) -> Self {
        let flag = Arc::<Flag>::default();
        let raise = Arc::clone(&flag);
        let subscription = registry.on_change(move || {
            raise.raised.store(true, Ordering::Release);
            raise.waker.wake();
        });
        Self { flag, _subscription: subscription }
    }

    /// `true` once for each change; otherwise the context is woken by the next.
    pub(super) fn poll_changed(&self, cx: &Context<'_>) -> bool {
        self.flag.waker.register(cx.waker());
        self.flag.raised.swap(false, Ordering::AcqRel)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Wake, Waker};

    use mtb_bridge::{JsonSchema, Tool, ToolDraft, ToolRegistry};
    use mtb_core::{Governance, Reversibility, Sensitivity, any_of};

    use super::Changes;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn tool(name: &str) -> ToolDraft {
        let schema = JsonSchema::no_arguments();
        let governance = Governance {
            sensitivity: Sensitivity::None,
            reversibility: Reversibility::Reversible,
            roles: any_of(["reader"]),
        };
        Tool::declare(name, "Does nothing.", schema, governance).handler(|_args, _call| async { Ok("done") })
    }

    #[test]
    fn many_changes_are_told_as_one() {
        let registry = ToolRegistry::<()>::new();
        let changes = Changes::of(&registry);
        let counter = Arc::<Wakes>::default();
        let waker = Waker::from(Arc::clone(&counter));
        let cx = Context::from_waker(&waker);

        assert!(!changes.poll_changed(&cx));
        for name in ["one", "two"] {
            registry.register(tool(name)).unwrap();
        }
        assert_eq!(counter.0.load(Ordering::SeqCst), 1);
        assert!(changes.poll_changed(&cx));
        assert!(!changes.poll_changed(&cx));
    }
}
