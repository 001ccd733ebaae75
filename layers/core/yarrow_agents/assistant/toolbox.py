"""Offers the run's tools to a model and makes its calls.

The host runs backend tools; the client runs front-end tools after this run (EVT-20, TOOL-03); the tools of the shared
state (C46) and of knowledge bases (AGT-03) run here. Rejected calls are answered to the model only.
"""

import asyncio
import hashlib
import logging
import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from yarrow.formats.json_text import canonical, dumps, loads
from yarrow.protocol.runner.api import AgentAPIException, FunctionCall, ModelTool, ModelToolCall
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import ToolResource
from yarrow_agents.assistant.knowledge import KnowledgeSearch, WrongArgumentsError
from yarrow_agents.assistant.shared_state import RefusedError, SharedState

logger = logging.getLogger(f"yarrow.{__name__}")

CALLS_AT_ONCE: Final = 8
"""The most calls of one answer that are made; the model may repeat the others."""
SAME_CALLS: Final = 2
"""The most calls with the same arguments and result."""

EVENT_TIME_ZONE: Final = "event_timezone"

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The host maps other tool names to these."""

_AT_ONCE: Final = frozenset({"backend", "knowledge"})
"""The kinds whose calls of one answer are made side by side."""

_Signature = tuple[str, str]
"""Name and arguments in canonical form."""

_ID_LENGTH: Final = 9
"""Accepted by every provider; some require it."""


Kind = Literal["backend", "frontend", "state", "knowledge"]
"""Who runs the tool: the host, the client, or the assistant itself."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    shown: ModelTool
    kind: Kind

    @property
    def has_time_zone(self) -> bool:
        """Whether it is a host tool that takes an event's time zone."""
        return self.kind == "backend" and EVENT_TIME_ZONE in self.shown.parameters.get("properties", ())


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """`refusal` is for the model."""

    id: str
    name: str
    arguments: dict[str, Any]
    kind: Kind = "backend"
    refusal: str | None = None

    def as_asked(self) -> ModelToolCall:
        """Return the call with arguments that any provider can parse."""
        return ModelToolCall(id=self.id, function=FunctionCall(name=self.name, arguments=dumps(self.arguments)))


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """`error` is public; `delta` changes the shared state; `card` is for the client; `edited` are the arguments that
    the user has put in place of the call's. `contents` are the result as parts of a message, if it has pictures.
    """

    call: RequestedCall
    result: Any = None
    error: str | None = None
    delta: Sequence[dict[str, Any]] = ()
    card: dict[str, Any] | None = None
    edited: dict[str, Any] | None = None
    contents: tuple[dict[str, Any], ...] = ()

    def text(self) -> str:
        """Return what the model reads, which has not made the call that the user has edited."""
        if self.error is not None:
            return refused(self.error)
        if self.edited is not None:
            return dumps({"arguments_as_edited_by_the_user": self.edited, "result": self.result})
        return self.result if isinstance(self.result, str) else dumps(self.result)

    @property
    def pictures(self) -> list[dict[str, Any]]:
        return [part for part in self.contents if part["type"] == "artifact"]

    def words(self) -> str:
        """Return what the model reads beside the pictures; it names them by their numbers."""
        own = "\n".join(part["text"] for part in self.contents if part["type"] == "text")
        edited = "" if self.edited is None else dumps({"arguments_as_edited_by_the_user": self.edited}) + "\n"
        return edited + own


def refused(why: str) -> str:
    """Return an error for the model in place of a result."""
    return dumps({"error": why})


async def known_tools(api: AgentRunAPIProxy, granted: Iterable[ToolResource]) -> list[OfferedTool]:
    """Return the granted tools, each name once; the host's take precedence (TOOL-05).

    Missing details are requested from the host.
    """
    usable: dict[str, ToolResource] = {}
    for tool in granted:
        can_be_called = tool.tool_type == "frontend" or not tool.operations or "call" in tool.operations
        if can_be_called:
            usable.setdefault(tool.tool_name, tool)
        else:
            logger.warning("a tool is not offered", extra={"tool_type": tool.tool_type})
    found = await asyncio.gather(*(_known(api, tool) for tool in usable.values()))
    return [tool for tool in found if tool is not None]


def with_own(tools: Sequence[OfferedTool], own: ModelTool, kind: Kind) -> list[OfferedTool]:
    """Add a tool of the assistant, unless there is one of that name."""
    taken = any(tool.shown.name == own.name for tool in tools)
    return [*tools, *(() if taken else (OfferedTool(own, kind),))]


async def _known(api: AgentRunAPIProxy, tool: ToolResource) -> OfferedTool | None:
    description, parameters = tool.description, tool.parameters
    if parameters is None and tool.tool_type == "backend":
        try:
            detail = await api.tools.get_detail(tool.tool_name)
        except AgentAPIException as error:
            logger.warning("a tool is not known", extra={"tool": tool.tool_name, "code": error.error.code})
            return None
        description, parameters = detail.description, detail.parameters
    shown = ModelTool(name=tool.tool_name, description=description, parameters=parameters or {})
    return OfferedTool(shown, tool.tool_type)


class Toolbox:
    """The tools of one run. `time_zone` is the user's, `state` the client's; ids of calls are derived from `seed`.

    `knowledge` searches the agent's knowledge bases, if it has any.
    """

    def __init__(
        self,
        api: AgentRunAPIProxy,
        tools: Iterable[OfferedTool],
        time_zone: str,
        state: SharedState | None = None,
        *,
        seed: str,
        knowledge: KnowledgeSearch | None = None,
    ) -> None:
        self._api = api
        self._seed = seed
        self._tools = {tool.shown.name: tool for tool in tools}
        self._time_zone = time_zone
        self._state = state
        self._knowledge = knowledge
        self._count = 0
        self._made: Counter[_Signature] = Counter()
        self._last: dict[_Signature, str] = {}
        """The last result by call and arguments."""

    @property
    def offered(self) -> list[ModelTool]:
        return [tool.shown for tool in self._tools.values()]

    def admit(self, calls: Sequence[ModelToolCall]) -> list[RequestedCall]:
        """Return the calls of one answer with unique ids, each accepted or refused."""
        return [self._read(call.function) for call in calls[:CALLS_AT_ONCE]]

    async def make(self, calls: Sequence[RequestedCall]) -> AsyncGenerator[AnsweredCall]:
        """Run them concurrently, and change the state in order; yields answers in the order of the calls. Closing it
        cancels the rest."""
        tasks = {call.id: asyncio.create_task(self._make(call)) for call in calls if call.kind in _AT_ONCE}
        try:
            for call in calls:
                yield self._change_state(call) if call.kind == "state" else await tasks[call.id]
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    def _change_state(self, call: RequestedCall) -> AnsweredCall:
        if self._state is None:
            return AnsweredCall(call, error="there is no shared state")
        try:
            delta = self._state.change(call.arguments)
        except RefusedError as error:
            return AnsweredCall(call, error=str(error))
        return AnsweredCall(call, result={"changed": [operation["path"] for operation in delta]}, delta=delta)

    async def _make(self, call: RequestedCall) -> AnsweredCall:
        try:
            answered = await (self._search(call) if call.kind == "knowledge" else self._call(call))
        except AgentAPIException as error:
            answered = AnsweredCall(call, error=error.error.message)
        signature, text = _signature(call.name, call.arguments), answered.text()
        if self._last.setdefault(signature, text) != text:  # polling is no repetition
            self._last[signature], self._made[signature] = text, 1
        return answered

    async def _call(self, call: RequestedCall) -> AnsweredCall:
        answer = await self._api.tools.answer(call.name, call.arguments)
        if (detail := answer.detail) is not None:
            shown = ModelTool(name=call.name, description=detail.description, parameters=detail.parameters)
            self._tools[call.name] = OfferedTool(shown, "backend")
        return AnsweredCall(
            call, result=answer.result, card=answer.card, edited=answer.edited_arguments, contents=answer.contents
        )

    async def _search(self, call: RequestedCall) -> AnsweredCall:
        if self._knowledge is None:
            return AnsweredCall(call, error="there is no knowledge base")
        try:
            return AnsweredCall(call, result=await self._knowledge.search(call.arguments))
        except WrongArgumentsError as error:
            return AnsweredCall(call, error=str(error))

    def _read(self, function: FunctionCall) -> RequestedCall:
        call_id, name = self._next_id(), function.name
        tool = self._tools.get(name)
        if tool is None:
            return RequestedCall(
                call_id, name if _NAME.fullmatch(name) else "unknown", {}, refusal="there is no such tool"
            )
        arguments = _arguments(function.arguments)
        if arguments is None:
            return RequestedCall(call_id, name, {}, refusal="the arguments are not a JSON object")
        if tool.has_time_zone and not arguments.get(EVENT_TIME_ZONE):
            arguments[EVENT_TIME_ZONE] = self._time_zone  # FWD-07, FWD-10
        call = RequestedCall(call_id, name, arguments, tool.kind)
        signature = _signature(name, arguments)
        self._made[signature] += 1
        if self._made[signature] > SAME_CALLS:
            return replace(call, refusal="this call was made before; use what it answered")
        return call

    def _next_id(self) -> str:
        """Return an id, unique in the conversation and the same if the runner is run again, by whichever run; models'
        own ids are neither."""
        self._count += 1
        return hashlib.sha256(f"{self._seed} {self._count}".encode()).hexdigest()[:_ID_LENGTH]


def _signature(name: str, arguments: Mapping[str, Any]) -> _Signature:
    return name, canonical(arguments)


def _arguments(text: str) -> dict[str, Any] | None:
    """Parse arguments; None if they are not a storable JSON object."""
    try:
        arguments = loads((text.strip() or "{}").encode())
        canonical(arguments)
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None
