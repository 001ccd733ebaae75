"""Whom an event is good for: what befalls whom, and on whose side the asker is."""

import pytest

from liuyao.reading.question.asking import asking
from liuyao.reading.question.polarity.sides import taken_sides
from liuyao.reading.question.text import read


def is_ill(question: str) -> bool | None:
    """Return whether it would be bad for the asker, as far as sides tell; None if they tell nothing."""
    text = read(question)
    found = taken_sides(text, asking(text))
    return found and found.is_ill


@pytest.mark.parametrize(
    ("question", "ill"),
    [
        ("Will the thief who took my bike get caught?", False),
        ("Will the guy who scammed my aunt walk free?", True),
        ("Is the bully in my son's class going to be expelled?", False),
        ("Will the judge throw out the firm's claim against me?", False),
        ("Will the tax office waive the penalty?", False),
        ("Will my sister leave that lying boyfriend?", False),
        ("小偷能抓到吗", False),
        ("骗我妈钱的那个人会不会逍遥法外", True),
        ("法院会驳回对方告我的那个案子吗", False),
        ("跟我抢这个名额的那位会退出吗", False),
        ("女兒會跟那個渣男分手嗎", False),
        ("滯納金能減免嗎", False),
    ],
)
def test_the_fate_of_whom_the_asker_is_against_turns_round(question: str, ill: bool) -> None:
    """CARE-08."""
    assert is_ill(question) is ill


@pytest.mark.parametrize(
    "question",
    [
        "Will I be rejected?",
        "Will my son be expelled?",
        "Will my rival be granted the licence?",
        "Will the claim of my insurance be thrown out?",
        "我会被驳回吗",
        "孩子会被开除吗",
        "对手会赢吗",
    ],
)
def test_the_same_of_the_askers_own_and_of_rivals_is_not_decided(question: str) -> None:
    assert is_ill(question) is None


@pytest.mark.parametrize(
    ("question", "ill"),
    [
        ("Will Leeds lose on Sunday so we go top?", False),
        ("Will they move me to Hull? I'm dreading it", True),
        ("Will she finally ring?", False),
        ("领导会派我去驻点吗？真不想去", True),
        ("他会跟我离婚吗，我不想离", True),
        ("尾牙會不會又抽到我，我超怕上台", True),
        ("他总算肯道歉了吗", False),
    ],
)
def test_what_the_asker_says_of_it_decides(question: str, ill: bool) -> None:
    assert is_ill(question) is ill


@pytest.mark.parametrize(
    "question", ["Will she stay? I don't want to lose her", "他会回来吗，我怕失去他", "Will he finally leave me?"]
)
def test_a_dread_of_the_contrary_decides_nothing(question: str) -> None:
    assert is_ill(question) is None


@pytest.mark.parametrize(
    ("question", "ill"),
    [
        ("Do I get stuck with the night shift again?", True),
        ("Will the council leave me alone about the shed?", False),
        ("Are they laying me off?", True),
        ("Has anyone told on me?", True),
        ("会不会又轮到我值夜班", True),
        ("前公司会把拖欠的工资结清吗", False),
        ("老婆是不是背着我借钱了", True),
    ],
)
def test_what_is_done_to_the_asker_decides(question: str, ill: bool) -> None:
    assert is_ill(question) is ill


@pytest.mark.parametrize("question", ["Can I get out of the night shift?", "会不会不用值夜班"])
def test_a_duty_that_one_escapes_is_not_feared(question: str) -> None:
    assert is_ill(question) is not True
