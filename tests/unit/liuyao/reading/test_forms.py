"""Answer, reason and advice by the form of the question: nothing is missing, nothing is cut out of the question."""

import re

import pytest

from liuyao.reading import Language, read
from liuyao.reading.acting import PEOPLE, ROLES, group
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.judgement import judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read as read_text
from liuyao.reading.situation import Situation
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
RELATIONS = ("父母", "兄弟", "子孙", "妻财", "官鬼")
QUESTIONS = (
    (EN, "Why does my landlord keep ignoring my emails?", Form.WHY, Agent.OTHER),
    (EN, "Why can't I sleep lately?", Form.WHY, Agent.SELF),
    (EN, "Why does my bread never rise?", Form.WHY, Agent.SELF),
    (EN, "How do I stop my dog from barking all day?", Form.HOW, Agent.THING),
    (EN, "How is my sister getting on in Lisbon?", Form.STATE, Agent.OTHER),
    (EN, "Is it a bad idea to lend my neighbour the chainsaw?", Form.OBJECTION, Agent.SELF),
    (EN, "Do I need to worry about the strange noise in the car?", Form.WORRY, Agent.SELF),
    (EN, "How much will the repair of the boiler cost me?", Form.COST, Agent.SELF),
    (EN, "Who scratched my car?", Form.WHO_DID, Agent.SELF),
    (EN, "How did my presentation go?", Form.RESULT, Agent.SELF),
    (ZH, "跟婆婆处不好怎么办？", Form.HOW, Agent.OTHER),
    (ZH, "最近为什么老是破财？", Form.WHY, Agent.SELF),
    (ZH, "下周去面试，我该注意些什么？", Form.HEED, Agent.SELF),
    (ZH, "装修队靠不靠谱？", Form.TRUST, Agent.OTHER),
    (ZH, "周日会来多少客人？", Form.COUNT, Agent.SELF),
    (TW, "導師對我兒子有什麼看法？", Form.MIND, Agent.OTHER),
    (TW, "怎麼跟老闆說我想調部門？", Form.HOW, Agent.OTHER),
    (TW, "兩間補習班，哪一間比較適合我女兒？", Form.WHICH_UNNAMED, Agent.SELF),
)


@pytest.mark.parametrize("language", Language)
def test_every_role_has_words_and_a_group(language: Language) -> None:
    people = {f"{verb} {relation}" for verb in PEOPLE for relation in RELATIONS}
    words = CATALOGUES[language]
    assert words.plain.keys() == ROLES | people
    assert {group(role) for role in words.plain} == {"people", "time", "self", "course"}
    for table in words.people_plain.values():
        assert table.keys() == people


@pytest.mark.parametrize("language", Language)
def test_advice_has_a_place_for_a_date_and_for_nothing_else(language: Language) -> None:
    words = CATALOGUES[language]
    texts = [
        way
        for table in (words.advice, words.because, words.minds, words.plain)
        for ways in table.values()
        for way in ways
    ]
    assert {field for text in texts for field in re.findall(r"\{(\w*)\}", text)} == {"date"}


@pytest.mark.parametrize(("language", "question", "form", "agent"), QUESTIONS)
def test_a_form_is_answered_and_advised_in_its_own_words(
    language: Language, question: str, form: Form, agent: Agent
) -> None:
    """DIV-30."""
    words, leads = CATALOGUES[language], set()
    for divination in casts(question, 24):
        judgement = judge(lay_out(divination), inquire(divination.question_type, question))
        situation = Situation(lay_out(divination), judgement, read_text(question))
        assert (situation.form, situation.agent) == (form, agent)
        reading = read(divination, language=language)
        leads.add(reading.lead)
        assert "{" not in reading.answer
        if form is Form.WHY:
            assert any(cause in reading.lead for ways in words.causes.values() for cause in ways)
    assert len(leads) >= 6, leads


@pytest.mark.parametrize("language", Language)
def test_what_asks_why_is_not_answered_with_yes_or_no(language: Language) -> None:
    question = {EN: "What's holding my career back?", ZH: "我的事业卡在什么地方了？", TW: "我的事業卡在什麼地方了？"}[
        language
    ]
    for divination in casts(question, 12):
        first = read(divination, language=language).conclusion[0]
        assert not re.search(r"\b(?:yes|no)\b|不会|不會|大概会|大概會", first), first
