//! Whatever text is declared as a pointer, it is refused, or it prints as it was and finds only what is there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mtb_core::{KeepPointer, escape_token};
use serde_json::json;

fuzz_target!(|text: &str| {
    let Ok(pointer) = KeepPointer::new(text) else { return };
    assert_eq!(pointer.as_str(), text);
    let written = |segment: Option<&str>| segment.map_or("*".into(), escape_token).into_owned();
    let printed: String = pointer.segments().map(|segment| format!("/{}", written(segment))).collect();
    assert_eq!(printed, text);
    let value = json!({"a": {"b": [1, {"c": 2}], "": 3}, "*": [[4]], "~/": 5});
    let found: Vec<_> = pointer.find(&value).collect();
    match value.pointer(text).filter(|_| !pointer.is_wild()) {
        Some(expected) => assert_eq!(found, [expected]),
        None => assert!(pointer.is_wild() || found.is_empty()),
    }
});
