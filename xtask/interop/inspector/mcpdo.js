// Drives `mcpdo`, whose commands go through a daemon that keeps connections. It is started here and not by the first
// command, so that it ends with us however we end.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { command, confirmation, environment, run } from "./jobs.js";

const BUILD = new URL("node_modules/@modelcontextprotocol/inspector/clients/mcpdo/build/", import.meta.url).pathname;
const ANSWERS = {
  accept: ["confirm:=true"],
  silent: ["confirm:=true"],
  "accept-false": ["confirm:=false"],
  decline: ["--decline"],
  cancel: ["--cancel"],
};

// Short, since it holds a socket.
const folder = mkdtempSync(join(tmpdir(), "mcpdo-"));
const env = { MCP_INSPECTOR_DAEMON_DIR: folder, MCP_INSPECTOR_DAEMON_TOKEN: randomBytes(32).toString("base64url") };
const mcpdo = (jobs, ...args) => command(`${BUILD}mcp-bin.js`, ["--format", "json", ...args], jobs, env);

let daemon;
let protocol;

async function start(jobs) {
  daemon = spawn(process.execPath, [`${BUILD}mcpdod.js`], { env: { ...environment(jobs), ...env }, stdio: "ignore" });
  while (!existsSync(join(folder, "mcpdod.sock"))) {
    if (daemon.exitCode !== null) throw new Error(`the daemon ended with ${daemon.exitCode}`);
    await sleep(50);
  }
}

async function drive(jobs, job, { name, file }) {
  if (daemon === undefined) await start(jobs);
  const questions = [];
  const outcomes = [];
  const inspect = (...args) => mcpdo(jobs, "--connection", name, ...args);
  const perform = {
    server: async () => ({ kind: "server", server: (await inspect("connections/show")).serverInfo }),
    list: async () => ({ kind: "tools", tools: (await inspect("tools/list")).tools }),
    call: async ({ tool, arguments: given, tokenOf }) => {
      const args = ["tools/call", tool, "--tool-args-json", JSON.stringify(given)];
      if (tokenOf !== undefined) args.push("--tool-metadata", confirmation(outcomes[tokenOf - 1], tokenOf));
      let result = await inspect(...args);
      const pending = result.elicitationPending;
      if (pending !== undefined) {
        questions.push(pending);
        // The daemon keeps the question; a yes then comes too late, and must do nothing.
        if (job.answer === "silent") await sleep(jobs.patience * 1000);
        result = await inspect("elicitation/respond", pending.elicitationId, ...ANSWERS[job.answer]);
      }
      return { kind: "result", result };
    },
  };
  const elicits = job.answer === "absent" ? "off" : "form";
  await mcpdo(jobs, "--config", file, "connect", name, "--era", jobs.mode, "--elicit", elicits);
  protocol ??= (await inspect("connections/show")).protocolVersion;
  for (const step of job.steps) {
    outcomes.push(await perform[step.do](step).catch((error) => ({ kind: "failed", message: error.message })));
  }
  return { protocol, questions, outcomes };
}

await run(drive, async () => {
  if (daemon.exitCode === null && daemon.kill()) await once(daemon, "exit");
  rmSync(folder, { recursive: true, force: true });
});
