//! Whatever text is read as JSON, its canonical form reads back as itself, and the scanner ends as well.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mtb_core::CanonicalJson;
use mtb_core::json::{Limits, ScanLimits, scan};

fuzz_target!(|data: &[u8]| {
    let _ = scan(data, &ScanLimits::default());
    let Ok(text) = str::from_utf8(data) else { return };
    let limits = Limits::default();
    let Ok(read) = CanonicalJson::from_text(text, &limits) else { return };
    let again = CanonicalJson::from_text(read.as_str(), &limits).expect("the canonical form is JSON within limits");
    assert_eq!(again.as_str(), read.as_str());
    let from_value = CanonicalJson::from_value(read.value(), &limits).expect("what was read can be written");
    assert_eq!(from_value.digest(), read.digest());
});
