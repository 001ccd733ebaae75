"""The sentences of a model's text are judged together (CARE-09)."""

from dataclasses import replace

import pytest

from liuyao.reading import Language
from tests.support.runners.model_texts import briefs
from yarrow_agents.divination.review import Fault, Objection, Review, ReviewedSentence, trust

CALM = trust.Weighed(-3.0, is_certain=False, is_withheld=False)
DOUBTED = ReviewedSentence("It may help to ask him. ", [Objection(Fault.WORDS, "ask")], 0.5)
CERTAIN = ReviewedSentence("Call 555-1234.", [Objection(Fault.SIGNS, "555-1234")], 2.0, is_certain=True)
LOUD = ReviewedSentence("He took it.", [Objection(Fault.PERSON, "he took")], 4.0)


@pytest.fixture
def review() -> Review:
    in_english = next(it for it in briefs().values() if it.language is Language.ENGLISH)
    return Review(replace(in_english, careful=False))


def weights(bias: float) -> dict[str, float]:
    return dict.fromkeys(trust.values([CALM], careful=False, english=True), 0.0) | {"bias": bias}


@pytest.mark.parametrize(
    "worse",
    [
        trust.Weighed(3.0, is_certain=False, is_withheld=True),
        trust.Weighed(2.0, is_certain=True, is_withheld=True),
    ],
)
def test_a_text_is_trusted_less_for_what_is_withheld(worse: trust.Weighed) -> None:
    calm = trust.values([CALM, CALM, CALM], careful=False, english=True)
    one, two = (trust.values([CALM, *[worse] * number], careful=False, english=True) for number in (1, 2))
    assert trust.weight(calm) < trust.weight(one) < trust.weight(two)
    assert trust.weight(calm) < 0 < trust.weight(two)


def test_a_sentence_in_doubt_is_shown_in_a_trusted_text_alone(review: Review) -> None:
    sentences = (DOUBTED, CERTAIN, LOUD)
    trusted, other = (review.judged(sentences, weights(bias)) for bias in (-1.0, 1.0))
    assert trusted.is_trusted
    assert [bool(it.objections) for it in trusted.sentences] == [False, True, True]
    assert not other.is_trusted


def test_a_sentence_in_doubt_is_withheld_if_health_law_or_savings_are_asked_about() -> None:
    careful = Review(replace(next(iter(briefs().values())), careful=True))
    assert careful.judged((DOUBTED,), weights(-1.0)).objections


def test_no_text_is_not_trusted(review: Review) -> None:
    assert not review.judged((), weights(-1.0)).is_trusted
    assert not review.judged((ReviewedSentence("\n", [], 0.0),), weights(-1.0)).is_trusted


ABOUT_THE_PLATE = ReviewedSentence("The month feeds the line. ", [Objection(Fault.MANNER)], 0.2)
PLAIN = ReviewedSentence("There is room to wait. ", [], -0.5)


def test_of_a_text_that_is_mistrusted_a_little_the_calm_part_is_shown(review: Review) -> None:
    text = review.judged((ABOUT_THE_PLATE, PLAIN, LOUD), weights(1.0))
    assert text.is_trusted
    assert [bool(it.objections) for it in text.sentences] == [False, False, True]


@pytest.mark.parametrize(
    ("sentences", "bias"),
    [
        ((ABOUT_THE_PLATE, PLAIN, LOUD), 3.0),
        ((ABOUT_THE_PLATE, LOUD, CERTAIN), 1.0),
        ((PLAIN, PLAIN, LOUD), 1.0),
        ((DOUBTED, DOUBTED, ABOUT_THE_PLATE), 1.0),
    ],
    ids=["mistrusted more", "little of it calm", "nothing about the plate", "in doubt"],
)
def test_of_any_other_text_that_is_mistrusted_nothing_is_shown(
    review: Review, sentences: tuple[ReviewedSentence, ...], bias: float
) -> None:
    assert not review.judged(sentences, weights(bias)).is_trusted


def test_no_part_is_shown_if_health_law_or_savings_are_asked_about() -> None:
    careful = Review(replace(next(iter(briefs().values())), careful=True))
    assert not careful.judged((ABOUT_THE_PLATE, PLAIN, LOUD), weights(1.0)).is_trusted
