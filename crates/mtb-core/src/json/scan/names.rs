use std::cmp::Ordering;
use std::ops::Range;

use crate::json::escape::chars;

/// The member names of the open objects, to find one that occurs twice. It compares the names themselves: there is no
/// hash that somebody could make collide.
pub(super) struct Names<'t> {
    // The whole text, which the ranges are of; none when there is nothing to find.
    text: Option<&'t str>,
    bodies: Vec<Range<usize>>,
    // For each open object, how many stood before its own.
    starts: Vec<usize>,
}

/// Room for the names of most messages at once.
const FIRST: usize = 16;

/// Up to here comparing each with each is cheaper than sorting.
const FEW: usize = 8;

impl<'t> Names<'t> {
    /// Finds every name that occurs twice in this text.
    pub(super) fn of(text: &'t str) -> Self {
        Self { text: Some(text), bodies: Vec::new(), starts: Vec::new() }
    }

    /// Finds nothing.
    pub(super) fn none() -> Self {
        Self { text: None, bodies: Vec::new(), starts: Vec::new() }
    }

    /// Nothing has to be found any more.
    pub(super) fn stop(&mut self) {
        *self = Self::none();
    }

    /// An object opens.
    pub(super) fn open(&mut self) {
        if self.text.is_some() {
            if self.starts.is_empty() {
                self.bodies.reserve(FIRST);
            }
            self.starts.push(self.bodies.len());
        }
    }

    /// The innermost object has a member whose name stands here, between quotes.
    pub(super) fn add(&mut self, body: Range<usize>) {
        if self.text.is_some() {
            self.bodies.push(body);
        }
    }

    /// The innermost object closes. Gives the offset of the first name in it that was there before.
    pub(super) fn close(&mut self) -> Option<usize> {
        let text = self.text?;
        let start = self.starts.pop()?;
        let names = self.bodies.get_mut(start..)?;
        let twin = if names.len() <= FEW { first_of_few(text, names) } else { first_of_many(text, names) };
        self.bodies.truncate(start);
        // The quote stands before the name.
        twin.map(|body| body - 1)
    }
}

fn first_of_few(text: &str, mut names: &[Range<usize>]) -> Option<usize> {
    let mut twin = None;
    while let Some((last, before)) = names.split_last() {
        if before.iter().any(|name| compare(text, name, last).is_eq()) {
            twin = Some(last.start);
        }
        names = before;
    }
    twin
}

fn first_of_many(text: &str, names: &mut [Range<usize>]) -> Option<usize> {
    names.sort_by(|a, b| compare(text, a, b));
    let neighbours = names.iter().zip(names.iter().skip(1));
    neighbours.filter(|(a, b)| compare(text, a, b).is_eq()).map(|(_, second)| second.start).min()
}

/// By the decoded names, in one order however they are written: bytes of UTF-8 sort like characters.
fn compare(text: &str, a: &Range<usize>, b: &Range<usize>) -> Ordering {
    let [a, b] = [a, b].map(|name| text.get(name.clone()).unwrap_or_default());
    if a.contains('\\') || b.contains('\\') { chars(a).cmp(chars(b)) } else { a.cmp(b) }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn holds_and_finds_nothing_once_stopped() {
        let text = r#"{"a":{"a":0,"a":0"#;
        let mut names = Names::of(text);
        names.open();
        names.add(2..3);
        names.open();
        names.add(7..8);
        names.stop();
        names.add(13..14);
        names.open();
        assert!(names.bodies.is_empty() && names.starts.is_empty());
        assert_eq!(names.close(), None);
    }
}
