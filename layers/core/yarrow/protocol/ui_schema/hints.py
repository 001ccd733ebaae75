"""`agent_output.ui_hints`: what an agent asks clients to show beside its text (UIS-04).

Hints are data, not layout: `compiler` makes the layout. Here are their bounds and the cards of the service's tools, as
JSON; `hint_models` validates them. Imported by functions that need no model of theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    return _card(
        status=None if change in ("found", "unchanged") else "success",
        title={"word": f"event_{change}"},
        body=_shortened(title),
        rows=_event_rows(starts_at, ends_at, time_zone, notes),
    )


def events_card(events: Sequence[Card]) -> Card:
    """The calendar events that were found, each an `event_item`; the first MAX_ITEMS are shown."""
    return _card(title={"word": "events_found" if events else "no_events"}, items=[*events[:MAX_ITEMS]])


def event_item(
    title: str, starts_at: str, ends_at: str | None = None, time_zone: str | None = None, notes: str | None = None
) -> Card:
    """One of several events."""
    return _card(title=_shortened(title), rows=_event_rows(starts_at, ends_at, time_zone, notes))


def memory_card(change: Literal["saved", "forgotten"], text: str | None = None) -> Card:
    """What was saved, or forgotten, for the user."""
    return _card(status="success", title={"word": f"memory_{change}"}, body=_shortened(text or "", _BODY))


def memories_card(texts: Iterable[str]) -> Card:
    """The memories that were found; the first MAX_ITEMS are shown."""
    items = [_card(body=_shortened(text, _BODY)) for text in texts if text][:MAX_ITEMS]
    return _card(title={"word": "memories_found" if items else "no_memories"}, items=items)


def cast_card(
    question: str | None,
    hexagram: str,
    changed_hexagram: str | None = None,
    *,
    grade: str | None = None,
    lines: Sequence[str] = (),
    conclusion: str | None = None,
) -> Card:
    """A cast: its hexagrams, the plate's lines, and the grade as a badge. A declined cast has no card."""
    return _card(
        title=_CAST,
        badge=None if grade is None else {"label": grade, "status": _GRADES.get(grade, "info")},
        body=_shortened(conclusion or "", _BODY),
        rows=[
            *_row("question", question),
            *_row("hexagram", hexagram),
            *_row("changed_hexagram", changed_hexagram),
        ],
        lines=[_shortened(line) for line in lines[:MAX_LINES]],
    )


def has_cast(hints: object) -> bool:
    """Whether the hints of a message have a `cast_card`."""
    cards = hints.get("cards") if isinstance(hints, Mapping) else None
    return isinstance(cards, Sequence) and any(
        isinstance(card, Mapping) and card.get("title") == _CAST for card in cards
    )


def message_hints(cards: Sequence[Card]) -> dict[str, Any] | None:
    """The hints of a message with these cards, the last MAX_CARDS; None without any."""
    return {"cards": [*cards[-MAX_CARDS:]]} if cards else None


_BODY: Final = 4_000
_CAST: Final = {"word": "cast"}
_GRADES: Final = {"上上签": "success", "中上签": "info", "中下签": "warning", "下下签": "warning"}


def _card(**members: Any) -> Card:
    return {name: value for name, value in members.items() if value}


def _event_rows(starts_at: str, ends_at: str | None, time_zone: str | None, notes: str | None) -> list[dict[str, Any]]:
    return [
        *_row("starts", starts_at),
        *_row("ends", ends_at),
        *_row("time_zone", time_zone),
        *_row("notes", notes),
    ]


def _row(label: str, value: str | None) -> list[dict[str, Any]]:
    return [{"label": {"word": label}, "value": _shortened(value)}] if value else []


def _shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
