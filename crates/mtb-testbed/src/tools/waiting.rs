use std::time::Duration;

use mtb_bridge::{Call, Tool, ToolDraft};
use serde_json::json;
use tokio::sync::watch;

use super::{harmless_governance, plain, schema};
use crate::effects::{Effect, Effects};

/// Clients lose a report that they read in one go with the answer: they forget whom to tell before they tell it.
const LAST_STEP: Duration = Duration::from_millis(500);

pub(super) fn steps() -> ToolDraft {
    let schema = schema(&[("count", json!({"type": "integer", "minimum": 1, "maximum": 10}))]);
    Tool::declare("steps", "Takes some steps and reports each.", schema, harmless_governance()).handler(
        |arguments, call| async move {
            let count = u8::try_from(arguments.integer("count")?)?;
            for step in 1..=count {
                call.progress(f64::from(step), Some(f64::from(count)), Some("on the way"));
                tokio::task::yield_now().await;
            }
            tokio::time::sleep(LAST_STEP).await;
            Ok(format!("{count} steps taken."))
        },
    )
}

/// The report of `wait` tells a client that the call runs, so that there is something to cancel; `stopped` tells
/// whether that reached the handler, while the connection is still open.
pub(super) fn wait_and_stopped(effects: &Effects) -> [ToolDraft; 2] {
    let effects = effects.clone();
    let (stops, seen) = watch::channel(0_u32);
    let wait = plain("wait", "Waits until it is cancelled.").handler(move |_, call: Call| {
        let (effects, stops) = (effects.clone(), stops.clone());
        async move {
            call.progress(1.0, None, Some("waiting"));
            call.cancellation().cancelled().await;
            effects.tell(Effect::Stopped);
            stops.send_modify(|count| *count += 1);
            Ok("Nobody reads this.")
        }
    });
    let stopped = plain("stopped", "Answers once a call of `wait` has stopped.").timeout(Duration::from_secs(5));
    let stopped = stopped.handler(move |_, _: Call| {
        let mut seen = seen.clone();
        async move {
            seen.wait_for(|count| *count > 0).await?;
            Ok("It has stopped.")
        }
    });
    [wait, stopped]
}

pub(super) fn stall(effects: &Effects) -> ToolDraft {
    let effects = effects.clone();
    plain("stall", "Takes longer than it may.").timeout(Duration::from_millis(200)).handler(move |_, call: Call| {
        let effects = effects.clone();
        async move {
            call.cancellation().cancelled().await;
            effects.tell(Effect::Stopped);
            Ok("Nobody reads this.")
        }
    })
}
