"""Follow-ups of 24 families in four languages (`held_out/follow_ups.tsv`): a changed plan, the odds, which line.

The misses of the half `kept` were never looked at, so a failure tells how many are wrong, not which.
"""

import csv
from pathlib import Path
from typing import Final

import pytest

from liuyao import Divination, derive
from liuyao.reading import Language, answer_follow_up
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from tests.support.casts import LETTERS, payload
from tests.support.readings.follow_ups import heard_as

HELD_OUT = Path(__file__).parent / "held_out" / "follow_ups.tsv"
AT_LEAST = {"open": 57, "kept": 54}
"""Of 60 each."""
CASTS: Final = ("yyYnny", "nYynyn", "ynnyNy")
ZH, TW, EN = Language.SIMPLIFIED, Language.TRADITIONAL, Language.ENGLISH


def asked(letters: str, question: str) -> Divination:
    """Return a cast made for a question, its lines as in `LETTERS`."""
    return derive(payload(yaoLines=[LETTERS[letter] for letter in letters], questionType="其他", question=question))


def fits(wanted: str, *found: str) -> bool:
    """`*` leaves it open, `/` separates what serves."""
    return wanted == "*" or not set(wanted.split("/")).isdisjoint(found)


@pytest.mark.parametrize("half", AT_LEAST)
def test_follow_ups_are_heard(half: str) -> None:
    """FUP-03, FUP-06: 72 of all 120 at first sight, before `INSTEAD`, `LINE` and `LIKELY`."""
    with HELD_OUT.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["half"] == half]
    assert len(rows) == 60
    heard = 0
    for row in rows:
        found = follow_up(row["follow_up"], inquire("", row["question"]))
        heard += fits(row["intents"], *heard_as(found.intents)) and fits(row["focus"], found.inquiry.focus)
    assert heard >= AT_LEAST[half]


@pytest.mark.parametrize(
    ("question", "again", "intent"),
    [
        ("Will I get the job?", "What if I bring my portfolio along?", Intent.INSTEAD),
        ("房子今年卖得掉吗", "换个中介的话呢", Intent.INSTEAD),
        ("層樓今年賣唔賣得甩", "減少少價會唔會好啲", Intent.INSTEAD),
        ("Will I get the job?", "Which line am I?", Intent.LINE),
        ("我今年能升職嗎", "哪一爻是我自己", Intent.LINE),
        ("Will I get the job?", "What are the odds?", Intent.LIKELY),
        ("签证能按时下来吗", "概率有多大", Intent.LIKELY),
        ("Will I get the job?", "Are you a robot?", Intent.NONE),
    ],
)
def test_a_kind_of_its_own_is_heard(question: str, again: str, intent: Intent) -> None:
    """FUP-03."""
    assert intent in follow_up(again, inquire("", question)).intents


@pytest.mark.parametrize(
    ("question", "again", "language", "says"),
    [
        ("我今年能升职吗", "如果换成找我哥帮忙呢", ZH, ("你哥在这件事上", "你哥看")),
        ("Will I get the job?", "What if I ask my brother instead?", EN, ("Your brother ",)),
        ("我今年能升職嗎", "有幾成把握", TW, ("可能性", "百分數")),
        ("Will I get the job?", "Which line is my wife?", EN, ("Your wife is read from",)),
        ("我的护照丢了能找到吗", "会不会被人拿走了", ZH, ("看官鬼",)),
    ],
)
def test_each_kind_gets_its_own_answer(question: str, again: str, language: Language, says: tuple[str, ...]) -> None:
    """FUP-03, FUP-06: by the line of whom it names."""
    for code in CASTS:
        answer = answer_follow_up(asked(code, question), again, language=language)
        for words in says:
            assert words in answer


def test_a_plain_answer_keeps_the_sense_of_the_first_question() -> None:
    """CARE-08: words of confusion are not what the first question fears."""
    divination = asked("ynYynn", "Will my son pass his driving test?")
    answer = answer_follow_up(divination, "I'm lost, can you say it simply?", language=EN)
    assert not answer.startswith(("On the whole no", "No,", "That is unlikely"))


def test_who_hinders_is_not_answered_by_who_helps() -> None:
    """FUP-03."""
    for code in CASTS:
        divination = asked(code, "房子今年卖得掉吗")
        assert answer_follow_up(divination, "是谁在从中作梗", language=ZH).startswith("卦里不点名")
