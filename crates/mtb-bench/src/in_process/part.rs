use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;

use anyhow::{Context, Result};
use jsonschema::Validator;
use mtb_audit::{AuditEvent, MemorySink, Trail, json_line};
use mtb_bridge::{Bridge, CallRequest, RawArguments, ToolResult, text};
use mtb_core::json::{Limits, ScanLimits, scan};
use mtb_core::{CanonicalJson, Digest};
use uuid::Uuid;

use super::stand::Stand;
use crate::{request, tool};

/// What no governed call can do without, whoever writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The bytes are looked through, and the arguments become a tree.
    Read,
    /// The tree is held against the schema.
    Validate,
    /// What the audit and a confirmation know the arguments by.
    Digest,
    /// The handler runs in a task of its own, so that it can panic, be late and be cancelled.
    Task,
    /// The call has an id.
    Id,
    /// A start and an end are written down.
    Events,
    /// The handler's own future.
    Handler,
}

impl Part {
    pub(super) const ALL: [Self; 7] =
        [Self::Read, Self::Validate, Self::Digest, Self::Task, Self::Id, Self::Events, Self::Handler];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Read => "scan and parse",
            Self::Validate => "validate",
            Self::Digest => "digest",
            Self::Task => "task",
            Self::Id => "id",
            Self::Events => "two events",
            Self::Handler => "handler",
        }
    }
}

/// What the parts work on.
pub(super) struct Parts {
    message: String,
    validator: Validator,
    arguments: CanonicalJson,
    events: Vec<AuditEvent>,
}

impl Parts {
    /// With the events of one call.
    pub(super) async fn new(stand: &Stand) -> Result<Self> {
        let sink = MemorySink::default();
        let bridge = Bridge::builder(stand.bridge.registry().clone()).audit(Trail::to(sink.clone())).build();
        let request = CallRequest::new(&super::tool_name(0), RawArguments::text(tool::ALL_ARGUMENTS));
        drop(bridge.call_tool(&stand.principal, request).await);
        Ok(Self {
            message: request::call_with(1, tool::ALL_ARGUMENTS),
            validator: jsonschema::validator_for(&serde_json::from_str(tool::SCHEMA)?)?,
            arguments: CanonicalJson::from_text(tool::ALL_ARGUMENTS, &Limits::default()).context("arguments")?,
            events: sink.events(),
        })
    }

    /// The message is looked through, as it is before any call.
    pub(super) fn scan(&self) {
        black_box(scan(black_box(self.message.as_bytes()), &ScanLimits::default()));
    }

    pub(super) async fn run(&self, part: Part) {
        match part {
            Part::Read => {
                self.scan();
                drop(black_box(CanonicalJson::from_text(black_box(tool::ALL_ARGUMENTS), &Limits::default())));
            }
            Part::Validate => {
                black_box(self.validator.is_valid(black_box(self.arguments.value())));
            }
            Part::Digest => {
                black_box(Digest::of(black_box(self.arguments.as_str().as_bytes())));
            }
            Part::Task => {
                // What cannot be joined was given up with the runtime.
                let _ = tokio::spawn(async {}).await;
            }
            Part::Id => {
                black_box(Uuid::now_v7());
            }
            Part::Events => {
                for event in &self.events {
                    drop(black_box(json_line(event)));
                }
            }
            Part::Handler => {
                let future: Pin<Box<dyn Future<Output = ToolResult> + Send>> = Box::pin(async { text(tool::SUM) });
                drop(black_box(future.await));
            }
        }
    }
}
