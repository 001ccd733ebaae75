"""A thing of the asker's own that sells, arrives, heals or is repaired is wished for; that it breaks is feared."""

import pytest

from liuyao.reading.question.asking import asking
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.polarity.belongings import becomes
from liuyao.reading.question.text import read

WANTED, UNWANTED = Polarity.WANTED, Polarity.UNWANTED


@pytest.mark.parametrize(
    ("question", "polarity"),
    [
        ("Will my house sell before Christmas?", WANTED),
        ("Is my flat going to sell this spring?", WANTED),
        ("Will my broken finger mend properly?", WANTED),
        ("Will our extension be finished by June?", WANTED),
        ("Will the sofa we ordered be delivered on Tuesday?", WANTED),
        ("Will our pipes freeze?", UNWANTED),
        ("Is my package going to go missing?", UNWANTED),
        ("Are my assets going to bleed?", UNWANTED),
        ("Will my portfolio bleed?", UNWANTED),
        ("Will my savings evaporate?", UNWANTED),
        ("Will my crypto go to zero?", UNWANTED),
        ("我的基金会腰斩吗", UNWANTED),
        ("我投的短篇會被刊登嗎", WANTED),
        ("網購的棉被這週到得了嗎", WANTED),
        ("我寄的明信片到得了新疆吗", WANTED),
        ("我的冰箱會不會又壞掉", UNWANTED),
        ("我刚买的锅会生锈吗", UNWANTED),
    ],
)
def test_a_thing_of_one_s_own(question: str, polarity: Polarity) -> None:
    """CARE-08."""
    stance = inquire("", question).stance
    assert stance.polarity is polarity
    assert stance.sure


@pytest.mark.parametrize(
    "question",
    [
        "Will my house not sell?",
        "Will my neighbour's house sell?",
        "Will my sister's ex sell his flat?",
        "Will my tumour come back?",
        "Will my debt get lost in the system?",
        "我的手机没坏吗",
    ],
)
def test_nothing_is_said_of_what_is_denied_or_of_others_or_of_what_one_would_be_rid_of(question: str) -> None:
    """CARE-08: the classifier decides, as if the thing were nobody's."""
    text = read(question)
    assert becomes(text, asking(text)) is None
