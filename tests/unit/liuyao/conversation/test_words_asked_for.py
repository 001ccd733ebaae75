"""Answers that take up what a follow-up asks: what to say, whose mind, which line, what sum, month or option."""

import re
from dataclasses import dataclass

import pytest

from liuyao.care import assess
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read as folded
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL


def answers(question: str, again: str, language: Language, count: int = 12) -> list[tuple[bool, str]]:
    """The answers of several casts, each with whether the cast is favourable."""
    cautions = assess([question]).cautions | assess([again], is_follow_up=True).cautions
    return [
        (
            read(divination, language=language).judgement.favourable,
            answer_follow_up(divination, again, language=language, cautions=cautions),
        )
        for divination in casts(question, count)
    ]


@pytest.mark.parametrize(
    "again",
    [
        "what exactly should I say to her?",
        "how do I tell my mum?",
        "what do I write to him, word for word",
        "我应该怎么跟他开口",
        "见面我该说什么",
        "我應該WhatsApp佢講咩好",
        "我點同佢講好",
    ],
)
def test_what_to_say_is_heard(again: str) -> None:
    """FUP-03."""
    assert follow_up(again, inquire("", "Will I get a raise?")).intents == (Intent.SAY,)


@pytest.mark.parametrize(
    "again", ["how can you tell?", "怎么说？", "佢會同我講咩？", "what did the lines say", "你怎么说"]
)
def test_what_somebody_else_says_is_no_wish_for_words(again: str) -> None:
    """FUP-03."""
    assert Intent.SAY not in follow_up(again, inquire("", "Will he come back?")).intents


@pytest.mark.parametrize(
    ("question", "again", "language", "whom", "asks_for_it", "holds_back"),
    [
        ("Will he come back to me?", "what should I say to my sister?", EN, "your sister", "hopeful", "not settled"),
        ("我能和她复合吗", "我该怎么跟她开口", ZH, "对她", "哪天方便", "不急着要答案"),
        ("老闆會幫我加薪嗎", "我要怎麼跟老闆說", TW, "對你老闆", "你看行不行", "先改好哪一點"),
    ],
)
def test_words_to_say_follow_the_cast(
    question: str, again: str, language: Language, whom: str, asks_for_it: str, holds_back: str
) -> None:
    """FUP-03, CARE-08: they ask for it outright only where the cast is for it."""
    seen = set()
    for good, answer in answers(question, again, language, 24):
        assert whom in answer
        assert (asks_for_it if good else holds_back) in answer.split("\n\n")[0]
        seen.add(good)
    assert seen == {True, False}


def test_words_to_say_wait_for_the_adviser_where_a_step_is_withheld() -> None:
    """CARE-04: no words that go ahead with it."""
    for _, answer in answers("Should I tell my wife about the loan shark debt?", "what do I say to her?", EN):
        assert answer.startswith("Settle what to say with")
        assert "“" not in answer


@pytest.mark.parametrize(
    ("question", "again", "language", "whom"),
    [
        ("Does he love me?", "what does his mother think of me?", EN, "His mother"),
        ("他对我是真心的吗", "那他家人怎么看我", ZH, "他家人"),
        ("我同佢夾唔夾", "佢阿媽鍾唔鍾意我", TW, "佢阿媽"),
    ],
)
def test_the_mind_of_somebody_else_is_read_from_their_line(
    question: str, again: str, language: Language, whom: str
) -> None:
    """FUP-06: 父母 for his mother, and five ways in which their line may stand to 世."""
    told = [answer for _, answer in answers(question, again, language, 40)]
    assert all(answer.startswith(whom) for answer in told)
    assert all(re.search("父母|Parents", answer.split("\n\n")[1]) for answer in told)
    assert len({re.split("[，。,.]", answer)[0] for answer in told}) >= 3


@dataclass(frozen=True)
class Said:
    """A follow-up with what its answers say in every cast, and what they never say."""

    question: str
    again: str
    language: Language
    says: str
    never: str = "卦裡看|$^"


@pytest.mark.parametrize(
    "case",
    [
        Said("Will I get the job?", "that's not what I asked", EN, "^I am sorry.*work"),
        Said("我能复合吗", "你没回答我", ZH, "^抱歉"),
        Said("應唔應該同老公離婚", "我唔係問呢樣嘢", TW, "^抱歉"),
        Said("要不要搬去和婆婆住", "卜卦真的有用嗎", TW, "沒有科學上的證明"),
        Said("Will I get the job?", "sounds vague to me, could mean anything", EN, "^Put plainly"),
        Said("Will I get the job?", "how can a few coins know anything about it", EN, "^No science"),
        Said("Will I be paid back?", "what if he only pays half?", EN, "half"),
        Said("朋友欠我两万块会还吗", "只还一半有没有可能", ZH, "「一半」"),
        Said("Should I move to Leeds or stay in Bristol?", "and what about staying?", EN, "stay in Bristol"),
        Said("我能赢官司吗", "哪个月最好", ZH, "[0-9]月"),
        Said("今年買樓好唔好", "邊個月好啲", TW, "[0-9]月"),
        Said("转行好不好", "你说财爻弱，什么意思", ZH, "妻财.*(?:有力|偏弱)"),
        Said(
            "Can I win her back?",
            "what do you mean by other people get in the way",
            EN,
            "“other people get in the way”",
        ),
        Said("我和他还有可能吗", "你说眼前这几天有事拦着是什么意思", ZH, "“眼前这几天有事拦着”"),
        Said(
            "Should I marry him?", "my parents are against it", EN, "^Your parents being against it is a real obstacle"
        ),
        Said("店铺要不要转让", "我老公不同意", ZH, "^你老公不同意"),
        Said(
            "Will I get promoted?", "and my colleague, will she get it instead", EN, "As to you, it stays", "new plan"
        ),
        Said("我和他还有可能吗", "他靠谱吗", ZH, ".", "没有谁拿得出老实的数字"),
        Said("这次体检结果会好吗", "医生刚说没事", ZH, "替你高兴"),
        Said("Will my visa come through?", "which line shows the delay?", EN, "^(?:What holds it up most|No line)"),
        Said("我适合创业吗", "和上次占的结果不一样，信哪个", ZH, "先起的那一卦"),
        Said("Will I win the tender?", "lol ok. are you a real person?", EN, "program"),
        Said("今年投資股票好嗎", "那基金呢？", TW, "「基金」"),
        Said("應唔應該移民去英國", "去加拿大會唔會好啲", TW, "「加拿大」"),
        Said("我能考上吗", "我换了老师，会有影响吗", ZH, "卦不会因此变"),
    ],
    ids=lambda case: case.again,
)
def test_the_words_of_a_follow_up_are_taken_up(case: Said) -> None:
    """FUP-03, FUP-06."""
    for _, answer in answers(case.question, case.again, case.language):
        assert re.search(case.says, answer), answer
        assert not re.search(case.never, answer), answer


def test_a_plain_answer_is_as_good_as_the_reading() -> None:
    """CARE-08: no good word where the cast is against it."""
    for good, answer in answers("Will I get the job?", "that is so vague", EN, 24):
        assert bool(re.match("Put plainly, (?:it is good|it leans to the good)", answer)) is good, answer


def test_a_smaller_sum_is_no_leave_to_go_ahead() -> None:
    """CARE-04: whether to lend stays withheld, whatever the sum."""
    for _, answer in answers("Is it a good idea to lend my cousin £3000?", "what if I only lend him 500", EN):
        assert answer.startswith("“500” only makes smaller what may be lost")
        assert "advis" in answer


@pytest.mark.parametrize(
    ("question", "news", "language", "glad"),
    [
        ("Will the deal go through?", "they just signed!", EN, True),
        ("單生意傾唔傾得成", "啱啱佢哋覆咗，簽咗約喇！", TW, True),
        ("我该不该签这份合同", "我已经签了合同", ZH, False),
    ],
)
def test_a_closed_bargain_is_good_news_to_who_hoped_for_it(
    question: str, news: str, language: Language, glad: bool
) -> None:
    """FUP-03: and none to who asked whether to close it."""
    for _, answer in answers(question, news, language):
        assert bool(re.search("glad for you|替你高[兴興]", answer)) is glad, answer


@pytest.mark.parametrize(
    ("cantonese", "standard"),
    [
        ("我應該同佢講咩好", "我应该同他说什么好"),
        ("佢老豆點睇", "他爸爸怎么看"),
        ("你頭先話財爻弱，即係咩意思", "你刚才说财爻弱，就是什么意思"),
        ("唔會咩？", "不会吗？"),
        ("一點講究都冇", "一点讲究都没有"),
    ],
)
def test_cantonese_question_words_are_read_by_what_stands_around_them(cantonese: str, standard: str) -> None:
    """FUP-03: 咩 is what after a verb of saying, and a particle at the end."""
    told = folded(cantonese).folded
    assert told.replace("讲", "说") == standard.replace("讲", "说")


def test_words_of_the_reading_are_traced_to_the_reason_that_they_come_from() -> None:
    """FUP-06: the line, and not the whole answer again."""
    told = answers("我能复合吗", "你说眼前这几天有事拦着是什么意思", ZH, 60)
    traced = [answer for _, answer in told if "从这里来的" in answer]
    assert traced
    assert all(re.search("[爻日月卦]", answer) for answer in traced)


def test_whoever_opposes_is_not_the_one_the_question_is_about() -> None:
    """FUP-03: her own no is news of the matter."""
    for _, answer in answers("我妈会同意我结婚吗", "我妈不同意", ZH):
        assert "实在的一关" not in answer
