use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Somebody else's client.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) package: String,
    /// The exact version that is installed.
    pub(super) version: String,
    #[serde(rename = "mode")]
    pub(super) modes: Vec<Mode>,
    #[serde(default, rename = "cannot")]
    pub(super) unable: Vec<Unable>,
}

/// A way the client can be told to speak.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mode {
    pub(super) name: String,
    /// The version that client and server must settle on.
    pub(super) protocol: String,
}

/// What the client itself is unable to do.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unable {
    scenario: String,
    /// Empty: in every mode.
    #[serde(default)]
    modes: Vec<String>,
    reason: String,
}

impl Client {
    /// Why the client cannot do `scenario` in `mode`, if it cannot.
    pub(super) fn cannot(&self, mode: &str, scenario: &str) -> Option<&str> {
        let applies = |unable: &&Unable| {
            unable.scenario == scenario && (unable.modes.is_empty() || unable.modes.iter().any(|named| named == mode))
        };
        self.unable.iter().find(applies).map(|unable| unable.reason.as_str())
    }
}

/// The clients of `clients.toml`.
pub(super) fn table() -> Result<Vec<Client>> {
    parse(include_str!("../../interop/clients.toml"))
}

fn parse(text: &str) -> Result<Vec<Client>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        client: Vec<Client>,
    }
    Ok(toml::from_str::<Table>(text).context("clients.toml")?.client)
}

#[cfg(test)]
mod tests {
    use super::{parse, table};
    use crate::interop::scenario;

    #[test]
    fn what_a_client_cannot_do_is_told_by_mode() {
        let clients = parse(
            "[[client]]\nname = \"a\"\nabout = \"\"\npackage = \"a\"\nversion = \"1\"\n\
             [[client.mode]]\nname = \"old\"\nprotocol = \"1\"\n\
             [[client.cannot]]\nscenario = \"x\"\nmodes = [\"old\"]\nreason = \"too old\"\n\
             [[client.cannot]]\nscenario = \"y\"\nreason = \"never\"\n",
        );
        let client = &clients.unwrap()[0];
        assert_eq!(client.cannot("old", "x"), Some("too old"));
        assert_eq!(client.cannot("new", "x"), None);
        assert_eq!(client.cannot("new", "y"), Some("never"));
        assert_eq!(client.cannot("old", "z"), None);
    }

    #[test]
    fn the_table_names_scenarios_and_modes_that_exist() {
        let scenarios = scenario::table().unwrap();
        for client in table().unwrap() {
            for unable in &client.unable {
                assert!(scenarios.iter().any(|scenario| scenario.name == unable.scenario), "{}", unable.scenario);
                let known = |mode: &String| client.modes.iter().any(|known| known.name == *mode);
                assert!(unable.modes.iter().all(known), "{}: {:?}", client.name, unable.modes);
            }
        }
    }
}
