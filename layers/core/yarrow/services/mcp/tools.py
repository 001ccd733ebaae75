"""The MCP tools of one run: what its grant says of them, and calls of their servers."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from yarrow.agents.grants import GrantedMcpTool
from yarrow.formats import json_schema
from yarrow.protocol.runner.api import AgentAPIException, ToolDetail
from yarrow.protocol.runner.tools import ToolContext
from yarrow.protocol.runner.vocabulary import Retry
from yarrow.services.api.errors import invalid_argument
from yarrow.services.mcp import output_schema
from yarrow.services.mcp.client import McpClient
from yarrow.services.mcp.elicitation import asked_by
from yarrow.services.mcp.pictures import KeepPicture, KeptPicture, found_in
from yarrow.services.mcp.progress import CallProgress, TellProgress
from yarrow.services.mcp.results import blocks_of, contents_of, result_of
from yarrow.services.mcp.sign_in import needed, refusal
from yarrow.services.mcp.wire import McpError, Server, SignInNeededError
from yarrow.services.tools.registry import ToolRegistry, ToolResult

logger = logging.getLogger(f"yarrow.{__name__}")

FindTool = Callable[[str], Awaitable[GrantedMcpTool | None]]
"""Asks a tool's server for it now; None if the server does not have it."""


class RunTools:
    """The tools of a run: those of the host, and those of MCP servers that its grant has.

    `servers` are the servers by name; a tool whose server is not among them answers that it is not available. `keep`
    stores the pictures of results; without it, models see none. `tell` shows the progress of calls. `find` asks for a
    tool whose server wanted a sign-in first.
    """

    def __init__(
        self,
        host: ToolRegistry,
        granted: Mapping[str, GrantedMcpTool],
        servers: Mapping[str, Server],
        keep: KeepPicture | None = None,
        tell: TellProgress | None = None,
        find: FindTool | None = None,
    ) -> None:
        self._keep = keep
        self._find = find
        self._servers = servers
        self._tell = tell
        self._host = host
        self._granted = dict(granted)
        self._clients: Final = {name: McpClient(server) for name, server in servers.items()}

    def detail(self, name: str) -> ToolDetail | None:
        """Return the tool's detail as it was when the run began, or the user had signed in; None if it is unknown."""
        granted = self._granted.get(name)
        if granted is None:
            return self._host.detail(name)
        return ToolDetail(tool_name=name, description=granted.description, parameters=granted.parameters)

    def arguments(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call. Raises AgentAPIException `invalid_argument`."""
        granted = self._granted.get(name)
        if granted is None:
            return self._host.arguments(name, parameters)
        _check(granted, parameters)
        return parameters

    def writes(self, name: str) -> bool:
        return name in self._granted or self._host.writes(name)

    def retry(self, name: str) -> Retry:
        granted = self._granted.get(name)
        return self._host.retry(name) if granted is None else granted.retry

    def needs_sign_in(self, name: str) -> bool:
        """Whether the tool is not known yet, since the user had to sign in to its server when the run began."""
        return name in self._granted and self._granted[name].needs_sign_in

    async def is_signed_in(self, server: str) -> bool:
        """Whether the user has signed in to a server by now, as far as can be told."""
        configured = self._servers.get(server)
        if configured is None or configured.token is None:
            return True
        try:
            await configured.token(None)
        except SignInNeededError:
            return False
        except McpError:  # the call will say so
            return True
        return True

    async def described(self, name: str) -> GrantedMcpTool | None:
        """Return a tool as its server describes it now; None if it has none of the name."""
        return self._granted.get(name) if self._find is None else await self._find(name)

    def learn(self, detail: ToolDetail, output: dict[str, Any] | None) -> None:
        """Know from now on what a tool is that could not be listed when the run began."""
        known = {"description": detail.description, "parameters": detail.parameters, "output": output}
        granted = self._granted[detail.tool_name]
        self._granted[detail.tool_name] = granted.model_copy(
            update={**known, "needs_sign_in": False, "unavailable": None}
        )

    def sign_in_first(self, name: str, *, is_known: bool = False) -> ToolResult:
        """Return that a call waits for the user's sign-in; the result is for where nobody can be asked."""
        server = self._granted[name].server
        return ToolResult(refusal(server), asks=needed(server, name, is_known=is_known))

    async def answer(
        self, name: str, parameters: dict[str, Any], context: ToolContext, given: Mapping[str, Any] | None = None
    ) -> ToolResult:
        """Call a tool, or tell that the user has to sign in first. `given` are members of a repeated call, with the
        answers to what its server has asked.

        Raises AgentAPIException: `invalid_argument`, or `runtime_error` if its server fails.
        """
        granted = self._granted.get(name)
        if granted is None:
            return await self._host.answer(name, parameters, context)
        if granted.server not in self._clients:
            raise _failed(granted, granted.unavailable or "the server is not configured")
        if granted.needs_sign_in:
            return self.sign_in_first(name)
        if granted.unavailable is not None:
            raise _failed(granted, granted.unavailable)
        _check(granted, parameters)
        try:
            answer = await self._called(granted, name, parameters, context, given or {})
        except SignInNeededError:  # the connection has lapsed, or was removed
            return self.sign_in_first(name, is_known=True)
        asks = asked_by(granted.server, answer) if answer.get("resultType") == "input_required" else None
        if asks is None:
            await _check_result(granted, answer)
        kept = await self._kept(answer, context.key) if asks is None else {}
        return ToolResult(result_of(answer), asks=asks, contents=contents_of(answer, kept))

    async def _called(
        self,
        granted: GrantedMcpTool,
        name: str,
        parameters: dict[str, Any],
        context: ToolContext,
        given: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Return what the server answers, and show its progress until then."""
        server = self._clients[granted.server]
        key = context.key if granted.retry == "keyed" else None
        progress = None if self._tell is None else CallProgress(granted.server, name, context.key, self._tell)
        try:
            answer = await server.call_tool(
                granted.name, parameters, granted.parameters, key, given, None if progress is None else progress.take
            )
        except McpError as error:
            logger.warning("an MCP server failed", extra={"server": granted.server, "reason": str(error)})
            if progress is not None:
                await progress.end(failed=True)
            if isinstance(error, SignInNeededError):
                raise
            may_repeat = error.code is None and granted.retry != "never"
            raise _failed(granted, str(error), retryable=may_repeat) from error
        if progress is not None:  # a call that is cancelled has no end here: another worker may make it again
            await progress.end(failed=answer.get("isError") is True)
        return answer

    async def _kept(self, answer: Mapping[str, Any], key: str | None) -> dict[int, KeptPicture]:
        """Store the pictures of a result as artifacts; returns those that could be, by the places of their blocks."""
        if self._keep is None:
            return {}
        kept = {}
        for place, picture in found_in(blocks_of(answer)).items():
            artifact_id = await self._keep(key, picture)
            if artifact_id is not None:
                kept[place] = KeptPicture(artifact_id, picture.mime_type)
        return kept


def _failed(granted: GrantedMcpTool, why: str, *, retryable: bool = False) -> AgentAPIException:
    return AgentAPIException("runtime_error", f"{granted.server}: {why}", retryable=retryable)


async def _check_result(granted: GrantedMcpTool, answer: Mapping[str, Any]) -> None:
    """Raise AgentAPIException if a result is not what its server promised: nobody could tell what it means."""
    if granted.output is None or answer.get("isError") is True or answer.get("resultType", "complete") != "complete":
        return
    why = await output_schema.mismatch(answer.get("structuredContent"), granted.output)
    if why is not None:
        logger.warning("a result does not match its schema", extra={"server": granted.server, "tool": granted.name})
        raise _failed(granted, f"the result does not match the tool's output schema: {why}")


def is_checkable(schema: Mapping[str, Any]) -> bool:
    """Whether values can be checked by the schema here; otherwise the server alone checks them."""
    try:
        json_schema.check_schema(schema)
    except json_schema.SchemaError:
        return False
    return True


def _check(granted: GrantedMcpTool, parameters: dict[str, Any]) -> None:
    """Check arguments against the schema that the run began with, if it can be checked here."""
    if is_checkable(granted.parameters) and (why := json_schema.mismatch(parameters, granted.parameters)) is not None:
        raise invalid_argument("parameters", f"do not match the tool's schema: {why}")
