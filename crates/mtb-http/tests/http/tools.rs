use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mtb_bridge::{JsonSchema, Tool, ToolBuilder, ToolRegistry};
use mtb_core::{Governance, Reversibility, Sensitivity, any_of};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// One tool for each way that a request over HTTP can go; `send` counts, `linger` takes two steps and
/// is released from each.
pub(crate) fn registry(sent: &Arc<AtomicUsize>, released: &Arc<Notify>) -> ToolRegistry {
    let registry = ToolRegistry::new();
    let (switched, sent, released) = (registry.clone(), Arc::clone(sent), Arc::clone(released));
    let all = [
        plain("greet", &[("name", "string")])
            .handler(|args, _call| async move { Ok(format!("Hello {}", args.string("name")?)) }),
        plain("count", &[]).handler(|_args, _call| async {
            tracing::info!("counting");
            Ok("counted")
        }),
        plain("steps", &[("count", "integer")]).handler(|args, call| async move {
            for step in 1..=u32::try_from(args.integer("count")?)? {
                call.progress(f64::from(step), None, None);
            }
            Ok("done")
        }),
        plain("wait", &[]).handler(|_args, call| async move {
            call.progress(1.0, None, None);
            call.cancellation().cancelled().await;
            Ok("nobody reads this")
        }),
        plain("linger", &[]).handler(move |_args, call| {
            let released = Arc::clone(&released);
            async move {
                for step in 1..=2 {
                    call.progress(f64::from(step), None, None);
                    tokio::select! {
                        () = released.notified() => {}
                        () = call.cancellation().cancelled() => return Ok("stopped"),
                    }
                }
                Ok("done")
            }
        }),
        plain("collapse", &[]).handler(|_args, call| async move {
            assert!(call.cancellation().is_cancelled(), "a tool that fails as no tool should");
            Ok("nobody reads this")
        }),
        plain("long", &[]).handler(|_args, _call| async { Ok("long ".repeat(700_000)) }),
        plain("switch", &[]).handler(move |_args, _call| {
            let registry = switched.clone();
            async move {
                registry.register(plain("extra", &[]).handler(|_args, _call| async { Ok("here") }))?;
                Ok("there is one more")
            }
        }),
        sensitive("send", &[("to", "string"), ("text", "string")]).handler(move |_args, _call| {
            sent.fetch_add(1, Ordering::SeqCst);
            async { Ok(json!({"messageId": "m-1"})) }
        }),
        sensitive("transfer", &[("to", "string"), ("amount", "integer")]).handler(|_args, _call| async { Ok("moved") }),
    ];
    registry.register_all(all).unwrap();
    registry
}

fn declared(name: &str, arguments: &[(&str, &str)], governance: Governance) -> ToolBuilder {
    let properties: Value = arguments.iter().map(|(name, of)| ((*name).to_owned(), json!({"type": of}))).collect();
    let required: Vec<_> = arguments.iter().map(|(name, _)| *name).collect();
    let schema =
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    Tool::declare(name, "Does what a test needs.", JsonSchema::value(schema), governance)
}

fn plain(name: &str, arguments: &[(&str, &str)]) -> ToolBuilder {
    let (sensitivity, reversibility) = (Sensitivity::None, Reversibility::Reversible);
    declared(name, arguments, Governance { sensitivity, reversibility, roles: any_of(["reader"]) })
}

fn sensitive(name: &str, arguments: &[(&str, &str)]) -> ToolBuilder {
    let (sensitivity, reversibility) = (Sensitivity::High, Reversibility::Irreversible);
    declared(name, arguments, Governance { sensitivity, reversibility, roles: any_of(["editor"]) })
}
