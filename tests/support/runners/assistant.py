"""A host in memory for the assistant: models that say what a test wrote, tools that are functions, and a context."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from tests.support.run_contexts import run_context
from yarrow.protocol.runner.api import (
    AgentAPIException,
    FinishReason,
    FunctionCall,
    ModelChunk,
    ModelMessage,
    ModelReply,
    ModelToolCall,
    ModelUsage,
    ToolDetail,
)
from yarrow.protocol.runner.models import (
    AgentInput,
    AgentResources,
    AgentRunContext,
    AgentRunResult,
    AgentRunState,
    BootstrapContext,
    SubjectContext,
)
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.runner.resources import ModelResource, ToolResource
from yarrow.protocol.runner.tools import WithCard
from yarrow_agents.assistant.runner import AssistantRunner

RUN_ID = "key"

Script = Sequence[ModelChunk | Exception]
"""What one request of a model is answered with; an exception is raised in its place."""


def say(
    *pieces: str,
    calls: Sequence[ModelToolCall] = (),
    usage: tuple[int, int] = (10, 5),
    finish_reason: FinishReason = "stop",
) -> list[ModelChunk]:
    """Return a text piece by piece, and the whole reply."""
    message = ModelMessage(role="assistant", content="".join(pieces) or None, tool_calls=tuple(calls))
    used = ModelUsage(input_tokens=usage[0], output_tokens=usage[1])
    reply = ModelReply(message=message, usage=used, finish_reason=finish_reason)
    return [*(ModelChunk(content=piece) for piece in pieces), ModelChunk(reply=reply)]


def ask(name: str, arguments: str = "{}", call_id: str = "call_0") -> ModelToolCall:
    """A call as a model asks for it; ids may be anything."""
    return ModelToolCall(id=call_id, function=FunctionCall(name=name, arguments=arguments))


def backend(name: str, *members: str, **changes: Any) -> ToolResource:
    """A tool of the host that takes some text members."""
    schema = {"type": "object", "properties": {member: {"type": "string"} for member in members}}
    return ToolResource(tool_name=name, description=f"does {name}", parameters=schema, **changes)


def frontend(name: str) -> ToolResource:
    """Return a tool of the client."""
    return ToolResource(tool_name=name, tool_type="frontend", description=f"asks {name}", parameters={"type": "object"})


class Host:
    """An ApiTransport. `requests` are those of models, `calls` those of tools; `open` counts what is under way.

    A tool whose result is a ToolDetail turns out to be that.
    """

    def __init__(self, *scripts: Script, **tools: Callable[..., Any] | Exception | object) -> None:
        self.requests: list[dict[str, Any]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.details: list[str] = []
        self.routed: Any = None
        self.open = 0
        self.at_once = 0
        self._scripts = list(scripts)
        self._tools = tools

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        assert arguments["run_id"] == RUN_ID
        match action:
            case "tools.call":
                result = await self._call(arguments["tool_name"], arguments["parameters"])
                if isinstance(result, ToolDetail):
                    return {"result": "known now", "detail": result.model_dump()}
                if isinstance(result, WithCard):
                    return {"result": result.result, **({"card": result.card} if arguments["with_card"] else {})}
                return {"result": result}
            case "tools.get_detail":
                name = arguments["tool_name"]
                self.details.append(name)
                if name not in self._tools:
                    raise AgentAPIException("not_found", "there is no such resource")
                return ToolDetail(tool_name=name, description="detailed", parameters={"type": "object"}).model_dump()
            case "models.invoke":
                self.requests.append(dict(arguments))
                if isinstance(self.routed, Exception):
                    raise self.routed
                return ModelReply.model_validate(self.routed).model_dump()
        raise AssertionError(action)

    async def stream(self, action: str, arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        assert (action, arguments["run_id"]) == ("models.stream", RUN_ID)
        self.requests.append(dict(arguments))
        # The last script is that of every further request.
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        self.open += 1
        try:
            for chunk in script:
                await asyncio.sleep(0)
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk.model_dump(mode="json")
        finally:
            self.open -= 1

    async def _call(self, name: str, parameters: dict[str, Any]) -> Any:
        self.calls.append((name, parameters))
        self.open += 1
        self.at_once = max(self.at_once, self.open)
        try:
            await asyncio.sleep(0)
            tool = self._tools[name]
            if isinstance(tool, Exception):
                raise tool
            result = tool(**parameters) if callable(tool) else tool
            return await result if asyncio.iscoroutine(result) else result
        finally:
            self.open -= 1

    def messages(self, number: int = -1) -> list[dict[str, Any]]:
        """Return the messages of a request, without its prompt."""
        system: dict[str, Any]
        others: list[dict[str, Any]]
        system, *others = self.requests[number]["messages"]
        assert system["role"] == "system"
        return others

    def prompt(self, number: int = -1) -> str:
        return str(self.requests[number]["messages"][0]["content"])

    def offered(self, number: int = -1) -> list[str]:
        return [tool["name"] for tool in self.requests[number]["tools"]]


def context(
    text: str = "hello",
    *tools: ToolResource,
    config: Mapping[str, Any] | None = None,
    state: Mapping[str, Any] | None = None,
    data: Mapping[str, Any] | None = None,
    history: Sequence[ModelMessage] = (),
    message_id: str = "msg-1",
    locale: str | None = "en-GB",
    timezone: str | None = "Asia/Shanghai",
    **members: Any,
) -> AgentRunContext:
    """What the host gives the assistant: one model, and these tools."""
    plain = run_context(RUN_ID, text)
    arguments: dict[str, Any] = {
        "input": AgentInput(text=text, contents=({"type": "text", "text": text},)),
        "resources": AgentResources(models=(ModelResource(model_id="chat"),), tools=tools),
        "config": dict(config or {}),
        "state": AgentRunState(conversation=dict(state or {})),
        "event": plain.event.model_copy(update={"data": dict(data or {}), "event_time": 1_773_652_353}),
        "subject": SubjectContext(subject_type="message", subject_id=message_id),
        "runtime": plain.runtime.model_copy(update={"locale": locale, "timezone": timezone}),
        "bootstrap": BootstrapContext(messages=tuple(history)) if history else None,
    }
    return plain.model_copy(update={**arguments, **members})


def results(host: Host, context: AgentRunContext) -> list[tuple[str, Any]]:
    """Return the types and data of everything the assistant yields."""

    async def hear() -> list[AgentRunResult]:
        return [result async for result in AssistantRunner().run(context, AgentRunAPIProxy(RUN_ID, host))]

    heard = asyncio.run(hear())
    assert {result.run_id for result in heard} == {RUN_ID}
    assert host.open == 0
    return [(result.type, result.data) for result in heard]


def types(events: Sequence[tuple[str, Any]]) -> str:
    """Return the types of results, in short, without the stages."""
    inner = [type_ for type_, _ in events if type_ != "stage.started"]
    return " ".join(inner).replace("message.", "").replace("tool.call.", "call.")


def of_type(events: Sequence[tuple[str, Any]], type_: str) -> list[Any]:
    return [data for text, data in events if text == type_]
