use std::fmt::Write;

use super::class::Class;

/// A position between a word character and another, of ECMA-262: words are of ASCII.
pub(super) const BOUNDARY: &str = "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";

/// A position between two word characters, or two others.
pub(super) const NO_BOUNDARY: &str = "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";

/// A character that stands for itself outside a class.
pub(super) fn character(out: &mut String, c: char) {
    match c {
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' => out.extend(['\\', c]),
        c if c.is_ascii_control() => code(out, c),
        c => out.push(c),
    }
}

pub(super) fn class(out: &mut String, class: &Class) {
    let is_negated = class.is_negated != class.is_empty();
    out.push_str(if is_negated { "[^" } else { "[" });
    if class.is_empty() {
        out.push_str(r"\u{0}-\u{10ffff}");
    }
    for (first, last) in &class.ranges {
        member(out, *first);
        if first != last {
            out.push('-');
            member(out, *last);
        }
    }
    class.properties.iter().for_each(|property| out.push_str(property));
    out.push(']');
}

/// A character in a class, where the engine gives more of them a meaning than ECMA-262 does.
fn member(out: &mut String, c: char) {
    if c.is_ascii() && !c.is_ascii_alphanumeric() { code(out, c) } else { out.push(c) }
}

fn code(out: &mut String, c: char) {
    // A string takes all text.
    let _ = write!(out, r"\u{{{:x}}}", u32::from(c));
}
