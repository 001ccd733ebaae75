"""Compiles `agent_output.ui_hints` into UiSchemaRenderer 2.0; invalid hints have no schema (UIS-04)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.ui_schema.hint_models import CardHint, ItemHint, Status, UiHints, Word, read_hints
from yarrow.protocol.ui_schema.hints import MEMBER
from yarrow.protocol.ui_schema.renderer import (
    BadgeNode,
    ButtonNode,
    GridNode,
    IconNode,
    StackNode,
    TextNode,
    TextRole,
    UiNode,
    UiSchemaRenderer,
)
from yarrow.protocol.ui_schema.words import ENGLISH, WORDS, CardWords

MAX_NODES: Final = 500
MAX_SCHEMA_BYTES: Final = 64 * 1024

_BY_GRAVITY: Final[Sequence[Status]] = ("error", "warning", "pending", "success", "info")


def ui_schema(agent_output: object, words: CardWords = WORDS, locale: str = ENGLISH) -> dict[str, Any] | None:
    """Compile the schema of a message's output; None without valid hints. `locale` is for hints without one."""
    content = agent_output.get(MEMBER) if isinstance(agent_output, Mapping) else None
    hints = None if content is None else read_hints(content, words)
    if hints is None:
        return None
    try:
        schema = _compiled(hints, words, hints.locale or locale)
    except ValueError:
        return None
    if schema is None:
        return None
    document = schema.document()
    if _count(schema.root) > MAX_NODES or len(json_text.dumps(document).encode()) > MAX_SCHEMA_BYTES:
        return None
    return document


def _compiled(hints: UiHints, known: CardWords, locale: str) -> UiSchemaRenderer | None:
    """Compile hints; None if there is nothing to show. Raises ValueError if the renderer's models refuse the result."""
    words = known.in_language_of(locale)
    cards = [node for card in hints.cards if (node := _card(card, words)) is not None]
    if not cards:
        return None
    return UiSchemaRenderer(
        locale=locale,
        status=hints.status or _gravest(hints.cards),
        theme=hints.theme,
        root=cards[0] if len(cards) == 1 else StackNode(children=tuple(cards)),
    )


def _gravest(cards: Sequence[ItemHint]) -> Status:
    found = {card.status for card in cards}
    return next((status for status in _BY_GRAVITY if status in found), "info")


def _card(card: ItemHint, words: Mapping[str, str]) -> StackNode | None:
    children = tuple(_children(card, words))
    return StackNode(appearance="card", children=children) if children else None


def _children(card: ItemHint, words: Mapping[str, str]) -> Iterator[UiNode]:
    if card.icon is not None:
        yield IconNode(source=card.icon.source, value=card.icon.value)
    yield from _text(card.title, "title", words)
    if card.badge is not None:
        yield BadgeNode(label=_worded(card.badge.label, words), status=card.badge.status)
    elif card.status is not None:
        yield BadgeNode(label=card.status.upper(), status=card.status)
    yield from _text(card.subtitle, "subtitle", words)
    if card.body is not None:
        yield TextNode(content=card.body, format=None if card.body_format == "plain" else card.body_format)
    if card.rows:
        cells = [
            TextNode(content=text, role=role)
            for row in card.rows
            for text, role in ((_worded(row.label, words), _LABEL), (row.value, _VALUE))
        ]
        yield GridNode(columns=2, children=tuple(cells))
    for start in range(0, len(card.lines), _LINES_A_TEXT):
        yield from _text("\n".join(card.lines[start : start + _LINES_A_TEXT]) or None, "code", words)
    for item in card.items if isinstance(card, CardHint) else ():
        if (node := _card(item, words)) is not None:
            yield node
    if card.buttons:
        buttons = (ButtonNode(label=button.label, style=button.style, url=button.url) for button in card.buttons)
        yield GridNode(columns=len(card.buttons), children=tuple(buttons))
    yield from _text(card.caption, "caption", words)


_LABEL: Final[TextRole] = "caption"
_VALUE: Final[TextRole] = "body"
_LINES_A_TEXT: Final = 19
"""This many lines of 200 characters, with their breaks, are within a text's 4,000."""


def _text(text: str | Word | None, role: TextRole, words: Mapping[str, str]) -> Iterator[UiNode]:
    if text is not None:
        yield TextNode(content=_worded(text, words), role=role)


def _worded(text: str | Word, words: Mapping[str, str]) -> str:
    return words[text.word] if isinstance(text, Word) else text


def _count(node: UiNode) -> int:
    return 1 + sum(map(_count, node.children)) if isinstance(node, StackNode | GridNode) else 1
