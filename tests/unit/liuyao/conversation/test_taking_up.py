"""What a follow-up brings in itself is taken up by its answer, over many casts."""

import re
from typing import Final

import pytest

from liuyao.reading import Language, answer_follow_up, read
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
CASTS: Final = 8


@pytest.mark.parametrize(
    ("question", "again", "language", "says"),
    [
        ("Where is my ring?", "I looked there already, nothing", EN, "^Then look next to the "),
        ("耳机丢哪了", "沙发底下找过了没有", ZH, "^那接下来往"),
        ("Should I quit teaching?", "I'm 58, does that change anything", EN, "^58 is taken in"),
        (
            "When will I meet someone?",
            "could it be sooner",
            EN,
            "^I cannot promise it sooner|^The cast shows no earlier",
        ),
        (
            "Do I pass my driving test?",
            "was it the 6th or the 9th that you said",
            EN,
            "^The (?:time that the )?reading",
        ),
        ("我和小李合伙行吗", "那小王呢", ZH, "^小王要另外看"),
        ("Should I invest in the bakery?", "so I should put in everything?", EN, "^No, not with everything"),
        ("要不要投这个项目", "那我全押了？", ZH, "^不要全部投进去"),
        ("Will our tender win?", "my tarot reader said the opposite", EN, "^Each cast answers its own question"),
        ("Will the cat come home?", "she came home!!!! 10 minutes ago", EN, "^What good news"),
        ("Is it a good time to buy a puppy?", "my husband says no. who's right", EN, "^A cast takes no side"),
        ("Should I move to Lisbon?", "I already signed the lease in Lisbon", EN, "^Then it is done"),
        ("我和前男友还能复合吗", "如果复合了能长久吗", ZH, "长久|^(?:多半|恐怕|应该|大体|能|眼下|这一次|要等)"),
        ("走失的狗能找回来吗", "找到啦！在菜市场", ZH, "^真是太好|^太好|高兴"),
        ("公司外派名單有我嗎", "名單公布了，我上了！", TW, "^真是太好|^太好|高興"),
        ("隻貓走失咗會唔會返嚟", "返咗嚟喇！多謝", TW, "^真係太好|^太好|高興|開心"),
    ],
)
def test_what_is_brought_in_comes_first(question: str, again: str, language: Language, says: str) -> None:
    """FUP-03."""
    for divination in casts(question, CASTS):
        answer = answer_follow_up(divination, again, language=language)
        assert re.search(says, answer), answer


@pytest.mark.parametrize(
    ("question", "again", "language", "named", "warns"),
    [
        ("谁在背后说我坏话", "是不是我们组长", ZH, "组长看不出来", "别凭一卦去怪谁"),
        (
            "Who broke into the shed?",
            "was it the boy next door?",
            EN,
            "cannot say whether it is the boy",
            "do not accuse",
        ),
    ],
)
def test_nobody_is_pointed_at(question: str, again: str, language: Language, named: str, warns: str) -> None:
    """FUP-03: whoever is suspected, and whichever line acts."""
    for divination in casts(question, CASTS):
        answer = answer_follow_up(divination, again, language=language)
        assert named in answer
        assert warns in answer


@pytest.mark.parametrize(
    ("question", "again", "language", "told"),
    [
        ("要不要现在买车", "等明年呢", ZH, "^明年(?:做这件事，比眼下有利|和眼下差不多|比眼下吃力)"),
        (
            "Should I sell my car now?",
            "and if I wait till spring?",
            EN,
            "^Spring is (?:rather better|much the same|harder)",
        ),
        ("現在告白好嗎", "如果等到他生日再說呢", TW, "^卦裡不知道「他生日」是哪一天"),
    ],
)
def test_a_time_is_told_beside_now(question: str, again: str, language: Language, told: str) -> None:
    """FUP-03."""
    for divination in casts(question, CASTS):
        answer = answer_follow_up(divination, again, language=language)
        assert re.search(told, answer), answer


def test_a_day_that_is_asked_for_is_the_day_that_was_told() -> None:
    """FUP-05: a shorter unit moves no date."""
    told = 0
    for divination in casts("房子什么时候能卖出去", 12):
        answer = answer_follow_up(divination, "具体哪一天", language=ZH)
        date = re.search(r"(?:\d+年)?\d+月\d+日", answer)
        if date is not None:
            told += 1
            assert date[0] in read(divination, language=ZH).answer
    assert told >= 6


def test_a_term_is_explained_and_brought_home() -> None:
    """FUP-03: what it means, and whether a reason of this judgement is of it."""
    brought = set()
    for divination in casts("Can I trust Priya with the business?", 24):
        answer = answer_follow_up(divination, "what does 'clash' mean in your answer", language=EN)
        assert answer.startswith("A clash is two branches")
        brought.add("nothing turns on it" in answer)
    assert brought == {True, False}


def test_cantonese_is_answered_in_its_glue_words() -> None:
    """FUP-03."""
    for divination in casts("份工接唔接好", CASTS):
        answer = answer_follow_up(divination, "點解咁講呀", language=TW)
        assert re.search("[係嘅唔冇喺]", answer)
        assert not re.search("[的是]", re.sub("「[^」]*」|（[^）]*）", "", answer)), answer
