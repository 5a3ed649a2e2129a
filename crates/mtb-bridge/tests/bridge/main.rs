//! The path from outside: what a host sees, what the audit keeps, and what no input gets past.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::format_push_string,
    reason = "a test stops at the first surprise"
)]

mod access;
mod audit_trail;
mod canary;
mod closed;
mod confirmation;
mod ends;
mod executing;
mod lab;
mod lifetimes;
mod list_matches_call;
mod output;
mod refused_tokens;
mod registry;
