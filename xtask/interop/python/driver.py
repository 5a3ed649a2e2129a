"""Carries out scenarios with the official Python SDK and prints what it saw.

Reads jobs (JSON) from stdin. Each is a scenario: it starts a server, does the steps in one session, and prints one
observation (a line of JSON). It judges nothing: the same jobs go to every client, and xtask compares what they saw.
"""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ErrorData

CONFIRMATION = "mcp-tool-bridge/confirmation"

ANSWERS = {
    "accept": ElicitResult(action="accept", content={"confirm": True}),
    "accept-false": ElicitResult(action="accept", content={"confirm": False}),
    "decline": ElicitResult(action="decline"),
    "cancel": ElicitResult(action="cancel"),
}


def wire(model):
    """A message as it stood on the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


class Session:
    """A scenario under way."""

    def __init__(self, client, jobs):
        self.client = client
        self.jobs = jobs
        self.heard = asyncio.Event()
        self.listening = None
        self.outcomes = []

    async def perform(self, step):
        try:
            return await getattr(self, step["do"])(step)
        except MCPError as error:
            return {"kind": "error", "code": error.code, "message": error.message}
        except Exception as error:  # The SDK refused what the server sent, which is an observation too.
            return {"kind": "failed", "message": f"{type(error).__name__}: {error}"}

    async def server(self, _step):
        info = self.client.server_info
        if info is None:
            # Pinned to a version, it does not ask by itself.
            told = await self.client.session.send_discover(self.client.protocol_version)
            return {"kind": "server", "server": told["_meta"]["io.modelcontextprotocol/serverInfo"]}
        return {"kind": "server", "server": wire(info)}

    async def list(self, _step):
        tools, cursor = [], None
        while True:
            page = await self.client.list_tools(cursor=cursor)
            tools += [wire(tool) for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                return {"kind": "tools", "tools": tools}

    async def listen(self, _step):
        # Before 2026-07-28 the notification comes unasked, and `notice` is called.
        if self.client.protocol_version >= "2026-07-28":
            self.listening = self.client.listen(tools_list_changed=True)
            self.subscription = await self.listening.__aenter__()
        return {"kind": "done"}

    async def changed(self, _step):
        if self.listening is None:
            await self.heard.wait()
        else:
            await anext(aiter(self.subscription))
        return {"kind": "done"}

    async def call(self, step):
        meta = None
        if "tokenOf" in step:
            given = self.outcomes[step["tokenOf"] - 1].get("result", {}).get("_meta", {}).get(CONFIRMATION, {})
            if "token" not in given:
                return {"kind": "failed", "message": f"step {step['tokenOf']} was given no token to repeat"}
            meta = {CONFIRMATION: {"token": given["token"]}}
        progress, reported = [], asyncio.Event()

        async def report(done, _total, _message):
            progress.append(done)
            reported.set()

        running = asyncio.create_task(
            self.client.call_tool(step["tool"], step["arguments"], meta=meta, progress_callback=report)
        )
        until = step.get("until")
        if until == "progress":
            await asyncio.wait({running, asyncio.create_task(reported.wait())}, return_when="FIRST_COMPLETED")
        elif until == "patience":
            await asyncio.wait({running}, timeout=self.jobs["patience"])
        if until and not running.done():
            running.cancel()
            await asyncio.wait({running})
            return {"kind": "failed", "message": "cancelled by the client"}
        return {"kind": "result", "result": wire(await running), "progress": progress}

    async def parallel(self, step):
        one = {"do": "call", "tool": step["tool"], "arguments": step["arguments"]}
        return {"kind": "many", "outcomes": await asyncio.gather(*(self.perform(one) for _ in range(step["count"])))}


@asynccontextmanager
async def served(jobs, job):
    """What a client connects to."""
    env = {**os.environ, **job["env"]}
    if jobs["speaks"] == "stdio":
        yield stdio_client(StdioServerParameters(command=jobs["command"], args=jobs["arguments"], env=env))
        return
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(
        jobs["command"], *jobs["arguments"], env=env, stdin=pipe, stdout=pipe
    )
    try:
        yield (await server.stdout.readline()).decode().strip()
    finally:
        server.stdin.close()
        await server.wait()


async def drive(jobs, job):
    questions = []
    session = None

    async def answer(_context, question):
        if job["answer"] == "unhandled":
            # What the SDK itself answers when it has no callback; but then it declares no capability either.
            return ErrorData(code=types.METHOD_NOT_FOUND, message="Elicitation not supported")
        questions.append(wire(question))
        if job["answer"] == "silent":
            await asyncio.Event().wait()
        return ANSWERS[job["answer"]]

    async def notice(message):
        if isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            session.heard.set()

    async with served(jobs, job) as server:
        client = Client(
            server,
            mode=jobs["mode"],
            elicitation_callback=None if job["answer"] == "absent" else answer,
            message_handler=notice,
            read_timeout_seconds=jobs["seconds"],
        )
        async with client:
            session = Session(client, jobs)
            for step in job["steps"]:
                session.outcomes.append(await session.perform(step))
            if session.listening is not None:
                await session.listening.__aexit__(None, None, None)
            protocol = client.protocol_version
    return {"protocol": protocol, "questions": questions, "outcomes": session.outcomes}


def main():
    jobs = json.load(sys.stdin)
    for job in jobs["jobs"]:
        try:
            told = asyncio.run(asyncio.wait_for(drive(jobs, job), jobs["seconds"]))
        except Exception as error:
            told = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps({"scenario": job["scenario"], **told}), flush=True)


main()
