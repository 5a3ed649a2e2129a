/// What a host writes in code, and the option of this program that does the same.
const OPTIONS: [(&str, &str); 3] = [
    ("allow_formats", "--allow-format"),
    ("allow_keywords", "--allow-keyword"),
    ("allow_dialect", "--allow-dialect URI=DIALECT"),
];

/// A text of the library, with its calls as options of this program: whoever reads it has a command line.
pub(crate) fn as_options(text: &str) -> String {
    OPTIONS.iter().fold(text.to_owned(), |text, (call, option)| {
        let text = text.replace(&format!("`{call}`"), &format!("`{option}`"));
        let mut pieces = text.split(&format!("`{call}([\"")).map(str::to_owned).collect::<Vec<_>>();
        for piece in pieces.iter_mut().skip(1) {
            *piece = piece.replacen("\"])`", "`", 1);
        }
        pieces.join(&format!("`{option} "))
    })
}

#[cfg(test)]
mod tests {
    use super::as_options;

    #[test]
    fn calls_become_options() {
        for (text, expected) in [
            ("allow it: `allow_formats`", "allow it: `--allow-format`"),
            (
                "or allow it: `allow_keywords([\"contentSchema\"])`; `x([\"y\"])`",
                "or allow it: `--allow-keyword contentSchema`; `x([\"y\"])`",
            ),
            ("`allow_dialect`, `allow_formats`", "`--allow-dialect URI=DIALECT`, `--allow-format`"),
            ("remove it", "remove it"),
        ] {
            assert_eq!(as_options(text), expected);
        }
    }
}
