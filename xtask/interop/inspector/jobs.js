// What the drivers of the MCP Inspector share: each command is a process of its own, told what to do by its arguments.
// Reads jobs (JSON) from stdin and prints one observation (a line of JSON) a job. It judges nothing.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const CONFIRMATION = "mcp-tool-bridge/confirmation";

// Settings of whoever runs this are neither read nor written, and no keychain is asked. The cache saves each process
// from compiling the same program.
export const environment = ({ folder }) => ({
  ...process.env,
  HOME: folder,
  MCP_INSPECTOR_SECRET_STORE: "memory",
  NODE_COMPILE_CACHE: new URL("cache", import.meta.url).pathname,
});

// What a command printed, as JSON, or what it said was wrong. Exit code 5 is a result that says `isError`.
export function command(program, args, jobs, env = {}) {
  const options = { env: { ...environment(jobs), ...env }, timeout: jobs.seconds * 1000, maxBuffer: 1 << 24 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      if (stdout.trim() !== "") resolve(JSON.parse(stdout));
      else reject(new Error(stderr.trim().split("\n").at(-1) || error?.message || "it said nothing"));
    }).stdin.end();
  });
}

// What brings the token of an earlier outcome back, as an option's value.
export function confirmation(outcome, step) {
  const token = outcome.result?._meta?.[CONFIRMATION]?.token;
  if (token === undefined) throw new Error(`step ${step} was given no token to repeat`);
  return `${CONFIRMATION}=${JSON.stringify({ token })}`;
}

// A server that the Inspector starts, or one that is started here and says its address; and how to end it.
async function served(jobs, job) {
  if (jobs.speaks !== "http") {
    return { server: { command: jobs.command, args: jobs.arguments, env: job.env }, end: async () => {} };
  }
  const env = { ...process.env, ...job.env };
  const child = spawn(jobs.command, jobs.arguments, { env, stdio: ["pipe", "pipe", "inherit"] });
  const [url] = await once(createInterface(child.stdout), "line");
  const end = async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, "exit");
  };
  return { server: { type: "streamable-http", url }, end };
}

// Writes the file that tells the Inspector of a server, and lets `drive` do the job with it.
async function withServer(drive, jobs, job, number) {
  const name = `server-${number}`;
  const file = join(jobs.folder, `${name}.json`);
  const { server, end } = await served(jobs, job);
  try {
    writeFileSync(file, JSON.stringify({ mcpServers: { [name]: server } }));
    return await drive(jobs, job, { name, file });
  } finally {
    await end();
  }
}

export async function run(drive, end = async () => {}) {
  let text = "";
  for await (const part of process.stdin) text += part;
  const jobs = JSON.parse(text);
  for (const [number, job] of jobs.jobs.entries()) {
    const told = await withServer(drive, jobs, job, number).catch((error) => ({ failed: error.message }));
    console.log(JSON.stringify({ scenario: job.scenario, ...told }));
  }
  await end(jobs);
}
