use super::envelope::{Envelope, NAME_BYTES, Small};
use super::held::Held;
use super::names::Names;
use super::nesting::{Container, Nesting};
use super::string::{Piece, StringState};
use super::{RootKind, Scan, ScanFault, ScanLimits};
use crate::json::number::{self, Shape};
use crate::json::{JsonFault, MAX_NUMBER_BYTES};

/// The scanner itself: takes a text in pieces, each valid UTF-8, and holds nothing of it but the small members of the
/// envelope and, of a token that a piece was cut in, what is wanted of it.
pub(super) struct Machine<'t> {
    limits: ScanLimits,
    names: Names<'t>,
    envelope: Envelope,
    nesting: Nesting,
    state: State,
    root: RootKind,
    fault: Option<ScanFault>,
    nodes: usize,
    // Offset of the current piece in the text.
    base: usize,
    // Offset of the current string or number in the text.
    token: usize,
    held: Held,
}

enum State {
    Value,
    ItemOrEnd,
    NameOrEnd,
    Name,
    Colon,
    CommaOrEnd,
    End,
    String(Role, StringState),
    Number(Shape),
    Literal(&'static [u8], Small<'static>),
    Failed,
}

#[derive(Clone, Copy)]
enum Role {
    Name,
    Value,
}

impl<'t> Machine<'t> {
    pub(super) fn new(limits: &ScanLimits, names: Names<'t>) -> Self {
        Self {
            limits: *limits,
            names,
            envelope: Envelope::new(),
            nesting: Nesting::default(),
            state: State::Value,
            root: RootKind::Other,
            fault: None,
            nodes: 0,
            base: 0,
            token: 0,
            held: Held::default(),
        }
    }

    /// Reads the next piece.
    pub(super) fn read(&mut self, piece: &str) {
        let bytes = piece.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match self.state {
                State::String(role, _) => self.string(piece, at, role),
                State::Number(shape) => self.number(piece, at, shape),
                State::Literal(rest, value) => self.literal(byte, at, rest, value),
                State::Failed => break,
                _ if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') => at + 1,
                _ => self.structure(byte, at),
            };
        }
        self.base += piece.len();
    }

    /// The text has this many bytes in all; those that were never read are not UTF-8.
    pub(super) fn finish(mut self, length: usize) -> Scan {
        if self.base < length {
            self.fail(JsonFault::Encoding, self.base);
        }
        match self.state {
            State::Number(shape) if self.nesting.depth() == 0 && shape.is_complete() => {
                self.end_number("", shape, length);
            }
            State::End | State::Failed => {}
            _ => self.fail(JsonFault::Syntax, length),
        }
        let most = self.limits.message_bytes;
        if length > most && self.fault.is_none_or(|fault| !fault.fault.is_fatal() || fault.offset >= most) {
            self.fault = Some(ScanFault { fault: JsonFault::Oversize, offset: most, inside_params: false });
        }
        let Envelope { id, jsonrpc, method, params, result, error, .. } = self.envelope;
        Scan { id, jsonrpc, method, params, result, error, fault: self.fault, root: self.root }
    }

    /// Reads a byte that is a token or begins one; gives where to go on.
    fn structure(&mut self, byte: u8, at: usize) -> usize {
        let offset = self.base + at;
        match (&self.state, byte) {
            (State::Value | State::ItemOrEnd, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                return self.begin_value(byte, at);
            }
            (State::NameOrEnd | State::Name, b'"') => {
                self.node(offset);
                self.begin_string(Role::Name, offset);
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::CommaOrEnd, b',') => {
                let in_object = self.nesting.top() == Some(Container::Object);
                self.state = if in_object { State::Name } else { State::Value };
            }
            (State::NameOrEnd, b'}') | (State::ItemOrEnd, b']') => self.close(offset),
            (State::CommaOrEnd, b'}') if self.nesting.top() == Some(Container::Object) => self.close(offset),
            (State::CommaOrEnd, b']') if self.nesting.top() == Some(Container::Array) => self.close(offset),
            _ => self.fail(JsonFault::Syntax, offset),
        }
        at + 1
    }

    fn begin_value(&mut self, byte: u8, at: usize) -> usize {
        let offset = self.base + at;
        if self.is_in_envelope() {
            self.envelope.value_starts(offset);
        }
        self.node(offset);
        match byte {
            b'"' => self.begin_string(Role::Value, offset),
            b'{' => self.open(Container::Object, offset),
            b'[' => self.open(Container::Array, offset),
            b't' => self.state = State::Literal(b"rue", Small::Other),
            b'f' => self.state = State::Literal(b"alse", Small::Other),
            b'n' => self.state = State::Literal(b"ull", Small::Null),
            _ => {
                self.token = offset;
                self.state = State::Number(Shape::Start);
                // The first byte is read again, as a part of the number.
                return at;
            }
        }
        at + 1
    }

    fn open(&mut self, container: Container, offset: usize) {
        let depth = self.nesting.depth() + 1;
        if self.limits.json.too_deep(depth) {
            self.note(JsonFault::TooDeep, offset);
        }
        if depth > Nesting::MAX {
            self.state = State::Failed;
            return;
        }
        self.nesting.push(container);
        let root;
        (self.state, root) = match container {
            Container::Array => (State::ItemOrEnd, RootKind::Array),
            Container::Object => (State::NameOrEnd, RootKind::Object),
        };
        if depth == 1 {
            self.root = root;
        }
        if container == Container::Object {
            self.names.open();
        }
    }

    fn close(&mut self, offset: usize) {
        if self.nesting.top() == Some(Container::Object)
            && let Some(twin) = self.names.close()
        {
            self.note(JsonFault::DuplicateKey, twin);
        }
        self.nesting.pop();
        self.end_value(offset + 1, Small::Other);
    }

    fn end_value(&mut self, end: usize, value: Small<'_>) {
        if self.is_in_envelope() {
            self.envelope.value_ends(end, value);
        }
        self.state = if self.nesting.depth() == 0 { State::End } else { State::CommaOrEnd };
    }

    fn begin_string(&mut self, role: Role, offset: usize) {
        self.token = offset;
        self.state = State::String(role, StringState::default());
    }

    fn string(&mut self, piece: &str, at: usize, role: Role) -> usize {
        let State::String(_, string) = &mut self.state else { return at };
        let rest = piece.get(at..).unwrap_or_default();
        let read = string.read(rest.as_bytes());
        if string.decoded() > self.limits.json.string_bytes {
            self.note(JsonFault::StringTooLong, self.token);
        }
        match read {
            Piece::Open => {
                let wanted = self.wanted(role);
                self.held.push(rest, wanted);
                piece.len()
            }
            Piece::Bad(bad) => {
                self.fail(JsonFault::Syntax, self.base + at + bad);
                piece.len()
            }
            Piece::Closed(quote) => {
                self.end_string(rest.get(..quote).unwrap_or_default(), role, self.base + at + quote);
                at + quote + 1
            }
        }
    }

    fn end_string(&mut self, last: &str, role: Role, quote: usize) {
        let wanted = self.wanted(role);
        let body = self.held.join(last, wanted);
        match role {
            Role::Value => self.end_value(quote + 1, Small::String(body.as_deref())),
            Role::Name => {
                self.names.add(self.token + 1..quote);
                if self.is_in_envelope() && self.envelope.name(body.as_deref()) {
                    self.note(JsonFault::DuplicateKey, self.token);
                }
                self.state = State::Colon;
            }
        }
    }

    /// How many bytes of the current string can be of interest.
    fn wanted(&self, role: Role) -> usize {
        match role {
            Role::Name => NAME_BYTES,
            Role::Value => self.envelope.wanted(),
        }
    }

    fn number(&mut self, piece: &str, at: usize, start: Shape) -> usize {
        let rest = piece.get(at..).unwrap_or_default();
        let (length, shape) = start.run(rest.as_bytes());
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if after.is_empty() {
            self.held.push(part, MAX_NUMBER_BYTES);
            self.state = State::Number(shape);
        } else if shape.is_complete() {
            self.end_number(part, shape, self.base + at + length);
        } else {
            self.fail(JsonFault::Syntax, self.base + at + length);
        }
        at + length
    }

    fn end_number(&mut self, last: &str, shape: Shape, end: usize) {
        let token = self.held.join(last, MAX_NUMBER_BYTES);
        if let Err(fault) = number::check(token.as_deref(), shape) {
            self.note(fault, self.token);
        }
        self.end_value(end, token.as_deref().map_or(Small::Other, Small::Number));
    }

    fn literal(&mut self, byte: u8, at: usize, rest: &'static [u8], value: Small<'static>) -> usize {
        match rest.split_first() {
            Some((first, [])) if *first == byte => self.end_value(self.base + at + 1, value),
            Some((first, rest)) if *first == byte => self.state = State::Literal(rest, value),
            _ => self.fail(JsonFault::Syntax, self.base + at),
        }
        at + 1
    }

    /// Whether the root encloses what is read. If that is an array, nothing in it has a name, and no field takes it.
    fn is_in_envelope(&self) -> bool {
        self.nesting.depth() == 1
    }

    fn node(&mut self, offset: usize) {
        self.nodes += 1;
        if self.nodes > self.limits.json.nodes {
            self.note(JsonFault::TooManyNodes, offset);
        }
    }

    /// Something is wrong that leaves the rest its meaning.
    fn note(&mut self, fault: JsonFault, offset: usize) {
        if self.fault.is_none() {
            self.fault = Some(ScanFault { fault, offset, inside_params: self.envelope.is_in_params() });
            self.names.stop();
        }
    }

    /// Something is wrong that leaves the rest without meaning.
    fn fail(&mut self, fault: JsonFault, offset: usize) {
        if !matches!(self.state, State::Failed) {
            self.fault = Some(ScanFault { fault, offset, inside_params: self.envelope.is_in_params() });
            self.names.stop();
            self.state = State::Failed;
        }
    }
}
