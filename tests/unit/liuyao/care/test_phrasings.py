"""What is noticed in a question, and what is not: the phrasings beside this file, one file a kind, one phrasing a line.

Each came from a set written without sight of the tables, and stays here after they were mended for it.
"""

from pathlib import Path
from typing import Final

import pytest

from liuyao.care import Kind, assess
from liuyao.care.assessment import gravest
from liuyao.care.kinds import SURE

_PHRASINGS: Final = Path(__file__).with_name("phrasings")


def phrasings(name: str) -> list[str]:
    lines = (_PHRASINGS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


CAUGHT: Final = [(kind, text) for kind in SURE for text in phrasings(kind)]
ORDINARY: Final = phrasings("ordinary")


@pytest.mark.parametrize("kind", SURE)
def test_a_grave_question_is_noticed(kind: Kind) -> None:
    """CARE-01, CARE-02, CARE-03."""
    texts = [text for of_kind, text in CAUGHT if of_kind is kind]
    taken = {text: assess([text]).kind for text in texts}
    assert taken == {text: OTHER_KIND.get(text, kind) for text in texts}


def test_an_ordinary_question_stays_ordinary() -> None:
    """CARE-06. The classifier is unsure of a few."""
    taken = {text: kind for text in ORDINARY if (kind := assess([text]).kind) is not None}
    assert {text: kind for text, kind in taken.items() if kind is not Kind.UNSURE} == {}
    assert len(taken) <= 0.025 * len(ORDINARY)


def test_the_sets_are_large_enough() -> None:
    """CARE-01 … CARE-03, CARE-06."""
    assert len(set(CAUGHT)) >= 1850
    assert len(set(ORDINARY)) >= 1500
    assert {kind for kind, _ in CAUGHT} == set(SURE)


def test_every_exception_is_of_a_graver_kind() -> None:
    kinds = {text: kind for kind, text in CAUGHT}
    assert all(gravest((kinds[text], other)) == other != kinds[text] for text, other in OTHER_KIND.items())


OTHER_KIND: Final = {
    "I want to make my sergeant pay, I have the rifle loaded": Kind.SELF_HARM,
    "my doctor say cancer, i will die or not": Kind.SELF_HARM,
    "my kid drink bleach": Kind.SELF_HARM,
    "my friend overdosed": Kind.SELF_HARM,
    "my friend overdosed on sleeping pills": Kind.SELF_HARM,
    "I took too many sleeping pills by accident": Kind.SELF_HARM,
    "my boyfriend says if i leave he'll find me and slit my throat": Kind.SELF_HARM,
    "我忍唔住打咗個BB，我好驚自己會打死佢": Kind.SELF_HARM,
    "我想同佢攬住一齊死": Kind.SELF_HARM,
    "爸爸脑溢血昏迷三天了，能醒吗": Kind.EMERGENCY,
    "can I use CBD instead of my seizure meds": Kind.EMERGENCY,
}
"""Phrasings that are answered as a graver kind, which sends to help as well."""
