"""`yarrow.protocol.ui_schema.hints` and its words (UIS-04)."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from yarrow.protocol.ui_schema import hints
from yarrow.protocol.ui_schema.hint_models import UiHints, read_hints
from yarrow.protocol.ui_schema.words import WORDS, CardWords

CARDS = (
    hints.event_card("created", "站会", "2026-03-17 09:00", "2026-03-17 10:00", "Asia/Shanghai", "带资料"),
    hints.event_card("deleted", "", "2026-03-17 09:00"),
    hints.events_card([hints.event_item("站会", "2026-03-17 09:00")] * 30),
    hints.events_card([]),
    hints.memory_card("saved", "咖啡不加糖" * 2_000),
    hints.memory_card("forgotten"),
    hints.memories_card(["a", "", "b"]),
)


@pytest.mark.parametrize("card", CARDS)
def test_a_card_of_any_content_is_a_valid_hint(card: dict[str, Any]) -> None:
    """UIS-04: it comes back from JSON as it was."""
    read = UiHints.model_validate_json(json.dumps(hints.message_hints([card])))
    assert read.model_dump(mode="json", exclude_unset=True) == {"cards": [card]}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"cards": []},
        {"cards": [{}] * 9},
        {"cards": [{"unknown": 1}]},
        {"cards": [{"title": {"word": "unknown"}}]},
        {"cards": [{"status": "fine"}]},
        {"cards": [{"items": [{"items": []}]}]},
        {"cards": [{"buttons": [{"label": "a", "url": "javascript:alert(1)"}]}]},
        {"cards": [{"buttons": [{"label": "a", "url": "https://a.example/ b"}]}]},
        {"cards": [{}], "locale": "not a locale"},
        {"cards": [{}], "theme": "pink"},
    ],
)
def test_other_hints_are_refused(arguments: dict[str, Any]) -> None:
    """UIS-04."""
    with pytest.raises(ValidationError):
        UiHints.model_validate_json(json.dumps(arguments))


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("zh-CN", "日程已创建"),
        ("zh", "日程已创建"),
        ("zh-Hans-TW", "日程已创建"),
        ("zh_TW", "日程已建立"),
        ("yue-Hant", "日程已建立"),
        ("en-US", "Event created"),
        ("pt-BR", "Event created"),
    ],
)
def test_words_are_in_the_language_of_the_locale(locale: str, expected: str) -> None:
    """UIS-01."""
    assert WORDS.in_language_of(locale)["event_created"] == expected


@pytest.mark.parametrize("language", WORDS.texts)
def test_each_language_has_every_word(language: str) -> None:
    """UIS-04: no hint that is accepted lacks its word."""
    assert set(WORDS.texts[language]) == WORDS.names


OWN = CardWords({"en": {"tide": "Tide", "notes": "Remarks"}, "de": {"tide": "Gezeit", "notes": "Notizen"}})
"""As a package declares them."""


@pytest.mark.parametrize(
    ("locale", "tide", "notes"),
    [("en", "Tide", "Notes"), ("de-AT", "Gezeit", "Notizen"), ("zh-CN", "Tide", "备注"), ("fr", "Tide", "Notes")],
)
def test_words_of_packages_join_those_of_the_service(locale: str, tide: str, notes: str) -> None:
    """UIS-04: in their languages, and else in English; none replaces another's."""
    words = WORDS.with_those_of([OWN]).in_language_of(locale)
    assert (words["tide"], words["notes"]) == (tide, notes)


def test_a_word_counts_where_it_is_declared() -> None:
    """UIS-04."""
    arguments = {"cards": [{"title": {"word": "tide"}}]}
    assert read_hints(arguments) is None
    assert read_hints(arguments, WORDS.with_those_of([OWN])) is not None
