use std::borrow::Cow;

/// Decodes one JSON string, quotes included. `None` when the text is anything else: another value, more than one
/// value, a control character, a bad escape, half a surrogate pair.
///
/// ```
/// use mtb_core::json::read_string;
///
/// assert_eq!(read_string(r#""tools\/call""#).as_deref(), Some("tools/call"));
/// assert_eq!(read_string(r#""\ud83d\ude00""#).as_deref(), Some("😀"));
/// assert_eq!(read_string(r#""\ud83d""#), None);
/// assert_eq!(read_string("7"), None);
/// ```
#[must_use]
pub fn read_string(raw: &str) -> Option<Cow<'_, str>> {
    unescape(raw.strip_prefix('"')?.strip_suffix('"')?)
}

/// Decodes what stands between the quotes of a JSON string.
pub(super) fn unescape(body: &str) -> Option<Cow<'_, str>> {
    let run = plain_run(body.as_bytes());
    if run == body.len() {
        return Some(Cow::Borrowed(body));
    }
    let mut decoded = String::with_capacity(body.len());
    let mut rest = body;
    loop {
        let (plain, special) = rest.split_at_checked(plain_run(rest.as_bytes()))?;
        decoded.push_str(plain);
        if special.is_empty() {
            return Some(Cow::Owned(decoded));
        }
        let (decoded_char, length) = read_escape(special.strip_prefix('\\')?.as_bytes())?;
        decoded.push(decoded_char);
        rest = special.get(1 + length..)?;
    }
}

/// How many bytes at the start are neither `"`, `\` nor a control character.
pub(super) fn plain_run(bytes: &[u8]) -> usize {
    let mut run = 0;
    let mut rest = bytes;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        let plain = plain_of_eight(u64::from_le_bytes(*word));
        run += plain;
        if plain < 8 {
            return run;
        }
        rest = tail;
    }
    run + rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | ..0x20)).unwrap_or(rest.len())
}

/// How many of eight bytes, from the lowest on, come before one that is `"`, `\` or below 0x20: a byte that a
/// subtraction borrows from has its top bit set only then, or after such a byte.
fn plain_of_eight(word: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    let below = |word: u64, bound: u64| word.wrapping_sub(bound * ONES) & !word;
    let quote = below(word ^ (0x22 * ONES), 1);
    let backslash = below(word ^ (0x5c * ONES), 1);
    let special = (quote | backslash | below(word, 0x20)) & TOPS;
    usize::try_from(special.trailing_zeros() / 8).unwrap_or(8)
}

/// Decodes the escape after a backslash; also says how many bytes it took.
pub(super) fn read_escape(after: &[u8]) -> Option<(char, usize)> {
    let (kind, rest) = after.split_first()?;
    if *kind != b'u' {
        return Some((simple_escape(*kind)?, 1));
    }
    let (first, rest) = read_unit(rest)?;
    if let Some(scalar) = char::from_u32(first) {
        return Some((scalar, 5));
    }
    let (second, _) = read_unit(rest.strip_prefix(b"\\u")?)?;
    Some((join_surrogates(first, second)?, 11))
}

/// What a one-letter escape stands for.
pub(super) fn simple_escape(letter: u8) -> Option<char> {
    match letter {
        b'"' | b'\\' | b'/' => Some(char::from(letter)),
        b'b' => Some('\u{8}'),
        b'f' => Some('\u{c}'),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        _ => None,
    }
}

/// The character that two UTF-16 code units stand for, if they are a high and a low surrogate.
pub(super) fn join_surrogates(high: u32, low: u32) -> Option<char> {
    if !is_high_surrogate(high) || !(0xdc00..0xe000).contains(&low) {
        return None;
    }
    char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
}

pub(super) fn is_high_surrogate(unit: u32) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

/// The value of a hexadecimal digit.
pub(super) fn hex_digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

fn read_unit(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.split_first_chunk::<4>()?;
    let unit = digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + hex_digit(*digit)?))?;
    Some((unit, rest))
}

/// The characters of a string's body that is known to be valid, without a copy of it.
pub(super) fn chars(body: &str) -> impl Iterator<Item = char> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (decoded, length) = match rest.strip_prefix('\\') {
            Some(after) => read_escape(after.as_bytes()).map(|(decoded, length)| (decoded, 1 + length))?,
            None => (first, first.len_utf8()),
        };
        rest = rest.get(length..)?;
        Some(decoded)
    })
}

/// Appends a string as RFC 8785 (section 3.2.2.2) writes it: only what must be escaped is.
pub(super) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some((plain, special)) = rest.split_at_checked(plain_run(rest.as_bytes())) {
        out.push_str(plain);
        let mut after = special.chars();
        let Some(escaped) = after.next() else { break };
        write_escape(out, escaped);
        rest = after.as_str();
    }
    out.push('"');
}

fn write_escape(out: &mut String, escaped: char) {
    out.push('\\');
    match escaped {
        '\u{8}' => out.push('b'),
        '\t' => out.push('t'),
        '\n' => out.push('n'),
        '\u{c}' => out.push('f'),
        '\r' => out.push('r'),
        ..' ' => {
            let code = u32::from(escaped);
            out.push_str("u00");
            out.extend([code / 16, code % 16].into_iter().filter_map(|digit| char::from_digit(digit, 16)));
        }
        _ => out.push(escaped),
    }
}

#[cfg(test)]
mod tests {
    use super::{plain_of_eight, plain_run};

    fn is_special(byte: u8) -> bool {
        byte < b' ' || byte == b'"' || byte == b'\\'
    }

    #[test]
    fn a_plain_run_ends_at_a_special_byte_wherever_it_stands() {
        for plain in (0..=u8::MAX).filter(|byte| !is_special(*byte)) {
            assert_eq!(plain_of_eight(u64::from_le_bytes([plain; 8])), 8, "{plain}");
            for length in 0..20 {
                let mut bytes = [plain; 20];
                assert_eq!(plain_run(&bytes[..length]), length, "{plain}");
                for special in (0..=u8::MAX).filter(|byte| is_special(*byte)) {
                    bytes[length] = special;
                    assert_eq!(plain_run(&bytes), length, "{plain} {special}");
                }
            }
        }
    }
}
