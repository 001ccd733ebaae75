"""What a reading tells, where and once: its two reasons, how sure it is, and advice that follows from what was told."""

import re

import pytest

from liuyao import Divination
from liuyao.reading import Language, read
from liuyao.reading.judgement import Judgement, judge
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import by_aspect, outline, sureness
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.voice import CATALOGUES, Voice
from tests.support.readings.repetition import casts

QUESTIONS = {
    Language.SIMPLIFIED: "我下周的面试能过吗？",
    Language.TRADITIONAL: "我們會不會復合？",
    Language.ENGLISH: "Will I get the job at the bakery?",
}


def judged(divination: Divination) -> Judgement:
    return judge(lay_out(divination), inquire(divination.question_type, divination.question))


def narrator_of(divination: Divination, language: Language) -> Narrator:
    voice = Voice(language, divination, varies=True)
    return Narrator(voice, lay_out(divination), judged(divination), divination)


def patterns(key: str, language: Language) -> list[re.Pattern[str]]:
    ways = CATALOGUES[language].roles[key]
    return [re.compile(re.sub(r"\\\{\w+\\\}", ".+?", re.escape(way)), re.IGNORECASE) for way in ways]


def test_the_first_reason_is_on_the_side_of_the_verdict_and_the_second_against_it() -> None:
    found = [(judged(each), outline(judged(each))) for each in casts("我下周的面试能过吗？", 60)]
    for judgement, plan in found:
        assert plan.sign == (1 if judgement.favourable else -1)
        if plan.carries and plan.carries is not judgement.decided_by:
            assert plan.carries.weight * plan.sign > 0
        if plan.against:
            assert plan.against.weight * plan.sign < 0
            assert plan.carries is None or plan.against.term is not plan.carries.term
    assert sum(plan.carries is not None for _, plan in found) > 50
    assert 10 < sum(plan.against is not None for _, plan in found) < 60


def test_how_sure_a_reading_is_follows_the_sum() -> None:
    """A clear cast has its sum well on the side of the verdict, a close one near nothing, a mixed one against it."""
    seen = set()
    for question in QUESTIONS.values():
        for each in casts(question, 80):
            judgement, state = judged(each), sureness(judged(each))
            seen.add(state)
            agreeing = sum(by_aspect(judgement).values())
            if judgement.decided_by is None:
                assert state == ("clear" if abs(agreeing) >= 7 else "close" if abs(agreeing) <= 2 else "leaning")
    assert seen == {"clear", "leaning", "close", "mixed"}


@pytest.mark.parametrize("language", Language)
def test_advice_does_not_say_again_what_the_reasons_told(language: Language) -> None:
    """Neither the state of the plate nor the person is told twice."""
    for divination in casts(QUESTIONS[language], 60):
        narrator = narrator_of(divination, language)
        told = narrator.outline
        for term, ways in CATALOGUES[language].conditions.items():
            if any(reason and str(reason.term) == term for reason in (told.carries, told.against)):
                assert not any(way in narrator.action() for way in ways)


@pytest.mark.parametrize(
    ("question", "key", "language"),
    [
        ("我下周二的面试能过吗？我怕自己一紧张就说不出话", "fear nerves", Language.SIMPLIFIED),
        ("想跟他表白，又怕被拒絕，該不該說？", "fear refusal", Language.TRADITIONAL),
        ("Should I take the job? I am afraid I will regret it.", "fear regret", Language.ENGLISH),
    ],
)
def test_a_fear_that_is_told_is_answered(question: str, key: str, language: Language) -> None:
    for divination in casts(question, 12):
        lead = read(divination, language=language).lead
        assert any(pattern.search(lead) for pattern in patterns(key, language)), lead


@pytest.mark.parametrize(
    ("question", "name", "language"),
    [("我和小林还能复合吗", "小林", Language.SIMPLIFIED), ("Should I tell Anna how I feel?", "Anna", Language.ENGLISH)],
)
def test_the_other_person_is_called_by_the_name_that_is_told(question: str, name: str, language: Language) -> None:
    leads = [read(each, language=language).lead.replace(question, "") for each in casts(question, 40)]
    assert any(name in lead for lead in leads)
    assert not any("对方" in lead or "the other person" in lead.lower() for lead in leads)


@pytest.mark.parametrize("language", Language)
def test_a_reading_says_how_far_it_can_be_trusted(language: Language) -> None:
    """How sure it is, or what a cast cannot know, in most readings, and never both."""
    keys = ("sure clear", "sure leaning", "sure close", "sure mixed", "limit career", "limit love")
    known = [pattern for key in keys for pattern in patterns(key, language)]
    leads = [read(each, language=language).lead for each in casts(QUESTIONS[language], 40)]
    found = [sum(pattern.search(lead) is not None for pattern in known) for lead in leads]
    assert max(found) == 1
    assert sum(found) >= 24


def test_who_only_watches_a_match_is_not_told_how_to_play() -> None:
    ways = CATALOGUES[Language.SIMPLIFIED].roles["spectator"]
    for divination in casts("明天的球赛湖人会赢吗", 12):
        lead = read(divination, language=Language.SIMPLIFIED).lead
        assert any(way in lead for way in ways), lead
