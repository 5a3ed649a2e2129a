use mtb_bridge::{JsonSchema, Tool, ToolBuilder, ToolRegistry};
use mtb_core::{DefinitionError, Governance, Reversibility, Sensitivity, any_of};
use serde_json::{Map, Value, json};

use crate::effects::Effects;

mod failing;
mod harmless;
mod sensitive;
mod switching;
mod waiting;

/// All tools, in the order clients see them.
///
/// | tool | what a call does | effect |
/// |---|---|---|
/// | `greet` | answers with a text | |
/// | `measure` | answers with structured content that its output schema describes | |
/// | `count` | answers `{"number"}`, one more with each call | counted |
/// | `steps` | reports its progress `count` times | |
/// | `wait` | reports progress once, then waits until nobody wants its answer | stopped |
/// | `stopped` | answers once a call of `wait` has stopped, within 5 s | |
/// | `stall` | exceeds its time-out of 200 ms | stopped |
/// | `fail` | fails with a text for the model | |
/// | `mislay` | fails with an error for the operator only | |
/// | `collapse` | panics | |
/// | `switch` | adds the tool `extra`, or takes it away | |
/// | `send` | waits for a yes, then answers `{"messageId"}` | sent |
/// | `transfer` | the same with an output schema: `{"reference"}` | moved |
///
/// `send` and `transfer` are for role `editor`, the others for `reader`.
///
/// # Errors
/// Never, unless a declaration above is wrong.
pub fn registry(effects: &Effects) -> Result<ToolRegistry, DefinitionError> {
    let registry = ToolRegistry::new();
    let [wait, stopped] = waiting::wait_and_stopped(effects);
    registry.register_all([
        harmless::greet(),
        harmless::measure(),
        harmless::count(effects),
        waiting::steps(),
        wait,
        stopped,
        waiting::stall(effects),
        failing::fail(),
        failing::mislay(),
        failing::collapse(),
        switching::switch(&registry),
        sensitive::send(effects),
        sensitive::transfer(effects),
    ])?;
    Ok(registry)
}

/// What a tool that changes nothing of worth declares.
fn harmless_governance() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of(["reader"]) }
}

/// A schema of these properties, all of them required, and no others.
fn schema(properties: &[(&str, Value)]) -> JsonSchema {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<_, _> = properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    JsonSchema::value(json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    }))
}

/// A tool that takes nothing.
fn plain(name: &str, description: &str) -> ToolBuilder {
    Tool::declare(name, description, JsonSchema::no_arguments(), harmless_governance())
}
