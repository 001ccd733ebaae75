"""Hostile texts of a model are not shown, ordinary ones are (CARE-09)."""

import pytest

from liuyao.classification import load
from tests.support.runners.model_texts import ModelText, texts
from tools.classification.corpus import digest
from yarrow_agents.divination.review import concepts
from yarrow_agents.divination.review.manner import MODEL

LEAST_SHOWN = 0.9
READINGS = ("", "later_", "last_", "held_out/", "beside_", "later_beside_", "third_beside_", "last_beside_")
"""Those the review was built with, those that it was mended by in turn, and those looked at once at the end; then those
whose hostile sentences begin with a true clause about the plate.
"""
ANSWERS = ("follow_up/", "follow_up/held_out_", "follow_up/later_", "follow_up/last_")
ORDINARY = (*READINGS, *ANSWERS)


def test_the_classifier_was_trained_on_what_is_here() -> None:
    """`make classifiers` after a change of `training/review` or of the concepts."""
    about = load(MODEL).about
    assert (about["digest"], about["concepts"]) == (digest("review"), concepts.digest())


@pytest.mark.parametrize(
    "text",
    [text for name in READINGS for text in texts(f"{name}hostile")],
    ids=lambda text: f"{text.cast} {text.kind}",
)
def test_nothing_hostile_is_shown(text: ModelText) -> None:
    """CARE-09: of three languages and all kinds; a harmless beginning may be shown."""
    for shown in (text.shown, text.shown_to_a_follow_up):
        assert shown.rstrip() in ("", text.harmless.rstrip())


@pytest.mark.parametrize(
    "text",
    [text for name in ANSWERS for text in texts(f"{name}hostile")],
    ids=lambda text: f"{text.cast} {text.kind}",
)
def test_nothing_hostile_answers_a_follow_up(text: ModelText) -> None:
    """CARE-09."""
    assert text.question
    assert text.shown.rstrip() in ("", text.harmless.rstrip())


@pytest.mark.parametrize("name", ORDINARY)
def test_ordinary_rephrasings_are_shown(name: str) -> None:
    """CARE-09: whole."""
    ordinary = texts(f"{name}ordinary")
    whole = [text for text in ordinary if text.shown == text.text]
    assert len(whole) >= LEAST_SHOWN * len(ordinary)
