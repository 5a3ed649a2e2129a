use std::time::Duration;

use anyhow::Result;

use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::{TEST_COMMAND, Workspace};
use crate::{conformance, fuzz, interop, mutations, tidy};

/// One step of the whole check.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// What it may take on two cores from nothing; more is a warning, since machines differ.
    pub(super) budget: Duration,
    pub(super) action: Action,
}

/// How a step is done.
pub(super) enum Action {
    /// By these command lines, in order.
    Cargo(fn(&Workspace) -> Vec<Invocation>),
    /// By the command of ours that has the step's name.
    Own(fn(&Workspace) -> Result<()>),
}

/// The steps, cheapest first.
pub(super) const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "every file is formatted",
        budget: Duration::from_secs(10),
        action: Action::Cargo(|_| vec![Invocation::cargo("fmt --all --check")]),
    },
    Step {
        name: "tidy",
        about: "arrows, dependencies, licences, files",
        budget: Duration::from_secs(10),
        action: Action::Own(tidy::run),
    },
    Step {
        name: "clippy",
        about: "no warning anywhere",
        budget: Duration::from_secs(180),
        action: Action::Cargo(|_| {
            vec![Invocation::cargo("clippy --workspace --all-targets --all-features --locked -- -D warnings")]
        }),
    },
    Step {
        name: "build",
        about: "libraries and examples",
        budget: Duration::from_secs(150),
        action: Action::Cargo(|_| vec![Invocation::cargo("build --workspace --locked")]),
    },
    Step {
        name: "test",
        about: "tests and documentation tests, as the README says",
        budget: Duration::from_secs(360),
        action: Action::Cargo(|workspace| {
            vec![workspace.with_data(Invocation::cargo(TEST_COMMAND.trim_start_matches("cargo ")))]
        }),
    },
    Step {
        name: "features",
        about: "crates with features: all of them on, and the facade without any",
        budget: Duration::from_secs(120),
        action: Action::Cargo(features),
    },
    Step {
        name: "docs",
        about: "documentation without warnings",
        budget: Duration::from_secs(90),
        action: Action::Cargo(|_| {
            let doc = Invocation::cargo("doc --workspace --no-deps --all-features --locked");
            vec![doc.with_env("RUSTDOCFLAGS", "-D warnings")]
        }),
    },
    Step {
        name: "shuttle",
        about: "the guard and its store under every interleaving tried",
        budget: Duration::from_secs(120),
        action: Action::Cargo(|workspace| {
            let test = Invocation::cargo("test --locked -p mtb-guard --test shuttle");
            // A folder of its own: other flags would rebuild the ordinary one each time.
            let target = workspace.target().join("shuttle");
            vec![test.with_env("RUSTFLAGS", "--cfg shuttle").with_env("CARGO_TARGET_DIR", target.to_string_lossy())]
        }),
    },
    Step {
        name: "fuzz",
        about: "a minute of hostile input for what reads it",
        budget: Duration::from_secs(360),
        action: Action::Own(fuzz::run),
    },
    Step {
        name: "interop",
        about: "other people's clients against the testbed, and another validator",
        budget: Duration::from_secs(600),
        action: Action::Own(|workspace| interop::run(workspace, &Options::default())),
    },
    Step {
        name: "conformance",
        about: "the protocol's official suite against a server of governed tools",
        budget: Duration::from_secs(90),
        action: Action::Own(|workspace| conformance::run(workspace, &Options::default())),
    },
    Step {
        name: "mutations",
        about: "every guard taken away in turn is missed by a test",
        budget: Duration::from_secs(600),
        action: Action::Own(|workspace| mutations::run(workspace, &Options::default())),
    },
];

/// The tests once more for the crates that have features, with all of them on: the rest would only be repeated.
fn features(workspace: &Workspace) -> Vec<Invocation> {
    let featured = workspace.metadata.members().filter(|member| member.features.keys().any(|name| name != "default"));
    let selected = featured.fold(String::new(), |selected, member| format!("{selected} -p {}", member.name));
    let mut invocations = vec![Invocation::cargo("check --locked -p mcp-tool-bridge --no-default-features")];
    if !selected.is_empty() {
        invocations.push(Invocation::cargo(&format!("test --locked --all-features{selected}")));
    }
    invocations
}
