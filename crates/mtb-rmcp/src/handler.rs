use std::borrow::Cow;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use mtb_bridge::Bridge;
use mtb_core::json::{member, read_string};
use mtb_core::{Principal, PrincipalId, Transport};
use mtb_mcp::drive::{Caller, Changes, Exchange, Handshake};
use mtb_mcp::{Elicitation, ServerOptions};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, DiscoverResult, ErrorCode, Extensions,
    Implementation, InitializeRequestParams, InitializeResult, InputRequiredResult, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Serialize;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::message;
use crate::open::{Place, Room};
use crate::relay::Relay;
use crate::who::Who;

/// The revisions that are spoken, the oldest first.
const VERSIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// Whether a question may be put to a client by a request of the server, as revisions before 2026-07-28 do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionQuestions {
    /// Only the caller can answer on this transport: whoever holds the session is the caller.
    Trusted,
    /// The SDK does not tell who answered, so no answer is taken: the host carries the token.
    Untrusted,
}

/// A bridge, served by the official Rust SDK.
///
/// See the [crate's documentation](crate) for what the SDK's transports do not protect.
pub struct BridgeHandler<C> {
    bridge: Bridge<C>,
    who: Who,
    transport: Transport,
    speaks: Speaks,
    questions: SessionQuestions,
    limits: Arc<Limits>,
    session: Session,
}

/// What all clones of a handler have in common.
struct Limits {
    calls: Room,
    questions: Room,
    subscriptions: Room,
}

/// What belongs to the session that a handler serves.
struct Session {
    begun: Mutex<Option<Begun>>,
    /// Ends what watches for changes.
    ended: CancellationToken,
    _ends: DropGuard,
}

/// Who began a session. Only they may begin it again, and it has one watcher however often they do.
struct Begun {
    by: PrincipalId,
    /// Whom to watch for, until they say that they are ready to be told.
    due: Option<Principal>,
}

impl Session {
    fn new() -> Self {
        let ended = CancellationToken::new();
        Self { begun: Mutex::default(), ended: ended.clone(), _ends: ended.drop_guard() }
    }

    /// Whether it is this principal's to begin.
    fn begin(&self, principal: Principal) -> bool {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let by = principal.id().clone();
        begun.get_or_insert_with(|| Begun { by: by.clone(), due: Some(principal) }).by == by
    }

    /// Whom to watch for; once.
    fn take(&self) -> Option<Principal> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.due.take()
    }
}

/// How the server speaks, in each of the cases that may apply to a request.
#[derive(Clone)]
struct Speaks {
    asking: Arc<ServerOptions>,
    not_asking: Arc<ServerOptions>,
    busy: Arc<ServerOptions>,
}

impl<C: Send + Sync + 'static> BridgeHandler<C> {
    /// Serves everything in the name of one principal, as is right where the transport has one client: a child
    /// process, a socket of one user.
    #[must_use]
    pub fn for_principal(bridge: Bridge<C>, principal: Principal, options: ServerOptions) -> Self {
        Self::serving(bridge, Who::One(principal), SessionQuestions::Trusted, options)
    }

    /// Serves each request in the name of whoever `identify` finds in its extensions. Where it finds nobody, or panics,
    /// the request is refused.
    ///
    /// The SDK's HTTP transport puts the `http::request::Parts` there, with whatever a layer in front has put into
    /// their extensions: `|extensions| extensions.get::<http::request::Parts>()?.extensions.get::<Principal>().cloned()`
    /// finds the principal of a layer that authenticates. Give its service clones of one handler
    /// (`move || Ok(handler.clone())`): it makes one for each session, and for each request of 2026-07-28, and clones
    /// share their limits.
    ///
    /// Clients before 2026-07-28 are asked nothing in band, since the SDK does not tell who answered; see
    /// [`with_session_questions`](Self::with_session_questions).
    pub fn new(
        bridge: Bridge<C>,
        options: ServerOptions,
        identify: impl Fn(&Extensions) -> Option<Principal> + Send + Sync + 'static,
    ) -> Self {
        Self::serving(bridge, Who::EachRequest(Arc::new(identify)), SessionQuestions::Untrusted, options)
    }

    fn serving(bridge: Bridge<C>, who: Who, questions: SessionQuestions, options: ServerOptions) -> Self {
        let limits = options.limits();
        let limits = Limits {
            calls: Room::for_at_most(limits.in_flight),
            questions: Room::for_at_most(limits.pending_questions),
            subscriptions: Room::for_at_most(limits.subscriptions),
        };
        Self {
            bridge,
            who,
            transport: Transport::named("rmcp"),
            speaks: Speaks::of(options),
            questions,
            limits: Arc::new(limits),
            session: Session::new(),
        }
    }

    /// What the audit calls the channel. Default `rmcp`.
    #[must_use]
    pub fn with_transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// Whether an answer that arrives in a session counts as the caller's. Say [`SessionQuestions::Trusted`] only where
    /// a layer in front lets nobody but its principal use a session.
    #[must_use]
    pub fn with_session_questions(mut self, questions: SessionQuestions) -> Self {
        self.questions = questions;
        self
    }

    /// Serves one request and gives its result.
    async fn answer(
        &self,
        method: &str,
        params: impl Serialize,
        context: &RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let principal = self.who.of(&context.extensions)?;
        let message = message::request(method, params, &context.meta)?;
        let place = self.limits.calls.take();
        let handshake = handshake(context);
        let caller = Caller {
            bridge: self.bridge.clone(),
            principal,
            transport: self.transport,
            options: Arc::clone(self.speaks.to(handshake.as_ref(), self.questions, place.as_ref())),
            handshake,
        };
        let exchange = Exchange::start(caller, &message);
        let (calls, questions) = (&self.limits.calls, &self.limits.questions);
        Relay { exchange, context, calls, questions, place }.run().await
    }
}

/// A handler for another session, with the same limits: what the SDK's HTTP service is to make for each of them.
impl<C> Clone for BridgeHandler<C> {
    fn clone(&self) -> Self {
        Self {
            bridge: self.bridge.clone(),
            who: self.who.clone(),
            transport: self.transport,
            speaks: self.speaks.clone(),
            questions: self.questions,
            limits: Arc::clone(&self.limits),
            session: Session::new(),
        }
    }
}

impl Speaks {
    fn of(options: ServerOptions) -> Self {
        let mut none = options.limits().clone();
        none.in_flight = 0;
        Self {
            not_asking: Arc::new(options.clone().with_elicit_confirmations(Elicitation::Off)),
            busy: Arc::new(options.clone().with_limits(none)),
            asking: Arc::new(options),
        }
    }

    fn to(
        &self,
        handshake: Option<&Handshake>,
        questions: SessionQuestions,
        place: Option<&Place>,
    ) -> &Arc<ServerOptions> {
        match (place, handshake, questions) {
            (None, ..) => &self.busy,
            (Some(_), Some(_), SessionQuestions::Untrusted) => &self.not_asking,
            (Some(_), None, _) | (Some(_), _, SessionQuestions::Trusted) => &self.asking,
        }
    }
}

/// What `initialize` settled, for a request that does not describe itself.
fn handshake(context: &RequestContext<RoleServer>) -> Option<Handshake> {
    if context.meta.protocol_version().is_some() {
        return None;
    }
    let client = context.peer.peer_info()?;
    let capabilities = serde_json::to_string(&client.capabilities).unwrap_or_default();
    Some(Handshake::settled(client.protocol_version.as_str(), &capabilities))
}

async fn changed<C: Send + Sync + 'static>(changes: &mut Changes<C>) {
    poll_fn(|cx| if changes.poll_changed(cx) { Poll::Ready(()) } else { Poll::Pending }).await;
}

impl<C: Send + Sync + 'static> ServerHandler for BridgeHandler<C> {
    fn get_info(&self) -> ServerConfig {
        let info = self.speaks.asking.info();
        let mut server = Implementation::new(info.name.clone(), info.version.clone());
        server.title.clone_from(&info.title);
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let mut config = ServerConfig::new(capabilities);
        config.protocol_version = ProtocolVersion::V_2025_11_25;
        config.server_info = server;
        config.instructions.clone_from(&info.instructions);
        config
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(VERSIONS)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let principal = self.who.of(&context.extensions)?;
        let settled = self.negotiate_initialize(&request)?;
        // What is settled of a session counts for every request in it.
        if !self.session.begin(principal) {
            return Err(ErrorData::invalid_request("Invalid request: another principal began this session", None));
        }
        // The SDK goes by what it finds here, which has to be what was settled and not what was asked for.
        request.protocol_version = settled.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(settled)
    }

    async fn discover(&self, context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        message::result(&self.answer("server/discover", (), &context).await?)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        message::result(&self.answer("tools/list", request, &context).await?)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = self.answer("tools/call", request, &context).await?;
        let kind = member(&result, "resultType").and_then(read_string);
        Ok(if kind.as_deref() == Some("input_required") {
            CallToolResponse::InputRequired(message::result::<InputRequiredResult>(&result)?)
        } else {
            CallToolResponse::Complete(message::call_result(&result)?)
        })
    }

    /// The SDK takes a request for one of the host's own when its `params` are not of the form it knows. Whatever is
    /// wrong with them is told as everywhere else, and a token that came along is spent.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match &*request.method {
            "tools/call" | "tools/list" => {
                message::result(&self.answer(&request.method, &request.params, &context).await?).map(CustomResult::new)
            }
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "Method not found", None)),
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let principal = self.who.of(&context.request_context().extensions)?;
        let mut changes = Changes::of(self.bridge.clone(), principal);
        let Some(_place) = self.limits.subscriptions.take() else {
            return Err(ErrorData::internal_error("Internal error: too many subscriptions are open", None));
        };
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = changed(&mut changes) => {}
            }
            if context.accepted().tools_list_changed == Some(true) {
                // A client that does not read keeps its place no longer than it wants it.
                let told = tokio::select! {
                    () = context.cancelled() => return Ok(()),
                    told = context.sink().notify_tool_list_changed() => told,
                };
                if told.is_err() {
                    return Ok(());
                }
            }
        }
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // Whoever says so later, or again, is not the one whose session it is.
        let Some(principal) = self.session.take() else { return };
        let mut changes = Changes::of(self.bridge.clone(), principal);
        let ended = self.session.ended.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = ended.cancelled() => return,
                    () = changed(&mut changes) => {}
                }
                tokio::select! {
                    () = ended.cancelled() => return,
                    told = context.peer.notify_tool_list_changed() => if told.is_err() { return },
                }
            }
        });
    }
}

/// Shows nothing of the bridge.
impl<C> fmt::Debug for BridgeHandler<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BridgeHandler")
            .field("transport", &self.transport)
            .field("questions", &self.questions)
            .finish_non_exhaustive()
    }
}
