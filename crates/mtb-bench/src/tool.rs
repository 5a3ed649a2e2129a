//! What both servers serve: a sum, which costs next to nothing itself.

/// Its name.
pub const NAME: &str = "add";

/// What it says of itself.
pub const DESCRIPTION: &str = "Adds two numbers.";

/// Its arguments: JSON Schema.
pub const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}"#;

/// The arguments of every call: JSON.
pub const ARGUMENTS: &str = r#"{"a":19,"b":23}"#;

/// What stands in every answer to them.
pub const ANSWER: &str = r#""text":"42""#;
