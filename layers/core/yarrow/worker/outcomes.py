"""Limits of the transaction that ends a run; exceeding one fails the run.

DynamoDB allows 100 items and 4 MB a transaction, 400 KB an item (RNR-42). Nothing is cut: the history equals what the
client was sent (HIS-19).
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.store.runs import OutputMessage, RunOutcome
from yarrow.store.tool_use import ToolUse
from yarrow.worker.runner_loop import RunnerFailedError

MAX_ITEM_BYTES: Final = 320 * 1024
"""Limit of an event, or of a message with its output."""

MAX_MESSAGES: Final = 40
"""The most messages that fit in the transaction beside 50 state values."""

MAX_SAID_BYTES: Final = 1024 * 1024
"""Limit of all messages."""

MAX_STATE_BYTES: Final = 1024 * 1024
"""Limit of all stored state."""


def outcome(
    order: EventOrder,
    outputs: Mapping[str, dict[str, Any]],
    state: Mapping[StateScope, dict[str, Any]],
    tool_use: ToolUse | None,
    declined: str | None = None,
    shared_state: Any = None,
    stored: Set[str] = frozenset(),
) -> RunOutcome:
    """Return the outcome from the journal of all the run's workers, without messages that have neither text nor output.

    `outputs` are by message id; `stored` are the ids of messages that earlier runs have stored. Raises
    RunnerFailedError `payload_too_large`.
    """
    messages = tuple(
        OutputMessage(name, str(text), outputs.get(name))
        for name, text in order.texts.text.items()
        if (text or outputs.get(name)) and name not in stored and name not in order.owners
    )
    if sum(item_bytes(json_text.dumps([message.content, message.output])) for message in messages) > MAX_SAID_BYTES:
        raise too_large("messages are")
    if tool_use is None and (order.thoughts.text or order.calls.text or order.owners):
        tool_use = (
            ToolUse()
        )  # by which snapshots of later runs find reasoning, open calls and nested agents in the events
    if len(json_text.dumps(state).encode()) > MAX_STATE_BYTES:
        raise too_large("state is")
    return RunOutcome(messages, state, tool_use, declined, shared_state)


def success(pending: Sequence[str]) -> dict[str, Any] | None:
    """Return the `outcome` of a run that leaves calls to its client; None for one that leaves none (EVT-32)."""
    return {"type": "success", "pendingToolCallIds": [*pending]} if pending else None


def item_bytes(text: str) -> int:
    """Return the text's size in UTF-8. Raises RunnerFailedError beyond MAX_ITEM_BYTES."""
    size = len(text.encode())
    if size > MAX_ITEM_BYTES:
        raise too_large("answer is")
    return size


def too_large(what: str) -> RunnerFailedError:
    """Return the failure of a run that exceeded an output limit."""
    return RunnerFailedError("payload_too_large", f"the agent's {what} too large")
