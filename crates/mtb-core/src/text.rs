/// At most `max_chars` characters of a text; an ellipsis says that more was there.
///
/// ```
/// assert_eq!(mtb_core::cut("abcdef", 3), "abc…");
/// assert_eq!(mtb_core::cut("abc", 3), "abc");
/// ```
#[must_use]
pub fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// A text without the characters that change how the rest of a line is shown: control characters become spaces, and
/// bidirectional and other invisible format characters are dropped.
#[must_use]
pub fn printable(text: &str) -> String {
    let visible = text.chars().filter(|c| !is_invisible(*c));
    visible.map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Bidirectional controls, zero-width characters, blank letters, line separators, and the selectors and tags that hide
/// text in others.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{cut, printable};

    #[test]
    fn cuts_between_characters() {
        assert_eq!(cut("äöü", 2), "äö…");
        assert_eq!(cut("", 0), "");
        assert_eq!(cut("a", 0), "…");
    }

    #[test]
    fn hides_nothing_from_the_reader() {
        assert_eq!(printable("pay\u{202e}001\u{200b}\nto\u{1b}[31m\u{e0041}"), "pay001 to [31m");
        assert_eq!(printable("pay\u{e0100}\u{34f}1\u{3164}\u{fe0f}\u{115f}0\u{1d173}\u{1bca0}\u{180b}"), "pay10");
        assert_eq!(printable("Grüße, 世界"), "Grüße, 世界");
    }
}
