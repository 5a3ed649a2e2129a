use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use rmcp::model::{CallToolRequestParams, RequestMetaObject, SubscriptionFilter};
use rmcp::service::{RoleClient, RunningService, ServiceError, Subscription};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::handler::Person;
use crate::job::{Step, Until};

const CONFIRMATION: &str = "mcp-tool-bridge/confirmation";

/// A scenario under way.
pub(crate) struct Session {
    client: Arc<RunningService<RoleClient, Arc<Person>>>,
    person: Arc<Person>,
    patience: Duration,
    subscription: Option<Subscription>,
    outcomes: Vec<Value>,
}

impl Session {
    pub(crate) fn new(
        client: RunningService<RoleClient, Arc<Person>>,
        person: Arc<Person>,
        patience: Duration,
    ) -> Self {
        Self { client: Arc::new(client), person, patience, subscription: None, outcomes: Vec::new() }
    }

    /// Does one step and keeps what came of it.
    pub(crate) async fn perform(&mut self, step: &Step) {
        let outcome = match step {
            Step::Server => self.server(),
            Step::List => match self.client.list_all_tools().await {
                Ok(tools) => json!({"kind": "tools", "tools": tools}),
                Err(error) => failed(&error),
            },
            Step::Listen => self.listen().await,
            Step::Changed => self.changed().await,
            Step::Call { tool, arguments, token_of, until } => match self.request(tool, arguments, *token_of) {
                Ok(request) => self.call(request, *until).await,
                Err(problem) => json!({"kind": "failed", "message": problem.to_string()}),
            },
            Step::Parallel { tool, arguments, count } => self.parallel(tool, arguments, *count).await,
        };
        self.outcomes.push(outcome);
    }

    /// The version that was agreed on, and what came of the steps.
    pub(crate) async fn end(self) -> anyhow::Result<(String, Vec<Value>)> {
        let protocol = self.client.peer_info().context("the server said nothing of itself")?.protocol_version.clone();
        let client = Arc::into_inner(self.client).context("a call still runs")?;
        drop(self.subscription);
        client.cancel().await?;
        Ok((protocol.to_string(), self.outcomes))
    }

    fn server(&self) -> Value {
        let info = self.client.peer_info().and_then(|info| info.server_info.clone());
        json!({"kind": "server", "server": info})
    }

    async fn listen(&mut self) -> Value {
        // Before 2026-07-28 the notification comes unasked.
        let is_modern = self.client.peer_info().is_some_and(|info| !info.protocol_version.has_initialize());
        if is_modern {
            let mut filter = SubscriptionFilter::new();
            filter.tools_list_changed = Some(true);
            match self.client.listen(filter).await {
                Ok(subscription) => self.subscription = Some(subscription),
                Err(error) => return failed(&error),
            }
        }
        json!({"kind": "done"})
    }

    async fn changed(&mut self) -> Value {
        let Some(subscription) = &mut self.subscription else {
            self.person.changed.notified().await;
            return json!({"kind": "done"});
        };
        match subscription.next().await {
            Ok(Some(_)) => json!({"kind": "done"}),
            Ok(None) => json!({"kind": "failed", "message": "the subscription ended"}),
            Err(error) => failed(&error),
        }
    }

    fn request(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        token_of: Option<usize>,
    ) -> anyhow::Result<CallToolRequestParams> {
        let mut request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
        if let Some(number) = token_of {
            let earlier = number.checked_sub(1).and_then(|at| self.outcomes.get(at));
            let given =
                earlier.and_then(|outcome| outcome.get("result")?.get("_meta")?.get(CONFIRMATION)?.get("token"));
            let token = given.with_context(|| format!("step {number} was given no token to repeat"))?;
            let mut meta = Map::new();
            meta.insert(CONFIRMATION.to_owned(), json!({"token": token}));
            request.meta = Some(RequestMetaObject::from(meta));
        }
        Ok(request)
    }

    async fn call(&self, request: CallToolRequestParams, until: Until) -> Value {
        let given_up = async {
            match until {
                Until::Answer => std::future::pending().await,
                Until::Progress => self.person.reported.notified().await,
                Until::Patience => tokio::time::sleep(self.patience).await,
            }
        };
        // The SDK cancels a call whose future is dropped.
        let called = tokio::select! {
            called = self.client.call_tool(request) => called,
            () = given_up => return json!({"kind": "failed", "message": "cancelled by the client"}),
        };
        match called {
            Ok(result) => json!({"kind": "result", "result": result, "progress": self.person.take_progress()}),
            Err(error) => failed(&error),
        }
    }

    async fn parallel(&self, tool: &str, arguments: &Map<String, Value>, count: usize) -> Value {
        let mut calls = JoinSet::new();
        for _ in 0..count {
            let client = Arc::clone(&self.client);
            let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
            calls.spawn(async move {
                match client.call_tool(request).await {
                    Ok(result) => json!({"kind": "result", "result": result}),
                    Err(error) => failed(&error),
                }
            });
        }
        json!({"kind": "many", "outcomes": calls.join_all().await})
    }
}

fn failed(error: &ServiceError) -> Value {
    match error {
        ServiceError::McpError(error) => json!({"kind": "error", "code": error.code.0, "message": error.message}),
        other => json!({"kind": "failed", "message": other.to_string()}),
    }
}
