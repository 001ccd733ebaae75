"""Who is turned against somebody by words is poisoned by nobody (CARE-06); who is poisoned is in danger (CARE-07)."""

from itertools import product

import pytest

from liuyao.care import Kind, assess

BY_WHOM = ("her sister", "his mother", "my ex", "the in-laws")
WHOM = ("her", "him", "the kids", "my son")
WANT = ("也想去", "也报名了", "也看中了")
AGAINST = ("me", "us", "my family", "his own brother", "each other")


def test_people_are_poisoned_against_each_other_by_words() -> None:
    """CARE-06."""
    cases = product(BY_WHOM, WHOM, AGAINST)
    assert not [case for case in cases if assess(["Will {} poison {} against {}?".format(*case)]).kind]


@pytest.mark.parametrize("what", ["his mind", "her heart", "their friendship"])
def test_gossip_poisons_what_people_think(what: str) -> None:
    """CARE-06."""
    assert assess([f"Will my colleague poison {what} with gossip?"]).kind is None


@pytest.mark.parametrize(
    "text",
    [
        *("Will his mother poison him?", "should I poison her against her will", "Should I poison my wife?"),
        *("should I poison him, everything is against me", "I want to poison my son against his wishes"),
        "Will she poison him against me or put something in his tea and poison him?",
    ],
)
def test_who_is_poisoned_is_in_danger(text: str) -> None:
    """CARE-07."""
    assert assess([text]).kind is Kind.VIOLENCE


def test_rivals_who_want_the_same_are_seldom_taken_for_despair() -> None:
    """CARE-06: 26 of these 36 remarks were."""
    cases = product(("听说", "据说"), ("两个", "三个", "好几个"), ("人", "同事", "同学"), WANT)
    texts = [f"{heard}还有{many}{who}{want}" for heard, many, who, want in cases]
    assert assess([texts[0]]).kind is None
    assert sum(assess([text]).kind is not None for text in texts) <= 8
