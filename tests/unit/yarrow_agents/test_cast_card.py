"""The card of a cast, and its words."""

import json

import pytest

from yarrow.packages.card_words import card_words
from yarrow.protocol.ui_schema import hints
from yarrow.protocol.ui_schema.compiler import ui_schema
from yarrow.protocol.ui_schema.hint_models import UiHints
from yarrow_agents.card_words import WORDS
from yarrow_agents.cast_card import cast_card


def test_a_card_of_any_content_is_a_valid_hint() -> None:
    """UIS-04: it comes back from JSON as it was."""
    card = cast_card("问" * 300, "山火贲", "山雷颐", grade="中上签", lines=["▅▅ ▅▅"] * 60, conclusion="可成")
    read = UiHints.model_validate_json(json.dumps(hints.message_hints([card])), context=card_words())
    assert read.model_dump(mode="json", exclude_unset=True) == {"cards": [card]}


def test_the_grade_of_a_cast_is_its_badge() -> None:
    """UIS-03: and its plate is shown as it is written."""
    card = cast_card("问", "山火贲", grade="下下签", lines=["▅▅ ▅▅", "▅▅▅▅▅"])
    schema = ui_schema({"ui_hints": {"cards": [card]}}, card_words(), "zh-CN")
    assert schema is not None
    shown = {child["type"]: child for child in schema["root"]["children"]}
    assert shown["badge"] == {"type": "badge", "label": "下下签", "status": "warning"}
    assert shown["text"] == {"type": "text", "content": "▅▅ ▅▅\n▅▅▅▅▅", "role": "code"}


@pytest.mark.parametrize(("locale", "title"), [("zh-CN", "起卦"), ("zh-TW", "起卦"), ("en-US", "Cast")])
def test_its_words_are_declared(locale: str, title: str) -> None:
    """UIS-01, UIS-04: Every language has them."""
    assert card_words().in_language_of(locale)["cast"] == title
    assert {frozenset(words) for words in WORDS.texts.values()} == {WORDS.names}
