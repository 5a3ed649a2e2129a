//! The module of the path, where its states are.

use mtb_bridge::path;

fn main() {}
