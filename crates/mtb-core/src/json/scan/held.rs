use std::borrow::Cow;

/// What earlier pieces of the text held of the current token, as long as it is no more than is wanted.
#[derive(Default)]
pub(super) struct Held {
    text: String,
    overflows: bool,
}

impl Held {
    /// Keeps a part of the token whose end did not come yet, unless the token then has more than `most` bytes.
    pub(super) fn push(&mut self, part: &str, most: usize) {
        self.overflows |= self.text.len() + part.len() > most;
        if self.overflows {
            self.text = String::new();
        } else {
            self.text.push_str(part);
        }
    }

    /// The whole token, now that its last part is there; `None` if it has more than `most` bytes. Starts over.
    pub(super) fn join<'p>(&mut self, last: &'p str, most: usize) -> Option<Cow<'p, str>> {
        let Self { text, overflows } = std::mem::take(self);
        if overflows || text.len() + last.len() > most {
            None
        } else if text.is_empty() {
            Some(Cow::Borrowed(last))
        } else {
            Some(Cow::Owned(text + last))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Held;

    #[test]
    fn keeps_no_more_than_is_wanted() {
        for (parts, most, kept, joined) in [
            (["", "abc"], 3, "abc", None),
            (["ab", "c"], 3, "abc", None),
            (["ab", "c"], 4, "abc", Some("abcd")),
            (["", ""], 1, "", Some("d")),
            (["", ""], 0, "", None),
            (["abc", ""], 2, "", None),
            (["ab", "cd"], 3, "", None),
            (["abc", "d"], 2, "", None),
        ] {
            let mut held = Held::default();
            for part in parts {
                held.push(part, most);
            }
            assert_eq!(held.text, kept, "{parts:?}");
            assert_eq!(held.join("d", most).as_deref(), joined, "{parts:?}");
            assert_eq!(held.join("d", 1).as_deref(), Some("d"), "{parts:?}");
        }
    }
}
