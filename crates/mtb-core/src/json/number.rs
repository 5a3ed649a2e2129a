use std::fmt::Write as _;

use serde_json::Value;

use super::{JsonFault, MAX_NUMBER_BYTES};

/// 2^53: below it, a double holds every integer.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// A number in canonical form: an integer wherever it is one that can be told exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Signed(i64),
    /// Above `i64::MAX`.
    Unsigned(u64),
    /// Finite; not an integer of magnitude below 2^53.
    Double(f64),
}

impl Number {
    /// Reads the text of a number whose grammar was already checked.
    pub(super) fn read(token: &str) -> Result<Self, JsonFault> {
        if is_integer(token) {
            let unsigned = || token.parse().map(Self::Unsigned).map_err(|_| JsonFault::IntegerTooWide);
            return token.parse().map(Self::Signed).or_else(|_| unsigned());
        }
        if token.len() > MAX_NUMBER_BYTES {
            return Err(JsonFault::NumberOutOfRange);
        }
        let double = token.parse::<f64>().map_err(|_| JsonFault::Syntax)?;
        if double.is_finite() { Ok(Self::from_double(double)) } else { Err(JsonFault::NumberOutOfRange) }
    }

    /// Reads a text that may be no number at all.
    pub(super) fn parse(text: &str) -> Result<Self, JsonFault> {
        match Shape::Start.run(text.as_bytes()) {
            (length, shape) if length == text.len() && shape.is_complete() => Self::read(text),
            _ => Err(JsonFault::Syntax),
        }
    }

    /// The integer that it is, if it is one.
    pub(super) fn to_integer(self) -> Option<i128> {
        match self {
            Self::Signed(integer) => Some(integer.into()),
            Self::Unsigned(integer) => Some(integer.into()),
            Self::Double(_) => None,
        }
    }

    fn from_double(double: f64) -> Self {
        if double.fract() == 0.0 && double.abs() < EXACT_BELOW {
            // `Display` writes all digits and no exponent, so this is exact; -0 becomes 0.
            double.to_string().parse().map_or(Self::Double(double), Self::Signed)
        } else {
            Self::Double(double)
        }
    }

    pub(super) fn to_value(self) -> Value {
        match self {
            Self::Signed(integer) => Value::from(integer),
            Self::Unsigned(integer) => Value::from(integer),
            Self::Double(double) => Value::from(double),
        }
    }

    pub(super) fn write(self, out: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = match self {
            Self::Signed(integer) => write!(out, "{integer}"),
            Self::Unsigned(integer) => write!(out, "{integer}"),
            Self::Double(double) => {
                write_double(out, double);
                Ok(())
            }
        };
    }
}

/// What [`Number::read`] would object to, without reading a number that is short enough to be sound. `None` stands for
/// one of more than [`MAX_NUMBER_BYTES`].
pub(super) fn check(token: Option<&str>, shape: Shape) -> Result<(), JsonFault> {
    match (token, shape) {
        (None, Shape::Zero | Shape::Integer) => Err(JsonFault::IntegerTooWide),
        (None, _) => Err(JsonFault::NumberOutOfRange),
        // 18 digits are less than 2^63, 300 digits are less than the largest double.
        (Some(token), Shape::Zero | Shape::Integer) if token.len() <= 18 => Ok(()),
        (Some(token), Shape::Fraction) if token.len() <= 300 => Ok(()),
        (Some(token), _) => Number::read(token).map(drop),
    }
}

/// Whether the text of a number is an integer by its form: no point, no exponent.
fn is_integer(token: &str) -> bool {
    !token.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// Writes a double with the digits and the notation of ECMAScript (`Number::toString`), except that an integral double
/// always has an exponent: ECMAScript writes 2^63 as 9223372036854776000, which is also the text of another 64-bit
/// integer, and two values must not share a text, nor may a text read back as another value.
fn write_double(out: &mut String, double: f64) {
    let shortest = format!("{:e}", double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (first, others) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power: i32 = exponent.parse().unwrap_or_default();
    if double.is_sign_negative() {
        out.push('-');
    }
    let fraction = double.fract() != 0.0;
    match (usize::try_from(power), usize::try_from(power.saturating_neg())) {
        (Ok(before), _) if fraction => {
            let (whole, rest) = others.split_at_checked(before).unwrap_or((others, ""));
            out.extend([first, whole, ".", rest]);
        }
        (_, Ok(zeros @ 1..=6)) => {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', zeros - 1));
            out.extend([first, others]);
        }
        _ => {
            out.push_str(first);
            if !others.is_empty() {
                out.extend([".", others]);
            }
            // A fraction is below 1 here: its exponent brings a minus.
            out.push_str(if fraction { "e" } else { "e+" });
            out.push_str(exponent);
        }
    }
}

/// How far into the grammar of a number (RFC 8259, section 6) a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Start,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

impl Shape {
    /// One byte further; `None` when the number cannot go on with it.
    pub(super) fn step(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Start, b'-') => Self::Minus,
            (Self::Start | Self::Minus, b'0') => Self::Zero,
            (Self::Start | Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Self::Integer,
            (Self::Zero | Self::Integer, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::ExponentSign,
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => Self::ExponentDigits,
            _ => return None,
        })
    }

    /// As far as the number goes on in these bytes: how many of them, and where it is then.
    pub(super) fn run(self, bytes: &[u8]) -> (usize, Self) {
        let mut shape = self;
        let mut length = 0;
        while let Some(next) = bytes.get(length).and_then(|byte| shape.step(*byte)) {
            shape = next;
            length += 1;
        }
        (length, shape)
    }

    /// Whether the number may end here.
    pub(super) fn is_complete(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits)
    }
}
