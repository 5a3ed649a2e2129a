/// A revision of the protocol, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

impl Version {
    /// The revision whose requests describe themselves; all others begin with `initialize`.
    pub(crate) const MODERN: Self = Self::V2026_07_28;

    const LEGACY: [Self; 4] = [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25];

    /// What `initialize` settles on: what the client asks for, or else the newest that begins with `initialize`.
    pub(crate) fn negotiate(asked: &str) -> Self {
        Self::LEGACY.into_iter().find(|version| version.as_str() == asked).unwrap_or(Self::V2025_11_25)
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    pub(crate) fn is_modern(self) -> bool {
        self == Self::MODERN
    }

    /// 2025-03-26/basic, Batching: must be accepted. No other revision has batches and says so.
    pub(crate) fn has_batches(self) -> bool {
        self == Self::V2025_03_26
    }

    pub(crate) fn has_annotations(self) -> bool {
        self >= Self::V2025_03_26
    }

    pub(crate) fn has_audio(self) -> bool {
        self >= Self::V2025_03_26
    }

    pub(crate) fn has_progress_message(self) -> bool {
        self >= Self::V2025_03_26
    }

    pub(crate) fn has_titles(self) -> bool {
        self >= Self::V2025_06_18
    }

    pub(crate) fn has_resource_links(self) -> bool {
        self >= Self::V2025_06_18
    }

    pub(crate) fn has_structured_content(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether structured content, and its schema, may be something else than an object.
    pub(crate) fn has_structured_values(self) -> bool {
        self >= Self::V2026_07_28
    }

    pub(crate) fn has_elicitation(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Whether an elicitation names its mode. Without it, every revision reads a form.
    pub(crate) fn has_elicitation_mode(self) -> bool {
        self >= Self::V2025_11_25
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn settles_on_what_is_asked_for_or_the_newest_with_a_handshake() {
        for (asked, settled) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("2024-10-07", "2025-11-25"),
            ("1900-01-01", "2025-11-25"),
            ("", "2025-11-25"),
        ] {
            assert_eq!(Version::negotiate(asked).as_str(), settled, "{asked}");
        }
    }
}
