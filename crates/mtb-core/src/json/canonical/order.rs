use std::cmp::Ordering;

/// Compares two texts by their UTF-16 code units, as RFC 8785 (section 3.2.3) sorts member names.
///
/// Bytes of UTF-8 sort like code points, and so do code units, except that the surrogates of a character above U+FFFF
/// come before U+E000 to U+FFFF. The first byte that differs tells: 0xEE and 0xEF start the latter, 0xF0 and above the
/// former, and none of them occurs inside a character.
pub(super) fn utf16(a: &str, b: &str) -> Ordering {
    let differing = a.bytes().zip(b.bytes()).find(|(a, b)| a != b);
    match differing {
        None => a.len().cmp(&b.len()),
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((a, b)) => a.cmp(&b),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::utf16;

    proptest! {
        #[test]
        fn is_the_order_of_code_units(a in "[ab\u{7f}éß\u{d7ff}\u{e000}\u{ffff}😀\u{10ffff}]{0,4}", b in "[ab\u{7f}éß\u{d7ff}\u{e000}\u{ffff}😀\u{10ffff}]{0,4}") {
            prop_assert_eq!(utf16(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
        }
    }
}
