//! The path from outside: what a host sees, what the audit keeps, and what no input gets past.

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
mod refused_tokens;
mod registry;
