//! What each step of a call costs alone, what the whole path costs, and a list of tools among many.
//!
//! Before the benchmarks, a call is held against the sum of what it is made of, and a call among many tools against one
//! among few; past a limit, the run fails. Schemas are taken of all definitions where `MTB_CATALOGUES` names their
//! folder, else of the vendored ones.

#![expect(clippy::unwrap_used, reason = "a benchmark without its data has nothing to measure")]

use std::process::ExitCode;
use std::sync::{Arc, LazyLock};

use divan::{Bencher, black_box};
use mtb_audit::{CallScope, EventKind, Trail, result_record};
use mtb_bench::in_process::{Figures, Stand, bridge, principal, tool_name};
use mtb_bench::{LastEvents, tool};
use mtb_core::json::Limits;
use mtb_core::{
    CallId, CanonicalJson, Declaration, DeclarationDraft, Governance, PrincipalId, Retain, Reversibility, Schema,
    SchemaRole, SchemaSource, Sensitivity, Timestamp, Transport, any_of, can_access,
};
use mtb_guard::{Carrier, Guard, HeldCall, MemoryStore};
use mtb_mcp::{Action, Actions, Connection, ServerInfo, ServerOptions};
use tokio::runtime::{Builder, Runtime};

const NOW: Timestamp = Timestamp::from_millis(1_790_942_400_000);

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().enable_all().build().unwrap());

fn main() -> ExitCode {
    let figures = match Figures::measure() {
        Ok(figures) => figures,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    eprintln!("{figures}");
    LazyLock::force(&SAMPLES);
    divan::main();
    if !figures.is_met() {
        eprintln!("error: a call costs more than it may");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Schemas to judge arguments by.
#[derive(Debug, Clone, Copy)]
enum Size {
    ThreeFields,
    /// In the middle of all input schemas by its length.
    Median,
    /// The longest of them.
    Longest,
}

const SIZES: [Size; 3] = [Size::ThreeFields, Size::Median, Size::Longest];

/// With arguments that fit.
struct Sample {
    schema: Schema,
    text: String,
    canonical: CanonicalJson,
}

static SAMPLES: LazyLock<[Sample; 3]> = LazyLock::new(|| {
    let catalogues = mtb_fixtures::full_catalogue().unwrap_or_else(mtb_fixtures::catalogue);
    let texts = catalogues.iter().flat_map(|catalogue| &catalogue.definitions).map(|it| it.input_schema().to_owned());
    let compiled = |text: &str| Schema::compile(&SchemaSource::text(text), SchemaRole::Arguments).ok();
    let mut texts: Vec<String> = texts.filter(|text| compiled(text).is_some()).collect();
    texts.sort_by_key(String::len);
    let longest = texts.pop().unwrap();
    let median = texts.swap_remove(texts.len() / 2);
    [tool::SCHEMA, &median, &longest].map(|text| {
        let schema = compiled(text).unwrap();
        let made = (0..1_000).map(|seed| mtb_fixtures::valid(schema.value(), seed));
        let fitting = made.filter(|value| schema.validate(value).is_ok());
        // Most arguments may be left out, and where all are there is nothing to judge.
        let value = fitting.max_by_key(|value| value.to_string().len()).unwrap();
        let value = if text == tool::SCHEMA { serde_json::from_str(tool::ALL_ARGUMENTS).unwrap() } else { value };
        let canonical = CanonicalJson::from_value(&value, &Limits::default()).unwrap();
        eprintln!("{} bytes of arguments for a schema of {}", canonical.as_str().len(), text.len());
        Sample { schema, text: value.to_string(), canonical }
    })
});

fn sample(size: Size) -> &'static Sample {
    let [three, median, longest] = &*SAMPLES;
    match size {
        Size::ThreeFields => three,
        Size::Median => median,
        Size::Longest => longest,
    }
}

/// A tool of which the audit keeps a field.
fn declaration() -> Declaration {
    let governance = Governance {
        sensitivity: Sensitivity::High,
        reversibility: Reversibility::Irreversible,
        roles: any_of(["reader"]),
    };
    let schema = SchemaSource::text(tool::SCHEMA);
    let mut draft = DeclarationDraft::new(tool::NAME, tool::DESCRIPTION, schema, governance);
    draft.retain = Retain::nothing().argument("/note");
    draft.check().unwrap()
}

#[divan::bench]
fn access(bencher: Bencher<'_, '_>) {
    let (bridge, principal) = (bridge(100, tool::SCHEMA, Sensitivity::None).unwrap(), principal().unwrap());
    let name = tool_name(50);
    bencher.bench_local(|| {
        let tool = bridge.registry().get(black_box(&name));
        tool.is_some_and(|tool| can_access(tool.declaration(), &principal))
    });
}

#[divan::bench(args = SIZES)]
fn read(bencher: Bencher<'_, '_>, size: Size) {
    let text = &sample(size).text;
    bencher.bench_local(|| CanonicalJson::from_text(black_box(text), &Limits::default()));
}

#[divan::bench(args = SIZES)]
fn validate(bencher: Bencher<'_, '_>, size: Size) {
    let Sample { schema, canonical, .. } = sample(size);
    bencher.bench_local(|| schema.validate(black_box(canonical.value())).is_ok());
}

#[divan::bench(args = SIZES)]
fn digest(bencher: Bencher<'_, '_>, size: Size) {
    let canonical = &sample(size).canonical;
    bencher.bench_local(|| black_box(canonical).digest());
}

/// What a held call and its yes need, and a guard over an empty store for each.
struct Held {
    declaration: Declaration,
    principal: PrincipalId,
}

impl Held {
    fn new() -> Self {
        Self { declaration: declaration(), principal: PrincipalId::new("principal").unwrap() }
    }

    fn guard() -> Guard {
        Guard::new(Arc::new(MemoryStore::default()))
    }

    fn issue(&self, guard: &Guard) -> String {
        let held = HeldCall {
            principal: &self.principal,
            declaration: &self.declaration,
            arguments: &sample(Size::ThreeFields).canonical,
            call_id: CallId::from_bytes([7; 16]),
            carrier: Carrier::Host,
        };
        RUNTIME.block_on(guard.issue(&held, NOW)).unwrap().token.expose().to_owned()
    }
}

#[divan::bench]
fn issue(bencher: Bencher<'_, '_>) {
    let held = Held::new();
    bencher.with_inputs(Held::guard).bench_local_values(|guard| held.issue(&guard));
}

#[divan::bench]
fn redeem(bencher: Bencher<'_, '_>) {
    let held = Held::new();
    let issued = || {
        let guard = Held::guard();
        let token = held.issue(&guard);
        (guard, token)
    };
    bencher.with_inputs(issued).bench_local_values(|(guard, token)| {
        let presented = RUNTIME.block_on(guard.take(&token, NOW));
        let claimed = presented.claim(&held.principal, Carrier::Host, Some(held.declaration.name()), NOW).unwrap();
        claimed.confirm(&held.declaration, Some(&sample(Size::ThreeFields).canonical)).is_ok()
    });
}

fn scope(trail: &Trail, declaration: &Declaration) -> CallScope {
    trail.scope(CallId::from_bytes([7; 16]), Transport::DIRECT, &principal().unwrap(), declaration)
}

/// The digest is part of it.
#[divan::bench]
fn reduce(bencher: Bencher<'_, '_>) {
    let (trail, declaration) = (Trail::to(LastEvents::default()), declaration());
    let arguments = &sample(Size::ThreeFields).canonical;
    bencher.with_inputs(|| scope(&trail, &declaration)).bench_local_values(|mut scope| {
        trail.arguments(&mut scope, &declaration, black_box(arguments));
        scope
    });
}

#[divan::bench]
fn record(bencher: Bencher<'_, '_>) {
    let (trail, declaration) = (Trail::to(LastEvents::default()), declaration());
    let scope = scope(&trail, &declaration);
    bencher.bench_local(|| {
        let result = result_record(&declaration, None, false);
        let kind = EventKind::CallSucceeded { confirmed: false, duration_ms: 1, result };
        RUNTIME.block_on(trail.record_end(&scope, NOW, kind));
    });
}

#[divan::bench(args = [10, 10_000])]
fn call(bencher: Bencher<'_, '_>, tools: usize) {
    let stand = Stand::new(tools).unwrap();
    bencher.bench_local(|| RUNTIME.block_on(stand.call()));
}

/// What a principal may use.
#[divan::bench(args = [10, 1_000, 10_000])]
fn list(bencher: Bencher<'_, '_>, tools: usize) {
    let stand = Stand::new(tools).unwrap();
    bencher.bench_local(|| stand.bridge.list_tools(&stand.principal));
}

/// The same as a message; of 10,000 tools it is the first page.
#[divan::bench(args = [10, 1_000, 10_000])]
fn list_message(bencher: Bencher<'_, '_>, tools: usize) {
    let Stand { bridge, principal, .. } = Stand::new(tools).unwrap();
    let info = ServerInfo { name: "bench".into(), version: "1".into(), title: None, instructions: None };
    let options = Arc::new(ServerOptions::new(info));
    let mut connection = Connection::new(bridge, principal, Transport::DIRECT, options, Arc::new(|_, _| {}));
    let mut actions = Actions::new();
    let request = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    bencher.bench_local(|| {
        connection.receive(request, &mut actions);
        match actions.pop() {
            Some(Action::Send(message)) => message.into_bytes().len(),
            _ => 0,
        }
    });
}
