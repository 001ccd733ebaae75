"""Who asks in Cantonese is answered in Cantonese, by the reading and by what follows it (DIV-26, FUP-03)."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

import pytest

from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.catalogues import CATALOGUES, catalogue_in_cantonese
from liuyao.reading.wording.cantonese import in_cantonese
from tests.support.readings.repetition import casts

TW: Final = Language.TRADITIONAL
CASTS: Final = 10
MANDARIN: Final = re.compile("[的是他她它們這那沒嗎吧]")
"""Characters of grammar that Cantonese writes otherwise."""
KEPT: Final = re.compile("目的|的確|凡是|於是|總是|其他|吉他|標的")
QUESTIONS: Final = (
    "呢份工接唔接好",
    "業主會唔會加租？",
    "我本護照漏咗喺邊？",
    "點解細佬唔睬我？",
    "件貨喺邊，幾時到？",
)


def own(text: str) -> str:
    """A text without what it quotes, names of hexagrams, and words that both write alike."""
    return KEPT.sub("", re.sub("「[^」]*」", "", text))


def words_of(table: Any) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    else:
        for item in table.values() if isinstance(table, dict) else table:
            yield from words_of(item)


def test_no_sentence_of_the_catalogue_keeps_a_word_of_mandarin() -> None:
    catalogue = catalogue_in_cantonese()
    for field in fields(catalogue):
        for words in words_of(getattr(catalogue, field.name)):
            assert not MANDARIN.search(KEPT.sub("", words)), words


def test_terms_and_fields_are_those_of_the_traditional_catalogue() -> None:
    told, spelt = catalogue_in_cantonese(), CATALOGUES[TW]
    assert told.explained.keys() == spelt.explained.keys()
    assert told.sentences.keys() == spelt.sentences.keys()
    for key, words in spelt.sentences.items():
        named = re.compile(r"\{\w*\}")
        assert named.findall(told.sentences[key]) == named.findall(words)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_reading_of_a_cantonese_question_is_cantonese(question: str) -> None:
    for divination in casts(question, CASTS):
        reading = read(divination, language=TW)
        assert f"「{question.rstrip('？')}" in reading.answer
        for text in (reading.answer, *reading.conclusion, *reading.advice, *reading.focus_points):
            assert not MANDARIN.search(own(text)), text


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_follow_up_has_the_register_of_the_reading(question: str) -> None:
    for divination in casts(question, CASTS):
        for follow_up in ("點解咁講呀", "為什麼？", "幾時會有結果"):
            assert not MANDARIN.search(own(answer_follow_up(divination, follow_up, language=TW)))


def test_a_question_in_mandarin_is_answered_in_mandarin() -> None:
    for divination in casts("這份工作該接嗎？", CASTS):
        assert "嘅" not in read(divination, language=TW).answer
        assert "嘅" not in answer_follow_up(divination, "為什麼？", language=TW)
        # Who turns to Cantonese is followed.
        assert not MANDARIN.search(own(answer_follow_up(divination, "點解咁講呀", language=TW)))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("恐怕是否定的", "恐怕係否定嘅"),
        ("若是你盼的，先別指望", "如果係你盼嘅，先唔好指望"),
        ("手上的事先讓一讓", "手上嘅事先讓一讓"),
        ("問題在於步子太急", "問題在於步子太急"),
        ("目前看著不太容易", "目前睇落唔太容易"),
        ("留心看著就好", "留心睇住就好"),
        ("他人", "人哋"),
        ("是否", "係咪"),
        ("不，只是要慢一些", "唔係，只係要慢啲"),
        ("先弄清是什麼絆住了，再開口問", "先弄清係乜嘢絆住咗，再開口問"),
        ("就夠了", "就夠喇"),
    ],
)
def test_a_character_is_put_otherwise_where_it_is_grammar(written: str, said: str) -> None:
    assert in_cantonese(written) == said
