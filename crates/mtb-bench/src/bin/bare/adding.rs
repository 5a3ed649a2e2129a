use std::sync::{Arc, LazyLock};

use mtb_bench::tool;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;
use serde_json::Value;

static SCHEMA: LazyLock<Arc<JsonObject>> =
    LazyLock::new(|| Arc::new(serde_json::from_str(tool::SCHEMA).unwrap_or_default()));

/// The tool written by hand against the SDK: no macros, no router.
pub(crate) struct Adding {
    tool: Tool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    a: i64,
    b: i64,
    #[serde(default, rename = "note")]
    _note: String,
}

impl Adding {
    pub(crate) fn new() -> Self {
        Self { tool: Tool::new(tool::NAME, tool::DESCRIPTION, Arc::clone(&SCHEMA)) }
    }
}

impl ServerHandler for Adding {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        (name == tool::NAME).then(|| self.tool.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool.clone()]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != tool::NAME {
            return Err(ErrorData::invalid_params("no such tool", None));
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let Arguments { a, b, .. } =
            serde_json::from_value(arguments).map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let sum = a.checked_add(b).ok_or_else(|| ErrorData::invalid_params("too large", None))?;
        Ok(CallToolResult::success(vec![ContentBlock::text(sum.to_string())]).into())
    }
}
