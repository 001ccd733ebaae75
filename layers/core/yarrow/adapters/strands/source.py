"""The runs of a Strands agent for one run of its runner, as AG-UI events.

Source: `Agent.stream_async`. Text and reasoning come as the model streams them, calls and results with the messages
that the agent adds, which are also all that a stored response has.
"""

import json
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

from strands import Agent
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import ContextWindowOverflowException, MaxTokensReachedException, ModelThrottledException

from yarrow.adapters.strands.durability import OFFERED, Steps, attach
from yarrow.adapters.strands.messages import from_agui, shown_result

Document = Mapping[str, Any]

_FAILURES: Final = {
    MaxTokensReachedException: ("strands.max_tokens", "the model's answer was cut at its limit"),
    ContextWindowOverflowException: ("strands.context_window", "the conversation is too long for the model"),
    ModelThrottledException: ("strands.throttled", "the model takes no more requests now"),
}
_LIMITS: Final = frozenset({"limit_turns", "limit_output_tokens", "limit_total_tokens"})
_CONFIRMS: Final = "strands:human-in-the-loop"
"""The name of interrupts of Strands' own approvals, which take yes or no."""


class AgentSource:
    """Runs the agent for a request: the first, and those after answers of the user or of tools of the host.

    `steps` makes what a request needs for the names of the tools that are offered; `options` are of `stream_async`.
    """

    def __init__(
        self,
        agent: Agent,
        state: Mapping[str, Any],
        steps: Callable[[Sequence[str]], Steps],
        options: Mapping[str, Any],
    ) -> None:
        self._agent = agent
        self._begins = agent.messages
        """What the agent has been told before the conversation."""
        self._idle = agent.take_snapshot(include=["interrupt_state"])
        """An agent that no call has interrupted."""
        self._steps = steps
        self._options = options
        self._called: set[str] = set()
        self._asked: dict[str, bool] = {}
        """The interrupts of the last request, and whether each is a question of yes or no."""
        for name, value in state.items():
            agent.state.set(name, value)

    async def __call__(self, body: dict[str, Any]) -> AsyncGenerator[Document]:
        ids = {"threadId": body["threadId"], "runId": body["runId"]}
        yield {"type": "RUN_STARTED", **ids}
        own = self._agent.tool_registry.registry
        offered = [_offered(tool) for tool in body["tools"] if tool["name"] not in own]
        steps = self._steps([tool.tool_name for tool in offered])
        events, error, signal = _Events(body["runId"], self._called), None, self._agent.cancel_signal
        attach(self._agent, steps)
        for tool in offered:
            self._agent.tool_registry.register_tool(tool)
        try:
            async with aclosing(self._agent.stream_async(self._prompt(body), **self._options)) as streamed:
                async for one in streamed:
                    for event in events.of(one):
                        yield event
        except tuple(_FAILURES) as raised:
            error = next(_FAILURES[kind] for kind in _FAILURES if isinstance(raised, kind))
        finally:
            if events.stop_reason is None:  # threads of models and tools go on, and look at the signal later
                signal.set()
                self._agent._cancel_signal = threading.Event()
            attach(self._agent, None)
            for tool in offered:
                own.pop(tool.tool_name, None)
        for event in events.results(self._results_of_the_interrupted()):
            yield event
        usage = [{"model": model, **counts} for model, counts in steps.usage.items()]
        if error is None and events.stop_reason in _LIMITS:
            error = f"strands.{events.stop_reason}", "the agent reached its limit before it had answered"
        if error is not None:
            yield {"type": "RUN_ERROR", "code": error[0], "message": error[1], "usage": usage}
            return
        self._asked = {one.id: one.name == _CONFIRMS for one in events.interrupts if one.name != OFFERED}
        asked = [events.interrupt(one) for one in events.interrupts if one.name != OFFERED]
        outcome = {"outcome": {"type": "interrupt", "interrupts": asked}} if asked else {}
        yield {"type": "RUN_FINISHED", **ids, "usage": usage, **outcome}

    def _prompt(self, body: Document) -> Any:
        """Return what the agent goes on with: answers of the user, or the last message of a conversation."""
        if body.get("resume"):
            return [{"interruptResponse": self._response(entry)} for entry in body["resume"]]
        self._agent.load_snapshot(self._idle)  # the calls that the host has made are answered in the messages
        self._agent.messages = [*self._begins, *from_agui(body["messages"])]
        if any("toolResult" in block for block in self._agent.messages[-1]["content"]):
            return None  # the agent takes results of calls from its messages alone
        return [self._agent.messages.pop()]

    def _response(self, entry: Document) -> dict[str, Any]:
        """Return the answer to an interrupt: of yes or no as such, a payload otherwise."""
        interrupt_id, payload = entry["interruptId"], entry.get("payload")
        if self._asked.get(interrupt_id):
            payload = isinstance(payload, Mapping) and payload.get("approved") is True
        elif entry["status"] == "cancelled":
            payload = {"status": "cancelled"}
        return {"interruptId": interrupt_id, "response": payload}

    def _results_of_the_interrupted(self) -> Sequence[Document]:
        """Return the results of the calls that ended beside one that interrupted the agent."""
        state = self._agent.take_snapshot(include=["interrupt_state"]).data["interrupt_state"]
        results: Sequence[Document] = state.get("pending_tool_execution", {}).get("completed_tool_results", [])
        return results


def _offered(tool: Document) -> PythonAgentTool:
    """Return a tool of the client or the host, whose calls interrupt the agent."""
    description = tool["description"] or tool["name"]  # Bedrock takes no empty one
    spec = {"name": tool["name"], "description": description, "inputSchema": {"json": tool["parameters"]}}

    def call(*_: Any, **__: Any) -> Any:
        raise NotImplementedError("the client or the host makes this call")

    return PythonAgentTool(tool["name"], spec, call)


class _Events:
    """Translates the events of one run of the agent. `called` are the ids of the calls that were shown."""

    def __init__(self, run_id: str, called: set[str]) -> None:
        self.interrupts: Sequence[Any] = ()
        self.stop_reason: str | None = None
        self._run_id = run_id
        self._called = called
        self._answered: set[str] = set()
        self._call_of: dict[str, str] = {}
        """The calls that interrupts are about."""
        self._said: Sequence[Document] = ()
        """The content of the last message of the agent."""
        self._messages = 0
        self._streamed: set[str] = set()
        """What of the message came as it was made; of a stored one all comes whole."""

    @property
    def _message_id(self) -> str:
        return f"{self._run_id}-{self._messages}"

    def of(self, event: Document) -> Iterator[Document]:
        if event.get("data"):
            self._streamed.add("text")
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._message_id, "delta": event["data"]}
        elif event.get("reasoningText"):
            delta = event["reasoningText"]
            self._streamed.add("reasoning")
            yield {"type": "REASONING_MESSAGE_CONTENT", "messageId": self._message_id, "delta": delta}
        elif "message" in event:
            yield from self._message(event["message"])
        elif "tool_interrupt_event" in event:
            told = event["tool_interrupt_event"]
            self._call_of |= {one.id: told["tool_use"]["toolUseId"] for one in told["interrupts"]}
        elif "result" in event:
            if event["result"].message["content"] != self._said:  # of a hook or tool that ended the agent's turn
                yield from self._message(event["result"].message)
            self.stop_reason = event["result"].stop_reason
            self.interrupts = event["result"].interrupts or ()

    def _message(self, message: Document) -> Iterator[Document]:
        if message["role"] == "assistant":
            yield from self._answer(message["content"])
        else:
            yield from self.results([block["toolResult"] for block in message["content"] if "toolResult" in block])

    def _answer(self, content: Sequence[Document]) -> Iterator[Document]:
        self._said = content
        text = "".join(block["text"] for block in content if "text" in block)
        thoughts = [
            block["reasoningContent"].get("reasoningText", {}) for block in content if "reasoningContent" in block
        ]
        reasoning = "".join(thought.get("text") or "" for thought in thoughts)
        if reasoning and "reasoning" not in self._streamed:
            yield {"type": "REASONING_MESSAGE_CONTENT", "messageId": self._message_id, "delta": reasoning}
        if text and "text" not in self._streamed:
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._message_id, "delta": text}
        yield {"type": "TEXT_MESSAGE_END", "messageId": self._message_id}
        for use in (block["toolUse"] for block in content if "toolUse" in block):
            if use["toolUseId"] not in self._called:
                self._called.add(use["toolUseId"])
                named = {"toolCallName": use["name"], "parentMessageId": self._message_id}
                yield {"type": "TOOL_CALL_START", "toolCallId": use["toolUseId"], **named}
                delta = json.dumps(use["input"], ensure_ascii=False)
                yield {"type": "TOOL_CALL_ARGS", "toolCallId": use["toolUseId"], "delta": delta}
                yield {"type": "TOOL_CALL_END", "toolCallId": use["toolUseId"]}
        self._messages, self._streamed = self._messages + 1, set()

    def results(self, results: Sequence[Document]) -> Iterator[Document]:
        for result in results:
            call_id = result["toolUseId"]
            if call_id in self._called and call_id not in self._answered:
                self._answered.add(call_id)
                about = {"messageId": f"{call_id}-result", "toolCallId": call_id, "content": shown_result(result)}
                yield {"type": "TOOL_CALL_RESULT", "role": "tool", **about}

    def interrupt(self, interrupt: Any) -> dict[str, Any]:
        """Return an interrupt as AG-UI has it: its reason is a text, or an object with AG-UI's members of it."""
        reason = interrupt.reason
        named = reason if isinstance(reason, Mapping) else {}
        message = reason if isinstance(reason, str) else named.get("message")
        why = "tool_call" if interrupt.name == _CONFIRMS else str(named.get("reason") or "input")
        schema, call_id = named.get("responseSchema"), self._call_of.get(interrupt.id)
        return {
            "id": interrupt.id,
            "reason": why,
            "message": message if isinstance(message, str) else interrupt.name,
            **({"responseSchema": schema} if isinstance(schema, dict) else {}),
            **({"toolCallId": call_id} if call_id in self._called else {}),
        }
