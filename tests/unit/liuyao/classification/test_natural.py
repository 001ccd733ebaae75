"""The natural texts: their format, their parts, and what never meets."""

from itertools import product

import pytest

from liuyao.reading.question.asks import Intent
from liuyao.reading.question.likely import TURN
from tools.classification.corpus import FOLDER, lines
from tools.classification.natural import (
    CAUTIONS,
    FORMS,
    LABELS,
    PARTS,
    POLARITIES,
    UNSAID,
    NaturalText,
    Part,
    natural,
    part_of,
    typed_follow_ups,
    typed_questions,
)

FOLLOW_UPS = [*typed_follow_ups("learn"), *typed_follow_ups("development")]
ALL = [*natural("learn"), *natural("development")]
HELD_OUT = FOLDER.parent / "tests/unit/liuyao"


def blankless(text: str) -> str:
    return "".join(text.split()).lower()


def test_every_text_is_well_formed() -> None:
    for text in ALL:
        assert text.label in LABELS, text
        assert text.caution in CAUTIONS, text
        assert (text.caution == "-") == (text.label != "ordinary"), text
        assert text.form in FORMS | {UNSAID}, text
        assert text.polarity in POLARITIES, text
        assert text.text == " ".join(text.text.split()) != "", text


def test_no_text_is_there_twice() -> None:
    assert len({blankless(text.text) for text in ALL}) == len(ALL)


def test_its_words_alone_say_which_part_a_text_is_of() -> None:
    """So that what is once held back is held back for good."""
    assert all(part_of(text.text) == "learn" for text in natural("learn"))
    assert all(part_of(text.text) == "development" for text in natural("development"))
    assert part_of("will it rain") == part_of(" will  it rain\n")
    development = len(list(natural("development")))
    assert 0.9 < development * PARTS / len(ALL) < 1.1


@pytest.mark.parametrize(("language", "label"), [*product(["en", "zh"], sorted(LABELS))])
def test_both_parts_have_all_labels_in_all_languages(language: str, label: str) -> None:
    for part in (natural("learn"), natural("development")):
        found: list[NaturalText] = [text for text in part if (text.language, text.label) == (language, label)]
        assert len(found) >= 10


def test_every_follow_up_is_well_formed_and_in_the_part_that_its_words_say() -> None:
    """Its intents are those of the product, or that it turns to another matter."""
    known = {intent.name.lower() for intent in Intent} | {TURN}
    for part in ("learn", "development"):
        for said in typed_follow_ups(part):
            assert set(said.intents) <= known, said
            assert said.question, said
            assert said.text == " ".join(said.text.split()) != "", said
            assert part_of(said.text) == part, said
    assert len({blankless(said.text) for said in FOLLOW_UPS}) == len(FOLLOW_UPS)
    assert {said.language for said in FOLLOW_UPS} == {"en", "hant", "yue", "zh"}


def test_what_is_held_back_is_in_no_training_sentence_and_no_test() -> None:
    """CARE-07: nor is what is learnt from in a corpus of the tests."""
    training = {blankless(line) for path in FOLDER.rglob("*.txt") for line in lines(path)}
    tests = {blankless(line) for path in HELD_OUT.rglob("held_out/**/*.txt") for line in lines(path)}
    tests |= {
        blankless(cell)
        for path in HELD_OUT.glob("another_hand/*.tsv")
        for line in path.read_text(encoding="utf-8").splitlines()
        for cell in line.split("\t")
    }
    assert len(tests) > 1_500
    assert not {blankless(text.text) for text in natural("development")} & training
    assert not {blankless(said.text) for said in typed_follow_ups("development")} & training
    assert not {blankless(text.text) for text in ALL} & tests
    assert not {blankless(said.text) for said in FOLLOW_UPS} & tests


@pytest.mark.parametrize("part", ["learn", "development"])
def test_every_question_is_well_formed_and_of_its_part(part: Part) -> None:
    questions = list(typed_questions(part))
    for question in questions:
        assert question.form in FORMS, question
        assert question.polarity in POLARITIES, question
        assert question.text == " ".join(question.text.split()) != "", question
        assert part_of(question.text) == part, question
    assert {question.language for question in questions} >= {"en", "zh", "hant", "yue"}
