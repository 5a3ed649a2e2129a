//! The states of the path cannot be named, so they cannot be made.

use mtb_bridge::path::recorded::Recorded;

fn main() {}
