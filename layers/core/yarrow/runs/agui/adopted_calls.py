"""Tool calls in a client's list that no run here made, which the agent would otherwise make again.

Examples are a conversation that began elsewhere, and calls that a client adds to the list (A2UI's `log_a2ui_event`).
They are stored with their results as the tool calls of runs are (MSG-08), at their place in the session.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.run_input.messages import AssistantMessage, Message, ToolCall, ToolMessage
from yarrow.runs.tool_history import result_text
from yarrow.store.turns import Call, Step, Turn

MAX_BYTES: Final = 120 * 1024
"""Limit of all adopted calls of a request, in bytes of JSON; the oldest are dropped first. An item holds them twice."""


@dataclass(frozen=True, slots=True)
class AdoptedCalls:
    """The calls after the stored message with the seq `after`: as agents get them, and the messages in wire form."""

    after: int
    turn: Turn
    messages: Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class _CallingMessage:
    """An assistant message with calls, and the results that followed it, by call id."""

    message: AssistantMessage
    after: int | None
    results: dict[str, ToolMessage] = field(default_factory=dict)

    def answered(self, known: Collection[str]) -> list[ToolCall]:
        return [call for call in self.message.tool_calls or () if call.id in self.results and call.id not in known]


def adopted_calls(
    messages: Sequence[Message], places: Mapping[str, int], known: Collection[str] = (), start: int | None = None
) -> list[AdoptedCalls]:
    """The calls in `messages` that have a result and no `known` id, oldest first.

    `places` are the seqs of stored messages by id. Calls before the first of these follow the message with the seq
    `start`, or are dropped if it is None. The text of an assistant message that is not stored is dropped.
    """
    found: dict[int, list[tuple[Step, list[dict[str, Any]]]]] = {}
    room = MAX_BYTES
    for calling in reversed(_calling_messages(messages, places, start)):
        calls = calling.answered(known)
        if calling.after is None or not calls:
            continue
        is_stored = calling.message.id in places
        content = calling.message.content if is_stored else None
        message = calling.message.model_copy(update={"tool_calls": calls, "content": content})
        wire = [
            each.model_dump(mode="json", by_alias=True, exclude_none=True)
            for each in (message, *_results(calling, calls))
        ]
        room -= len(json_text.dumps(wire).encode())
        if room < 0:
            break
        found.setdefault(calling.after, []).insert(0, (_step(message, calling), wire))
    return [
        AdoptedCalls(
            after, Turn(tuple(step for step, _ in found[after])), [each for _, wire in found[after] for each in wire]
        )
        for after in sorted(found)
    ]


def _calling_messages(
    messages: Sequence[Message], places: Mapping[str, int], start: int | None
) -> list[_CallingMessage]:
    """A result belongs to the last call before it with its id: clients may use an id again."""
    found: list[_CallingMessage] = []
    unanswered: dict[str, _CallingMessage] = {}
    after = start
    for message in messages:
        after = places.get(message.id, after)
        if isinstance(message, AssistantMessage) and message.tool_calls:
            found.append(_CallingMessage(message, after))
            unanswered |= {call.id: found[-1] for call in message.tool_calls}
        elif isinstance(message, ToolMessage) and message.tool_call_id in unanswered:
            unanswered.pop(message.tool_call_id).results[message.tool_call_id] = message
    return found


def _results(calling: _CallingMessage, calls: Sequence[ToolCall]) -> Iterator[ToolMessage]:
    return (calling.results[call.id] for call in calls)


def _step(message: AssistantMessage, calling: _CallingMessage) -> Step:
    calls = tuple(
        Call(call.id, call.function.name, call.function.arguments, result_text(vars(calling.results[call.id])))
        for call in message.tool_calls or ()
    )
    return Step(message.id if message.content else None, calls)
