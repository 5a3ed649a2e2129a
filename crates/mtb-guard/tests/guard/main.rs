//! The guard and its memory store, from the outside.

mod lab;
mod lifetimes;
mod lying_stores;
mod memory;
mod model;
mod order;
mod quota;
mod reader;
mod refusals;
mod threads;
mod unanswered;
