"""What is noticed in a question, and what is not: every phrasing of the sets beside this file."""

import pytest

from tests.unit.divination.care import first, second
from yarrow.divination.care import Kind, assess

SETS = (first, second)
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
    assert len(set(CAUGHT)) >= 300
    assert len(set(ORDINARY)) >= 140
    assert {kind for kind, _ in CAUGHT} == set(Kind)


OTHER_KIND = frozenset(
    """
I took too many sleeping pills by accident
""".strip().splitlines()
)
"""Phrasings in which another kind is just as well: what is answered sends to the same numbers."""
