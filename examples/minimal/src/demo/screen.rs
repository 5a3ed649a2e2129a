use std::io::{self, Write};

/// The columns of the narrowest terminal that people use.
pub(crate) const COLUMNS: usize = 80;

/// A terminal that no line runs off.
pub(crate) struct Screen<'w> {
    out: &'w mut dyn Write,
}

impl<'w> Screen<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out }
    }

    /// A heading between blank lines, underlined.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        let text: String = text.chars().take(COLUMNS).collect();
        writeln!(self.out, "\n{text}\n{}", "-".repeat(text.chars().count()))
    }

    /// A paragraph from the first column.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        wrapped(text, COLUMNS).iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }

    /// A text beside who says it.
    pub(crate) fn beside(&mut self, label: &str, text: &str) -> io::Result<()> {
        self.columns(8, label, text)
    }

    /// A value beside its name.
    pub(crate) fn field(&mut self, name: &str, value: &str) -> io::Result<()> {
        self.columns(10, name, value)
    }

    /// Two columns; `width` is that of the first.
    fn columns(&mut self, width: usize, label: &str, text: &str) -> io::Result<()> {
        let lines = text.lines().flat_map(|line| wrapped(line, COLUMNS - width - 3));
        for (index, line) in lines.enumerate() {
            let label = if index == 0 { label } else { "" };
            writeln!(self.out, "{}", format!("  {label:<width$} {line}").trim_end())?;
        }
        Ok(())
    }
}

/// The words in lines of so many columns; a word that is longer is broken.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let fits = line.chars().count() + usize::from(!line.is_empty()) + word.chars().count() <= columns;
        if !fits && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for letter in word.chars() {
            if line.chars().count() == columns {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Screen, wrapped};

    #[test]
    fn no_line_is_too_long() {
        let long = "word ".repeat(50) + &"x".repeat(200);
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out);
        screen.heading(&long).unwrap();
        screen.text(&long).unwrap();
        screen.beside("label", &long).unwrap();
        screen.field("name", &long).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.lines().all(|line| line.chars().count() <= COLUMNS), "{out}");
        assert_eq!(out.matches("word").count(), 16 + 50 + 50 + 50);
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        for (text, lines) in [
            ("", &[""][..]),
            ("one two", &["one two"]),
            ("one two three", &["one two", "three"]),
            ("abcdefghij", &["abcdefgh", "ij"]),
            ("a abcdefghij b", &["a", "abcdefgh", "ij b"]),
        ] {
            assert_eq!(wrapped(text, 8), lines, "{text}");
        }
    }
}
