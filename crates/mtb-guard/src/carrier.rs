use std::str::FromStr;

use thiserror::Error;

/// How a person is asked, and how the yes comes back. A token of one carrier is refused through the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Carrier {
    /// The host asks in its own interface and presents the token itself.
    Host,
    /// The question is asked in band, through the client, and its answer carries the token.
    Elicited,
}

/// A stored text that is none of the carriers.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a carrier is stored as `host` or `elicited`")]
pub struct CarrierError;

impl Carrier {
    /// Both carriers.
    pub const ALL: [Self; 2] = [Self::Host, Self::Elicited];

    /// The carrier as text, for stores: `host` or `elicited`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Elicited => "elicited",
        }
    }
}

impl FromStr for Carrier {
    type Err = CarrierError;

    fn from_str(text: &str) -> Result<Self, CarrierError> {
        Self::ALL.into_iter().find(|carrier| carrier.as_str() == text).ok_or(CarrierError)
    }
}

#[cfg(test)]
mod tests {
    use super::Carrier;

    #[test]
    fn carriers_are_read_back_exactly() {
        for text in ["", "Host", "host ", "elicit", "elicited\0"] {
            assert!(text.parse::<Carrier>().is_err(), "{text:?}");
        }
        for carrier in Carrier::ALL {
            assert_eq!(carrier.as_str().parse(), Ok(carrier));
        }
    }
}
