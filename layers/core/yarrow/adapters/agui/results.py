"""The events of an AG-UI agent as the results of a runner.

Chunk events are expanded, messages that interleave are put in order, and what a stream leaves open is closed. Events
that a runner has no result for (raw events, steps, custom events that are not declared) are skipped.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.adapters.agui.sources import SourceError
from yarrow.adapters.agui.texts import Result, Texts, attribution

Event = Mapping[str, Any]

_CHUNKS: Final = {
    "TEXT_MESSAGE_CHUNK": ("messageId", "TEXT_MESSAGE"),
    "TOOL_CALL_CHUNK": ("toolCallId", "TOOL_CALL"),
    "REASONING_MESSAGE_CHUNK": ("messageId", "REASONING_MESSAGE"),
}
"""The id's member and the prefix of the events that a chunk stands for."""
_CONTENT: Final = {"TEXT_MESSAGE": "CONTENT", "TOOL_CALL": "ARGS", "REASONING_MESSAGE": "CONTENT"}


@dataclass(slots=True)
class AgentCall:
    """A call that the agent made. `parameters` are set when it has ended, `has_result` when it was answered."""

    id: str
    name: str
    message_id: str | None
    arguments: list[str] = field(default_factory=list)
    parameters: dict[str, Any] | None = None
    has_result: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    subagent: str | None = None

    def as_asked(self) -> dict[str, Any]:
        """Return the call as an assistant's message has it."""
        call = {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": "".join(self.arguments) or "{}"},
        }
        return {**call, "metadata": self.metadata} if self.metadata else call


class Results:
    """Translates one stream. After it, `outcome` is RUN_FINISHED or RUN_ERROR, None if the stream broke off."""

    def __init__(
        self,
        known: Collection[str],
        calls: dict[str, AgentCall] | None = None,
        *,
        shares_state: bool,
        customs: Collection[str] = (),
    ) -> None:
        """`known` are the ids of the messages that were sent, `customs` the names of declared custom events.

        `calls` are those of the run's earlier requests, which may be answered in this one.
        """
        self.calls = {} if calls is None else calls
        self.broken: SourceError | None = None
        """Why the stream broke off, if it did."""
        self.messages: dict[str, dict[str, Any]] = {}
        """What the agent added to the conversation, by id, as AG-UI messages in order."""
        self.outcome: Event | None = None
        self.skipped: Counter[str] = Counter()
        self._known = frozenset(known)
        self._shares_state = shares_state
        self._customs = customs
        self._texts = Texts()
        self._ignored: set[str] = set()
        """Messages of other roles than the assistant's."""
        self._reasoning: list[str] = []
        self._encrypted: str | None = None
        self._thinking: str | None = None
        """The nested agent that reasons."""
        self._chunk: tuple[str, str] | None = None
        """Prefix and id of what chunks have opened."""

    @property
    def pending(self) -> list[AgentCall]:
        """The calls that the agent left to others, in order."""
        return [call for call in self.calls.values() if call.parameters is not None and not call.has_result]

    def of(self, event: Event) -> Iterator[Result]:
        """Yield the results of the next event. Unknown and malformed ones yield nothing."""
        for plain in self._expanded(event):
            kind = str(plain.get("type"))
            if not kind.startswith(("REASONING_", "THINKING_", "STATE_")):
                yield from self._end_reasoning()
            yield from self._of(kind, plain)

    def end(self) -> Iterator[Result]:
        """Close what the stream left open."""
        for plain in self._close_chunk():
            yield from self._of(str(plain["type"]), plain)
        yield from self._end_reasoning()
        yield from self._texts.end_all()

    def _of(self, kind: str, event: Event) -> Iterator[Result]:  # noqa: C901 (one case an event type)
        message_id, call_id = _text(event, "messageId"), _text(event, "toolCallId")
        match kind:
            case "TEXT_MESSAGE_START":
                if event.get("role", "assistant") == "assistant":
                    self._texts.start(message_id, _subagent(event))
                    self._texts.describe(message_id, _metadata(event))
                    if subagent := _subagent(event):
                        self._assistant(message_id)["subagentRunId"] = subagent
                else:
                    self._ignored.add(message_id)
            case "TEXT_MESSAGE_CONTENT":
                if message_id not in self._ignored:
                    yield from self._add_text(message_id, _text(event, "delta"))
            case "TEXT_MESSAGE_END":
                self._texts.describe(message_id, _metadata(event))
                yield from self._texts.end(message_id)
            case "TOOL_CALL_START":
                parent = event.get("parentMessageId")
                named = _text(event, "toolCallName")
                call = AgentCall(call_id, named, parent if isinstance(parent, str) else None)
                call.subagent = _subagent(event)
                self.calls.setdefault(call_id, call).metadata |= _metadata(event)
            case "TOOL_CALL_ARGS":
                if call_id in self.calls:
                    self.calls[call_id].arguments.append(_text(event, "delta"))
            case "TOOL_CALL_END":
                yield from self._start_call(call_id)
            case "TOOL_CALL_RESULT":
                yield from self._complete_call(call_id, message_id, event)
            case "REASONING_MESSAGE_CONTENT" | "THINKING_TEXT_MESSAGE_CONTENT":
                piece = _text(event, "delta")
                self._reasoning.append(piece)
                if piece:
                    yield "reasoning.delta", {"content": piece, **attribution(self._thinking)}
            case "REASONING_MESSAGE_START":
                self._thinking = _subagent(event)
            case "REASONING_ENCRYPTED_VALUE":
                self._encrypted = _text(event, "encryptedValue") or self._encrypted
            case "REASONING_END" | "THINKING_END":
                yield from self._end_reasoning()
            case "STATE_SNAPSHOT":
                yield from self._change_state([{"op": "replace", "path": "", "value": event.get("snapshot")}])
            case "STATE_DELTA":
                yield from self._change_state(event.get("delta"))
            case "ACTIVITY_SNAPSHOT":
                yield from self._show_activity(event)
            case "ACTIVITY_DELTA":
                if message_id and isinstance(event.get("patch"), list) and event["patch"]:
                    yield "activity.delta", {"activity_id": message_id, "delta": event["patch"]}
            case "MESSAGES_SNAPSHOT":
                yield from self._missing(event.get("messages"))
            case "CUSTOM" if event.get("name") in self._customs:
                value = event.get("value")
                yield str(event["name"]), value if isinstance(value, dict) else {"value": value}
            case "CUSTOM" if _text(event, "name"):
                yield "custom", {"name": _text(event, "name"), "value": event.get("value")}
            case "SUBAGENT_STARTED" | "SUBAGENT_FINISHED" | "SUBAGENT_ERROR":
                yield from self._nest(kind, event)
            case "RUN_FINISHED" | "RUN_ERROR":
                self.outcome = event
            case _:
                self._skip(kind)

    def _skip(self, kind: str) -> None:
        if not kind.startswith(("RUN_", "REASONING_", "THINKING_")):
            self.skipped[kind] += 1

    # ---- Chunks ------------------------------------------------------------------------------------------------------
    def _expanded(self, event: Event) -> Iterator[Event]:
        """Yield an event, or those that a chunk stands for. Another event ends what chunks have opened."""
        kind = str(event.get("type"))
        if kind not in _CHUNKS:
            if kind not in ("RAW", "CUSTOM", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"):
                yield from self._close_chunk()
            yield event
            return
        member, prefix = _CHUNKS[kind]
        opened = self._chunk[1] if self._chunk is not None and self._chunk[0] == prefix else ""
        chunk_id = _text(event, member) or opened
        if not chunk_id:
            return
        if (prefix, chunk_id) != self._chunk:
            yield from self._close_chunk()
            self._chunk = prefix, chunk_id
            yield {**event, "type": f"{prefix}_START", member: chunk_id}
        if event.get("delta"):
            yield {"type": f"{prefix}_{_CONTENT[prefix]}", member: chunk_id, "delta": event["delta"]}

    def _close_chunk(self) -> Iterator[Event]:
        if self._chunk is not None:
            prefix, chunk_id = self._chunk
            self._chunk = None
            member = "toolCallId" if prefix == "TOOL_CALL" else "messageId"
            yield {"type": f"{prefix}_END", member: chunk_id}

    # ---- Calls -------------------------------------------------------------------------------------------------------
    def _start_call(self, call_id: str) -> Iterator[Result]:
        call = self.calls.get(call_id)
        if call is None or call.parameters is not None:
            return
        call.parameters = _parameters("".join(call.arguments))
        message = self._assistant(call.message_id or call.id)
        message.setdefault("toolCalls", []).append(call.as_asked())
        if call.subagent:
            message["subagentRunId"] = call.subagent
        yield from self._texts.cut()
        started = {"tool_call_id": call.id, "tool_name": call.name, "parameters": call.parameters}
        yield "tool.call.started", {**started, **_with_metadata(call.metadata), **attribution(call.subagent)}

    def _complete_call(self, call_id: str, message_id: str, event: Event) -> Iterator[Result]:
        """Yield the result of a call, as an event or a message has it."""
        call = self.calls.get(call_id)
        if call is None or call.has_result:
            return
        yield from self._start_call(call_id)
        content = event.get("content")
        self.answer(call, content, message_id)
        parts = {"content": content} if isinstance(content, list) else {}
        made = {"tool_call_id": call.id, "tool_name": call.name, "result": _shown(content), **parts}
        yield "tool.call.completed", {**made, **_with_metadata(_metadata(event))}

    def answer(self, call: AgentCall, content: Any, message_id: str = "") -> None:
        """Add a result to the conversation."""
        call.has_result = True
        message_id = message_id or f"{call.id}-result"
        self.messages[message_id] = {"id": message_id, "role": "tool", "toolCallId": call.id, "content": content}

    def _assistant(self, message_id: str) -> dict[str, Any]:
        return self.messages.setdefault(message_id, {"id": message_id, "role": "assistant"})

    def _add_text(self, message_id: str, piece: str) -> Iterator[Result]:
        message = self._assistant(message_id)
        message["content"] = message.get("content", "") + piece
        yield from self._texts.add(message_id, piece)

    # ---- Reasoning, state, snapshots ---------------------------------------------------------------------------------
    def _end_reasoning(self) -> Iterator[Result]:
        if self._reasoning or self._encrypted:
            whole: dict[str, Any] = {"content": "".join(self._reasoning)}
            if self._encrypted:
                whole["encrypted_value"] = self._encrypted
            self._reasoning, self._encrypted = [], None
            yield "reasoning.completed", whole | attribution(self._thinking)
            self._thinking = None

    def _change_state(self, operations: Any) -> Iterator[Result]:
        if self._shares_state and isinstance(operations, list) and operations:
            yield "state.delta", {"delta": operations}

    def _show_activity(self, event: Event) -> Iterator[Result]:
        activity_id, kind, content = _text(event, "messageId"), _text(event, "activityType"), event.get("content")
        if activity_id and kind and isinstance(content, dict):
            shown = {"activity_id": activity_id, "activity_type": kind, "content": content}
            yield (
                "activity.snapshot",
                {**shown, "replace": event.get("replace") is not False, **attribution(_subagent(event))},
            )

    def _nest(self, kind: str, event: Event) -> Iterator[Result]:
        """Yield the beginning or end of a nested agent; one that waits for an answer ends with its run."""
        about = {"subagent_run_id": _subagent(event)}
        match kind:
            case "SUBAGENT_STARTED":
                members = {
                    "description": event.get("description"),
                    "parent_subagent_run_id": event.get("parentSubagentRunId"),
                    "parent_tool_call_id": event.get("parentToolCallId"),
                }
                yield "subagent.started", {**about, "name": _text(event, "name") or "agent", **members}
            case "SUBAGENT_ERROR":
                failed = {"message": _text(event, "message")[:4_000], "code": event.get("code")}
                yield "subagent.failed", {**about, **failed}
            case _ if (event.get("outcome") or {}).get("type") != "suspended":
                yield "subagent.finished", {**about, "result": event.get("result")}

    def _missing(self, messages: Any) -> Iterator[Result]:
        """Yield what a snapshot has and the stream had not: agents may send their answer as a snapshot alone."""
        listed = [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
        question_index = max(
            (index for index, message in enumerate(listed) if message.get("role") == "user"), default=-1
        )
        for message in listed[question_index + 1 :]:
            message_id = _text(message, "id")
            if message_id in self._known:
                continue
            if message.get("role") == "assistant":
                yield from self._missing_answer(message_id, message)
            elif message.get("role") == "tool":
                yield from self._complete_call(_text(message, "toolCallId"), message_id, message)

    def _missing_answer(self, message_id: str, message: Event) -> Iterator[Result]:
        content = _shown(message.get("content"))
        if isinstance(content, str) and content and "content" not in self.messages.get(message_id, {}):
            yield from self._add_text(message_id, content)
            self._texts.describe(message_id, _metadata(message))
            yield from self._texts.end(message_id)
        for requested in message.get("toolCalls") or ():
            function = requested.get("function", {})
            call_id = _text(requested, "id")
            if call_id and call_id not in self.calls:
                call = AgentCall(call_id, _text(function, "name"), message_id, [_text(function, "arguments")])
                call.metadata = _metadata(requested)
                self.calls[call_id] = call
                yield from self._start_call(call_id)


def _text(event: Event, member: str) -> str:
    value = event.get(member)
    return value if isinstance(value, str) else ""


def _subagent(event: Event) -> str | None:
    return _text(event, "subagentRunId") or None


def _metadata(event: Event) -> dict[str, Any]:
    value = event.get("metadata")
    return dict(value) if isinstance(value, dict) else {}


def _with_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": metadata} if metadata else {}


def _parameters(arguments: str) -> dict[str, Any]:
    """Read a call's arguments. A model's text that is no JSON object is kept as the member `arguments`."""
    try:
        read = json.loads(arguments or "{}")
    except ValueError:
        read = arguments
    return read if isinstance(read, dict) else {"arguments": read}


def _shown(content: Any) -> Any:
    """Return text as it is, and the texts of parts."""
    if isinstance(content, list):
        return "\n".join(_text(part, "text") for part in content if isinstance(part, dict) and part.get("text"))
    return content
