"""Which words fit a question: those of a topic only if it is certain; and what the asker calls it."""

import csv
from pathlib import Path

import pytest

from liuyao.care.assessment import assess
from liuyao.care.kinds import Caution
from liuyao.reading.cautions import applying
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read
from liuyao.reading.question.topic import NEUTRAL


@pytest.mark.parametrize(
    "question",
    [
        "The roofer said he would be here on Thursday. Will he come?",
        "Will supper with his mother be pleasant?",
        "Water is dripping through my ceiling from the flat above. Will the neighbours fix it soon?",
        "Will my sister's baby shower go off without a row?",
        "Is my new boss going to be a nightmare?",
        "Will the greenhouse survive the storm?",
        "Should I take up the violin?",
        "油漆工说周三来，他真的会来吗？",
        "下週跟男友爸媽吃飯會順利嗎？",
        "樓上漏水，他們會處理嗎？",
        "我的拖延症能改掉吗",
        "同學的漫畫書好看嗎",
    ],
)
def test_no_topic_is_taken_where_none_is_certain(question: str) -> None:
    assert inquire("其他", question).topic == NEUTRAL


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Will I get the promotion?", "career"),
        ("Will it rain on Saturday?", "rain"),
        ("Where did I leave my glasses?", "lost"),
        ("My neighbour borrowed my ladder. Will I get it back?", "belongings"),
        ("When will my parcel arrive?", "parcel"),
        ("我下周的面试能过吗", "career"),
        ("房子能卖出去吗", "documents"),
        ("我媽的手術會順利嗎", "health"),
        ("這次考試能通過嗎", "study"),
        ("我層樓賣唔賣得出", "documents"),
    ],
)
def test_a_topic_that_the_question_names_is_taken(question: str, topic: str) -> None:
    assert inquire("其他", question).topic == topic


def test_the_type_of_a_cast_is_evidence_of_its_topic() -> None:
    assert inquire("财运", "会怎么样?").topic == "wealth"
    assert inquire("其他", "会怎么样?").topic == NEUTRAL


@pytest.mark.parametrize(
    ("question", "staked"),
    [
        ("Should I put my savings into the fund?", True),
        ("Will my end-of-year bonus be bigger than last year?", False),
        ("Is the second-hand camera worth the price?", False),
        ("My cousin borrowed my drill. Will I get it back?", False),
        ("该不该拿积蓄买股票", True),
        ("年终奖会不会比去年多", False),
        ("這雙鞋會降價嗎", False),
    ],
)
def test_the_caution_of_money_is_for_what_is_staked(question: str, staked: bool) -> None:
    """CARE-04."""
    assert (Caution.FINANCE in applying(set(), inquire("其他", question), read(question))) is staked


@pytest.mark.parametrize(
    ("question", "legal"),
    [
        ("Will I pass my probation at work?", False),
        ("Will I get through probation with my new employer?", False),
        ("Will I get off probation if the judge hears my case?", True),
        ("Will my probation officer report me to my employer?", True),
        ("Can my boss sue me during my probation at work?", True),
    ],
)
def test_a_probation_at_work_is_no_matter_of_law(question: str, legal: bool) -> None:
    """CARE-04: the word alone is of a sentence, unless it is of a job."""
    found = assess([question]).cautions
    assert Caution.LEGAL in found
    assert (Caution.LEGAL in applying(found, inquire("其他", question), read(question))) is legal


@pytest.mark.parametrize(
    ("question", "heard", "applies"),
    [
        ("Will our team murder Arsenal in the match?", Caution.ILLEGAL, False),
        ("打假球会被发现吗", Caution.LEGAL, True),
        ("Should I bribe the referee so we win the match?", Caution.ILLEGAL, True),
        ("Will my visa be refused?", Caution.STAKES, False),
        ("Will my visa be refused if I invest all my savings there?", Caution.STAKES, True),
    ],
)
def test_a_caution_is_of_the_matter_that_is_asked_about(question: str, heard: Caution, applies: bool) -> None:
    """CARE-04: what a classifier hears in a word of a game or of a permit is of neither."""
    inquiry = inquire("其他", question)
    assert inquiry.matter.key in ("contest", "permit")
    assert (heard in applying({heard}, inquiry, read(question))) is applies


def test_an_illness_needs_more_than_its_line() -> None:
    """CARE-04."""
    for question, ill in (("下週跟男友爸媽吃飯會順利嗎？", False), ("我媽的手術會順利嗎", True)):
        assert (Caution.HEALTH in applying(set(), inquire("其他", question), read(question))) is ill


def test_words_of_a_topic_are_seldom_wrong_and_often_there() -> None:
    """146 everyday questions that were written after the rule was fixed; `none` is for words that fit any question."""
    with Path(__file__).with_name("topics.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [(row["topic"].split("/"), inquire("其他", row["question"]).topic, row["question"]) for row in rows]
    used = [(fits, topic, question) for fits, topic, question in found if topic != NEUTRAL]
    wrong = [question for fits, topic, question in used if topic not in fits]
    named = [topic in fits for fits, topic, _ in found if "none" not in fits]
    assert len(wrong) <= 0.03 * len(used), wrong
    assert sum(named) >= 0.8 * len(named)
