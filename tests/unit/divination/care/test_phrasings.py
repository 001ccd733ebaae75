"""What is noticed in a question, and what is not: every phrasing of the sets beside this file."""

import pytest

from tests.unit.divination.care import eighth, fifth, first, fourth, second, seventh, sixth, third
from yarrow.divination.care import Kind, assess

SETS = (first, second, third, fourth, fifth, sixth, seventh, eighth)
CAUGHT = [(kind, text) for each in SETS for kind, texts in each.CAUGHT.items() for text in texts.strip().splitlines()]
ORDINARY = [text for each in SETS for text in each.ORDINARY.strip().splitlines()]


@pytest.mark.parametrize(("kind", "text"), CAUGHT)
def test_a_grave_question_is_noticed(kind: str, text: str) -> None:
    """CARE-01, CARE-02, CARE-03: as its own kind, or as a graver one."""
    found = assess([text]).kind
    assert found is not None
    if found != kind:
        assert text in OTHER_KIND


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_question_stays_ordinary(text: str) -> None:
    """CARE-06."""
    assert assess([text]).kind is None


def test_the_sets_are_large_enough() -> None:
    """CARE-01 … CARE-03, CARE-06."""
    assert len(set(CAUGHT)) >= 500
    assert len(set(ORDINARY)) >= 250
    assert {kind for kind, _ in CAUGHT} == set(Kind)


OTHER_KIND = frozenset(
    """
I want to make my sergeant pay, I have the rifle loaded
my doctor say cancer, i will die or not
Why am I still alive when they're not?
my son say he want to kill him self
我差点掐死自己的孩子
my kid drink bleach
想讓爸爸放棄急救
我不知道自己还能坚持多久，真的好想走了
I took too many sleeping pills by accident
my friend overdosed
是不是死了就能见到妈妈
我是不是死了大家才开心
nobody cares if I live or die
想毒死我婆婆
""".strip().splitlines()
)
"""Phrasings in which another kind is just as well: what is answered sends to the same numbers."""
