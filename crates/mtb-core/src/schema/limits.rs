/// Most bytes of a schema's text.
pub const MAX_SCHEMA_BYTES: usize = 256 * 1024;

/// Most subschemas of a schema, the root included, and most that it may apply to one value.
pub const MAX_SUBSCHEMAS: usize = 10_000;

/// Longest chain of schemas that apply one another to the same value, through references or branches.
pub const MAX_SCHEMA_CHAIN: usize = 64;

/// Most ways in which a schema may come to be applied to one value, from wherever it is nested.
pub(super) const MAX_APPLICATIONS: usize = 100_000;

/// Deepest nesting of arrays and objects in a schema's text; `{}` has depth 1.
pub const MAX_SCHEMA_DEPTH: usize = 64;

/// Steps that one match of a pattern with look-around, `\b` or back-references may take. Patterns without them run in
/// linear time and need no limit.
pub const MAX_PATTERN_STEPS: usize = 10_000;

/// Most bytes of text, in all, that patterns with look-around or back-references may be matched with in one value. A
/// step of theirs may scan the rest of the text, so the steps alone bound nothing.
pub const MAX_BACKTRACKED_BYTES: usize = 4 * 1024;

/// Most matches, in all, of such patterns with the texts of one value, as far as the schema tells: a text counts once for
/// each of them that it may be matched with, and once more for every 16 bytes of it.
pub const MAX_BACKTRACKED_MATCHES: usize = 1_000;
