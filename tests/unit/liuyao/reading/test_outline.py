"""A reading states each reason once, and its advice follows from the stated reasons."""

import re

import pytest

from liuyao import Divination
from liuyao.reading import Language, read
from liuyao.reading.answering.comparison import plainly
from liuyao.reading.answering.reasons import why
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.judgement import Judgement, judge
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import by_aspect, outline, sureness
from liuyao.reading.plate import lay_out
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read as read_text
from liuyao.reading.situation import Situation
from liuyao.reading.voice import Voice
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
    found = [(judged(cast), outline(judged(cast))) for cast in casts("我下周的面试能过吗？", 60)]
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
        for cast in casts(question, 80):
            judgement, state = judged(cast), sureness(judged(cast))
            seen.add(state)
            agreeing = sum(by_aspect(judgement).values())
            if judgement.decided_by is None:
                assert state == ("clear" if abs(agreeing) >= 7 else "close" if abs(agreeing) <= 2 else "leaning")
    assert seen == {"clear", "leaning", "close", "mixed"}


@pytest.mark.parametrize("language", Language)
def test_there_is_one_piece_of_advice(language: Language) -> None:
    """One sentence, and one more only where a fear is told."""
    for divination in casts(QUESTIONS[language], 60):
        done = read(divination, language=language).answer.split("\n\n")[1]
        assert len(re.findall(r"[。！？]|[.!?](?=\s|$)", done)) == 1, done


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Will my neighbour come tomorrow?", Language.ENGLISH),
        ("抹灰的师傅明天会来吗？", Language.SIMPLIFIED),
        ("水電師傅明天會來嗎？", Language.TRADITIONAL),
    ],
)
def test_without_a_topic_the_advice_follows_from_what_carries_the_verdict(question: str, language: Language) -> None:
    groups = set()
    for divination in casts(question, 60):
        judgement = judged(divination)
        situation = Situation(lay_out(divination), judgement, read_text(question))
        assert (situation.form, situation.agent) == (Form.WHETHER, Agent.OTHER)
        groups.add(situation.group)
        form = "open other" if situation.is_open else "whether other"
        key = f"{form} {situation.side}" if situation.is_open else f"{form} {situation.side} {situation.group}"
        deeds = CATALOGUES[language].advice[key]
        lead = read(divination, language=language).lead
        assert any(deed in lead for deed in deeds), lead
    assert groups == {"people", "time", "course"}


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
    leads = [read(cast, language=language).lead.replace(question, "") for cast in casts(question, 40)]
    assert any(name in lead for lead in leads)
    assert not any("对方" in lead or "the other person" in lead.lower() for lead in leads)


@pytest.mark.parametrize("language", Language)
def test_what_speaks_against_the_verdict_is_told_where_it_is_close(language: Language) -> None:
    """A clear or leaning cast gives one reason, a close one both; nothing says how sure it is beside that."""
    sure = [pattern for key in ("sure clear", "sure leaning", "sure close") for pattern in patterns(key, language)]
    for divination in casts(QUESTIONS[language], 60):
        narrator, output = narrator_of(divination, language), why(narrator_of(divination, language))
        plan = narrator.outline
        close = sureness(narrator.judgement) in ("close", "mixed")
        if output and plan.carries and plan.against:
            against = plainly(narrator.voice, narrator.plate, narrator.judgement, plan.against, -plan.sign)
            assert (against in output) is close, output
        lead = read(divination, language=language).lead
        assert not any(pattern.search(lead) for pattern in sure), lead


def test_who_only_watches_a_match_is_not_told_how_to_play() -> None:
    ways = CATALOGUES[Language.SIMPLIFIED].roles["spectator"]
    for divination in casts("明天的球赛湖人会赢吗", 12):
        lead = read(divination, language=Language.SIMPLIFIED).lead
        assert any(way in lead for way in ways), lead
