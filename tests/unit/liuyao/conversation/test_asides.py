"""What a follow-up asks that is no question of the cast's matter is answered as such, over many casts (FUP-03)."""

import re
from calendar import month_name
from datetime import date
from typing import Final

import pytest

from liuyao.reading import Language, answer_follow_up
from liuyao.reading.question.aside import asks_fact, asks_to_ask_again, asks_whose_fault, words_asked_about
from liuyao.reading.question.text import read as as_text
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
CASTS: Final = 8


@pytest.mark.parametrize(
    ("question", "again", "language", "says"),
    [
        ("Will I get the job?", "what is the capital of France?", EN, "^That is a fact to look up"),
        ("Will I get the job?", "how high is Mount Fuji?", EN, "^That is a fact to look up"),
        ("我能升职吗", "法国的首都是哪里", ZH, "^这是可以查到的常识"),
        ("我能升職嗎", "法國的首都是哪裡", TW, "^這是可以查到的常識"),
        ("Will my marriage last?", "is it my fault?", EN, "^A cast puts the blame on nobody"),
        ("我们的婚姻能长久吗", "是我的错吗", ZH, "^卦不怪谁"),
        ("Is my husband cheating on me?", "should I check his phone?", EN, "^I would not look behind their back"),
        ("老公有没有外遇", "要不要看他手机", ZH, "^不要背着对方去看"),
        ("我能升职吗", "可以再问一次吗", ZH, "^可以，问别的事随时能起一卦"),
        ("我能升職嗎", "可以再占一次嗎", TW, "^可以，問別的事隨時能起一卦"),
        ("Will I get the job?", "what do you mean by “rather not”?", EN, "^By “rather not” the reading means"),
        ("我能升职吗", "“大体看好”是什么意思", ZH, "^“大体看好”说的是整件事的走向："),
        (
            "Should I take the job in Leeds or the one in York?",
            "what about the other one?",
            EN,
            "^(?=.*“the job in Leeds”).*“the one in York”",
        ),
        ("去北京还是上海好", "那另一个呢", ZH, "^(?=.*“去北京”).*“上海”"),
    ],
)
def test_an_aside_is_answered_as_what_it_is(question: str, again: str, language: Language, says: str) -> None:
    for divination in casts(question, CASTS):
        answer = answer_follow_up(divination, again, language=language)
        assert re.search(says, answer), answer


@pytest.mark.parametrize(
    ("question", "again", "language", "well", "ill"),
    [
        ("Is my husband cheating on me?", "should I confront him?", EN, "^You may well ask", "^Yes, ask, but not in"),
        ("老公有没有外遇", "我要不要跟他摊牌", ZH, "^可以问；", "^该问，只是别在气头上"),
    ],
)
def test_how_to_confront_follows_the_cast(question: str, again: str, language: Language, well: str, ill: str) -> None:
    """Little is behind the fear, or much: either way it says to ask, and how."""
    told = set()
    for divination in casts(question, 24):
        answer = answer_follow_up(divination, again, language=language)
        assert re.search(f"{well}|{ill}", answer), answer
        told.add(re.search(well, answer) is not None)
    assert told == {True, False}


def test_nobody_is_blamed_for_an_illness() -> None:
    """CARE-04: no line of the cast is given as a cause."""
    for divination in casts("Will my headache go away?", CASTS):
        answer = answer_follow_up(divination, "is it my fault?", language=EN)
        assert answer.startswith("A cast puts the blame on nobody")
        assert "What weighs in it" not in answer


def test_a_term_that_is_quoted_keeps_its_explanation() -> None:
    for divination in casts("Will I get the job?", CASTS):
        answer = answer_follow_up(divination, "what do you mean by “clash”?", language=EN)
        assert answer.startswith("A clash is two branches")


@pytest.mark.parametrize(
    ("question", "again", "language"),
    [
        ("When will I find a job?", "if not this month, when?", EN),
        ("Will I find a job?", "and if it isn't this month, when then?", EN),
        ("什么时候能找到工作", "这个月不行的话什么时候", ZH),
    ],
)
def test_a_time_that_is_ruled_out_is_followed_by_a_later_one(question: str, again: str, language: Language) -> None:
    """FUP-05: no date that is told is of November, in which they are cast."""
    dated = 0
    for divination in casts(question, CASTS):
        answer = answer_follow_up(divination, again, language=language).split("\n", 1)[0]
        told = _first_month(answer, language)
        if told is not None:
            dated += 1
            assert told > date(2026, 11, 1), answer
        assert "this month" not in answer, answer
        assert "这个月" not in answer, answer
    assert dated >= CASTS // 2


def test_a_time_that_is_asked_for_is_not_ruled_out() -> None:
    for divination in casts("Will I find a job?", CASTS):
        answer = answer_follow_up(divination, "when this month?", language=EN)
        assert re.search("this month|November|December", answer), answer


_MONTHS: Final = [*month_name][1:]


def _first_month(answer: str, language: Language) -> date | None:
    """The month of the first date of an answer."""
    if language is ZH:
        found = re.search(r"(?:(\d{4})年)?(\d+)月", answer)
        return date(int(found[1] or 2026), int(found[2]), 1) if found else None
    found = re.search(rf"({'|'.join(_MONTHS)})\b(?:[^.]*?(20\d\d))?", answer)
    return date(int(found[2] or 2026), _MONTHS.index(found[1]) + 1, 1) if found else None


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("Will I get the job?", "what is the best time for me?"),
        ("Will I get the job?", "what is the meaning of the answer for this?"),
        ("Will the bridge in Porto open?", "how old is the bridge?"),
        ("首都的房子能卖掉吗", "首都的房子值多少"),
        ("我能升职吗", "机会是几成"),
    ],
)
def test_what_is_of_the_matter_is_no_fact(question: str, again: str) -> None:
    assert not asks_fact(as_text(again), as_text(question))


def test_what_is_only_like_an_aside_is_none() -> None:
    assert not asks_whose_fault(as_text("怪我的家人吗"))
    assert not asks_whose_fault(as_text("whose fault is it?"))
    assert not asks_to_ask_again(as_text("我再问问他"))
    assert words_asked_about(as_text("he said “maybe later” to me")) is None
    assert words_asked_about(as_text("what does “maybe later” mean?")) == "maybe later"
