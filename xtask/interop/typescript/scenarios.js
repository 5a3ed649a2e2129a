// What the drivers of the TypeScript clients share: reads jobs (JSON) from stdin, does each with a client of its own, and
// prints one observation (a line of JSON) a job. It judges nothing: the same jobs go to every client.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const CONFIRMATION = "mcp-tool-bridge/confirmation";

const ANSWERS = {
  accept: { action: "accept", content: { confirm: true } },
  "accept-false": { action: "accept", content: { confirm: false } },
  decline: { action: "decline" },
  cancel: { action: "cancel" },
};

const message = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

class Session {
  constructor(client, jobs, heard) {
    Object.assign(this, { client, jobs, heard, outcomes: [] });
  }

  async perform(step) {
    try {
      return await this[step.do](step);
    } catch (error) {
      // The SDK refused what the server sent, which is an observation too; a number is the code of a JSON-RPC error.
      if (typeof error?.code === "number") return { kind: "error", code: error.code, message: error.message };
      return { kind: "failed", message: message(error) };
    }
  }

  async server() {
    return { kind: "server", server: this.client.getServerVersion() };
  }

  async list() {
    const tools = [];
    let cursor;
    do {
      const page = await this.client.listTools(cursor === undefined ? undefined : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return { kind: "tools", tools };
  }

  async listen() {
    // Before 2026-07-28 the notification comes unasked.
    if (this.client.getProtocolEra?.() === "modern") await this.client.listen({ toolsListChanged: true });
    return { kind: "done" };
  }

  async changed() {
    await this.heard;
    return { kind: "done" };
  }

  async call(step) {
    const params = { name: step.tool, arguments: step.arguments };
    if (step.tokenOf !== undefined) {
      const token = this.outcomes[step.tokenOf - 1].result?._meta?.[CONFIRMATION]?.token;
      if (token === undefined) return { kind: "failed", message: `step ${step.tokenOf} was given no token to repeat` };
      params._meta = { [CONFIRMATION]: { token } };
    }
    const progress = [];
    const controller = new AbortController();
    const onprogress = (report) => {
      progress.push(report.progress);
      if (step.until === "progress") controller.abort("cancelled by the client");
    };
    const options = { onprogress, signal: controller.signal, timeout: this.jobs.seconds * 1000 };
    const calls = [this.client.callTool(params, options)];
    if (step.until === "patience") {
      // The client does not take back a question of 2026-07-28 that its own handler never answers.
      const patience = sleep(this.jobs.patience * 1000, undefined, { ref: false });
      calls.push(
        patience.then(() => {
          controller.abort("out of patience");
          throw new Error("out of patience");
        }),
      );
    }
    return { kind: "result", result: await Promise.race(calls), progress };
  }

  async parallel(step) {
    const one = { do: "call", tool: step.tool, arguments: step.arguments };
    return { kind: "many", outcomes: await Promise.all(Array.from({ length: step.count }, () => this.perform(one))) };
  }
}

// Starts a server that says its address, and how to end it.
async function served({ command, args, env }) {
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const end = async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { url: new URL(line), end };
}

// `open` gives a connected client, and the version it agreed on; it is told what the client declares, who answers its
// questions, and what to call when the list of tools changes.
async function drive(open, jobs, job) {
  const questions = [];
  const answer = async (question) => {
    questions.push(question);
    if (job.answer === "silent") await new Promise(() => {});
    return ANSWERS[job.answer];
  };
  let changed;
  const heard = new Promise((resolve) => (changed = resolve));
  const server = { command: jobs.command, args: jobs.arguments, env: { ...process.env, ...job.env }, stderr: "inherit" };
  const capabilities = job.answer === "absent" ? {} : { elicitation: {} };
  const handler = job.answer === "absent" || job.answer === "unhandled" ? undefined : answer;
  const { url, end } = jobs.speaks === "http" ? await served(server) : { end: async () => {} };
  try {
    const { client, protocol } = await open({ mode: jobs.mode, server, url, capabilities, handler, changed });
    const session = new Session(client, jobs, heard);
    for (const step of job.steps) session.outcomes.push(await session.perform(step));
    await client.close();
    return { protocol, questions, outcomes: session.outcomes };
  } finally {
    await end();
  }
}

export async function run(open) {
  let text = "";
  for await (const part of process.stdin) text += part;
  const jobs = JSON.parse(text);
  for (const job of jobs.jobs) {
    const late = sleep(jobs.seconds * 1000, undefined, { ref: false }).then(() => {
      throw new Error(`not done within ${jobs.seconds} s`);
    });
    const told = await Promise.race([drive(open, jobs, job), late]).catch((error) => ({ failed: message(error) }));
    console.log(JSON.stringify({ scenario: job.scenario, ...told }));
  }
  // Whatever still waits for an answer must not keep the process.
  process.exit(0);
}
