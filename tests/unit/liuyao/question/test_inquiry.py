"""What a question is taken to ask: its matter, the person it is about, and the 用神 that follows."""

import pytest

from liuyao import derive
from liuyao.reading import Language, read
from liuyao.reading.question.follow_up import inquire_again
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.matters import MATTERS
from liuyao.reading.question.vocabulary.matters_zh import WORDS as MATTER_WORDS
from tests.support.casts import payload


@pytest.mark.parametrize(
    ("question_type", "question", "matter", "focus"),
    [
        ("事业", "我最近换工作是否合适?", "career", "官鬼"),
        ("事業", "能否升職", "career", "官鬼"),
        ("career", "Will I get the offer?", "career", "官鬼"),
        ("Work", "Will it go well?", "career", "官鬼"),
        ("home", "Should I buy it?", "documents", "父母"),
        ("学业", "考研能上岸吗", "study", "父母"),
        ("exam", "Will I pass?", "study", "父母"),
        ("财运", "今年收入如何", "wealth", "妻财"),
        ("求財", "這筆投資能賺錢嗎", "wealth", "妻财"),
        ("健康", "我的病什么时候好", "health", "世爻"),
        ("健康", "母亲手术顺利吗", "health", "父母"),
        ("健康", "孩子发烧何时退", "health", "子孙"),
        ("health", "Will my wife recover?", "health", "妻财"),
        ("health", "Will my husband recover?", "health", "官鬼"),
        ("健康", "哥哥住院", "health", "兄弟"),
        ("出行", "明天出差顺利吗", "journey", "世爻"),
        ("行人", "儿子几时回家", "return", "子孙"),
        ("行人", "那个人会不会出现", "return", "应爻"),
        ("失物", "钱包丢了能找回吗", "lost", "妻财"),
        ("失物", "护照不见了", "lost", "父母"),
        ("lost", "Where is my cat?", "lost", "子孙"),
        ("官司", "能赢吗", "lawsuit", "世爻"),
        ("房产", "买房合同能签吗", "documents", "父母"),
        ("子女", "今年能怀孕吗", "pregnancy", "子孙"),
        ("合伙", "和他合作可靠吗", "partner", "应爻"),
        ("朋友", "弟弟近况", "kin", "兄弟"),
        ("天气", "明天会下雨吗", "rain", "父母"),
        ("天气", "周末如何", "fair", "妻财"),
        ("其他", "明天会下雨吗", "rain", "父母"),
        ("综合", "今年运势如何", "general", "世爻"),
        ("other", "Will my new work go well?", "career", "官鬼"),
        ("other", "Will we close the deal?", "partner", "应爻"),
        ("other", "Will it work?", "general", "世爻"),
        ("other", "When will he come home?", "return", "应爻"),
        ("占卜", "这件事怎么样", "general", "世爻"),
        ("占卜", "父亲平安吗", "general", "父母"),
    ],
)
def test_the_type_and_then_the_words_decide_the_focus(
    question_type: str, question: str, matter: str, focus: str
) -> None:
    """DIV-28: 用神章."""
    inquiry = inquire(question_type, question)
    assert (inquiry.matter.key, inquiry.focus) == (matter, focus)


def test_the_type_decides_before_the_words() -> None:
    """A question of love that mentions money stays one of love."""
    assert inquire("感情", "他欠我的钱会还吗，我们能复合吗").matter.key == "love"


@pytest.mark.parametrize(
    ("question", "focus", "assumed"),
    [
        ("我女朋友愿意结婚吗", "妻财", False),
        ("我和老公还能和好吗", "官鬼", False),
        ("Does he love me?", "官鬼", False),
        ("Does she love me?", "妻财", False),
        ("今年能遇到正缘吗", "妻财", True),
    ],
)
def test_love_takes_the_one_who_is_asked_about(question: str, focus: str, assumed: bool) -> None:
    """男占女以妻财, 女占男以官鬼; without a sign, 妻财, and the reading says so."""
    inquiry = inquire("感情", question)
    assert (inquiry.focus, inquiry.assumed) == (focus, assumed)


@pytest.mark.parametrize(
    ("question", "focus", "assumed"),
    [
        ("哪天领证好", "妻财", True),
        ("Which day is best for our wedding?", "妻财", True),
        ("我和女朋友哪天领证好", "妻财", False),
        ("我和老公哪天领证好", "官鬼", False),
        ("我爱人的病能好吗", "妻财", True),
        ("Will my partner recover?", "妻财", True),
        ("我老公的病能好吗", "官鬼", False),
    ],
)
def test_wherever_the_focus_depends_on_who_asks_the_reading_says_what_it_assumes(
    question: str, focus: str, assumed: bool
) -> None:
    """DIV-29: not in questions of love alone."""
    inquiry = inquire("其他", question)
    assert (inquiry.focus, inquiry.assumed) == (focus, assumed)
    divination = derive(payload(questionType="其他", question=question))
    reading = read(divination, language=Language.SIMPLIFIED)
    for text in ("".join(reading.focus_points), reading.answer):
        assert ("这里按男占取妻财" in text) is assumed


@pytest.mark.parametrize(
    ("question", "recent"),
    [("占父近病", True), ("我感冒了", True), ("慢性胃病能好吗", False), ("身体如何", None)],
)
def test_an_illness_is_new_or_old_only_when_the_text_says_so(question: str, recent: bool | None) -> None:
    """The terms are 近病 and 久病."""
    assert inquire("健康", question).recent is recent


def test_words_stand_alone() -> None:
    """`rain` is not in `training`, nor 他 in 其他; plurals count."""
    assert inquire("其他", "能遇到姻缘吗").assumed
    assert inquire("x", "Is the training useful?").matter.key != "rain"
    assert inquire("x", "Are my exams safe?").matter.key == "study"


def test_a_follow_up_keeps_the_matter_unless_it_names_another() -> None:
    """FUP-06."""
    inquiry = inquire("事业", "能升职吗")
    assert inquire_again("还要等多久？", inquiry) is inquiry
    assert inquire_again("工作上谁会帮我？", inquiry) is inquiry
    assert inquire_again("对方怎么想，他会回来谈吗？", inquiry) is inquiry
    assert inquire_again("那财运呢？", inquiry).focus == "妻财"


def test_there_are_matters_enough() -> None:
    """DIV-28: at least ten, each named by words of its own."""
    assert len(MATTERS) >= 10
    for key, words in MATTER_WORDS.items():
        assert inquire(words[0], "").matter.key == key
