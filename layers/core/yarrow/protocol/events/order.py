"""The order rules of a run's events, enforced before they are stored.

Beyond what AG-UI clients check (EVT-07 … EVT-12, EVT-15, EVT-17):

- one DIVINATION_DERIVED (DIV-11); one terminal event, the last (EVT-08);
- unique ids of messages, reasoning and tool calls; finished steps may repeat;
- a call's arguments are JSON (EVT-11) or marked as interrupted;
- a call's parent is a message of this run or the first call of a step without text;
- at most one result of a call, after its end (EVT-12);
- at most one encrypted value of a reasoning message, after its start.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from yarrow.formats import json_text
from yarrow.formats.growing_text import GrowingText
from yarrow.protocol.events.framing import RunIds
from yarrow.protocol.events.plain_event import PlainEvent
from yarrow.protocol.events.text_piece import TextPiece

if TYPE_CHECKING:
    from yarrow.protocol.events.base import BaseEvent

INTERRUPTED: Final = {"yarrow.interrupted": True}
"""Of TOOL_CALL_END, for truncated arguments: do not parse them."""


class OrderError(Exception):
    """A defect of the writer, never of a client."""


@dataclass(slots=True)
class OpenParts:
    noun: str
    text: dict[str, GrowingText] = field(default_factory=dict)
    """By id, in order of their start."""
    open: list[str] = field(default_factory=list)


_Part = Literal["begin", "piece", "end"]

_PARTS: Final[Mapping[str, tuple[str, str, _Part]]] = {
    "STEP_STARTED": ("steps", "step_name", "begin"),
    "STEP_FINISHED": ("steps", "step_name", "end"),
    "TEXT_MESSAGE_START": ("texts", "message_id", "begin"),
    "TEXT_MESSAGE_CONTENT": ("texts", "message_id", "piece"),
    "TEXT_MESSAGE_END": ("texts", "message_id", "end"),
    "TOOL_CALL_START": ("calls", "tool_call_id", "begin"),
    "TOOL_CALL_ARGS": ("calls", "tool_call_id", "piece"),
    "TOOL_CALL_END": ("calls", "tool_call_id", "end"),
    "REASONING_START": ("reasoning", "message_id", "begin"),
    "REASONING_END": ("reasoning", "message_id", "end"),
    "REASONING_MESSAGE_START": ("thoughts", "message_id", "begin"),
    "REASONING_MESSAGE_CONTENT": ("thoughts", "message_id", "piece"),
    "REASONING_MESSAGE_END": ("thoughts", "message_id", "end"),
}
"""By event type: kind, member with the id, part."""


BEGINNINGS: Final = frozenset(kind for kind, (_, _, part) in _PARTS.items() if part == "begin")


class EventOrder:
    """`admit` each event; `closing` ends what is open."""

    def __init__(self) -> None:
        self.started = False
        self.ended = False
        self.derived = False
        self.steps = OpenParts("step")
        self.texts = OpenParts("message")
        self.calls = OpenParts("tool call")
        self.reasoning = OpenParts("reasoning")
        self.thoughts = OpenParts("reasoning message")
        self.tools: dict[str, str] = {}
        """Tool names by call id."""
        self.results: dict[str, str] = {}
        """Result message ids by call id."""
        self.encrypted: set[str] = set()
        """Reasoning messages with an encrypted value."""
        self.without_text: set[str] = set()
        """Steps without text, by their first call."""

    def replay(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.admit(PlainEvent.read(line))

    def admit(self, event: "BaseEvent | TextPiece | PlainEvent") -> None:
        """Raises OrderError, with the state unchanged."""
        if self.ended:
            raise OrderError(f"{event.type} after the terminal event")
        if not self.started and event.type not in ("RUN_STARTED", "RUN_ERROR"):
            raise OrderError(f"{event.type} before RUN_STARTED")
        if isinstance(event, TextPiece):
            _check_open(self.texts, event.message_id, event.type)
            self.texts.text[event.message_id].append(event.delta)
        elif event.type in _PARTS:
            self._admit_part(event.type, event)
        else:
            self._admit_whole(event.type, event)

    def is_repeated(self, event: "BaseEvent") -> bool:
        """Whether a once-only event is already there (DIV-11)."""
        return self.derived and event.type == "DIVINATION_DERIVED"

    def _admit_whole(self, type_: str, event: Any) -> None:
        match type_:
            case "RUN_STARTED":
                _require(not self.started, "RUN_STARTED twice")
                self.started = True
            case "RUN_FINISHED":
                for each in (self.steps, self.texts, self.calls, self.reasoning, self.thoughts):
                    _require(not each.open, f"RUN_FINISHED while a {each.noun} is open: {', '.join(each.open)}")
                self.ended = True
            case "RUN_ERROR":
                self.ended = True
            case "TOOL_CALL_RESULT":
                call = event.tool_call_id
                _require(call in self.calls.text, f"result of tool call {call}, which did not begin")
                _require(call not in self.calls.open, f"result of tool call {call}, which is open")
                _require(call not in self.results, f"second result of tool call {call}")
                self._require_new_message(event.message_id)
                self.results[call] = event.message_id
            case "REASONING_ENCRYPTED_VALUE":
                name = event.entity_id
                _require(name in self.thoughts.text, f"encrypted value of message {name}, which did not begin")
                _require(name not in self.encrypted, f"second encrypted value of message {name}")
                self.encrypted.add(name)
            case "DIVINATION_DERIVED":
                _require(not self.derived, "DIVINATION_DERIVED twice")
                self.derived = True

    def _admit_part(self, type_: str, event: Any) -> None:
        kind, member, part = _PARTS[type_]
        one: OpenParts = getattr(self, kind)
        name: str = getattr(event, member)
        if part == "begin":
            _require(
                name not in one.open if kind == "steps" else name not in one.text, f"{one.noun} {name} begun twice"
            )
            self._admit_beginning(type_, event)
            one.text[name] = GrowingText()
            one.open.append(name)
            return
        _check_open(one, name, type_)
        match type_:
            case "TEXT_MESSAGE_CONTENT" | "TOOL_CALL_ARGS" | "REASONING_MESSAGE_CONTENT":
                one.text[name].append(event.delta)
            case "TOOL_CALL_END":
                _require(
                    event.metadata == (None if _is_json(str(one.text[name])) else INTERRUPTED),
                    f"arguments of tool call {name} that are not JSON, or called interrupted though they are",
                )
        if part == "end":
            one.open.remove(name)

    def _admit_beginning(self, type_: str, event: Any) -> None:
        match type_:
            case "TEXT_MESSAGE_START" | "REASONING_MESSAGE_START":
                self._require_new_message(event.message_id)
            case "TOOL_CALL_START":
                call, parent = event.tool_call_id, event.parent_message_id
                first = parent in (None, call)
                begun = first or parent in self.texts.text or parent in self.without_text
                _require(begun, f"tool call {call} in message {parent}, not begun")
                if first:
                    self.without_text.add(call)
                self.tools[call] = event.tool_call_name

    def _require_new_message(self, message: str) -> None:
        used = message in self.texts.text or message in self.thoughts.text or message in self.results.values()
        _require(not used, f"message id {message} used twice")

    def closing(self, ids: RunIds) -> list[PlainEvent]:
        """Closes everything open (EVT-17), steps last, from the innermost out."""
        calls = [self.end_of_call(ids, each) for each in self.calls.open]
        texts = [PlainEvent.of("TEXT_MESSAGE_END", ids, message_id=each) for each in self.texts.open]
        thoughts = [PlainEvent.of("REASONING_MESSAGE_END", ids, message_id=each) for each in self.thoughts.open]
        reasoning = [PlainEvent.of("REASONING_END", ids, message_id=each) for each in self.reasoning.open]
        steps = [PlainEvent.of("STEP_FINISHED", ids, step_name=each) for each in reversed(self.steps.open)]
        return [*calls, *texts, *thoughts, *reasoning, *steps]

    def end_of_call(self, ids: RunIds, call: str) -> PlainEvent:
        """Marked as interrupted if the arguments are incomplete."""
        metadata = None if _is_json(str(self.calls.text[call])) else INTERRUPTED
        return PlainEvent.of("TOOL_CALL_END", ids, tool_call_id=call, metadata=metadata)


def _check_open(part: OpenParts, name: str, type_: str) -> None:
    if name not in part.open:
        raise OrderError(f"{type_} of {part.noun} {name}, which is not open")


def _is_json(text: str) -> bool:
    try:
        json_text.loads(text.encode())
    except ValueError:
        return False
    return True


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise OrderError(otherwise)
