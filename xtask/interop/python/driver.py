"""Carries out one scenario with the official Python SDK and prints what it saw.

Reads one job (JSON) from stdin, starts the server it names, does the job's steps in one session, and prints one
observation (JSON). It judges nothing: the same job goes to every client, and xtask compares what they saw.
"""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

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


async def listed(client):
    tools, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += [wire(tool) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return {"kind": "tools", "tools": tools}


async def called(client, step, earlier):
    meta = None
    if "tokenOf" in step:
        given = earlier[step["tokenOf"] - 1].get("result", {}).get("_meta", {}).get(CONFIRMATION, {})
        if "token" not in given:
            return {"kind": "failed", "message": f"step {step['tokenOf']} was given no token to repeat"}
        meta = {CONFIRMATION: {"token": given["token"]}}
    result = await client.call_tool(step["tool"], step["arguments"], meta=meta)
    return {"kind": "result", "result": wire(result)}


async def perform(client, step, earlier):
    try:
        return await (listed(client) if step["do"] == "list" else called(client, step, earlier))
    except MCPError as error:
        return {"kind": "error", "code": error.code, "message": error.message}
    except Exception as error:  # The SDK refused what the server sent, which is an observation too.
        return {"kind": "failed", "message": f"{type(error).__name__}: {error}"}


async def drive(job, stderr):
    questions = []

    async def answer(_context, question):
        questions.append(wire(question))
        return ANSWERS[job["answer"]]

    server = StdioServerParameters(command=job["server"], env=job["env"])
    client = Client(
        stdio_client(server, errlog=stderr),
        mode=job["mode"],
        elicitation_callback=None if job["answer"] == "absent" else answer,
        read_timeout_seconds=job["seconds"],
    )
    outcomes = []
    async with client:
        protocol = client.protocol_version
        for step in job["steps"]:
            outcomes.append(await perform(client, step, outcomes))
    return {"protocol": protocol, "questions": questions, "outcomes": outcomes}


def main():
    job = json.load(sys.stdin)
    with open(job["stderr"], "w", encoding="utf-8") as stderr:
        observation = asyncio.run(asyncio.wait_for(drive(job, stderr), job["seconds"]))
    json.dump(observation, sys.stdout)


main()
