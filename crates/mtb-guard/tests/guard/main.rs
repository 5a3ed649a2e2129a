//! The guard and its memory store, from the outside.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what a test relies on fails the test")]

mod lab;
mod lifetimes;
mod lying_stores;
mod memory;
mod model;
mod order;
mod policy;
mod quota;
mod reader;
mod refusals;
mod threads;
mod unanswered;
