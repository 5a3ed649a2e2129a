use crate::json::escape::{hex_digit, is_high_surrogate, join_surrogates, plain_run, simple_escape};

/// How far into a string a reader is, when its text comes in pieces.
#[derive(Default)]
pub(super) struct StringState {
    decoded: usize,
    escape: Escape,
    // A high surrogate that waits for its other half.
    high: Option<u32>,
}

#[derive(Default, Clone, Copy)]
enum Escape {
    #[default]
    None,
    Backslash,
    Hex {
        digits: u8,
        unit: u32,
    },
}

/// How a piece of a string ended.
pub(super) enum Piece {
    /// The string goes on in the next piece.
    Open,
    /// The closing quote stands at this offset of the piece.
    Closed(usize),
    /// What stands at this offset of the piece cannot be part of a string.
    Bad(usize),
}

impl StringState {
    /// Bytes of the decoded text so far.
    pub(super) fn decoded(&self) -> usize {
        self.decoded
    }

    /// Reads what stands between the quotes.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Piece {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            if let (Escape::None, None) = (self.escape, self.high) {
                let run = plain_run(rest);
                self.decoded += run;
                at += run;
            }
            let Some(byte) = bytes.get(at) else { break };
            match self.step(*byte) {
                Some(false) => at += 1,
                Some(true) => return Piece::Closed(at),
                None => return Piece::Bad(at),
            }
        }
        Piece::Open
    }

    /// Reads one byte that is special or part of an escape; says whether it closes the string.
    fn step(&mut self, byte: u8) -> Option<bool> {
        self.escape = match (self.escape, byte) {
            (Escape::None, b'"') if self.high.is_none() => return Some(true),
            (Escape::None, b'\\') => Escape::Backslash,
            (Escape::Backslash, b'u') => Escape::Hex { digits: 0, unit: 0 },
            (Escape::Backslash, letter) if self.high.is_none() => {
                self.decoded += simple_escape(letter)?.len_utf8();
                Escape::None
            }
            (Escape::Hex { digits, unit }, digit) => {
                let unit = unit * 16 + hex_digit(digit)?;
                if digits == 3 { self.unit(unit)? } else { Escape::Hex { digits: digits + 1, unit } }
            }
            _ => return None,
        };
        Some(false)
    }

    fn unit(&mut self, unit: u32) -> Option<Escape> {
        match self.high.take() {
            Some(high) => self.decoded += join_surrogates(high, unit)?.len_utf8(),
            None if is_high_surrogate(unit) => self.high = Some(unit),
            None => self.decoded += char::from_u32(unit)?.len_utf8(),
        }
        Some(Escape::None)
    }
}
