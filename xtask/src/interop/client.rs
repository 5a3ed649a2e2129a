use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::scenario::Scenario;

/// Somebody else's client.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) package: String,
    /// The exact version that is installed.
    pub(super) version: String,
    pub(super) install: Install,
    /// In `xtask/interop`, or the name of a binary of mtb-testbed.
    pub(super) driver: String,
    /// The oldest Node that runs it, where it needs one.
    pub(super) node: Option<String>,
    /// The transports that its driver speaks; empty: all.
    #[serde(default)]
    pub(super) transports: Vec<String>,
    #[serde(rename = "mode")]
    pub(super) modes: Vec<Mode>,
    #[serde(default, rename = "cannot")]
    pub(super) unable: Vec<Unable>,
}

/// How the client comes onto the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Install {
    /// A dependency of mtb-testbed, built with it.
    Cargo,
    /// What the `package.json` beside the driver names.
    Npm,
    Pip,
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
    scenarios: Vec<String>,
    /// Empty: in every mode.
    #[serde(default)]
    modes: Vec<String>,
    /// Empty: over every transport.
    #[serde(default)]
    transports: Vec<String>,
    reason: String,
}

impl Mode {
    /// Whether calls describe themselves, without `initialize`.
    pub(super) fn is_modern(&self) -> bool {
        self.protocol.as_str() >= "2026-07-28"
    }

    /// Whether results have structured content beside their text.
    pub(super) fn has_structured_content(&self) -> bool {
        self.protocol.as_str() >= "2025-06-18"
    }
}

impl Client {
    /// Whether its driver speaks this transport.
    pub(super) fn speaks(&self, transport: &str) -> bool {
        self.transports.is_empty() || self.transports.iter().any(|name| name == transport)
    }

    /// Why there is nothing to see of `scenario` in `mode` over `transport`: the client cannot, or the protocol has no
    /// such thing.
    pub(super) fn cannot(&self, mode: &Mode, transport: &str, scenario: &Scenario) -> Option<String> {
        let is_among = |names: &[String], name: &str| names.is_empty() || names.iter().any(|known| known == name);
        let applies = |unable: &&Unable| {
            unable.scenarios.contains(&scenario.name)
                && is_among(&unable.modes, &mode.name)
                && is_among(&unable.transports, transport)
        };
        let unable = self.unable.iter().find(applies).map(|unable| unable.reason.clone());
        scenario.is_missing_in(mode).or(unable)
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
    use super::{Client, Install, parse, table};
    use crate::interop::{scenario, transport};

    #[test]
    fn what_a_client_cannot_do_is_told_by_mode_and_transport() {
        let clients = parse(
            "[[client]]\nname = \"a\"\nabout = \"\"\npackage = \"a\"\nversion = \"1\"\n\
             install = \"pip\"\ndriver = \"a.py\"\n\
             [[client.mode]]\nname = \"old\"\nprotocol = \"1\"\n\
             [[client.mode]]\nname = \"new\"\nprotocol = \"3\"\n\
             [[client.cannot]]\nscenarios = [\"w\", \"x\"]\nmodes = [\"old\"]\nreason = \"too old\"\n\
             [[client.cannot]]\nscenarios = [\"y\"]\nreason = \"never\"\n\
             [[client.cannot]]\nscenarios = [\"v\"]\ntransports = [\"pipe\"]\nreason = \"not there\"\n",
        );
        let client = &clients.unwrap()[0];
        let told = |mode: usize, transport: &str, name: &str| {
            let text = format!("[[scenario]]\nname = \"{name}\"\nuntil = \"2\"\n[[scenario.step]]\ndo = \"listen\"\n");
            client.cannot(&client.modes[mode], transport, &scenario::parse(&text).unwrap()[0])
        };
        assert_eq!(told(0, "pipe", "x").as_deref(), Some("too old"));
        assert_eq!(told(0, "pipe", "y").as_deref(), Some("never"));
        assert_eq!(told(0, "pipe", "z"), None);
        assert_eq!(told(0, "pipe", "v").as_deref(), Some("not there"));
        assert_eq!(told(0, "line", "v"), None);
        assert_eq!(told(1, "pipe", "z").as_deref(), Some("the protocol has this up to 2"));
    }

    #[test]
    fn what_is_installed_is_what_the_table_names() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let lock = std::fs::read_to_string(root.join("../Cargo.lock")).unwrap();
        for Client { package, version, install, driver, .. } in table().unwrap() {
            match install {
                Install::Pip => {}
                Install::Cargo => {
                    assert!(lock.contains(&format!("name = \"{package}\"\nversion = \"{version}\"\n")), "{package}");
                }
                Install::Npm => {
                    let folder = root.join("interop").join(driver).with_file_name("");
                    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
                    let named: serde_json::Value = serde_json::from_str(&read("package.json")).unwrap();
                    assert_eq!(named["dependencies"][&package], version, "{package}");
                    // Downloads come from whatever registry the machine knows.
                    assert!(!read("package-lock.json").contains("\"resolved\""), "{package}");
                }
            }
        }
    }

    #[test]
    fn the_table_names_scenarios_modes_and_transports_that_exist() {
        let (scenarios, transports) = (scenario::table().unwrap(), transport::table().unwrap());
        for client in table().unwrap() {
            for unable in &client.unable {
                for name in &unable.scenarios {
                    assert!(scenarios.iter().any(|scenario| scenario.name == *name), "{}: {name}", client.name);
                }
                let known = |mode: &String| client.modes.iter().any(|known| known.name == *mode);
                assert!(unable.modes.iter().all(known), "{}: {:?}", client.name, unable.modes);
                let served = |name: &String| transports.iter().any(|transport| transport.name == *name);
                assert!(unable.transports.iter().all(served), "{}: {:?}", client.name, unable.transports);
                assert!(!unable.scenarios.is_empty() && !unable.reason.is_empty(), "{}", client.name);
            }
        }
    }
}
