"""A runner's tool calls as events: START, ARGS and END when it calls, RESULT when the tool has answered.

A worker that takes over from one that died hears its runner's calls again. A call that is in the journal already, with
the same id, tool and arguments, is not told twice: only what is missing of it is. A call under an id that is taken by
another one gets a new id. What the runner does not call again is answered with an error: no client waits for it.

Calls of one step belong to one message of the assistant: the one said in the step, or else one without words, which has
the id of the step's first call. Clients make a message of that id by themselves for a call that names no parent.
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
"""The content of one TOOL_CALL_RESULT, which cannot come in pieces, as JSON (RNR-42)."""


class ToolCalls:
    """The tool calls of one run. Every method yields the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self._order = order
        self._ids = ids
        self._unheard = list(order.calls.text)
        self._told: dict[str, str] = {}
        """The id in the journal of every call heard from this runner, by its own id."""
        self._unsaid: str | None = None
        """The message without words that the calls of this step belong to."""

    def start(self, call: ToolCallStarted, said: str | None) -> Iterator[events.Event]:
        """Tell of a call; `said` is the message of its step. One whose id was heard before is passed over."""
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
        """Whether a result is to be told: once, and only of a call that was heard of."""
        told = self._told.get(call.tool_call_id)
        if told is None:
            logger.warning("a tool call was completed but not started")
        return told is not None and told not in self._order.results

    def id_told(self, call_id: str) -> str | None:
        """The id under which the client was told of a call, by the runner's own; None for one not heard of."""
        return self._told.get(call_id)

    def end_step(self) -> None:
        """A tool has answered: what is called next is another step."""
        self._unsaid = None

    def complete(self, call: ToolCallCompleted, content: str) -> Iterator[events.Event]:
        """Tell of the result that is awaited."""
        yield self._result(self._told[call.tool_call_id], content)

    def give_up_unheard(self) -> Iterator[events.Event]:
        """End and answer the calls that are in the journal and were not made again."""
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
