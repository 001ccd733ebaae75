"""Casts of one question do not all read alike: openings, advice and sentences are many (DIV-30)."""

import pytest

from liuyao.reading import Language
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.voice import Voice
from tests.support.readings.repetition import casts, measured

QUESTIONS = (
    (Language.SIMPLIFIED, "我下周的面试能过吗？"),
    (Language.SIMPLIFIED, "这个月财运怎么样？"),
    (Language.SIMPLIFIED, "他还会回来找我吗？"),
    (Language.TRADITIONAL, "我們會不會復合？"),
    (Language.TRADITIONAL, "這次考試能通過嗎？"),
    (Language.TRADITIONAL, "我層樓賣唔賣得出？"),
    (Language.ENGLISH, "Will I get the flat in Leeds?"),
    (Language.ENGLISH, "Should I quit my job?"),
    (Language.ENGLISH, "How will my business go this year?"),
)
LEAST_OPENINGS = {20: 8, 60: 11}
LEAST_ADVICE = {20: 5, 60: 6}
"""There is one piece of advice, and those that fit a question are some."""
MOST_OF_ONE_SENTENCE = {20: 0.4, 60: 0.35}
"""Share of the texts."""
MOST_OF_ONE_GRAM = 0.6
"""The same; an answer is in the words of the question."""


@pytest.mark.parametrize("count", [20, 60])
@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_casts_of_one_question_are_told_in_many_ways(language: Language, question: str, count: int) -> None:
    found = measured(question, language, count)
    assert found.openings >= LEAST_OPENINGS[count], found
    assert found.advice >= LEAST_ADVICE[count], found
    assert found.sentence <= MOST_OF_ONE_SENTENCE[count], found
    assert found.gram <= MOST_OF_ONE_GRAM, found


@pytest.mark.parametrize("language", Language)
def test_the_ways_of_a_sentence_have_its_fields(language: Language) -> None:
    words = CATALOGUES[language]
    voice = Voice(language, casts("?", 1)[0])
    for key, ways in words.ways.items():
        fields = set(voice.fields(key))
        for way in ways:
            assert {name for name in fields if f"{{{name}}}" in way} >= fields - {"relation", "noun", "meaning"}, way
    assert words.ways.keys() <= words.sentences.keys()


def test_both_languages_have_the_same_ways() -> None:
    chinese, english = CATALOGUES[Language.SIMPLIFIED], CATALOGUES[Language.ENGLISH]
    for table in (
        "ways",
        "roles",
        "plain",
        "deeds",
        "things",
        "places",
        "replies",
        "advice",
        "because",
        "causes",
        "minds",
    ):
        assert getattr(chinese, table).keys() == getattr(english, table).keys(), table
    for table in ("outlooks", "people_plain"):
        for name, entries in getattr(chinese, table).items():
            assert entries.keys() == getattr(english, table)[name].keys(), (table, name)
