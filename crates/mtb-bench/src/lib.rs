//! How fast a governed server answers, next to a bare server of the official Rust SDK.
//!
//! `cargo xtask bench` runs the programs of this crate: `governed` and `bare` serve one [trivial tool](tool), with and
//! without what we do about a call, and `load` sends requests to either, the same bytes, and prints what it measured.
//! The servers share their runtime, their connection settings and their build, so that what is left is what they do.
//! [`in_process`] measures a call without any of that: what the path itself costs.
//!
//! ```
//! use mtb_bench::{Announcement, request};
//!
//! let announced = r#"{"address": "127.0.0.1:8080", "process": 1, "keys": ["secret"]}"#;
//! let announced: Announcement = serde_json::from_str(announced).unwrap();
//! let bytes = request::modern_call(&announced.address, &announced.keys[0]);
//! assert!(bytes.starts_with(b"POST /mcp HTTP/1.1\r\n"));
//! ```
//!
//! For measuring only. A smoke test serves and sends a few requests, so that it does not rot.

mod announcement;
mod answer;
mod connection;
pub mod in_process;
mod last_events;
mod latencies;
pub mod load;
mod measure;
mod process;
mod reply;
pub mod request;
mod runtime;
mod served;
pub mod tool;

pub use announcement::Announcement;
pub use last_events::LastEvents;
pub use measure::Measure;
pub use runtime::{runtime, until_input_ends};
