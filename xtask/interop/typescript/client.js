// Drives `@modelcontextprotocol/client`, which also speaks 2026-07-28.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { run } from "./scenarios.js";

await run(async ({ mode, server, url, capabilities, handler, changed }) => {
  const negotiation = mode === "legacy" || mode === "auto" ? mode : { pin: mode };
  const options = { capabilities, versionNegotiation: { mode: negotiation } };
  const client = new Client({ name: "interop", version: "1" }, options);
  if (handler) client.setRequestHandler("elicitation/create", (request) => handler(request.params));
  client.setNotificationHandler("notifications/tools/list_changed", () => changed());
  await client.connect(url ? new StreamableHTTPClientTransport(url) : new StdioClientTransport(server));
  return { client, protocol: client.getNegotiatedProtocolVersion() };
});
