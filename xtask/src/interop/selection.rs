use anyhow::Result;

use super::client::Client;
use super::differential;
use super::scenario::Scenario;
use crate::options::Options;

/// What a run looks at. Names of clients narrow the clients, names of scenarios the scenarios; what no name narrows is
/// taken whole.
pub(super) struct Selection<'a> {
    pub(super) clients: Vec<&'a Client>,
    pub(super) scenarios: Vec<&'a Scenario>,
    /// Whether validators are compared, too.
    pub(super) is_compared: bool,
}

impl<'a> Selection<'a> {
    /// # Errors
    /// When a name is that of nothing.
    pub(super) fn new(options: &Options, clients: &'a [Client], scenarios: &'a [Scenario]) -> Result<Self> {
        let of_clients = clients.iter().map(|client| client.name.as_str());
        let of_scenarios = scenarios.iter().map(|scenario| scenario.name.as_str());
        options.check_only(of_scenarios.clone().chain(of_clients.clone()).chain([differential::NAME]))?;
        let is_named = |name: &str| options.only.iter().any(|only| only == name);
        let (by_client, by_scenario) = (of_clients.clone().any(is_named), of_scenarios.clone().any(is_named));
        let drives = options.only.is_empty() || by_client || by_scenario;
        Ok(Self {
            clients: clients.iter().filter(|client| drives && (!by_client || is_named(&client.name))).collect(),
            scenarios: scenarios.iter().filter(|each| drives && (!by_scenario || is_named(&each.name))).collect(),
            is_compared: options.selects(differential::NAME),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{client, scenario};
    use super::Selection;
    use crate::options::Options;

    #[test]
    fn names_narrow_what_they_are_names_of() {
        let (clients, scenarios) = (client::table().unwrap(), scenario::table().unwrap());
        let (all, every) = (clients.len(), scenarios.len());
        for (only, expected) in [
            (&[][..], (all, every, true)),
            (&["python"], (1, every, false)),
            (&["replay", "panic"], (all, 2, false)),
            (&["python", "replay"], (1, 1, false)),
            (&["differential"], (0, 0, true)),
            (&["differential", "replay"], (all, 1, true)),
        ] {
            let options = Options { only: only.iter().map(ToString::to_string).collect(), ..Options::default() };
            let Selection { clients, scenarios, is_compared } = Selection::new(&options, &clients, &scenarios).unwrap();
            assert_eq!((clients.len(), scenarios.len(), is_compared), expected, "{only:?}");
        }
        let options = Options { only: vec!["pyton".into()], ..Options::default() };
        assert!(Selection::new(&options, &clients, &scenarios).is_err());
    }
}
