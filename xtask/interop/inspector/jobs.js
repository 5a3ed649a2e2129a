// What the drivers of the MCP Inspector share: each command is a process of its own, told what to do by its arguments.
// Reads jobs (JSON) from stdin and prints one observation (a line of JSON) a job. It judges nothing.

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

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

// The file that tells the Inspector of a server.
export function config(jobs, job, number) {
  const name = `server-${number}`;
  const file = join(jobs.folder, `${name}.json`);
  const server = { command: jobs.command, args: jobs.arguments, env: job.env };
  writeFileSync(file, JSON.stringify({ mcpServers: { [name]: server } }));
  return { name, file };
}

export async function run(drive, end = async () => {}) {
  let text = "";
  for await (const part of process.stdin) text += part;
  const jobs = JSON.parse(text);
  for (const [number, job] of jobs.jobs.entries()) {
    const told = await drive(jobs, job, number).catch((error) => ({ failed: error.message }));
    console.log(JSON.stringify({ scenario: job.scenario, ...told }));
  }
  await end(jobs);
}
