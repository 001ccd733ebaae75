"""Tool calls in a client's list that no run here made, as in a conversation that began elsewhere; without them the
agent would make them again. They are stored with their results at their position in the session, as runs' tool calls
are (MSG-08).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import structs

from yarrow.formats import json_text
from yarrow.protocol.run_input.messages import AssistantMessage, Message, ToolCall, ToolMessage
from yarrow.runs.tool_history import result_text
from yarrow.store import tool_use
from yarrow.store.branches import Path
from yarrow.store.tool_use import Round, StoredCall, ToolUse

MAX_BYTES: Final = 120 * 1024
"""JSON of a request's adopted calls; the oldest are dropped first. An item holds them twice."""

_KNOWN_MESSAGES: Final = 50
_KNOWN_BYTES: Final = 1 << 20
"""How many messages back, and how many bytes, the calls of runs are read."""


@dataclass(frozen=True, slots=True)
class AdoptedCalls:
    """Calls after the stored message with the seq `after`: as agents get them, and the messages in wire form."""

    after: int
    tool_use: ToolUse
    messages: Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class _CallingMessage:
    """An assistant message with calls, and the results that followed it, by call id."""

    message: AssistantMessage
    after: int | None
    results: dict[str, ToolMessage] = field(default_factory=dict)

    def adopted(self, known: Collection[str], *, is_stored: bool) -> tuple[Round, list[dict[str, Any]]] | None:
        """Return the calls that have a result and no `known` id, as a round and in wire form. The round has the text of
        a message that is not stored.
        """
        calls = [call for call in self.message.tool_calls or () if call.id in self.results and call.id not in known]
        if not calls:
            return None
        text = self.message.content
        message = structs.replace(self.message, tool_calls=calls)
        wire = [message.wire(), *(self.results[call.id].wire() for call in calls)]
        round_ = Round(message.id if text and is_stored else None, tuple(map(self._call, calls)))
        return round_ if is_stored else round_._replace(text=text), wire

    def _call(self, call: ToolCall) -> StoredCall:
        result = result_text(structs.asdict(self.results[call.id]))
        return StoredCall(call.id, call.function.name, call.function.arguments, result)


def known_calls(thread_id: str, path: Path) -> frozenset[str]:
    """Read the ids of the calls that the latest runs made or adopted."""
    latest = tool_use.since(thread_id, max(0, path.last - _KNOWN_MESSAGES), _KNOWN_BYTES, path)
    return frozenset(call.id for _, use in latest for round_ in use.rounds for call in round_.calls)


def adopted_calls(
    messages: Sequence[Message], places: Mapping[str, int], known: Collection[str] = (), start: int | None = None
) -> list[AdoptedCalls]:
    """Find the calls that have a result and no `known` id, oldest first. `places` are the seqs of stored messages by
    id. Calls before the first of these follow the message with the seq `start`, or are dropped if it is None.
    """
    found: dict[int, list[tuple[Round, list[dict[str, Any]]]]] = {}
    room = MAX_BYTES
    for calling in reversed(_calling_messages(messages, places, start)):
        adopted = calling.adopted(known, is_stored=calling.message.id in places)
        if calling.after is None or adopted is None:
            continue
        room -= len(json_text.dumps(adopted[1]).encode())
        if room < 0:
            break
        found.setdefault(calling.after, []).insert(0, adopted)
    return [
        AdoptedCalls(
            after,
            ToolUse(tuple(round_ for round_, _ in adopted)),
            [message for _, wire in adopted for message in wire],
        )
        for after, adopted in sorted(found.items())
    ]


def _calling_messages(
    messages: Sequence[Message], places: Mapping[str, int], start: int | None
) -> list[_CallingMessage]:
    """Find calls with their results. A result belongs to the last call before it with its id: clients may reuse ids."""
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
