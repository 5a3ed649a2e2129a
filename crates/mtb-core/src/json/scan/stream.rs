use std::fmt;

use super::machine::Machine;
use super::names::Names;
use super::{Scan, ScanLimits};

/// Scans a message that comes in chunks, and keeps none of it: for a line that is too long to be kept, but may still
/// hold an `id` to answer.
///
/// It finds what [`scan`](super::scan) finds, with one difference. Of member names that occur twice it only finds those
/// that the envelope's [`Scan`] has a field for.
///
/// ```
/// use mtb_core::json::{JsonFault, ScanLimits, Scanner};
///
/// let mut scanner = Scanner::new(&ScanLimits { message_bytes: 100, ..ScanLimits::default() });
/// scanner.feed(br#"{"method": "tools/call", "params": ""#);
/// (0..1_000).for_each(|_| scanner.feed(b"and so on "));
/// scanner.feed(br#"", "id": "last"}"#);
/// let scan = scanner.finish();
/// assert_eq!(scan.id.request_id().unwrap().as_str(), Some("last"));
/// assert_eq!(scan.fault.unwrap().fault, JsonFault::Oversize);
/// ```
pub struct Scanner {
    machine: Machine<'static>,
    length: usize,
    // The start of a character that the last chunk was cut in; at most three bytes.
    cut: Vec<u8>,
    // Whether some bytes cannot be UTF-8, whatever follows.
    is_broken: bool,
}

impl Scanner {
    /// Before the first chunk.
    #[must_use]
    pub fn new(limits: &ScanLimits) -> Self {
        Self { machine: Machine::new(limits, Names::none()), length: 0, cut: Vec::new(), is_broken: false }
    }

    /// Reads the next chunk, cut anywhere.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.length += chunk.len();
        let mut rest = chunk.iter();
        while !self.cut.is_empty() && !self.is_broken {
            let Some(byte) = rest.next() else { return };
            let mut joined = std::mem::take(&mut self.cut);
            joined.push(*byte);
            self.read(&joined);
        }
        if !self.is_broken {
            self.read(rest.as_slice());
        }
    }

    /// After the last chunk.
    #[must_use]
    pub fn finish(self) -> Scan {
        self.machine.finish(self.length)
    }

    fn read(&mut self, bytes: &[u8]) {
        match str::from_utf8(bytes) {
            Ok(text) => self.machine.read(text),
            Err(error) => {
                let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or_default();
                self.machine.read(str::from_utf8(valid).unwrap_or_default());
                self.is_broken = error.error_len().is_some();
                self.cut = rest.get(..3.min(rest.len())).unwrap_or_default().to_vec();
            }
        }
    }
}

impl fmt::Debug for Scanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanner").field("length", &self.length).finish_non_exhaustive()
    }
}
