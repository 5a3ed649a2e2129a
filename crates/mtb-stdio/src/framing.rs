use std::io::BufRead;
use std::mem;
use std::ops::Range;

use mtb_core::json::{Scan, ScanLimits, Scanner};

/// Bytes asked of the peer at a time.
const CHUNK: usize = 64 * 1024;

/// One line of the peer, without its end.
pub(crate) enum Frame<'a> {
    /// A line that may be a message.
    Message(&'a [u8]),
    /// A line longer than a message may be: it was looked through and not kept.
    Oversized(Scan),
}

/// Cuts what arrives into lines. It holds one chunk and one unfinished line at most.
pub(crate) struct Framer {
    limits: ScanLimits,
    chunk: Box<[u8]>,
    // What of the chunk is not yet cut.
    uncut: Range<usize>,
    // The beginning of a line whose end is in a later chunk: at most one byte (a carriage return) over the limit.
    begun: Vec<u8>,
    // In place of `begun`, once the line is over the limit.
    scanner: Option<Scanner>,
    // Whether `begun` was handed out and is to be forgotten.
    spent: Spent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spent {
    No,
    Yes,
}

/// Where a complete line is.
enum Line {
    Blank,
    Chunk(Range<usize>),
    Begun,
    Oversized(Scan),
}

impl Framer {
    pub(crate) fn new(limits: ScanLimits) -> Self {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        Self { limits, chunk, uncut: 0..0, begun: Vec::new(), scanner: None, spent: Spent::No }
    }

    /// Room for the next bytes. All lines of the bytes before must have been taken.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        &mut self.chunk
    }

    /// So many bytes were put into the room.
    pub(crate) fn filled(&mut self, bytes: usize) {
        self.uncut = 0..bytes;
    }

    /// The next line that is complete and not blank.
    pub(crate) fn next(&mut self) -> Option<Frame<'_>> {
        self.forget_spent();
        loop {
            match self.cut()? {
                Line::Blank => {}
                Line::Chunk(range) => return self.chunk.get(range).map(Frame::Message),
                Line::Begun => return Some(Frame::Message(&self.begun)),
                Line::Oversized(scan) => return Some(Frame::Oversized(scan)),
            }
        }
    }

    /// The last line, if the input ended without ending it.
    pub(crate) fn finish(&mut self) -> Option<Frame<'_>> {
        self.forget_spent();
        match self.end_begun() {
            Line::Begun => Some(Frame::Message(&self.begun)),
            Line::Oversized(scan) => Some(Frame::Oversized(scan)),
            Line::Blank | Line::Chunk(_) => None,
        }
    }

    fn cut(&mut self) -> Option<Line> {
        let Range { start, end } = self.uncut.clone();
        let mut rest = self.chunk.get(start..end).filter(|rest| !rest.is_empty())?;
        let length = rest.skip_until(b'\n').unwrap_or_default();
        let next = start.saturating_add(length);
        self.uncut = next..end;

        let last = next.saturating_sub(1);
        if self.chunk.get(last) != Some(&b'\n') {
            self.keep(start..next);
            return None;
        }
        let line = start..last;
        if self.scanner.is_some() || !self.begun.is_empty() {
            self.keep(line);
            return Some(self.end_begun());
        }
        let text = without_return(self.chunk.get(line).unwrap_or_default());
        Some(if text.trim_ascii().is_empty() {
            Line::Blank
        } else if text.len() > self.limits.message_bytes {
            Line::Oversized(scan_all(&self.limits, text))
        } else {
            Line::Chunk(start..start.saturating_add(text.len()))
        })
    }

    /// Keeps a part of a line, or looks through it if the line is too long to be kept.
    fn keep(&mut self, part: Range<usize>) {
        let part = self.chunk.get(part).unwrap_or_default();
        if let Some(scanner) = &mut self.scanner {
            scanner.feed(part);
        } else if self.begun.len().saturating_add(part.len()) > self.limits.message_bytes.saturating_add(1) {
            let mut scanner = Scanner::new(&self.limits);
            scanner.feed(&mem::take(&mut self.begun));
            scanner.feed(part);
            self.scanner = Some(scanner);
        } else {
            self.begun.extend_from_slice(part);
        }
    }

    fn end_begun(&mut self) -> Line {
        if let Some(scanner) = self.scanner.take() {
            return Line::Oversized(scanner.finish());
        }
        self.spent = Spent::Yes;
        let length = without_return(&self.begun).len();
        self.begun.truncate(length);
        if self.begun.trim_ascii().is_empty() {
            self.forget_spent();
            Line::Blank
        } else if length > self.limits.message_bytes {
            Line::Oversized(scan_all(&self.limits, &self.begun))
        } else {
            Line::Begun
        }
    }

    /// One long line is no reason to hold its room for ever.
    fn forget_spent(&mut self) {
        if self.spent == Spent::Yes {
            self.spent = Spent::No;
            self.begun.clear();
            self.begun.shrink_to(CHUNK);
        }
    }
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn scan_all(limits: &ScanLimits, text: &[u8]) -> Scan {
    let mut scanner = Scanner::new(limits);
    scanner.feed(text);
    scanner.finish()
}

#[cfg(test)]
mod tests {
    use mtb_core::json::{IdField, ScanLimits};
    use proptest::prelude::*;

    use super::{CHUNK, Frame, Framer};

    const LIMIT: usize = 100;

    fn framer() -> Framer {
        Framer::new(ScanLimits { message_bytes: LIMIT, ..ScanLimits::default() })
    }

    /// What a frame was, as text: an over-long one as its id.
    fn told(frame: &Frame<'_>) -> String {
        match frame {
            Frame::Message(line) => String::from_utf8_lossy(line).into_owned(),
            Frame::Oversized(scan) => match &scan.id {
                IdField::Id(id) => format!("over-long, id {}", id.as_json()),
                _ => "over-long".to_owned(),
            },
        }
    }

    fn cut(framer: &mut Framer, chunks: &[&[u8]]) -> Vec<String> {
        let mut found = Vec::new();
        for chunk in chunks {
            framer.room()[..chunk.len()].copy_from_slice(chunk);
            framer.filled(chunk.len());
            while let Some(frame) = framer.next() {
                found.push(told(&frame));
            }
        }
        found.extend(framer.finish().as_ref().map(told));
        found
    }

    fn check(chunks: &[&str], expect: &[&str]) {
        let chunks: Vec<_> = chunks.iter().map(|chunk| chunk.as_bytes()).collect();
        assert_eq!(cut(&mut framer(), &chunks), expect, "{chunks:?}");
    }

    #[test]
    fn cuts_lines_wherever_the_chunks_end() {
        check(&[], &[]);
        check(&[""], &[]);
        check(&["one\ntwo\n"], &["one", "two"]);
        check(&["on", "e\ntw", "o", "\n"], &["one", "two"]);
        check(&["one\n", "\ntwo\n"], &["one", "two"]);
        check(&["one\nlast"], &["one", "last"]);
        check(&["la", "st"], &["last"]);
    }

    #[test]
    fn takes_carriage_returns_and_ignores_blank_lines() {
        check(&["one\r\ntwo\r\n"], &["one", "two"]);
        check(&["one\r", "\ntwo\r"], &["one", "two"]);
        check(&["\n\r\n \t\n   ", "\n\r", "\none\n  "], &["one"]);
        check(&["a\rb\n"], &["a\rb"]);
    }

    #[test]
    fn a_line_at_the_limit_is_a_message_and_one_byte_more_is_not() {
        let exact = "x".repeat(LIMIT);
        let over = "x".repeat(LIMIT + 1);
        for end in ["\n", "\r\n", ""] {
            for cut_at in [0, 1, 50, LIMIT] {
                let (first, last) = exact.split_at(cut_at);
                check(&[first, &format!("{last}{end}")], &[&exact]);
                let (first, last) = over.split_at(cut_at);
                check(
                    &[first, &format!("{last}{end}next\n")][..],
                    if end.is_empty() { &["over-long"] } else { &["over-long", "next"] },
                );
            }
        }
        check(&[&exact, "\r", "\nnext"], &[&exact, "next"]);
        check(&[&over, "\r", "\nnext"], &["over-long", "next"]);
        check(&[&exact, "\r", "x\nnext"], &["over-long", "next"]);
    }

    #[test]
    fn an_over_long_line_keeps_its_id_wherever_it_stands() {
        let filler = "[1],".repeat(LIMIT);
        for text in [
            format!("{{\"id\":7,\"params\":[{filler}0]}}"),
            format!("{{\"params\":[{filler}0],\"id\":7}}"),
            format!("{{\"params\":[{filler}0],\"id\":7}}\r"),
        ] {
            check(&[&text, "\nnext\n"], &["over-long, id 7", "next"]);
            check(&[&format!("{text}\nnext\n")], &["over-long, id 7", "next"]);
            check(&[&text], &["over-long, id 7"]);
            let pieces: Vec<_> = text.as_bytes().chunks(13).map(|piece| str::from_utf8(piece).unwrap()).collect();
            check(&pieces, &["over-long, id 7"]);
        }
    }

    #[test]
    fn gives_back_the_room_of_long_lines() {
        let limits = ScanLimits { message_bytes: 64 * CHUNK, ..ScanLimits::default() };
        let chunk = vec![b'x'; CHUNK];

        let mut framer = Framer::new(limits);
        let mut chunks = vec![chunk.as_slice(); 32];
        chunks.push(b"\n");
        assert_eq!(cut(&mut framer, &chunks).len(), 1);
        assert!(framer.begun.capacity() <= CHUNK, "after a long message");

        let mut chunks = vec![chunk.as_slice(); 65];
        chunks.push(b"\n");
        assert_eq!(cut(&mut framer, &chunks), ["over-long"]);
        assert!(framer.begun.capacity() <= CHUNK, "after an over-long line");
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(
            text in "[ax{}\":\r\n ]{0,300}",
            cuts in proptest::collection::vec(0_usize..300, 0..8),
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|at| at.min(text.len())).collect();
            cuts.extend([0, text.len()]);
            cuts.sort_unstable();
            let pieces: Vec<_> = cuts.windows(2).map(|pair| &text.as_bytes()[pair[0]..pair[1]]).collect();
            prop_assert_eq!(cut(&mut framer(), &pieces), cut(&mut framer(), &[text.as_bytes()]));
        }

        #[test]
        fn every_line_that_says_something_comes_out_once(lines in proptest::collection::vec("[a-z ]{0,120}", 0..12)) {
            let expect: Vec<_> = lines.iter().filter(|line| !line.trim().is_empty()).collect();
            let found = cut(&mut framer(), &[lines.join("\n").as_bytes()]);
            prop_assert_eq!(found.len(), expect.len());
            for (found, line) in found.iter().zip(expect) {
                prop_assert_eq!(found.as_str(), if line.len() > LIMIT { "over-long" } else { line });
            }
        }
    }
}
