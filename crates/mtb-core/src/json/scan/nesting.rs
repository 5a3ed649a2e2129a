/// What encloses the current value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Array,
    Object,
}

/// The open arrays and objects, at one bit each.
#[derive(Default)]
pub(super) struct Nesting {
    // The innermost is the lowest bit of the last word; a bit that is set is an object.
    words: Vec<u64>,
    depth: usize,
}

impl Nesting {
    /// The deepest nesting that is followed, at 128 KiB of memory. No message of up to 1 MiB passes it.
    pub(super) const MAX: usize = 1 << 20;

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn push(&mut self, container: Container) {
        if self.depth.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word = *word << 1 | u64::from(container == Container::Object);
        }
        self.depth += 1;
    }

    /// The innermost, unless nothing is open.
    pub(super) fn top(&self) -> Option<Container> {
        let word = self.words.last()?;
        Some(if word & 1 == 1 { Container::Object } else { Container::Array })
    }

    /// Closes the innermost.
    pub(super) fn pop(&mut self) {
        if let Some(word) = self.words.last_mut() {
            *word >>= 1;
            self.depth -= 1;
            if self.depth.is_multiple_of(64) {
                self.words.pop();
            }
        }
    }
}
