//! What other people's clients are let loose on: a bridge with one tool for each way a call can go.
//!
//! `cargo xtask interop` serves it with the program `testbed` and compares what each client sees with one table. Every
//! tool that has an effect tells it, so that what really happened is counted apart from what was answered.
//!
//! ```
//! use mtb_testbed::{Effect, Effects, registry};
//!
//! let tools = registry(&Effects::to(|effect| assert_ne!(effect, Effect::Sent))).unwrap();
//! assert!(tools.get("send").is_some());
//! ```
//!
//! The program `conformance` serves other tools: those that the official conformance suite calls by name, as far as a
//! server of governed tools has them. `cargo xtask conformance` runs the suite against it.
//!
//! For tests only. It shows what a tool does to a client, not how a good tool is written: see `examples/minimal` for
//! that.

mod effects;
mod log;
mod loopback;
mod settings;
mod tools;

pub use effects::{Effect, Effects};
pub use log::{PREFIX, bridge};
pub use loopback::serve_on_loopback;
pub use settings::Settings;
pub use tools::registry;
