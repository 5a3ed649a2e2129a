use std::collections::BTreeMap;

use super::Refusal;
use super::class::{self, Class};
use super::cursor::Cursor;
use super::escape::{self, Escape};
use super::quantifier;
use super::write;

/// Deepest nesting of groups; `(a)` has depth 1.
const MAX_GROUP_DEPTH: usize = 40;

/// The pattern in the syntax of the engine.
pub(super) fn read(pattern: &str) -> Result<String, Refusal> {
    let mut reader = Reader {
        cursor: Cursor::new(pattern),
        out: String::with_capacity(pattern.len()),
        names: BTreeMap::new(),
        holds: Vec::new(),
        uncounted: Vec::new(),
        held: Vec::new(),
        look_behinds: 0,
        depth: 0,
    };
    reader.alternatives()?;
    match reader.cursor.next() {
        None => Ok(reader.out),
        Some(_) => Err(Refusal::of(")", "closes no group", r"open one, or write `\)` for the character")),
    }
}

struct Reader<'p> {
    cursor: Cursor<'p>,
    out: String,
    /// The numbers of groups with a name.
    names: BTreeMap<&'p str, usize>,
    /// Per group that was opened, from 1 on, whether it is sure to hold text wherever the cursor is reached.
    holds: Vec<bool>,
    /// The numbers of groups that the engine does not count, since they are not told as groups that capture.
    uncounted: Vec<usize>,
    /// Those that do, in the order in which they ended.
    held: Vec<usize>,
    /// How many look-behinds enclose the cursor.
    look_behinds: usize,
    depth: usize,
}

/// What was read, as far as it matters to what stands around it.
#[derive(Clone, Copy)]
struct Part {
    may_be_empty: bool,
    /// Whether it repeats something that may be empty. How often it does then, readers tell in their own ways.
    repeats_nothing: bool,
    /// Whether it only looks, and takes no text.
    is_position: bool,
}

impl Part {
    const CHARACTER: Self = Self { may_be_empty: false, repeats_nothing: false, is_position: false };
    const POSITION: Self = Self { may_be_empty: true, repeats_nothing: false, is_position: true };
    const REFERENCE: Self = Self { may_be_empty: true, repeats_nothing: false, is_position: false };
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Result<Part, Refusal> {
        let held = self.held.len();
        let mut all = self.sequence()?;
        while self.cursor.eat("|") {
            self.out.push('|');
            self.forget(held);
            let one = self.sequence()?;
            self.forget(held);
            all.may_be_empty |= one.may_be_empty;
            all.repeats_nothing |= one.repeats_nothing;
        }
        Ok(all)
    }

    fn sequence(&mut self) -> Result<Part, Refusal> {
        let mut all = Part { may_be_empty: true, repeats_nothing: false, is_position: false };
        while let Some(next) = self.cursor.peek().filter(|c| !matches!(c, '|' | ')')) {
            let one = self.repeated(next)?;
            all.may_be_empty &= one.may_be_empty;
            all.repeats_nothing |= one.repeats_nothing;
        }
        Ok(all)
    }

    fn repeated(&mut self, next: char) -> Result<Part, Refusal> {
        let (start, held) = (self.cursor.at(), self.held.len());
        let mut part = self.atom(next)?;
        let end = self.cursor.at();
        let Some(quantifier) = quantifier::read(&mut self.cursor)? else { return Ok(part) };
        if part.is_position {
            let remedy = "remove the quantifier, or put both into a group";
            return Err(Refusal::of(self.cursor.since(start), "repeats a position", remedy));
        }
        self.out.push_str(self.cursor.since(end));
        if part.may_be_empty && quantifier.most.is_none_or(|most| most > 1) {
            part.repeats_nothing = true;
            self.forget(held);
        }
        if quantifier.least == 0 {
            part.may_be_empty = true;
            self.forget(held);
        }
        Ok(part)
    }

    fn atom(&mut self, next: char) -> Result<Part, Refusal> {
        match next {
            '*' | '+' | '?' => return Err(nothing_to_repeat(next.to_string().as_str())),
            '{' => {
                let start = self.cursor.at();
                if quantifier::count(&mut self.cursor)?.is_some() {
                    return Err(nothing_to_repeat(self.cursor.since(start)));
                }
            }
            _ => {}
        }
        self.cursor.next();
        match next {
            '^' | '$' => {
                self.out.push(next);
                Ok(Part::POSITION)
            }
            '.' => Ok(self.class(&Class::of_one_line())),
            '[' => class::read(&mut self.cursor).map(|class| self.class(&class)),
            '(' => self.group(),
            '\\' => self.escape(),
            ']' => {
                let remedy = r"write `\]` for the character; ECMA-262 has no classes in classes, and in `[]a]` the first `]` ends";
                Err(Refusal::of("]", "closes no class", remedy))
            }
            _ => Ok(self.character(next)),
        }
    }

    fn character(&mut self, c: char) -> Part {
        write::character(&mut self.out, c);
        Part::CHARACTER
    }

    fn class(&mut self, class: &Class) -> Part {
        write::class(&mut self.out, class);
        Part::CHARACTER
    }

    fn escape(&mut self) -> Result<Part, Refusal> {
        let start = self.cursor.at().saturating_sub(1);
        match self.cursor.peek() {
            Some(letter @ ('b' | 'B')) => {
                self.cursor.next();
                if self.cursor.rest().starts_with('{') {
                    let piece = self.cursor.from(start);
                    return Err(Refusal::of(piece, "is no word boundary of ECMA-262", r"write `\b` alone"));
                }
                self.out.push_str(if letter == 'b' { write::BOUNDARY } else { write::NO_BOUNDARY });
                Ok(Part::POSITION)
            }
            Some('1'..='9') => {
                let number = self.cursor.run(|c| c.is_ascii_digit()).parse().ok();
                self.reference(start, number)
            }
            Some('k') => {
                self.cursor.next();
                let name = if self.cursor.eat("<") { self.cursor.run(|c| c != '>') } else { "" };
                self.cursor.eat(">");
                self.reference(start, self.names.get(name).copied())
            }
            _ => Ok(match escape::anywhere(&mut self.cursor)? {
                Escape::Character(c) => self.character(c),
                Escape::Class(class) => self.class(&class),
            }),
        }
    }

    /// A group that took no part matches nothing in ECMA-262 and fails in the engine, which also remembers what a group
    /// held when it was repeated before. So only what is sure to be held is referred to.
    fn reference(&mut self, start: usize, number: Option<usize>) -> Result<Part, Refusal> {
        let piece = self.cursor.since(start);
        if self.look_behinds > 0 {
            let remedy = "move it out of the look-behind, which ECMA-262 reads from its end";
            return Err(Refusal::of(piece, "is a back-reference in a look-behind", remedy));
        }
        let Some(number) = number.filter(|number| self.is_held(*number)) else {
            let remedy =
                "refer to a group before it that always takes part in the match, and is not repeated by itself";
            return Err(Refusal::of(piece, "refers to a group that may hold nothing there", remedy));
        };
        let counted = number - self.uncounted.iter().filter(|other| **other < number).count();
        // In a group of its own, since a digit may follow.
        self.out.extend([r"(?:\", &counted.to_string(), ")"]);
        Ok(Part::REFERENCE)
    }

    fn is_held(&self, number: usize) -> bool {
        number.checked_sub(1).and_then(|index| self.holds.get(index)).copied().unwrap_or(false)
    }

    fn hold(&mut self, number: usize) {
        if let Some(holds) = number.checked_sub(1).and_then(|index| self.holds.get_mut(index)) {
            *holds = true;
            self.held.push(number);
        }
    }

    /// Forgets all groups but the first that are held.
    fn forget(&mut self, but: usize) {
        while self.held.len() > but {
            let index = self.held.pop().and_then(|number| number.checked_sub(1));
            if let Some(holds) = index.and_then(|index| self.holds.get_mut(index)) {
                *holds = false;
            }
        }
    }

    fn group(&mut self) -> Result<Part, Refusal> {
        let start = self.cursor.at().saturating_sub(1);
        let held = self.held.len();
        let kind = self.kind(start)?;
        let is_look_behind = matches!(kind, Kind::Look { behind: true, .. });
        self.look_behinds += usize::from(is_look_behind);
        self.depth += 1;
        if self.depth > MAX_GROUP_DEPTH {
            let problem = format!("is nested deeper than {MAX_GROUP_DEPTH} groups");
            return Err(Refusal::of(self.cursor.from(start), &problem, "nest fewer groups"));
        }
        let part = self.alternatives()?;
        if !self.cursor.eat(")") {
            let remedy = r"close it with `)`, or write `\(` for the character";
            return Err(Refusal::of(self.cursor.from(start), "is a group that does not end", remedy));
        }
        self.out.push(')');
        self.depth -= 1;
        self.look_behinds -= usize::from(is_look_behind);
        Ok(match kind {
            Kind::Plain => part,
            Kind::Capture(number) => {
                self.hold(number);
                part
            }
            Kind::Look { behind, negated } => {
                if behind || negated || part.repeats_nothing {
                    self.forget(held);
                }
                Part { repeats_nothing: part.repeats_nothing, ..Part::POSITION }
            }
        })
    }

    /// Reads how a group begins.
    fn kind(&mut self, start: usize) -> Result<Kind, Refusal> {
        if !self.cursor.eat("?") {
            return Ok(self.capture());
        }
        for (text, kind) in [
            (":", Kind::Plain),
            ("=", Kind::Look { behind: false, negated: false }),
            ("!", Kind::Look { behind: false, negated: true }),
            ("<=", Kind::Look { behind: true, negated: false }),
            ("<!", Kind::Look { behind: true, negated: true }),
        ] {
            if self.cursor.eat(text) {
                self.out.push_str("(?");
                self.out.push_str(text);
                return Ok(kind);
            }
        }
        if !self.cursor.eat("<") {
            self.cursor.next();
            let (piece, rest) = (self.cursor.since(start), self.cursor.rest());
            return Err(Refusal::of(piece, "begins no group of ECMA-262", instead(piece, rest)));
        }
        // ECMA-262 has more letters, which readers know in different versions of Unicode.
        let name = self.cursor.run(|c| c.is_ascii_alphanumeric() || matches!(c, '$' | '_'));
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '$' | '_'));
        if !begins || !self.cursor.eat(">") {
            let remedy = "write `(?<name>…)` with a name of letters from `a` to `z` and digits";
            return Err(Refusal::of(self.cursor.since(start), "is not followed by the name of a group", remedy));
        }
        if self.names.insert(name, self.holds.len() + 1).is_some() {
            return Err(Refusal::of(self.cursor.since(start), "is the name of another group too", "rename one"));
        }
        Ok(self.capture())
    }

    /// Nothing refers to what a look-behind captures, and the engine goes wrong over captures in some of them.
    fn capture(&mut self) -> Kind {
        self.holds.push(false);
        let number = self.holds.len();
        if self.look_behinds > 0 {
            self.uncounted.push(number);
            self.out.push_str("(?:");
            return Kind::Plain;
        }
        self.out.push('(');
        Kind::Capture(number)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    /// With its number.
    Capture(usize),
    Look {
        behind: bool,
        negated: bool,
    },
}

fn nothing_to_repeat(piece: &str) -> Refusal {
    let remedy = format!(r"put what it repeats before it, or write `\{piece}` for the character");
    Refusal::of(piece, "repeats nothing", remedy)
}

/// What may be meant by a group of other dialects.
fn instead(piece: &str, rest: &str) -> &'static str {
    match piece {
        "(?P" if rest.starts_with('=') => r"write `\k<name>`",
        "(?P" => "write `(?<name>…)`",
        "(?>" => "write `(?:…)`: ECMA-262 always gives back what it took when that is needed to match",
        "(?#" => "put the comment into `$comment`",
        "(?i" => "write both cases, such as `[aA]`",
        "(?m" => r"write the ends of lines, such as `(?:^|\n)`",
        "(?s" => r"write `[^]` for any character",
        "(?x" => "write it without blanks and comments",
        _ => "write it with `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)` or `(?<!…)`",
    }
}
