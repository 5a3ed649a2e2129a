//! What a call allocates, counted: within a ceiling, and in proportion to nothing but its arguments.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test relies on fails the test")]

use std::alloc::System;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use mtb_bench::in_process::{Stand, bridge, principal};
use mtb_bench::{LastEvents, request, tool};
use mtb_bridge::{Bridge, CallOutcome, CallRequest, RawArguments};
use mtb_core::{Sensitivity, Transport};
use mtb_guard::{Guard, MemoryStore};
use mtb_mcp::{Action, Actions, Connection, ServerInfo, ServerOptions};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tokio::runtime::{Builder, Runtime};

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The whole process is counted, so one test at a time.
static TURN: Mutex<()> = Mutex::new(());

/// A governed call with arguments of three fields allocates no more often.
const CEILING: usize = 40;

/// A table that doubles now and then, or a thread of the test harness, is not what a call costs: the least of so many
/// counts.
const TRIES: usize = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    times: usize,
    bytes: usize,
}

fn least(mut work: impl FnMut()) -> Count {
    let one = |_| {
        let region = Region::new(COUNTING);
        work();
        let change = region.change();
        Count { times: change.allocations + change.reallocations, bytes: change.bytes_allocated }
    };
    (0..TRIES).map(one).min().unwrap()
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn of_call(runtime: &Runtime, stand: &Stand) -> Count {
    least(|| assert!(runtime.block_on(stand.call())))
}

/// Asks about a call, and gives the token.
async fn ask(bridge: &Bridge, arguments: &str) -> String {
    let request = CallRequest::new("tool_0", RawArguments::text(arguments));
    match bridge.call_tool(&principal().unwrap(), request).await {
        CallOutcome::ConfirmationRequired { confirmation, .. } => confirmation.token.expose().to_owned(),
        outcome => panic!("it was not held: {}", outcome.status()),
    }
}

#[test]
fn a_call_stays_below_its_ceiling() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let count = of_call(&runtime(), &Stand::new(1).unwrap());
    assert!(count.times <= CEILING, "{count:?}");
}

#[test]
fn a_call_costs_the_same_among_many_tools() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let [few, many] = [10, 1_000].map(|tools| of_call(&runtime(), &Stand::new(tools).unwrap()));
    // The names of the tools that are called have not the same length.
    assert!(many.times == few.times && many.bytes <= few.bytes + 16, "{few:?} {many:?}");
}

#[test]
fn a_call_costs_the_same_after_many() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (runtime, stand) = (runtime(), Stand::new(1).unwrap());
    let few = of_call(&runtime, &stand);
    for _ in 0..3_000 {
        assert!(runtime.block_on(stand.call()));
    }
    assert_eq!(of_call(&runtime, &stand), few);
}

#[test]
fn asking_and_confirming_cost_the_same_beside_many_open_questions() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = runtime();
    let registry = bridge(1, tool::SCHEMA, Sensitivity::High).unwrap().registry().clone();
    let guard = Guard::new(Arc::new(MemoryStore::default())).with_max_pending(NonZeroUsize::MAX);
    let trail = mtb_audit::Trail::to(LastEvents::default());
    let held = Bridge::builder(registry).guard(guard).audit(trail).build();
    let confirming = || {
        let mut tokens: Vec<_> = (0..TRIES).map(|_| runtime.block_on(ask(&held, tool::ALL_ARGUMENTS))).collect();
        least(|| {
            let token = tokens.pop().unwrap();
            let outcome = runtime.block_on(held.execute_confirmed(&principal().unwrap(), &token));
            assert_eq!(outcome.status(), "ok");
        })
    };
    let asking = || least(|| drop(runtime.block_on(ask(&held, tool::ALL_ARGUMENTS))));
    let few = (asking(), confirming());
    for _ in 0..3_000 {
        runtime.block_on(ask(&held, tool::ALL_ARGUMENTS));
    }
    assert_eq!((asking(), confirming()), few);
}

/// The text as it came, its canonical form, the tree, and the handler's copy of it.
#[test]
fn a_call_costs_a_few_times_its_arguments() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (runtime, stand) = (runtime(), Stand::new(1).unwrap());
    let of = |bytes: u32| {
        let arguments = request::arguments(bytes);
        let count = least(|| assert!(runtime.block_on(stand.call_with(&arguments))));
        (arguments.len(), count)
    };
    let ((short, few), (long, many)) = (of(10_000), of(110_000));
    let (more_bytes, more_arguments) = (many.bytes - few.bytes, long - short);
    assert!(more_bytes <= 5 * more_arguments, "{more_bytes} bytes for {more_arguments} more of arguments");
    assert!(many.times <= few.times + 8, "{few:?} {many:?}");
}

/// One buffer for the message, and a pointer for each tool: no schema is copied on its way, nor written anew.
#[test]
fn a_list_costs_one_message() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = tool::SCHEMA.replace("string", &format!(r#"string","description":"{}"#, "x".repeat(2_000)));
    let bridge = bridge(1_000, &schema, Sensitivity::None).unwrap();
    let info = ServerInfo { name: "bench".into(), version: "1".into(), title: None, instructions: None };
    let options = Arc::new(ServerOptions::new(info));
    let mut connection = Connection::new(bridge, principal().unwrap(), Transport::DIRECT, options, Arc::new(|_, _| {}));
    let mut actions = Actions::new();
    connection.receive(request::INITIALIZE.as_bytes(), &mut actions);
    connection.receive(request::INITIALIZED.as_bytes(), &mut actions);
    while actions.pop().is_some() {}
    let mut length = 0;
    let count = least(|| {
        connection.receive(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, &mut actions);
        let Some(Action::Send(message)) = actions.pop() else { panic!("a list is an answer") };
        length = message.as_bytes().len();
    });
    assert!(length > 2_000_000, "{length}");
    let pointers_and_spare_room = 1_000 * (size_of::<usize>() + 32);
    assert!(count.times <= 20, "{count:?}");
    assert!(count.bytes <= length + pointers_and_spare_room + 4_096, "{count:?} for {length} bytes");
}
