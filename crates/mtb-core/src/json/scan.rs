//! One pass over one JSON-RPC message before any tree exists.
//!
//! The scan checks the grammar and the [`Limits`] of the whole text, and keeps of it only where the members of the
//! envelope stand, and the small ones of them: `id`, `method`, `jsonrpc`. Whatever is wrong with the rest, a readable
//! `id` is found, so that the message can be answered.
//!
//! ```
//! use mtb_core::json::{JsonFault, MethodField, ScanLimits, scan};
//!
//! let text = br#"{"jsonrpc": "2.0", "method": "tools\/call", "params": {"price": 1e400}, "id": 7}"#;
//! let scan = scan(text, &ScanLimits::default());
//! assert_eq!(scan.id.request_id().unwrap().as_json(), "7");
//! assert_eq!(scan.method, MethodField::Name("tools/call".to_owned()));
//! assert_eq!(&text[scan.params.unwrap()], br#"{"price": 1e400}"#);
//! let fault = scan.fault.unwrap();
//! assert_eq!((fault.fault, fault.inside_params), (JsonFault::NumberOutOfRange, true));
//! ```

mod envelope;
mod field;
mod held;
mod machine;
mod names;
mod nesting;
mod request_id;
mod stream;
mod string;

use std::ops::Range;

pub use field::{Field, IdField, MethodField};
pub use request_id::RequestId;
pub use stream::Scanner;

use self::machine::Machine;
use self::names::Names;
use super::{JsonFault, Limits};

/// Bounds on one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanLimits {
    /// Most bytes of the whole message.
    pub message_bytes: usize,
    /// Bounds on its values. The object of the envelope counts: it has depth 1, `params` has depth 2.
    pub json: Limits,
}

impl Default for ScanLimits {
    /// 1 MiB, and the default [`Limits`].
    fn default() -> Self {
        Self { message_bytes: 1024 * 1024, json: Limits::default() }
    }
}

/// What a scan found.
///
/// Spans are byte ranges of the text, each exactly one value without the whitespace around it. Of a member that is
/// named twice, the first counts. After a fault that leaves the rest without meaning (`Syntax`, `Encoding`), only what
/// ended before it is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// The envelope's `id`.
    pub id: IdField,
    /// The envelope's `jsonrpc`.
    pub jsonrpc: Field,
    /// The envelope's `method`.
    pub method: MethodField,
    /// Where the value of `params` stands, whatever it is.
    pub params: Option<Range<usize>>,
    /// Where the value of `result` stands, whatever it is.
    pub result: Option<Range<usize>>,
    /// Where the value of `error` stands, whatever it is.
    pub error: Option<Range<usize>>,
    /// What is wrong, unless nothing is.
    pub fault: Option<ScanFault>,
    /// What the text is as a whole.
    pub root: RootKind,
}

/// What kind of value a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootKind {
    /// An object: one message.
    Object,
    /// An array, as a batch of messages is; [`batch_items`](super::batch_items) finds them.
    Array,
    /// Any other value, or none.
    Other,
}

/// What is wrong with a message, and where. The first thing found, except that what makes the message unreadable as a
/// whole (`Syntax`, `Encoding`, `Oversize`) hides what is wrong with single values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanFault {
    /// What is wrong.
    pub fault: JsonFault,
    /// Where, as a byte offset into the text.
    pub offset: usize,
    /// Whether it stands inside the value of `params`: then the envelope around it is sound so far.
    pub inside_params: bool,
}

/// Scans one complete message. Beside the text it takes memory only for member names, up to the limit of nodes.
///
/// Member names that occur twice in one object are found wherever they are, also when they are written differently.
#[must_use]
pub fn scan(text: &[u8], limits: &ScanLimits) -> Scan {
    let valid = str::from_utf8(text).or_else(|error| {
        let (valid, _) = text.split_at_checked(error.valid_up_to()).unwrap_or_default();
        str::from_utf8(valid)
    });
    let valid = valid.unwrap_or_default();
    // A message that is refused for its size needs no account of its names.
    let names = if text.len() > limits.message_bytes { Names::none() } else { Names::of(valid) };
    let mut machine = Machine::new(limits, names);
    machine.read(valid);
    machine.finish(text.len())
}
