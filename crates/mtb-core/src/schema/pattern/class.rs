use super::Refusal;
use super::cursor::Cursor;
use super::escape::{self, Escape};

/// A set of characters.
#[derive(Default)]
pub(super) struct Class {
    pub(super) is_negated: bool,
    /// First and last character of each range.
    pub(super) ranges: Vec<(char, char)>,
    /// As they are written.
    pub(super) properties: Vec<String>,
}

const DIGIT: &[(char, char)] = &[('0', '9')];
const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const LINE_END: &[(char, char)] = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];
const SPACE: &[(char, char)] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];

impl Class {
    /// The class that a letter after a backslash names.
    pub(super) fn named(letter: char) -> Option<Self> {
        let ranges = match letter.to_ascii_lowercase() {
            'd' => DIGIT,
            's' => SPACE,
            'w' => WORD,
            _ => return None,
        };
        Some(Self { is_negated: letter.is_ascii_uppercase(), ranges: ranges.to_vec(), properties: Vec::new() })
    }

    /// What `.` stands for.
    pub(super) fn of_one_line() -> Self {
        Self { is_negated: true, ranges: LINE_END.to_vec(), properties: Vec::new() }
    }

    pub(super) fn property(property: String) -> Self {
        Self { properties: vec![property], ..Self::default() }
    }

    /// Whether nothing is listed.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.properties.is_empty()
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Character(c) => self.ranges.push((c, c)),
            Item::Class(class) if class.is_negated => self.ranges.extend(others(&class.ranges)),
            Item::Class(class) => {
                self.ranges.extend(class.ranges);
                self.properties.extend(class.properties);
            }
        }
    }
}

/// All characters outside of sorted ranges.
fn others(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let before = ranges.iter().map(|(first, _)| ('\0'..*first).next_back());
    let after = ranges.iter().map(|(_, last)| (*last..=char::MAX).nth(1));
    let starts = std::iter::once(Some('\0')).chain(after);
    let ends = before.chain(std::iter::once(Some(char::MAX)));
    starts.zip(ends).filter_map(|(start, end)| Some((start?, end?))).collect()
}

enum Item {
    Character(char),
    Class(Class),
}

impl Item {
    fn is_property(&self) -> bool {
        matches!(self, Self::Class(class) if !class.properties.is_empty())
    }
}

/// Reads a class after its bracket.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Class, Refusal> {
    let start = cursor.at().saturating_sub(1);
    let mut class = Class { is_negated: cursor.eat("^"), ..Class::default() };
    while !cursor.eat("]") {
        let from = cursor.at();
        let first = item(cursor, start)?;
        if cursor.rest().starts_with("-]") || !cursor.eat("-") {
            class.add(first);
            continue;
        }
        match (first, item(cursor, start)?) {
            (Item::Character(first), Item::Character(last)) if first <= last => class.ranges.push((first, last)),
            (Item::Character(_), Item::Character(_)) => {
                return Err(Refusal::of(cursor.since(from), "is a range that ends before it begins", "swap its ends"));
            }
            // Only without flag `u` a set may stand there, and then there are no properties.
            (first, last) if !first.is_property() && !last.is_property() => {
                for item in [first, Item::Character('-'), last] {
                    class.add(item);
                }
            }
            _ => {
                let remedy = r"write the hyphen as `\-` if it stands for itself";
                return Err(Refusal::of(cursor.since(from), "is a range that begins or ends with a set", remedy));
            }
        }
    }
    Ok(class)
}

fn item(cursor: &mut Cursor<'_>, start: usize) -> Result<Item, Refusal> {
    if let Some(name) = posix(cursor.rest()) {
        let remedy = "write the characters themselves, such as `a-zA-Z0-9`";
        return Err(Refusal::of(name, "is no name of a class in ECMA-262", remedy));
    }
    match cursor.next() {
        None => {
            let remedy = r"close it with `]`, or write `\[` for the character";
            Err(Refusal::of(cursor.from(start), "is a class that does not end", remedy))
        }
        Some('\\') => match escape::in_class(cursor)? {
            Escape::Character(c) => Ok(Item::Character(c)),
            Escape::Class(class) => Ok(Item::Class(class)),
        },
        Some(c) => Ok(Item::Character(c)),
    }
}

/// The name of a class as in `[:alpha:]`, where the text begins with one.
fn posix(rest: &str) -> Option<&str> {
    let (name, _) = rest.strip_prefix("[:")?.split_once(":]")?;
    let is_name = name.chars().all(|c| c.is_ascii_alphabetic() || c == '^');
    rest.get(..name.len() + 4).filter(|_| is_name)
}
