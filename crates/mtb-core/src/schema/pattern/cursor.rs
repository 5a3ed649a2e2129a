/// A place in a pattern.
pub(super) struct Cursor<'p> {
    pattern: &'p str,
    at: usize,
}

impl<'p> Cursor<'p> {
    pub(super) fn new(pattern: &'p str) -> Self {
        Self { pattern, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'p str {
        self.pattern.get(self.at..).unwrap_or_default()
    }

    /// What was read since.
    pub(super) fn since(&self, start: usize) -> &'p str {
        self.pattern.get(start..self.at).unwrap_or_default()
    }

    /// Everything from there on.
    pub(super) fn from(&self, start: usize) -> &'p str {
        self.pattern.get(start..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let eaten = self.rest().starts_with(text);
        if eaten {
            self.at += text.len();
        }
        eaten
    }

    /// The longest run of such characters.
    pub(super) fn run(&mut self, belongs: impl Fn(char) -> bool) -> &'p str {
        let start = self.at;
        while self.peek().is_some_and(&belongs) {
            self.next();
        }
        self.since(start)
    }
}
