"""A runner's tool calls as TOOL_CALL events.

After a takeover only missing events of a journalled call (same tool and arguments; same id, unless the runner draws
ids at random) are emitted. Another call with its id gets a new one. Stored calls that are not repeated get an error
result, so no client waits for them.

A round's calls belong to its text message, or to an empty one with the first call's id, as clients create for a call
without a parent.
"""

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from yarrow.formats import json_text
from yarrow.observability.logs import logger
from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.worker.results import result_parts
from yarrow.worker.results.payloads import ToolCallCompleted, ToolCallStarted
from yarrow.worker.results.text_messages import MAX_DELTA_LENGTH

MAX_CONTENT_BYTES = 256 * 1024
"""JSON bytes of one TOOL_CALL_RESULT, which cannot be split (RNR-42)."""


class ToolCalls:
    """The tool calls of one run. Methods yield the events to store."""

    def __init__(self, order: EventOrder, ids: events.RunIds) -> None:
        self._order = order
        self._ids = ids
        self._unrepeated = list(order.calls.text)
        self._emitted_ids: dict[str, str] = {}
        """The emitted id of every call, by the runner's id."""
        self._empty_parent: str | None = None
        """The empty message that this round's calls belong to."""

    def start(self, call: ToolCallStarted, message_id: str | None, owner: str | None = None) -> Iterator[events.Event]:
        """Start a call; `message_id` is that of the round's message, `owner` the nested agent that makes it.

        A call with a repeated id is ignored.
        """
        if call.tool_call_id in self._emitted_ids:
            logger.warning("a tool call was started twice")
            return
        if self._order.owners.get(self._empty_parent or "") != owner:
            self._empty_parent = None
        arguments = json_text.dumps(call.parameters)
        emitted = call.tool_call_id
        if (journalled := self._journalled(call, arguments)) is not None:
            emitted = journalled
            self._unrepeated.remove(emitted)
        else:
            if emitted in self._order.calls.text:
                emitted = str(uuid.uuid4())
            yield events.ToolCallStart(
                **self._ids,
                tool_call_id=emitted,
                tool_call_name=call.tool_name,
                parent_message_id=message_id or self._empty_parent or (emitted if call.more else None),
                metadata=call.metadata,
                subagent_run_id=self._order.active(owner),
            )
        if message_id is None and self._empty_parent is None:
            self._empty_parent = emitted
        self._emitted_ids[call.tool_call_id] = emitted
        for start in range(len(self._order.calls.text[emitted]), len(arguments), MAX_DELTA_LENGTH):
            delta = arguments[start : start + MAX_DELTA_LENGTH]
            yield events.ToolCallArgs(**self._ids, tool_call_id=emitted, delta=delta)
        if emitted in self._order.calls.open:
            yield self._order.end_of_call(self._ids, emitted)

    def is_expected(self, call: ToolCallCompleted) -> bool:
        """Whether it is the first result of a known call."""
        emitted = self._emitted_ids.get(call.tool_call_id)
        if emitted is None:
            logger.warning("a tool call was completed but not started")
        return emitted is not None and emitted not in self._order.results

    def emitted_id(self, call_id: str) -> str | None:
        """Return the emitted id of a call, by the runner's id; None if unknown."""
        return self._emitted_ids.get(call_id)

    def end_round(self) -> None:
        """End the round of calls after a tool's result: later calls are another round."""
        self._empty_parent = None

    def complete(
        self, call: ToolCallCompleted, content: str, parts: Sequence[result_parts.Part] = ()
    ) -> Iterator[events.Event]:
        yield self._result(self._emitted_ids[call.tool_call_id], content, (*parts,) or None, call.metadata)

    def close_unrepeated(self) -> Iterator[events.Event]:
        """End stored calls that were not repeated, with error results."""
        for emitted in self._unrepeated:
            if emitted in self._order.calls.open:
                yield self._order.end_of_call(self._ids, emitted)
            if emitted not in self._order.results:
                yield self._result(emitted, json_text.dumps({"error": "the call was interrupted"}))

    def _journalled(self, call: ToolCallStarted, arguments: str) -> str | None:
        """Return the id of the stored call that this one repeats; None if there is none."""
        emitted = call.tool_call_id
        known = [emitted] if emitted in self._order.calls.text else self._unrepeated
        return next(
            (known_call for known_call in known if self._is_repeated(known_call, call.tool_name, arguments)), None
        )

    def _is_repeated(self, emitted: str, tool_name: str, arguments: str) -> bool:
        if emitted not in self._unrepeated or self._order.tools[emitted] != tool_name:
            return False
        journalled = str(self._order.calls.text[emitted])
        return arguments == journalled or (emitted in self._order.calls.open and arguments.startswith(journalled))

    def _result(
        self,
        emitted: str,
        content: str,
        parts: tuple[result_parts.Part, ...] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> events.Event:
        message_id = str(uuid.uuid4())
        return events.ToolCallResult(
            **self._ids,
            message_id=message_id,
            tool_call_id=emitted,
            content=content,
            parts=parts,
            metadata=metadata,
            subagent_run_id=self._order.owners.get(emitted),
        )


def content_of(call: ToolCallCompleted) -> str:
    """Return a result's content: strings unchanged, anything else as JSON."""
    if call.error is not None:
        return json_text.dumps({"error": call.error})
    if call.result is None and call.content:
        return result_parts.text_of(call.content)
    return call.result if isinstance(call.result, str) else json_text.dumps(call.result)


def can_be_shown(content: str | Sequence[result_parts.Part]) -> bool:
    return len(json_text.dumps(content).encode()) <= MAX_CONTENT_BYTES
