"""`agent_output.ui_hints`: what an agent asks clients to show beside its text (UIS-04).

Hints are data, not layout: `compiler` makes the layout. Here are their bounds and the cards of the service's tools, as
JSON; `hint_models` validates them. Imported by functions that need no model of theirs.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

MEMBER: Final = "ui_hints"
"""Of a message's output."""

MAX_CARDS: Final = 8
"""Of a message."""
MAX_ITEMS: Final = 20
"""Cards inside a card, which have none inside them."""
MAX_ROWS: Final = 20
MAX_LINES: Final = 40
MAX_BUTTONS: Final = 4
MAX_TEXT: Final = 200
MAX_LONG_TEXT: Final = 4_000
"""Characters, of a card's body."""
MAX_BYTES: Final = 32 * 1024
"""JSON bytes of all hints of a message."""

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
    """A calendar event that was created, updated, deleted or found; times as they are to be read."""
    return card(
        status=None if change in ("found", "unchanged") else "success",
        title={"word": f"event_{change}"},
        body=shortened(title),
        rows=_event_rows(starts_at, ends_at, time_zone, notes),
    )


def events_card(events: Sequence[Card]) -> Card:
    """The calendar events that were found, each an `event_item`; the first MAX_ITEMS are shown."""
    return card(title={"word": "events_found" if events else "no_events"}, items=[*events[:MAX_ITEMS]])


def event_item(
    title: str, starts_at: str, ends_at: str | None = None, time_zone: str | None = None, notes: str | None = None
) -> Card:
    """One of several events."""
    return card(title=shortened(title), rows=_event_rows(starts_at, ends_at, time_zone, notes))


def memory_card(change: Literal["saved", "forgotten"], text: str | None = None) -> Card:
    """What was saved, or forgotten, for the user."""
    return card(status="success", title={"word": f"memory_{change}"}, body=shortened(text or "", MAX_LONG_TEXT))


def memories_card(texts: Iterable[str]) -> Card:
    """The memories that were found; the first MAX_ITEMS are shown."""
    items = [card(body=shortened(text, MAX_LONG_TEXT)) for text in texts if text][:MAX_ITEMS]
    return card(title={"word": "memories_found" if items else "no_memories"}, items=items)


def message_hints(cards: Sequence[Card]) -> dict[str, Any] | None:
    """The hints of a message with these cards, the last MAX_CARDS; None without any."""
    return {"cards": [*cards[-MAX_CARDS:]]} if cards else None


def card(**members: Any) -> Card:
    """The members of a card that are not empty."""
    return {name: value for name, value in members.items() if value}


def _event_rows(starts_at: str, ends_at: str | None, time_zone: str | None, notes: str | None) -> list[dict[str, Any]]:
    return [
        *row("starts", starts_at),
        *row("ends", ends_at),
        *row("time_zone", time_zone),
        *row("notes", notes),
    ]


def row(label: str, value: str | None) -> list[dict[str, Any]]:
    """A value, shortened, under a word; none without a value."""
    return [{"label": {"word": label}, "value": shortened(value)}] if value else []


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """At most so many characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
