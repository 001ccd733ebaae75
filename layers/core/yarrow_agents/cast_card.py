"""The card of a cast, which the tool shows."""

from collections.abc import Mapping, Sequence
from typing import Final

from yarrow.protocol.ui_schema.hints import MAX_LINES, MAX_LONG_TEXT, Card, card, row, shortened

_CAST: Final = {"word": "cast"}
_GRADES: Final = {"上上签": "success", "中上签": "info", "中下签": "warning", "下下签": "warning"}


def cast_card(
    question: str | None,
    hexagram: str,
    changed_hexagram: str | None = None,
    *,
    grade: str | None = None,
    lines: Sequence[str] = (),
    conclusion: str | None = None,
) -> Card:
    """Return the card: hexagrams, the plate's lines, and the grade as a badge. A declined cast has no card."""
    return card(
        title=_CAST,
        badge=None if grade is None else {"label": grade, "status": _GRADES.get(grade, "info")},
        body=shortened(conclusion or "", MAX_LONG_TEXT),
        rows=[*row("question", question), *row("hexagram", hexagram), *row("changed_hexagram", changed_hexagram)],
        lines=[shortened(line) for line in lines[:MAX_LINES]],
    )


def has_cast(hints: object) -> bool:
    cards = hints.get("cards") if isinstance(hints, Mapping) else None
    return isinstance(cards, Sequence) and any(
        isinstance(entry, Mapping) and entry.get("title") == _CAST for entry in cards
    )
