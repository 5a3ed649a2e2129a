// Drives `mcp-inspector --cli`, which starts a server, does one thing and ends.

import { command, confirmation, run } from "./jobs.js";

const PROGRAM = new URL("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url)
  .pathname;

let protocol;

await run(async (jobs, job, { name, file }) => {
  const inspect = async (...args) => {
    const options = ["--cli", "--format", "json", "--quiet", "--protocol-era", jobs.mode, "--config", file];
    const { result } = await command(PROGRAM, [...options, "--server", name, ...args], jobs);
    return result;
  };
  const outcomes = [];
  const perform = {
    server: async () => ({ kind: "server", server: (await inspect("--method", "initialize")).serverInfo }),
    list: async () => ({ kind: "tools", tools: (await inspect("--method", "tools/list")).tools }),
    call: async ({ tool, arguments: given, tokenOf }) => {
      const args = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(given)];
      if (tokenOf !== undefined) args.push("--tool-metadata", confirmation(outcomes[tokenOf - 1], tokenOf));
      return { kind: "result", result: await inspect(...args) };
    },
  };
  protocol ??= (await inspect("--method", "initialize")).protocolVersion;
  for (const step of job.steps) {
    outcomes.push(await perform[step.do](step).catch((error) => ({ kind: "failed", message: error.message })));
  }
  return { protocol, questions: [], outcomes };
});
