"""A runner's tool calls as events: START, ARGS and END for the call, RESULT for its answer.

A worker that takes over reruns its agent. Of a call that is in the journal with the same id, tool and arguments only
missing events are emitted; a call whose id is taken by another gets a new id. Stored calls that are not repeated get an
error result, so that no client waits for them.

The calls of a step belong to one assistant message: the step's text message, or an empty one with the id of the step's
first call. Clients create a message of that id themselves for a call without a parent.
"""

import uuid
from collections.abc import Iterator

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.worker.results.payloads import ToolCallCompleted, ToolCallStarted
from yarrow.worker.results.text_messages import MAX_DELTA_LENGTH

MAX_CONTENT_BYTES = 256 * 1024
"""JSON bytes of one TOOL_CALL_RESULT's content, which cannot be split (RNR-42)."""


class ToolCalls:
    """The tool calls of one run. Every method yields the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self._order = order
        self._ids = ids
        self._unheard = list(order.calls.text)
        self._told: dict[str, str] = {}
        """The emitted id of every call, by the runner's id."""
        self._unsaid: str | None = None
        """The empty message that this step's calls belong to."""

    def start(self, call: ToolCallStarted, said: str | None) -> Iterator[events.Event]:
        """Emit a call; `said` is the id of its step's message. A repeated id is ignored."""
        if call.tool_call_id in self._told:
            logger.warning("a tool call was started twice")
            return
        arguments = json_text.dumps(call.parameters)
        told = call.tool_call_id
        if self._is_journalled(call, arguments):
            self._unheard.remove(told)
        else:
            if told in self._order.calls.text:
                told = str(uuid.uuid4())
            yield events.ToolCallStart(
                **self._ids,
                tool_call_id=told,
                tool_call_name=call.tool_name,
                parent_message_id=said or self._unsaid or (told if call.more else None),
            )
        if said is None and self._unsaid is None:
            self._unsaid = told
        self._told[call.tool_call_id] = told
        for start in range(len(self._order.calls.text[told]), len(arguments), MAX_DELTA_LENGTH):
            delta = arguments[start : start + MAX_DELTA_LENGTH]
            yield events.ToolCallArgs(**self._ids, tool_call_id=told, delta=delta)
        if told in self._order.calls.open:
            yield self._order.end_of_call(self._ids, told)

    def awaits(self, call: ToolCallCompleted) -> bool:
        """Whether a result is expected: the first one of a known call."""
        told = self._told.get(call.tool_call_id)
        if told is None:
            logger.warning("a tool call was completed but not started")
        return told is not None and told not in self._order.results

    def id_told(self, call_id: str) -> str | None:
        """The emitted id of a call, by the runner's id; None if unknown."""
        return self._told.get(call_id)

    def end_step(self) -> None:
        """A tool has answered: later calls are another step."""
        self._unsaid = None

    def complete(self, call: ToolCallCompleted, content: str) -> Iterator[events.Event]:
        """Emit an expected result."""
        yield self._result(self._told[call.tool_call_id], content)

    def give_up_unheard(self) -> Iterator[events.Event]:
        """Close stored calls that were not repeated, with error results."""
        for told in self._unheard:
            if told in self._order.calls.open:
                yield self._order.end_of_call(self._ids, told)
            if told not in self._order.results:
                yield self._result(told, json_text.dumps({"error": "the call was interrupted"}))

    def _is_journalled(self, call: ToolCallStarted, arguments: str) -> bool:
        told = call.tool_call_id
        if told not in self._unheard or self._order.tools[told] != call.tool_name:
            return False
        journalled = self._order.calls.text[told]
        return arguments == journalled or (told in self._order.calls.open and arguments.startswith(journalled))

    def _result(self, told: str, content: str) -> events.Event:
        return events.ToolCallResult(**self._ids, message_id=str(uuid.uuid4()), tool_call_id=told, content=content)


def content_of(call: ToolCallCompleted) -> str:
    """The result as text: a string as it is, anything else as JSON."""
    if call.error is not None:
        return json_text.dumps({"error": call.error})
    return call.result if isinstance(call.result, str) else json_text.dumps(call.result)


def can_be_shown(content: str) -> bool:
    """Whether a result fits into an event."""
    return len(json_text.dumps(content).encode()) <= MAX_CONTENT_BYTES
