//! The program as people and other programs use it.
#![expect(clippy::unwrap_used, reason = "what a test relies on fails the test")]
#![expect(clippy::needless_raw_string_hashes, reason = "goldens are rewritten with them")]

mod governance;
mod program;
mod readme;
mod reports;
mod usage;
