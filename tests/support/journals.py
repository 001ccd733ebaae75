"""A run's journal as tests look at it."""

import json
from typing import Any

from yarrow.protocol.events.order import EventOrder
from yarrow.store import journal, runs


def numbered(run_key: str) -> list[tuple[int, str]]:
    """Return every event with its sequence number."""
    return [event for batch in journal.read(run_key, journal.Position()) for event in batch.numbered()]


def end_of(run_key: str) -> journal.Position:
    """Where the next item goes."""
    at = journal.Position()
    for batch in journal.read(run_key, at):
        at = batch.end
    return at


def stored(run_key: str) -> list[dict[str, Any]]:
    """The journal, checked: dense numbers from 1, an order every client accepts."""
    found = numbered(run_key)
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
    EventOrder(knows_earlier=not runs.must_read(run_key).earlier).replay(line for _, line in found)
    return [json.loads(line) for _, line in found]


def types(run_key: str) -> list[str]:
    return [event["type"] for event in stored(run_key)]


def text(run_key: str) -> str:
    return "".join(event["delta"] for event in stored(run_key) if event["type"] == "TEXT_MESSAGE_CONTENT")
