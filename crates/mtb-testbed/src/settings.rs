use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use mtb_core::Principal;

/// Whom the testbed serves, and how patiently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Whoever is served.
    pub principal: Principal,
    /// How long a question to a client before 2026-07-28 waits for its answer; `None`: as long as its confirmation
    /// lives.
    pub elicitation_timeout: Option<Duration>,
    /// The file to which effects and audit events are appended; `None`: they go to stderr.
    pub log: Option<PathBuf>,
}

const PREFIX: &str = "TESTBED_";
const ID: &str = "TESTBED_PRINCIPAL_ID";
const ROLES: &str = "TESTBED_PRINCIPAL_ROLES";
const TIMEOUT: &str = "TESTBED_ELICITATION_TIMEOUT_MS";
const LOG: &str = "TESTBED_LOG";

impl Settings {
    /// Reads `TESTBED_PRINCIPAL_ID` (default `alice`), `TESTBED_PRINCIPAL_ROLES` (with commas, default
    /// `reader,editor`), `TESTBED_ELICITATION_TIMEOUT_MS` and `TESTBED_LOG` (default: none) out of these variables.
    ///
    /// # Errors
    /// When a variable of that prefix is unknown or holds no such value: a switch that is misspelt must not be off.
    pub fn from_variables(variables: impl IntoIterator<Item = (String, String)>) -> anyhow::Result<Self> {
        let (mut id, mut roles) = ("alice".to_owned(), "reader,editor".to_owned());
        let (mut elicitation_timeout, mut log) = (None, None);
        for (name, value) in variables.into_iter().filter(|(name, _)| name.starts_with(PREFIX)) {
            match name.as_str() {
                ID => id = value,
                ROLES => roles = value,
                TIMEOUT => {
                    let millis = value.parse().with_context(|| format!("`{TIMEOUT}` is not a number of ms"))?;
                    elicitation_timeout = Some(Duration::from_millis(millis));
                }
                LOG => log = Some(PathBuf::from(value)),
                _ => bail!("`{name}` is not known; there are `{ID}`, `{ROLES}`, `{TIMEOUT}` and `{LOG}`"),
            }
        }
        let roles: Vec<&str> = roles.split(',').map(str::trim).filter(|role| !role.is_empty()).collect();
        let principal = Principal::new(&id, roles)
            .map_err(|error| anyhow!("`{ID}` and `{ROLES}` do not describe a principal: {error}"))?;
        Ok(Self { principal, elicitation_timeout, log })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Settings;

    fn of(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Settings::from_variables(variables).map_err(|error| error.to_string())
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        for variable in [
            ("TESTBED_PRINCIPLE_ID", "alice"),
            ("TESTBED_PRINCIPAL_ID", ""),
            ("TESTBED_PRINCIPAL_ROLES", "a\nb"),
            ("TESTBED_ELICITATION_TIMEOUT_MS", "soon"),
            ("TESTBED_ELICITATION_TIMEOUT_MS", "-1"),
        ] {
            assert!(of(&[variable]).is_err(), "{variable:?}");
        }
    }

    #[test]
    fn reads_what_is_set() {
        let settings = of(&[
            ("PATH", "/bin"),
            ("TESTBED_PRINCIPAL_ID", "bob"),
            ("TESTBED_PRINCIPAL_ROLES", "reader"),
            ("TESTBED_ELICITATION_TIMEOUT_MS", "250"),
            ("TESTBED_LOG", "a/log"),
        ])
        .unwrap();
        assert_eq!(settings.principal.id().as_str(), "bob");
        assert_eq!(settings.principal.roles().len(), 1);
        assert_eq!(settings.elicitation_timeout, Some(Duration::from_millis(250)));
        assert_eq!(settings.log, Some("a/log".into()));
        assert_eq!(of(&[]).unwrap().principal.roles().len(), 2);
    }
}
