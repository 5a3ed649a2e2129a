//! What all servers serve: a sum, which costs next to nothing itself.

/// Its name.
pub const NAME: &str = "add";

/// What it says of itself.
pub const DESCRIPTION: &str = "Adds two numbers, whatever the note says.";

/// Its arguments: JSON Schema.
pub const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"note":{"type":"string"}},"required":["a","b"],"additionalProperties":false}"#;

/// The arguments of a call without a note: JSON.
pub const ARGUMENTS: &str = r#"{"a":19,"b":23}"#;

/// The arguments of a call with all three: JSON.
pub const ALL_ARGUMENTS: &str = r#"{"a":19,"b":23,"note":"As in the book."}"#;

/// What they add up to.
pub const SUM: &str = "42";

/// What stands in every answer to them, as both of our servers write it.
pub const ANSWER: &str = r#""text":"42""#;
