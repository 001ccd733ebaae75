"""The runs of an OpenAI agent for one run of its runner, as AG-UI events.

Source: `Runner.run_streamed`. Text and reasoning come as the model streams them, calls and results with the items of
the SDK, which are also all that a stored response has.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final

from agents import (
    Agent,
    FunctionTool,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    ModelRefusalError,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    RunResultStreaming,
    StreamEvent,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
)
from agents.items import (
    HandoffCallItem,
    HandoffOutputItem,
    ItemHelpers,
    MessageOutputItem,
    ReasoningItem,
    ToolApprovalItem,
    ToolCallItem,
    ToolCallOutputItem,
)

from yarrow.adapters.openai_agents.durability import DurableAgents, DurableProvider, Steps
from yarrow.adapters.openai_agents.messages import input_items, shown_output

Document = Mapping[str, Any]

_FAILURES: Final = {
    MaxTurnsExceeded: "openai_agents.max_turns_exceeded",
    ModelRefusalError: "openai_agents.refused",
    InputGuardrailTripwireTriggered: "openai_agents.input_guardrail",
    OutputGuardrailTripwireTriggered: "openai_agents.output_guardrail",
    ToolInputGuardrailTripwireTriggered: "openai_agents.tool_input_guardrail",
    ToolOutputGuardrailTripwireTriggered: "openai_agents.tool_output_guardrail",
}
"""Exceptions whose messages are the SDK's own, and the codes with which the run fails."""

_TEXT: Final = frozenset({"response.output_text.delta", "response.refusal.delta"})
_REASONING: Final = frozenset({"response.reasoning_summary_text.delta", "response.reasoning_text.delta"})


class AgentSource:
    """Runs the agent for a request: the first, and those after answers of the user or of tools of the host.

    `steps` makes what a request's models and tools need; `options` are those of `Runner.run_streamed`.
    """

    def __init__(self, agent: Agent[Any], config: RunConfig, steps: Callable[[], Steps], **options: Any) -> None:
        self._agent = agent
        self._config = replace(config, model_provider=DurableProvider(config.model_provider))
        self._steps = steps
        self._options = options
        self._started = agent
        self._result: RunResultStreaming | None = None
        self._called: set[str] = set()

    async def __call__(self, body: dict[str, Any]) -> AsyncGenerator[Document]:
        ids = {"threadId": body["threadId"], "runId": body["runId"]}
        yield {"type": "RUN_STARTED", **ids}
        steps = self._steps()
        offered = {tool["name"] for tool in body["tools"]}
        result = self._result = steps.during(lambda: self._run(body))
        events = _Events(body["runId"], self._called)
        error: dict[str, Any] | None = None
        async with aclosing(result.stream_events()) as stream:
            try:
                async for streamed in stream:
                    for event in events.of(streamed):
                        yield event
            except tuple(_FAILURES) as raised:
                error = {"code": _FAILURES[type(raised)], "message": str(raised)}
            finally:
                if result.run_loop_task is not None and not result.run_loop_task.done():
                    result.cancel()
                    await asyncio.wait({result.run_loop_task})
        usage = [{"model": model, **counts} for model, counts in steps.usage.items()]
        if error is not None:
            yield {"type": "RUN_ERROR", **error, "usage": usage}
            return
        asked = [_interrupt(item, self._called) for item in result.interruptions if item.name not in offered]
        outcome = {"outcome": {"type": "interrupt", "interrupts": asked}} if asked else {}
        yield {"type": "RUN_FINISHED", **ids, "usage": usage, **outcome}

    def _run(self, body: Document) -> RunResultStreaming:
        config = replace(self._config, group_id=self._config.group_id or body["threadId"])
        hooks = DurableAgents()
        if self._result is not None and body.get("resume"):
            state = self._result.to_state()
            answers = {entry["interruptId"]: entry.get("payload") for entry in body["resume"]}
            for item in self._result.interruptions:
                if item.call_id in answers:
                    payload = answers[item.call_id]
                    answer = payload if isinstance(payload, Mapping) else {}
                    if answer.get("approved"):
                        state.approve(item)
                    else:
                        state.reject(item, rejection_message=answer.get("reason"))
            return Runner.run_streamed(self._started, state, run_config=config, hooks=hooks)
        if body["tools"]:
            offered = [_offered(tool) for tool in body["tools"]]
            self._started = self._agent.clone(tools=[*self._agent.tools, *offered])
        messages = input_items(body["messages"])
        return Runner.run_streamed(self._started, messages, run_config=config, hooks=hooks, **self._options)


def _offered(tool: Document) -> FunctionTool:
    """Return a tool of the client or the host, whose calls end the SDK's run as if they waited for approval."""

    async def call(context: Any, arguments: str) -> Any:
        raise NotImplementedError("the client or the host makes this call")

    return FunctionTool(
        tool["name"], tool["description"], tool["parameters"], call, strict_json_schema=False, needs_approval=True
    )


def _interrupt(item: ToolApprovalItem, called: set[str]) -> dict[str, Any]:
    """Return an approval as AG-UI's interrupt; a call that a nested agent would make is not shown as one."""
    named = {"toolCallId": item.call_id} if item.call_id in called else {}
    message = f"Approve {item.qualified_name}({item.arguments or ''})?"
    return {"id": item.call_id, "reason": "tool_call", "message": message, **named}


class _Events:
    """Translates the events of one run of the SDK. `called` are the ids of the calls that were shown."""

    def __init__(self, run_id: str, called: set[str]) -> None:
        self._run_id = run_id
        self._called = called
        self._responses = 0
        self._has_ended = False
        self._streamed: set[str] = set()
        """What of the latest response came as it was made; of a stored one all comes whole."""

    @property
    def _message_id(self) -> str:
        return f"{self._run_id}-{self._responses}"

    def of(self, event: StreamEvent) -> Iterator[Document]:
        if event.type == "raw_response_event":
            yield from self._raw(event.data)
        elif event.type == "run_item_stream_event":
            yield from self._item(event.item)

    def _raw(self, data: Any) -> Iterator[Document]:
        if self._has_ended:
            self._responses, self._has_ended, self._streamed = self._responses + 1, False, set()
        if data.type in _TEXT:
            self._streamed.add("text")
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._message_id, "delta": data.delta}
        elif data.type in _REASONING:
            self._streamed.add("reasoning")
            yield {"type": "REASONING_MESSAGE_CONTENT", "messageId": self._message_id, "delta": data.delta}
        elif data.type == "response.output_item.done" and data.item.type == "message":
            yield {"type": "TEXT_MESSAGE_END", "messageId": self._message_id}
        elif data.type == "response.completed":
            self._has_ended = True

    def _item(self, item: Any) -> Iterator[Document]:
        if isinstance(item, MessageOutputItem):
            if "text" not in self._streamed and (text := ItemHelpers.text_message_output(item)):
                yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._message_id, "delta": text}
                yield {"type": "TEXT_MESSAGE_END", "messageId": self._message_id}
        elif isinstance(item, ReasoningItem):
            parts = [*item.raw_item.summary, *(item.raw_item.content or ())]
            if "reasoning" not in self._streamed and (text := "".join(part.text for part in parts)):
                yield {"type": "REASONING_MESSAGE_CONTENT", "messageId": self._message_id, "delta": text}
        elif isinstance(item, ToolCallItem | HandoffCallItem):
            yield from self._call(item.raw_item)
        elif isinstance(item, ToolCallOutputItem | HandoffOutputItem):
            call_id, output = item.raw_item["call_id"], item.raw_item["output"]
            result = {"messageId": f"{call_id}-result", "toolCallId": call_id, "content": shown_output(output)}
            yield {"type": "TOOL_CALL_RESULT", "role": "tool", **result}

    def _call(self, call: Any) -> Iterator[Document]:
        """Yield a call of a function; those that a provider makes itself have no result here."""
        if getattr(call, "type", None) != "function_call" or call.call_id in self._called:
            return
        self._called.add(call.call_id)
        named = {"toolCallName": call.name, "parentMessageId": self._message_id}
        yield {"type": "TOOL_CALL_START", "toolCallId": call.call_id, **named}
        yield {"type": "TOOL_CALL_ARGS", "toolCallId": call.call_id, "delta": call.arguments}
        yield {"type": "TOOL_CALL_END", "toolCallId": call.call_id}
