"""`agent_output.ui_hints`: an agent's cards for clients to show beside its text (UIS-04).

Hints are data, not layout: `compiler` makes the layout. This module has their bounds and the cards of the service's
tools, as JSON, for functions that need no models; `hint_models` validates them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

MEMBER: Final = "ui_hints"
"""The member of a message's output."""

MAX_CARDS: Final = 8
"""The most cards of a message."""
MAX_ITEMS: Final = 20
"""The most cards inside a card; these have none inside them."""
MAX_ROWS: Final = 20
MAX_LINES: Final = 40
MAX_BUTTONS: Final = 4
MAX_TEXT: Final = 200
MAX_LONG_TEXT: Final = 4_000
"""The most characters of a card's body."""
MAX_BYTES: Final = 32 * 1024
"""The most bytes of JSON of a message's hints."""

Card = dict[str, Any]
"""`CardHint` or `ItemHint` as JSON."""


def event_card(
    change: Literal["created", "unchanged", "updated", "deleted", "found"],
    title: str,
    starts_at: str,
    ends_at: str | None = None,
    time_zone: str | None = None,
    notes: str | None = None,
) -> Card:
    """Make the card of a calendar event that was created, updated, deleted or found; times are for people to read."""
    return card(
        status=None if change in ("found", "unchanged") else "success",
        title={"word": f"event_{change}"},
        body=shortened(title),
        rows=_event_rows(starts_at, ends_at, time_zone, notes),
    )


def events_card(events: Sequence[Card]) -> Card:
    """Make the card of the calendar events found, each an `event_item`; the first MAX_ITEMS are shown."""
    return card(title={"word": "events_found" if events else "no_events"}, items=[*events[:MAX_ITEMS]])


def event_item(
    title: str, starts_at: str, ends_at: str | None = None, time_zone: str | None = None, notes: str | None = None
) -> Card:
    """Make the card of one of several events."""
    return card(title=shortened(title), rows=_event_rows(starts_at, ends_at, time_zone, notes))


def memory_card(change: Literal["saved", "forgotten"], text: str | None = None) -> Card:
    """Make the card of a memory that was saved or deleted."""
    return card(status="success", title={"word": f"memory_{change}"}, body=shortened(text or "", MAX_LONG_TEXT))


def memories_card(texts: Iterable[str]) -> Card:
    """Make the card of the memories found; the first MAX_ITEMS are shown."""
    items = [card(body=shortened(text, MAX_LONG_TEXT)) for text in texts if text][:MAX_ITEMS]
    return card(title={"word": "memories_found" if items else "no_memories"}, items=items)


def message_hints(cards: Sequence[Card]) -> dict[str, Any] | None:
    """Make the hints of a message with these cards, the last MAX_CARDS; None without any."""
    return {"cards": [*cards[-MAX_CARDS:]]} if cards else None


def card(**members: Any) -> Card:
    """Make a card of the members that are not empty."""
    return {name: value for name, value in members.items() if value}


def _event_rows(starts_at: str, ends_at: str | None, time_zone: str | None, notes: str | None) -> list[dict[str, Any]]:
    return [
        *row("starts", starts_at),
        *row("ends", ends_at),
        *row("time_zone", time_zone),
        *row("notes", notes),
    ]


def row(label: str, value: str | None) -> list[dict[str, Any]]:
    """Make a row of a shortened value under a word; none without a value."""
    return [{"label": {"word": label}, "value": shortened(value)}] if value else []


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Cut a text to at most this many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
