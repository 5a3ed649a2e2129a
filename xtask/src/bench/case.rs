/// One way to use a server, and what has to come of it.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) load: Load,
    /// Rounds of each server.
    pub(super) rounds: usize,
    pub(super) targets: &'static [Target],
}

/// What the load generator is told to do.
#[derive(Clone, Copy)]
pub(super) enum Load {
    /// Over HTTP, a call on its way on each connection.
    Calls { connections: u32, requests: u32 },
    /// Over HTTP, sessions that stay open. Only the governed server has any.
    Sessions { count: u32, principals: u32 },
    /// On stdin and stdout, so many calls on their way, each with a note of so many bytes.
    Pipe { depth: u32, requests: u32, note_bytes: u32, audit: Audit },
    /// On stdin and stdout, nothing but the beginning. What is governed is the smallest example.
    Start,
    /// On stdin and stdout, messages of 1 MB in small pieces, which are refused.
    Dense,
    /// No server at all: calls in one process.
    InProcess,
}

/// What the governed server does with its audit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Audit {
    /// It keeps the last events in memory.
    Kept,
    /// It writes lines to stderr, which is a pipe that is read.
    Lines,
}

/// What is to be reached.
pub(super) enum Target {
    /// So many times the bare server's, at least.
    TimesAtLeast(&'static str, f64),
    /// So many times the bare server's, at most.
    TimesAtMost(&'static str, f64),
    /// At most this.
    AtMost(&'static str, f64),
}

impl Target {
    pub(super) fn is_met_by(&self, found: f64) -> bool {
        match self {
            Self::TimesAtLeast(_, least) => found >= *least,
            Self::TimesAtMost(_, most) | Self::AtMost(_, most) => found <= *most,
        }
    }

    /// What is to be reached, in words.
    pub(super) fn bound(&self) -> String {
        match self {
            Self::TimesAtLeast(_, least) => format!("times the bare server's at least {least}"),
            Self::TimesAtMost(_, most) => format!("times the bare server's at most {most}"),
            Self::AtMost(_, most) => format!("at most {most}"),
        }
    }
}

pub(super) const CASES: &[Case] = &[
    Case {
        name: "http-64",
        about: "calls over HTTP, on 64 connections",
        load: Load::Calls { connections: 64, requests: 30_000 },
        rounds: 11,
        targets: &[Target::TimesAtLeast("requests_per_second", 1.5), Target::TimesAtMost("p99_us", 1.0)],
    },
    Case {
        name: "http-1",
        about: "calls over HTTP, on one connection",
        load: Load::Calls { connections: 1, requests: 10_000 },
        rounds: 11,
        targets: &[],
    },
    Case {
        name: "http-sessions",
        about: "10,000 open sessions of 160 principals over HTTP",
        load: Load::Sessions { count: 10_000, principals: 160 },
        rounds: 3,
        targets: &[Target::AtMost("peak_mib", 200.0)],
    },
    Case {
        name: "stdio-1",
        about: "calls on stdin and stdout, one at a time",
        load: Load::Pipe { depth: 1, requests: 10_000, note_bytes: 0, audit: Audit::Kept },
        rounds: 11,
        targets: &[Target::TimesAtLeast("requests_per_second", 1.0)],
    },
    Case {
        name: "stdio-64",
        about: "calls on stdin and stdout, 64 at a time",
        load: Load::Pipe { depth: 64, requests: 30_000, note_bytes: 0, audit: Audit::Kept },
        rounds: 11,
        targets: &[Target::TimesAtLeast("requests_per_second", 1.5)],
    },
    Case {
        name: "stdio-lines",
        about: "the same, with the audit as lines on a pipe",
        load: Load::Pipe { depth: 64, requests: 30_000, note_bytes: 0, audit: Audit::Lines },
        rounds: 11,
        targets: &[Target::TimesAtLeast("requests_per_second", 1.0)],
    },
    Case {
        name: "stdio-13k",
        about: "calls with arguments of 13 KB on stdin and stdout, 64 at a time",
        load: Load::Pipe { depth: 64, requests: 5_000, note_bytes: 13_000, audit: Audit::Kept },
        rounds: 11,
        targets: &[Target::TimesAtLeast("requests_per_second", 1.2)],
    },
    Case {
        name: "dense",
        about: "messages of 1 MB in small pieces on stdin and stdout",
        load: Load::Dense,
        rounds: 3,
        targets: &[Target::AtMost("peak_mib", 40.0)],
    },
    Case {
        name: "start",
        about: "the start of `examples/minimal`",
        load: Load::Start,
        rounds: 51,
        targets: &[Target::AtMost("start_ms", 10.0), Target::AtMost("idle_mib", 12.0)],
    },
    Case {
        name: "in-process",
        about: "calls in one process, without a transport",
        load: Load::InProcess,
        rounds: 5,
        targets: &[Target::AtMost("times_parts", 1.5), Target::AtMost("times_few", 1.1)],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::CASES;

    #[test]
    fn a_name_names_one_case() {
        let names: BTreeSet<_> = CASES.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), CASES.len());
    }
}
