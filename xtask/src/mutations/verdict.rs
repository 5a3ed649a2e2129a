use super::table::TestName;

/// What came of one mutant. Only the first is a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every named test failed.
    Caught,
    /// The named tests that stayed green.
    Survived(Vec<TestName>),
    /// How often the text to replace is in the file: not once.
    Stale(usize),
    /// The compiler refused it; what it said.
    Invalid(String),
    /// Neither red nor green; why.
    Inconclusive(String),
}

impl Verdict {
    pub(super) fn is_caught(&self) -> bool {
        *self == Self::Caught
    }

    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Survived(_) => "survived",
            Self::Stale(_) => "stale",
            Self::Invalid(_) => "invalid",
            Self::Inconclusive(_) => "inconclusive",
        }
    }

    /// What is wrong and what to do about it; nothing for a mutant that was caught.
    pub(super) fn explained(&self) -> Option<String> {
        match self {
            Self::Caught => None,
            Self::Survived(green) => {
                let green: Vec<String> = green.iter().map(|test| format!("`{test}`")).collect();
                Some(format!("green without the guard: {}; write the test that misses it", green.join(", ")))
            }
            Self::Stale(0) => Some("the text to replace is not in the file: follow the guard to where it went".into()),
            Self::Stale(times) => Some(format!("the text to replace is there {times} times: make it longer")),
            Self::Invalid(said) => Some(format!("it does not compile, so it proves nothing:\n{said}")),
            Self::Inconclusive(why) => Some(why.clone()),
        }
    }
}
