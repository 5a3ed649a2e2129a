//! Schemas derived from Rust types say what the types say: what the schema accepts, the type accepts, and what the type
//! writes, the schema accepts.
#![cfg(feature = "schemars")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::zero_sized_map_values,
    clippy::option_option,
    reason = "a test that finds nothing to look at has failed, and types of every shape are what is looked at"
)]

mod agree;
mod coercion;
mod decode;
mod keys;
#[cfg(all(feature = "chrono", feature = "url", feature = "uuid"))]
mod other_crates;
mod output;
mod roots;
mod standard;
mod types;
mod values;
