"""The tools of a run in the assistant's hands: offering them to a model, and making the calls it asks for.

Backend tools are run by the host. Those of the front end are only told of: its client runs them after this run, which
ends with their calls open (EVT-20, TOOL-03). The tool for the shared state is the assistant's own (C46). A call that
cannot be made is answered to the model alone.
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
from yarrow.runners.assistant.shared_state import NAME, TOOL, RefusedError, SharedState

logger = logging.getLogger(__name__)

CALLS_AT_ONCE: Final = 8
"""How many calls of one answer are heard; what a model asks for beyond that, it may ask for again."""
SAME_CALLS: Final = 2
"""How often a run makes a call with the same arguments, as long as it gets the same answer."""

EVENT_TIME_ZONE: Final = "event_timezone"

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a provider has a model say; the host maps other names of tools to such."""

_Signature = tuple[str, str]
"""The name of a tool, and its arguments in canonical form."""

_ID_LENGTH: Final = 9
"""What every provider of models takes, and some demand."""


Kind = Literal["backend", "frontend", "state"]
"""Who runs a tool: the host, the client, or the assistant itself, which changes the shared state."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the run, with everything a model has to know of it."""

    shown: ModelTool
    kind: Kind

    @property
    def has_time_zone(self) -> bool:
        """Whether the host's tool takes the time zone of an event."""
        return self.kind == "backend" and EVENT_TIME_ZONE in self.shown.parameters.get("properties", ())


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `refusal` says to the model why it is not made."""

    id: str
    name: str
    arguments: dict[str, Any]
    kind: Kind = "backend"
    refusal: str | None = None

    def as_asked(self) -> ModelToolCall:
        """The call as the model is reminded of it, with arguments that any provider can read."""
        return ModelToolCall(id=self.id, function=FunctionCall(name=self.name, arguments=dumps(self.arguments)))


@dataclass(frozen=True, slots=True)
class Answered:
    """A call that was made, and what came of it: a result or a public error, and how it changed the shared state."""

    call: Call
    result: Any = None
    error: str | None = None
    delta: Sequence[dict[str, Any]] = ()

    def text(self) -> str:
        """The result as a model reads it."""
        if self.error is not None:
            return refused(self.error)
        return self.result if isinstance(self.result, str) else dumps(self.result)


def refused(why: str) -> str:
    """What a model reads in place of a result."""
    return dumps({"error": why})


async def known_tools(api: AgentRunAPIProxy, granted: Iterable[ToolResource]) -> list[Tool]:
    """The tools of the run that can be offered, each name once; the host's come first and keep theirs (TOOL-05).

    What the run's list does not say of a tool of the host is asked for.
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


def with_state(tools: Sequence[Tool]) -> list[Tool]:
    """The tools with the one for the shared state, unless the client has one of that name."""
    taken = any(tool.shown.name == NAME for tool in tools)
    return [*tools, *(() if taken else (Tool(TOOL, "state"),))]


async def _known(api: AgentRunAPIProxy, tool: ToolResource) -> Tool | None:
    description, parameters = tool.description, tool.parameters
    if parameters is None and tool.tool_type == "backend":
        try:
            detail = await api.tools.get_detail(tool.tool_name)
        except AgentAPIException as error:
            logger.warning("a tool is not known", extra={"tool": tool.tool_name, "code": error.error.code})
            return None
        description, parameters = detail.description, detail.parameters
    shown = ModelTool(name=tool.tool_name, description=description, parameters=parameters or {})
    return Tool(shown, tool.tool_type)


class Toolbox:
    """The tools offered in one run. `time_zone` is the user's, `state` what the client shares."""

    def __init__(
        self, api: AgentRunAPIProxy, tools: Iterable[Tool], time_zone: str, state: SharedState | None = None
    ) -> None:
        self._api = api
        self._tools = {tool.shown.name: tool for tool in tools}
        self._time_zone = time_zone
        self._state = state
        self._heard = 0
        self._made: Counter[_Signature] = Counter()
        self._last: dict[_Signature, str] = {}
        """What a call with these arguments answered last."""

    @property
    def offered(self) -> list[ModelTool]:
        """What a model is told."""
        return [tool.shown for tool in self._tools.values()]

    def admit(self, asked: Sequence[ModelToolCall]) -> list[Call]:
        """The calls of one answer, each under an id of its own, and whether each is made."""
        return [self._read(each.function) for each in asked[:CALLS_AT_ONCE]]

    async def make(self, calls: Sequence[Call]) -> AsyncGenerator[Answered]:
        """Change the state, in order, then have the host make the other calls at the same time. Answers come as they
        are there. Closed, it leaves none running.
        """
        for call in calls:
            if call.kind == "state":
                yield self._change_state(call)
        tasks = [asyncio.create_task(self._make(call)) for call in calls if call.kind == "backend"]
        try:
            for answered in asyncio.as_completed(tasks):
                yield await answered
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _change_state(self, call: Call) -> Answered:
        if self._state is None:
            return Answered(call, error="there is no shared state")
        try:
            delta = self._state.change(call.arguments)
        except RefusedError as error:
            return Answered(call, error=str(error))
        return Answered(call, result={"changed": [each["path"] for each in delta]}, delta=delta)

    async def _make(self, call: Call) -> Answered:
        try:
            answered = Answered(call, result=await self._api.tools.call(call.name, call.arguments))
        except AgentAPIException as error:
            answered = Answered(call, error=error.error.message)
        signature, text = _signature(call.name, call.arguments), answered.text()
        if self._last.setdefault(signature, text) != text:  # it is asked whether something is done yet
            self._last[signature], self._made[signature] = text, 1
        return answered

    def _read(self, asked: FunctionCall) -> Call:
        call_id, name = self._next_id(), asked.name
        tool = self._tools.get(name)
        if tool is None:
            return Call(call_id, name if _NAME.fullmatch(name) else "unknown", {}, refusal="there is no such tool")
        arguments = _arguments(asked.arguments)
        if arguments is None:
            return Call(call_id, name, {}, refusal="the arguments are not a JSON object")
        if tool.has_time_zone and not arguments.get(EVENT_TIME_ZONE):
            arguments[EVENT_TIME_ZONE] = self._time_zone  # FWD-07, FWD-10
        call = Call(call_id, name, arguments, tool.kind)
        signature = _signature(name, arguments)
        self._made[signature] += 1
        if self._made[signature] > SAME_CALLS:
            return replace(call, refusal="this call was made before; use what it answered")
        return call

    def _next_id(self) -> str:
        """An id that no other call of the conversation has, and the same whenever the same run comes to this call.

        The models' own are neither: some count from one in every answer.
        """
        self._heard += 1
        return hashlib.sha256(f"{self._api.run_id} {self._heard}".encode()).hexdigest()[:_ID_LENGTH]


def _signature(name: str, arguments: Mapping[str, Any]) -> _Signature:
    """The same for the same call."""
    return name, canonical(arguments)


def _arguments(text: str) -> dict[str, Any] | None:
    """The arguments as the model wrote them, an object; None for what is none or could not be sent on."""
    try:
        given = loads((text.strip() or "{}").encode())
        canonical(given)
    except ValueError:
        return None
    return given if isinstance(given, dict) else None
