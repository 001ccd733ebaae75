"""The guided cast's texts: the same in each language, and terms that the reading knows."""

from dataclasses import fields
from string import Formatter
from typing import Any

import pytest

from liuyao.reading import Language
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.wording.spelling import _ONLY_TRADITIONAL, _SIMPLIFIED, _TRADITIONAL
from yarrow_agents.guided_cast.words import WORDS, Words

ONLY_SIMPLIFIED = set(_SIMPLIFIED) - set(_TRADITIONAL)


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [*value.values()] if isinstance(value, dict) else [*value]


@pytest.mark.parametrize("name", [field.name for field in fields(Words)])
def test_every_text_is_there_in_each_language_with_the_same_places(name: str) -> None:
    """WSP-03."""
    texts = {language: getattr(WORDS[language], name) for language in Language}
    assert len({tuple(text) if isinstance(text, dict) else len(strings(text)) for text in texts.values()}) == 1
    places = {
        language: [sum(part[1] is not None for part in Formatter().parse(text)) for text in strings(member)]
        for language, member in texts.items()
    }
    assert places[Language.SIMPLIFIED] == places[Language.TRADITIONAL] == places[Language.ENGLISH]
    assert all(text.strip() for member in texts.values() for text in strings(member))


def test_each_chinese_keeps_to_its_script() -> None:
    """DIV-32."""
    for language, foreign in ((Language.TRADITIONAL, ONLY_SIMPLIFIED), (Language.SIMPLIFIED, _ONLY_TRADITIONAL)):
        for field in fields(Words):
            for text in strings(getattr(WORDS[language], field.name)):
                assert not foreign & set(text), (language, field.name, foreign & set(text))


@pytest.mark.parametrize("language", Language)
def test_a_matter_is_one_that_the_reading_knows(language: Language) -> None:
    """DIV-28: what the user chose decides the 用神."""
    found = {key: inquire(label, "?").matter.key for key, label in WORDS[language].matters.items()}
    assert found == {key: "general" if key == "other" else key for key in found}
