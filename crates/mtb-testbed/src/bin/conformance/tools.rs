use mtb_bridge::{JsonSchema, Tool, ToolBuilder, ToolRegistry};
use mtb_core::{DefinitionError, Governance, Reversibility, Sensitivity, any_of};

mod answering;
mod asking;
mod changing;
mod described;

/// Whom the tools are for.
pub(crate) const ROLE: &str = "tester";

/// All tools, in the order that the suite sees them: it calls the first one, whatever it is, without arguments.
pub(crate) fn registry() -> Result<ToolRegistry, DefinitionError> {
    let registry = ToolRegistry::new();
    registry.register_all([
        answering::text(),
        answering::image(),
        answering::audio(),
        answering::resource(),
        answering::several(),
        answering::error(),
        answering::progress(),
        answering::silence(),
        changing::trigger(&registry),
        described::keywords(),
        described::header(),
    ])?;
    registry.register_all(asking::QUESTIONS.map(asking::waiting_for_a_yes))?;
    registry.register(asking::with_message())?;
    Ok(registry)
}

/// A tool that changes nothing and takes nothing.
fn plain(name: &str, description: &str) -> ToolBuilder {
    Tool::declare(name, description, JsonSchema::no_arguments(), harmless())
}

fn harmless() -> Governance {
    Governance { sensitivity: Sensitivity::None, reversibility: Reversibility::Reversible, roles: any_of([ROLE]) }
}
