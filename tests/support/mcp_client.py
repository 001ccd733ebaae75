"""A client of the MCP server's function, called in this process; and messages of both eras."""

import importlib
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread

from tests.support.agui.app import Context
from tests.support.agui.client import data_of
from tests.support.functions.payloads import Case, with_header
from yarrow.store import runs, table
from yarrow.store.limits import run_slots
from yarrow.worker import execute_run

LATEST = "2026-07-28"
META = "io.modelcontextprotocol/"

Act = Callable[[], object]


def envelope(**capabilities: Any) -> dict[str, Any]:
    """Return what a request of the newest revision has in its `_meta`."""
    return {f"{META}protocolVersion": LATEST, f"{META}clientCapabilities": capabilities}


@dataclass
class Reply:
    """A response, whole."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def messages(self) -> list[dict[str, Any]]:
        if self.headers["content-type"].startswith("text/event-stream"):
            return [json.loads(line) for line in data_of(self.body)]
        return [json.loads(self.body)]

    @property
    def result(self) -> dict[str, Any]:
        result: dict[str, Any] = self.messages[-1]["result"]
        return result

    @property
    def error(self) -> tuple[int, int, str]:
        """The status, the code and the message."""
        error = self.messages[-1]["error"]
        return self.status, error["code"], error["message"]

    @property
    def problem(self) -> tuple[int, str]:
        assert self.headers["content-type"] == "application/problem+json"
        return self.status, json.loads(self.body)["code"]


@dataclass
class McpClient:
    """A client, as one user; `version` is the revision that it speaks. It works on runs that its calls start."""

    case: Case = field(default_factory=Case)
    version: str | None = LATEST
    capabilities: dict[str, Any] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    time_left: int = 900_000

    def request(self, method: str, params: dict[str, Any] | None = None, act: Act | None = None, **meta: Any) -> Reply:
        """Send a request as its revision has it. `act` takes the place of the work on a run."""
        sent = dict(params or {})
        if self.version == LATEST:
            meta |= envelope(**self.capabilities)
        if meta:
            sent["_meta"] = meta
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method, "params": sent}
        headers = {} if self.version is None else {"MCP-Protocol-Version": self.version}
        if self.version == LATEST:
            headers["Mcp-Method"] = method
            named = sent.get("name", sent.get("uri", sent.get("taskId")))
            headers |= {} if named is None else {"Mcp-Name": named}
        return self.post(json.dumps(message, ensure_ascii=False), act, **headers)

    def call(self, name: str, act: Act | None = None, meta: dict[str, Any] | None = None, **arguments: Any) -> Reply:
        return self.request("tools/call", {"name": name, "arguments": arguments}, act, **(meta or {}))

    def post(self, body: str, act: Act | None = None, **headers: str) -> Reply:
        event = self.case.payload("api_gateway_send_mcp_message") | {"body": body}
        for name in ("MCP-Protocol-Version", "Mcp-Method"):
            event["headers"].pop(name, None)
            event["multiValueHeaders"].pop(name, None)
        for name, value in headers.items():
            event = with_header(event, name, value)
        return self.send(event, act)

    def send(self, event: dict[str, Any], act: Act | None = None) -> Reply:
        handler = importlib.import_module("functions.mcp.app").handler

        async def collect() -> Reply:
            async with handler.open(event, Context(self.time_left)) as response:
                reply = Reply(response.status, response.headers)
                if response.headers.get("content-type", "").startswith("text/event-stream"):
                    await anyio.to_thread.run_sync(act or self.work)
                async for chunk in response.body:
                    reply.body += chunk
            return reply

        return anyio.run(collect)

    def active_runs(self) -> list[str]:
        """The keys of the user's runs that have not ended."""
        keys = run_slots.stored(table.get(run_slots.key(self.case.user)))
        return sorted(key for key in keys if not runs.must_read(key).ended)

    def work(self) -> None:
        for run_key in self.active_runs():
            execute_run.work(run_key)
