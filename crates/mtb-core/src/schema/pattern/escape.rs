use super::Refusal;
use super::class::Class;
use super::cursor::Cursor;
use super::property;

/// What one character or set of characters is written as.
pub(super) enum Escape {
    Character(char),
    Class(Class),
}

/// Reads what follows a backslash in a class.
pub(super) fn in_class(cursor: &mut Cursor<'_>) -> Result<Escape, Refusal> {
    if cursor.eat("b") { Ok(Escape::Character('\u{8}')) } else { anywhere(cursor) }
}

/// Reads what follows a backslash, where that means the same in a class and outside.
pub(super) fn anywhere(cursor: &mut Cursor<'_>) -> Result<Escape, Refusal> {
    let start = cursor.at().saturating_sub(1);
    let Some(c) = cursor.next() else {
        return Err(Refusal::of(r"\", "escapes nothing", r"write `\\` for the character"));
    };
    if let Some(class) = Class::named(c) {
        return Ok(Escape::Class(class));
    }
    let character = match c {
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        'c' => return control(cursor, start),
        'x' => return two_digits(cursor, start),
        'u' => return unicode(cursor, start),
        'p' | 'P' => return property::read(cursor, start).map(|it| Escape::Class(Class::property(it))),
        '0' if !cursor.peek().is_some_and(|c| c.is_ascii_digit()) => '\0',
        '0'..='9' => {
            cursor.run(|c| c.is_ascii_digit());
            let remedy = r"write the character as `\xHH`";
            return Err(Refusal::of(cursor.since(start), "is no escape of ECMA-262", remedy));
        }
        c if c.is_ascii_alphabetic() => {
            return Err(Refusal::of(cursor.since(start), "is no escape of ECMA-262", instead(c)));
        }
        c => c,
    };
    Ok(Escape::Character(character))
}

/// What may be meant by an escape of other dialects.
fn instead(letter: char) -> &'static str {
    match letter {
        'A' => "write `^`, the start of the text",
        'z' | 'Z' => "write `$`, the end of the text",
        'G' => "write `^`; each match begins at the start or anywhere",
        'h' => r"write `[ \t]` for blanks, or `[0-9a-fA-F]` for hexadecimal digits",
        'R' => r"write `(?:\r\n|\n|\r)`",
        'N' => "write `.`",
        'K' => "write a look-behind, `(?<=…)`",
        'Q' | 'E' => "escape the characters one by one",
        'a' => r"write `\x07` for the bell, or the letter without the backslash",
        'e' => r"write `\x1b` for escape, or the letter without the backslash",
        'b' | 'B' => "move the word boundary out of the class",
        'k' => r"move the back-reference out of the class",
        'U' => r"write the code point as `\u{…}`",
        _ => "write the letter without the backslash, if it stands for itself",
    }
}

fn control(cursor: &mut Cursor<'_>, start: usize) -> Result<Escape, Refusal> {
    let letter = cursor.next().filter(char::is_ascii_alphabetic);
    let code = letter.and_then(|letter| char::from_u32(u32::from(letter) % 32));
    let problem = || Refusal::of(cursor.since(start), "names no control character", r"write it as `\xHH`");
    code.map(Escape::Character).ok_or_else(problem)
}

fn two_digits(cursor: &mut Cursor<'_>, start: usize) -> Result<Escape, Refusal> {
    let code = digits(cursor, 2).and_then(char::from_u32);
    code.map(Escape::Character).ok_or_else(|| {
        let remedy = r"write `\xHH` with two hexadecimal digits, or `\u{…}`";
        Refusal::of(cursor.since(start), "is not followed by two hexadecimal digits", remedy)
    })
}

fn unicode(cursor: &mut Cursor<'_>, start: usize) -> Result<Escape, Refusal> {
    let is_whole = cursor.eat("{");
    let code = if is_whole {
        let code = u32::from_str_radix(cursor.run(|c| c.is_ascii_hexdigit()), 16).ok();
        code.filter(|_| cursor.eat("}"))
    } else {
        digits(cursor, 4)
    };
    let Some(code) = code.filter(|code| *code <= u32::from(char::MAX)) else {
        let remedy = r"write `\uHHHH` with four hexadecimal digits, or `\u{…}` with up to 10ffff";
        return Err(Refusal::of(cursor.since(start), "is no code point", remedy));
    };
    let character = char::from_u32(code).or_else(|| if is_whole { None } else { second_half(cursor, code) });
    character.map(Escape::Character).ok_or_else(|| {
        let remedy = r"write code points above ffff whole, as `\u{…}`; no text holds half of one";
        Refusal::of(cursor.since(start), "is half of a code point", remedy)
    })
}

/// The code point of two surrogates, if the second one follows.
fn second_half(cursor: &mut Cursor<'_>, first: u32) -> Option<char> {
    if !cursor.eat(r"\u") {
        return None;
    }
    let halves = [u16::try_from(first).ok()?, u16::try_from(digits(cursor, 4)?).ok()?];
    char::decode_utf16(halves).next()?.ok()
}

/// The value of so many hexadecimal digits.
fn digits(cursor: &mut Cursor<'_>, count: usize) -> Option<u32> {
    let text = cursor.rest().get(..count).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    cursor.eat(text);
    u32::from_str_radix(text, 16).ok()
}
