//! JSON as untrusted input: one bounded pass over a message before any tree exists, and the canonical form.

pub(crate) mod canonical;
mod escape;
mod limits;
mod number;
mod plain;
pub mod scan;
mod spans;

pub use escape::read_string;
pub use limits::{JsonError, JsonFault, Limits, MAX_DEPTH, MAX_NUMBER_BYTES};
pub use plain::{is_json, plain_value};
pub use scan::{Field, IdField, MethodField, RequestId, RootKind, Scan, ScanFault, ScanLimits, Scanner, scan};
pub use spans::{Items, Members, batch_items, member, members, whole_object};
