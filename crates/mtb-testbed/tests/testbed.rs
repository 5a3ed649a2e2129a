//! The testbed is what the table of scenarios takes it for.

use std::path::PathBuf;

use mtb_bridge::{CallOutcome, CallRequest, RawArguments};
use mtb_testbed::{Effects, PREFIX, Settings, bridge, registry};

#[test]
fn the_review_table_is_what_was_agreed() {
    let table = registry(&Effects::to(|_| {})).unwrap().review().to_string();
    let rows: Vec<Vec<_>> = table.lines().skip(2).map(|row| row.split('|').map(str::trim).collect()).collect();
    let governed: Vec<String> = rows.iter().map(|row| row[1..6].join(" ")).collect();
    let harmless = "greet measure count steps wait stopped stall fail mislay collapse switch";
    let harmless = harmless.split(' ').map(|name| format!("{name} none reversible policy reader"));
    let sensitive = ["send", "transfer"].map(|name| format!("{name} high irreversible policy editor"));
    assert_eq!(governed, harmless.chain(sensitive).collect::<Vec<_>>());
}

#[tokio::test]
async fn effects_and_events_are_lines_of_one_log() {
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("log-{}", std::process::id()));
    let variables = [("TESTBED_LOG".to_owned(), log.to_str().unwrap().to_owned())];
    let settings = Settings::from_variables(variables).unwrap();
    // Two servers, one after the other: the second appends.
    for _ in 0..2 {
        let bridge = bridge(&settings).unwrap();
        let request = CallRequest::new("count", RawArguments::text("{}"));
        let outcome = bridge.call_tool(&settings.principal, request).await;
        assert!(matches!(outcome, CallOutcome::Completed { .. }));
    }
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    let kinds: Vec<&str> =
        text.lines().map(|line| line.strip_prefix(PREFIX).unwrap_or_else(|| line.split('"').nth(3).unwrap())).collect();
    let each = ["call.started", "counted", "call.succeeded"];
    assert_eq!(kinds, [each, each].concat());
}
