use super::Refusal;
use super::cursor::Cursor;

/// How often something is repeated.
#[derive(Clone, Copy)]
pub(super) struct Quantifier {
    pub(super) least: u32,
    /// Without an end where there is none.
    pub(super) most: Option<u32>,
}

/// Reads a quantifier with its mark of laziness, if one stands here.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Option<Quantifier>, Refusal> {
    let start = cursor.at();
    let Some(quantifier) = one(cursor)? else { return Ok(None) };
    cursor.eat("?");
    let is_possessive = cursor.peek() == Some('+');
    if one(cursor)?.is_some() {
        let remedy = if is_possessive {
            "remove the `+`: ECMA-262 always gives back what it took when that is needed to match"
        } else {
            "write one of them, or put the first one into `(?:…)`"
        };
        return Err(Refusal::of(cursor.since(start), "is one quantifier after another", remedy));
    }
    Ok(Some(quantifier))
}

fn one(cursor: &mut Cursor<'_>) -> Result<Option<Quantifier>, Refusal> {
    let (least, most) = match cursor.peek() {
        Some('*') => (0, None),
        Some('+') => (1, None),
        Some('?') => (0, Some(1)),
        Some('{') => return count(cursor),
        _ => return Ok(None),
    };
    cursor.next();
    Ok(Some(Quantifier { least, most }))
}

/// Reads a count in braces. Other braces stand for themselves, unless a reader could take them for a count.
pub(super) fn count(cursor: &mut Cursor<'_>) -> Result<Option<Quantifier>, Refusal> {
    let rest = cursor.rest();
    let Some(inside) = rest.strip_prefix('{') else { return Ok(None) };
    let inside = inside.split_once('}').map_or(inside, |(inside, _)| inside);
    let piece = rest.get(..inside.len() + 2).unwrap_or(rest);
    let (least, most) = match inside.split_once(',') {
        None => (inside, Some(inside)),
        Some((least, "")) => (least, None),
        Some((least, most)) => (least, Some(most)),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !piece.ends_with('}') || !is_number(least) || !most.is_none_or(is_number) {
        let counts = |c: char| c.is_ascii_digit() || c == ',';
        if inside.trim_start().starts_with(counts) {
            let remedy = r"write `{2}`, `{2,}` or `{0,2}` without blanks, or `\{` for the character";
            return Err(Refusal::of(piece, "is no count of ECMA-262, and other readers take it for one", remedy));
        }
        return Ok(None);
    }
    let number = |text: &str| {
        text.parse::<u32>().map_err(|_| Refusal::of(piece, "counts further than the engine does", "lower it"))
    };
    let quantifier = Quantifier { least: number(least)?, most: most.map(number).transpose()? };
    if quantifier.most.is_some_and(|most| most < quantifier.least) {
        return Err(Refusal::of(piece, "counts to less than where it begins", "swap its ends"));
    }
    cursor.eat(piece);
    Ok(Some(quantifier))
}
