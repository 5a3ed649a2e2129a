//! A bridge served by the official SDK, with raw JSON lines on the client's side.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::needless_pass_by_value, reason = "`json!` reads best where it is used")]

mod calling;
mod changes;
mod confirming;
mod http;
mod limits;
mod logs;
mod peer;
mod site;
mod unprotected;
mod who;
