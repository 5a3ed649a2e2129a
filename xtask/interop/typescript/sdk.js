// Drives `@modelcontextprotocol/sdk`, which speaks versions up to 2025-11-25.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { run } from "./scenarios.js";

class Version1 extends Client {
  callTool(params, options) {
    return super.callTool(params, CallToolResultSchema, options);
  }
}

await run(async ({ server, url, capabilities, handler, changed }) => {
  const client = new Version1({ name: "interop", version: "1" }, { capabilities });
  if (handler) client.setRequestHandler(ElicitRequestSchema, (request) => handler(request.params));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed());
  const transport = url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(server);
  // The client tells its transport, and nobody else, what was agreed on.
  let protocol;
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    protocol = version;
    told?.(version);
  };
  await client.connect(transport);
  return { client, protocol };
});
