use anyhow::{Result, bail};

/// A scenario, or one check of it, that must fail.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) scenario: String,
    /// None: whatever in it fails, fails as it must.
    pub(super) check: Option<String>,
    pub(super) reason: String,
}

/// Reads a list of expected failures. It is YAML, so that the suite reads it as well (`--expected-failures`), but only
/// the lines `server:` and `- scenario # reason` or `- scenario:check # reason`.
///
/// # Errors
/// Any other line, and an entry without a reason.
pub(super) fn parse(text: &str) -> Result<Vec<Listed>> {
    let mut listed: Vec<Listed> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = number + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == "server:" {
            continue;
        }
        let Some(entry) = line.strip_prefix("- ") else { bail!("line {place} is no entry") };
        let Some((name, reason)) = entry.split_once(" # ") else { bail!("line {place} gives no reason") };
        let (scenario, check) = match name.trim().split_once(':') {
            None => (name.trim(), None),
            Some((scenario, check)) => (scenario, Some(check.to_owned())),
        };
        let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        if !is_name(scenario) || !check.as_deref().is_none_or(is_name) {
            bail!("line {place} names nothing");
        }
        let same = |other: &Listed| other.scenario == scenario && (other.check.is_none() || other.check == check);
        if listed.iter().any(same) {
            bail!("line {place} says again what another line says");
        }
        listed.push(Listed { scenario: scenario.to_owned(), check, reason: reason.trim().to_owned() });
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::{Listed, parse};

    #[test]
    fn entries_have_a_name_and_a_reason() {
        let text =
            "# A list.\n\nserver:\n  - prompts-list # no prompts\n  - caching:hints:of-prompts # none: no prompts\n";
        let entry = |scenario: &str, check: Option<&str>, reason: &str| Listed {
            scenario: scenario.into(),
            check: check.map(Into::into),
            reason: reason.into(),
        };
        let expected =
            [entry("prompts-list", None, "no prompts"), entry("caching", Some("hints:of-prompts"), "none: no prompts")];
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for (text, told) in [
            ("server:\n  - a", "line 2 gives no reason"),
            ("  - a #", "line 1 gives no reason"),
            ("client:", "line 1 is no entry"),
            ("- a: b # why", "line 1 names nothing"),
            ("- : # why", "line 1 names nothing"),
            ("- a # why\n- a # why", "line 2 says again"),
            ("- a # why\n- a:b # why", "line 2 says again"),
        ] {
            assert!(parse(text).unwrap_err().to_string().starts_with(told), "{text}");
        }
    }
}
