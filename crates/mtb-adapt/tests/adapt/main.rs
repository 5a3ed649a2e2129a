//! Existing code brought under governance: what comes out is checked like any other tool, and what goes wrong in it
//! stays there.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what a test relies on fails the test")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are rewritten with them")]

mod adapted;
mod checked;
mod envelope;
mod governance;
mod lab;
mod names;
mod options;
mod refused;
mod samples;
mod shapes;
