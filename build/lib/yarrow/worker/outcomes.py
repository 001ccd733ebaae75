"""What the work on a run came to, within what the transaction that ends it can hold; a run that goes beyond fails.

A transaction of DynamoDB has at most 100 items and 4 MB, an item 400 KB (RNR-42). Nothing is cut here: what was told to
the client is what the history has (HIS-19).
"""

from collections.abc import Mapping
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.events.order import EventOrder
from yarrow.protocol.runner.vocabulary import StateScope
from yarrow.store.runs import Outcome, Said
from yarrow.store.turns import Turn
from yarrow.worker.runner_loop import RunnerFailedError

MAX_ITEM_BYTES: Final = 320 * 1024
"""The JSON of one event, and of a message with its output: each goes into one item."""

MAX_MESSAGES: Final = 40
"""How many messages a run may tell, beside 50 values of state."""

MAX_SAID_BYTES: Final = 1024 * 1024
"""The JSON of all its messages."""

MAX_STATE_BYTES: Final = 1024 * 1024
"""The JSON of all the state that it keeps."""


def outcome(
    order: EventOrder,
    outputs: Mapping[str, dict[str, Any]],
    state: Mapping[StateScope, dict[str, Any]],
    turn: Turn | None,
    declined: str | None = None,
) -> Outcome:
    """The outcome of a run by what is in its journal, whichever of its workers told it, but for messages without text.

    `outputs` are by the ids of their messages. Raises RunnerFailedError `payload_too_large`.
    """
    said = tuple(Said(name, text, outputs.get(name)) for name, text in order.texts.text.items() if text)
    if sum(item_bytes(json_text.dumps([each.content, each.output])) for each in said) > MAX_SAID_BYTES:
        raise too_large("messages are")
    if len(json_text.dumps(state).encode()) > MAX_STATE_BYTES:
        raise too_large("state is")
    return Outcome(said, state, turn, declined)


def item_bytes(text: str) -> int:
    """The bytes of a text that goes into one item. Raises RunnerFailedError for more than it may have."""
    size = len(text.encode())
    if size > MAX_ITEM_BYTES:
        raise too_large("answer is")
    return size


def too_large(what: str) -> RunnerFailedError:
    """The failure of a run whose agent knows no measure."""
    return RunnerFailedError("payload_too_large", f"the agent's {what} too large")
