use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::invocation::Invocation;
use crate::workspace::Workspace;

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Where and when was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Machine {
    pub(super) date: String,
    pub(super) cores: usize,
    pub(super) processor: String,
    /// With which versions.
    pub(super) software: String,
}

impl Machine {
    /// # Errors
    /// When cargo does not say which version it is.
    pub(super) fn this(workspace: &Workspace) -> Result<Self> {
        let days = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / SECONDS_OF_A_DAY;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let said = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = processor(&said).unwrap_or("an unknown processor").to_owned();
        let cargo = Invocation::cargo("--version").output(&workspace.root)?;
        let rust = String::from_utf8_lossy(&cargo).split(' ').nth(1).unwrap_or("of an unknown version").to_owned();
        let sdk = workspace.metadata.packages.iter().find(|package| package.name == "rmcp");
        let sdk = sdk.map_or("of an unknown version", |sdk| &sdk.version);
        Ok(Self { date: date(days), cores, processor, software: format!("Rust {rust}, `rmcp` {sdk}") })
    }
}

fn processor(cpuinfo: &str) -> Option<&str> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

/// The day of the Gregorian calendar that is so many days after 1 January 1970.
fn date(days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

#[cfg(test)]
mod tests {
    use super::{date, processor};

    #[test]
    fn days_are_dates() {
        for (days, expect) in [
            (0, "1970-01-01"),
            (31, "1970-02-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_662, "2026-07-28"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days), expect, "{days}");
        }
    }

    #[test]
    fn a_processor_has_a_name() {
        assert_eq!(processor("processor\t: 0\nmodel name\t: A (B) C\n"), Some("A (B) C"));
        assert_eq!(processor(""), None);
    }
}
