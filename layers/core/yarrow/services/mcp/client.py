"""A client of one MCP server, of the newest revision or of those that begin with `initialize` (MCP-01).

Source: MCP 2026-07-28 (`server/discover`, requests without a session), and 2025-11-25 back to 2024-11-05
(`lifecycle`). A process asks a server once which one it speaks.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx2

from yarrow.services.mcp.elicitation import capabilities
from yarrow.services.mcp.wire import (
    MAX_ANSWER_BYTES,
    MAX_RESULT_BYTES,
    Document,
    McpError,
    Notified,
    Server,
    client,
    header_value,
    post,
)

MODERN: Final = "2026-07-28"
LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions with `initialize`, newest first."""

NOTHING: Final[Mapping[str, Any]] = {}

MAX_PAGES: Final = 10
KNOWN_SECONDS: Final = 3_600.0
"""How long a process remembers how a server speaks."""

CREDENTIALS_REFUSED: Final = (401, 403)
"""Statuses that say nothing of a server's revision."""

_UNSUPPORTED: Final = -32022
_META: Final = "io.modelcontextprotocol/"


@dataclass(frozen=True, slots=True)
class RemoteTool:
    """A tool as its server describes it; `parameters` is a JSON schema, `output` that of its structured content."""

    name: str
    description: str
    parameters: dict[str, Any]
    output: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class _Era:
    """How a server speaks: a revision, and the session of a legacy one that has them."""

    version: str
    session: str | None = None

    @property
    def is_modern(self) -> bool:
        return self.version == MODERN


_modern: dict[str, tuple[float, bool]] = {}
"""Until when a process uses that the server at an address speaks the newest revision, or not."""


class McpClient:
    """Asks one server, for one run: a session of an older revision is no other's.

    Raises McpError, also after the server's `seconds`.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._begun: _Era | None = None
        self._beginning = asyncio.Lock()
        self._ids = itertools.count(1)
        self._tokens = itertools.count(1)

    async def list_tools(self) -> list[RemoteTool]:
        """Return the server's tools, of at most MAX_PAGES pages."""
        tools: list[RemoteTool] = []
        cursor: str | None = None
        async with self._connected() as http:
            for _ in range(MAX_PAGES):
                page = await self._request(http, "tools/list", {} if cursor is None else {"cursor": cursor})
                listed = page.get("tools")
                tools += [tool for one in (listed if isinstance(listed, list) else ()) if (tool := _tool(one))]
                cursor = page.get("nextCursor")
                if not isinstance(cursor, str):
                    return tools
        return tools

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any],
        schema: Mapping[str, Any],
        key: str | None = None,
        given: Mapping[str, Any] = NOTHING,
        progressed: Callable[[Mapping[str, Any]], Awaitable[None]] | None = None,
    ) -> Document:
        """Return the result of a call, or what a server of the newest revision has to know first.

        `schema` is that of the arguments, `key` an idempotency key, `given` are further parameters; `progressed` takes
        what the server tells of the call's progress, as the parameters of its notifications.
        """
        token = None if progressed is None else f"call-{next(self._tokens)}"
        meta = {
            **({} if key is None else {"yarrow/idempotencyKey": key}),
            **({} if token is None else {"progressToken": token}),
        }
        params = {"name": name, "arguments": dict(arguments), **given, **({"_meta": meta} if meta else {})}

        async def notified(message: Document) -> None:
            told = message.get("params")
            is_own = isinstance(told, dict) and told.get("progressToken") == token
            if progressed is not None and message["method"] == "notifications/progress" and is_own:
                await progressed(message["params"])

        headers = dict(_parameter_headers(schema, arguments))
        async with self._connected() as http:
            return await self._request(http, "tools/call", params, headers, None if token is None else notified)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[httpx2.AsyncClient]:
        """Connect for one operation, within the server's time."""
        try:
            async with client(self._server) as http, asyncio.timeout(self._server.seconds):
                yield http
        except TimeoutError as error:
            raise McpError("the server took too long") from error

    async def _request(
        self,
        http: httpx2.AsyncClient,
        method: str,
        params: Document,
        headers: Mapping[str, str] = NOTHING,
        notified: Notified | None = None,
    ) -> Document:
        """Send a request in the server's era; if its session is over, in another one."""
        era = await self._era(http)
        try:
            return await self._send(http, era, method, params, headers, notified)
        except McpError as error:
            if error.status != 404 or era.session is None:
                raise
        if self._begun is era:
            self._begun = None
        return await self._send(http, await self._era(http), method, params, headers, notified)

    async def _send(
        self,
        http: httpx2.AsyncClient,
        era: _Era,
        method: str,
        params: Document,
        headers: Mapping[str, str],
        notified: Notified | None = None,
    ) -> Document:
        own = {"MCP-Protocol-Version": era.version}
        if era.is_modern:
            params = {**params, "_meta": {**params.get("_meta", {}), **_meta(method)}}
            own |= {"Mcp-Method": method, **headers}
            if "name" in params:
                own["Mcp-Name"] = header_value(params["name"])
        elif era.session is not None:
            own["Mcp-Session-Id"] = era.session
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        most = MAX_RESULT_BYTES if method == "tools/call" else MAX_ANSWER_BYTES
        result, _ = await post(http, self._server, message, own, most, notified)
        return result or {}

    async def _era(self, http: httpx2.AsyncClient) -> _Era:
        async with self._beginning:
            if self._begun is None:
                is_modern = await self._is_modern(http)
                self._begun = _Era(MODERN) if is_modern else await self._initialized(http)
            return self._begun

    async def _is_modern(self, http: httpx2.AsyncClient) -> bool:
        known = _modern.get(self._server.url)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        is_modern = await self._discovered(http)
        if len(_modern) >= 100:  # a deployment names a few
            _modern.clear()
        _modern[self._server.url] = (time.monotonic() + KNOWN_SECONDS, is_modern)
        return is_modern

    async def _discovered(self, http: httpx2.AsyncClient) -> bool:
        """Ask for the newest revision; False if the server has to be initialized."""
        try:
            found = await self._send(http, _Era(MODERN), "server/discover", {}, {})
        except McpError as error:
            if error.code is None and error.status in (None, *CREDENTIALS_REFUSED):
                raise
            supported = error.data.get("supported") if isinstance(error.data, dict) else None
            return error.code == _UNSUPPORTED and isinstance(supported, list) and MODERN in supported
        versions = found.get("supportedVersions")
        return isinstance(versions, list) and MODERN in versions

    async def _initialized(self, http: httpx2.AsyncClient) -> _Era:
        params = {"protocolVersion": LEGACY[0], "capabilities": {}, "clientInfo": _info()}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": "initialize", "params": params}
        result, headers = await post(http, self._server, message, {})
        version = (result or {}).get("protocolVersion")
        if not isinstance(version, str) or version not in LEGACY:
            raise McpError("the server speaks no revision of MCP that is known here")
        session = headers.get("Mcp-Session-Id")
        own = {"MCP-Protocol-Version": version, **({} if session is None else {"Mcp-Session-Id": session})}
        await post(http, self._server, {"jsonrpc": "2.0", "method": "notifications/initialized"}, own)
        return _Era(version, session)


def _info() -> Document:
    return {"name": "yarrow", "version": "1"}


def _meta(method: str) -> Document:
    return {
        f"{_META}protocolVersion": MODERN,
        f"{_META}clientCapabilities": capabilities() if method == "tools/call" else {},
        f"{_META}clientInfo": _info(),
    }


def _tool(described: Any) -> RemoteTool | None:
    """Read a tool of a list; None for what is none."""
    match described:
        case {"name": str(name), "inputSchema": dict(schema)} if schema.get("type") == "object":
            text = described.get("description")
            output = described.get("outputSchema")
            output = output if isinstance(output, dict) else None
            return RemoteTool(name, text if isinstance(text, str) else "", schema, output)
    return None


def _parameter_headers(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the headers that the schema asks for by `x-mcp-header`."""
    properties = schema.get("properties")
    for name, described in (properties if isinstance(properties, dict) else {}).items():
        header = described.get("x-mcp-header") if isinstance(described, dict) else None
        value = arguments.get(name)
        if isinstance(header, str) and header.isascii() and header.replace("-", "").isalnum():
            if isinstance(value, bool):
                yield f"Mcp-Param-{header}", "true" if value else "false"
            elif isinstance(value, (str, int)):
                yield f"Mcp-Param-{header}", header_value(str(value))
