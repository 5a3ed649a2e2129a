use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// A way the testbed is served. `transports.toml` says what each field means.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transport {
    pub(super) name: String,
    pub(super) program: String,
    pub(super) arguments: Vec<String>,
    pub(super) speaks: Speaks,
}

/// Where a client finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaks {
    Stdio,
    Http,
}

/// The transports of `transports.toml`.
pub(super) fn table() -> Result<Vec<Transport>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        transport: Vec<Transport>,
    }
    let text = include_str!("../../interop/transports.toml");
    Ok(toml::from_str::<Table>(text).context("transports.toml")?.transport)
}
