use std::future::{pending, ready};
use std::sync::{Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability,
    ErrorCode, ErrorData, Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::job::Answer;

/// Who is asked and told on the client's side.
pub(crate) struct Person {
    answer: Answer,
    config: ClientConfig,
    questions: Mutex<Vec<Value>>,
    progress: Mutex<Vec<f64>>,
    /// A call has reported progress.
    pub(crate) reported: Notify,
    /// The list of tools has changed.
    pub(crate) changed: Notify,
}

impl Person {
    pub(crate) fn new(answer: Answer, version: ProtocolVersion) -> Self {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = (answer != Answer::Absent).then(ElicitationCapability::new);
        let config =
            ClientConfig::new(capabilities, Implementation::new("interop", "1")).with_protocol_version(version);
        Self {
            answer,
            config,
            questions: Mutex::default(),
            progress: Mutex::default(),
            reported: Notify::new(),
            changed: Notify::new(),
        }
    }

    pub(crate) fn questions(&self) -> Vec<Value> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was reported since this was last asked.
    pub(crate) fn take_progress(&self) -> Vec<f64> {
        std::mem::take(&mut *self.progress.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if self.answer == Answer::Unhandled {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "elicitation/create", None));
        }
        let question = serde_json::to_value(&request).unwrap_or_default();
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).push(question);
        let accepted = |confirm: bool| {
            let mut result = ElicitResult::new(ElicitationAction::Accept);
            result.content = Some(json!({"confirm": confirm}));
            Ok(result)
        };
        match self.answer {
            Answer::Accept => accepted(true),
            Answer::AcceptFalse => accepted(false),
            Answer::Cancel => Ok(ElicitResult::new(ElicitationAction::Cancel)),
            Answer::Silent => pending().await,
            Answer::Decline | Answer::Absent | Answer::Unhandled => Ok(ElicitResult::new(ElicitationAction::Decline)),
        }
    }

    fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).push(params.progress);
        self.reported.notify_one();
        ready(())
    }

    fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) -> impl Future<Output = ()> {
        self.changed.notify_one();
        ready(())
    }
}
