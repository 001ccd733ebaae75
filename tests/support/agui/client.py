"""An AG-UI client like the released ones: checks the order of a stream and builds messages from it.

Also two validators of a stream: the official models of its events, and a validator of producers.
"""

import json
from collections.abc import Iterable
from typing import Any

from ag_ui.core import Event
from ag_ui_validate import create_validator
from ag_ui_validate.types import ValidatorOptions
from jsonpatch import apply_patch
from pydantic import TypeAdapter

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)

_SPANS = {
    "TEXT_MESSAGE": ("messageId", "CONTENT"),
    "TOOL_CALL": ("toolCallId", "ARGS"),
    "REASONING_MESSAGE": ("messageId", "CONTENT"),
    "REASONING": ("messageId", ""),
}
_MEMBERS = {
    "RUN_STARTED": {"threadId", "runId", "parentRunId", "protocolVersion"},
    "RUN_FINISHED": {"threadId", "runId", "result", "outcome", "usage"},
    "RUN_ERROR": {"message", "code", "usage"},
    "TEXT_MESSAGE_START": {"messageId", "role"},
    "TEXT_MESSAGE_CONTENT": {"messageId", "delta"},
    "TEXT_MESSAGE_END": {"messageId"},
    "TOOL_CALL_START": {"toolCallId", "toolCallName", "parentMessageId"},
    "TOOL_CALL_ARGS": {"toolCallId", "delta"},
    "TOOL_CALL_END": {"toolCallId"},
    "TOOL_CALL_RESULT": {"messageId", "toolCallId", "content"},
    "REASONING_START": {"messageId"},
    "REASONING_END": {"messageId"},
    "REASONING_MESSAGE_START": {"messageId", "role"},
    "REASONING_MESSAGE_CONTENT": {"messageId", "delta"},
    "REASONING_MESSAGE_END": {"messageId"},
    "REASONING_ENCRYPTED_VALUE": {"subtype", "entityId", "encryptedValue"},
    "STATE_SNAPSHOT": {"snapshot"},
    "STATE_DELTA": {"delta"},
    "ACTIVITY_SNAPSHOT": {"messageId", "activityType", "content"},
    "ACTIVITY_DELTA": {"messageId", "activityType", "patch"},
    "MESSAGES_SNAPSHOT": {"messages"},
    "CUSTOM": {"name", "value"},
    "SUBAGENT_STARTED": {"name", "description", "parentSubagentRunId", "parentToolCallId"},
    "SUBAGENT_FINISHED": {"result", "outcome"},
    "SUBAGENT_ERROR": {"message", "code"},
}
_TAGGED = frozenset(
    {
        *("TEXT_MESSAGE_START", "TOOL_CALL_START", "TOOL_CALL_RESULT", "ACTIVITY_SNAPSHOT"),
        *("REASONING_START", "REASONING_MESSAGE_START"),
        *("SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR"),
    }
)
"""The types of events that name a nested agent."""
_MAY_BE_NULL = {"snapshot", "value"}


class AgUiClient:
    """Takes the events of one run, in order, as JSON; anything it may not take is an AssertionError."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.customs: list[tuple[str, Any]] = []
        """Custom events, as they came."""
        self.state: Any = {}
        self.activities: dict[str, tuple[str, Any]] = {}
        """Type and content by message id."""
        self.end: dict[str, Any] | None = None
        self.subagents: dict[str, str] = {}
        """The names of nested agents by id."""
        self._active: list[str] = []
        self._started = False
        self._open: set[tuple[str, str]] = set()

    def take(self, line: str) -> None:
        event = json.loads(line)
        kind = event.pop("type")
        assert self.end is None, f"{kind} after the end"
        assert self._started or kind in ("RUN_STARTED", "RUN_ERROR"), f"{kind} comes first"
        tag = {"subagentRunId"} if kind in _TAGGED else set()
        assert set(event) <= _MEMBERS[kind] | {"metadata", "timestamp"} | tag, f"{kind} with {sorted(event)}"
        assert all(value is not None for name, value in event.items() if name not in _MAY_BE_NULL)
        assert event.get("delta") != "", "an empty delta"
        self._take_span(kind, event)
        match kind:
            case "RUN_STARTED":
                assert not self._started
                self._started = True
            case "RUN_FINISHED":
                assert not self._open, f"still open: {self._open}"
                assert not self._active, f"still active: {self._active}"
                self.end = {"type": kind, **event}
            case "RUN_ERROR":
                self.end = {"type": kind, **event}
            case "SUBAGENT_STARTED":
                assert event["subagentRunId"] not in self.subagents
                assert event.get("parentSubagentRunId") in {None, *self.subagents}
                self.subagents[event["subagentRunId"]] = event["name"]
                self._active.append(event["subagentRunId"])
            case "SUBAGENT_FINISHED" | "SUBAGENT_ERROR":
                self._active.remove(event["subagentRunId"])
            case "MESSAGES_SNAPSHOT":
                self.messages = event["messages"]
            case "CUSTOM":
                self.customs.append((kind, event))
            case "STATE_SNAPSHOT":
                self.state = event["snapshot"]
            case "STATE_DELTA":
                self.state = apply_patch(self.state, event["delta"])
            case "ACTIVITY_SNAPSHOT":
                self.activities[event["messageId"]] = event["activityType"], event["content"]
            case "ACTIVITY_DELTA":
                type_, content = self.activities[event["messageId"]]
                assert type_ == event["activityType"]
                self.activities[event["messageId"]] = type_, apply_patch(content, event["patch"])
            case _:
                self._say(kind, event)

    def _take_span(self, kind: str, event: dict[str, Any]) -> None:
        span, _, part = kind.rpartition("_")
        if span not in _SPANS or part not in ("START", "END", _SPANS[span][1]):
            return
        place = (span, event[_SPANS[span][0]])
        assert (place in self._open) is (part != "START"), f"{kind} of {place}"
        if part == "START":
            self._open.add(place)
        elif part == "END":
            self._open.remove(place)

    def _message(self, name: str, **new: Any) -> dict[str, Any]:
        found = next((message for message in self.messages if message["id"] == name), None)
        if found is None:
            found = {"id": name, **new}
            self.messages.append(found)
        return found

    def _say(self, kind: str, event: dict[str, Any]) -> None:
        by = {"subagentRunId": event["subagentRunId"]} if "subagentRunId" in event else {}
        match kind:
            case "TEXT_MESSAGE_START" | "REASONING_MESSAGE_START":
                self._message(event["messageId"], role=event["role"], content="", **by)
            case "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT":
                self._message(event["messageId"])["content"] += event["delta"]
            case "REASONING_ENCRYPTED_VALUE":
                (message,) = (message for message in self.messages if message["id"] == event["entityId"])
                message["encryptedValue"] = event["encryptedValue"]
            case "TEXT_MESSAGE_END" if "metadata" in event:
                self._message(event["messageId"])["metadata"] = event["metadata"]
            case "TOOL_CALL_START":
                parent = next(
                    (message for message in self.messages if message["id"] == event.get("parentMessageId")), {}
                )
                if parent.get("role") != "assistant":
                    parent = self._message(event["toolCallId"], role="assistant", **by)
                assert parent.get("subagentRunId") == event.get("subagentRunId"), "a call of another agent's message"
                function = {"name": event["toolCallName"], "arguments": ""}
                metadata = {"metadata": event["metadata"]} if "metadata" in event else {}
                call = {"id": event["toolCallId"], "type": "function", "function": function, **metadata}
                parent.setdefault("toolCalls", []).append(call)
            case "TOOL_CALL_ARGS":
                calls = [call for message in self.messages for call in message.get("toolCalls", ())]
                (call,) = (call for call in calls if call["id"] == event["toolCallId"])
                call["function"]["arguments"] += event["delta"]
            case "TOOL_CALL_RESULT":
                members = {name: event[name] for name in ("content", "metadata") if name in event}
                self._message(event["messageId"], role="tool", toolCallId=event["toolCallId"], **members, **by)


def read(lines: Iterable[str], *tolerated: str) -> AgUiClient:
    """A client that has taken a whole stream, of which no opinion says more than these rules of the validator."""
    client = AgUiClient()
    validator = create_validator(ValidatorOptions())
    for line in lines:
        client.take(line)
        _EVENT.validate_json(line)
        validator.feed(line)
    validator.finalize()
    assert client.end is not None, "the stream just stops"
    found = [
        diagnostic
        for diagnostic in validator.report().diagnostics
        if diagnostic.severity != "info" and diagnostic.rule not in tolerated
    ]
    assert not found, found
    return client


def data_of(stream: bytes) -> list[str]:
    """The data of every frame: LF ends a line, a frame has one line of data, and comments are passed over."""
    found = []
    assert b"\r" not in stream
    for frame in stream.decode().removesuffix("\n\n").split("\n\n"):
        lines = [line for line in frame.split("\n") if not line.startswith((":", "id: ", "event: "))]
        assert len(lines) <= 1
        found += [line.removeprefix("data: ") for line in lines]
    return found
