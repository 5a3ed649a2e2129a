//! What the tests of several crates share: tool definitions that real servers publish, and values made from schemas.
//!
//! Nothing here depends on what it tests, so that every crate may use it in its tests. It is never published.
//!
//! ```
//! let definition = &mtb_fixtures::catalogue()[0].definitions[0];
//! let schema = serde_json::from_str(definition.input_schema()).unwrap();
//! assert!(mtb_fixtures::valid(&schema, 1).is_object());
//! ```

mod breaking;
mod catalogue;
mod chance;
mod generate;

pub use breaking::broken;
pub use catalogue::{CATALOGUES, Catalogue, Definition, Part, catalogue, folder_in, full_catalogue};
pub use generate::{valid, values};
