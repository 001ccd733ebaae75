"""A clause is restated only where it reads as one; else the answer stands without it."""

import random

import pytest

from liuyao.reading import Language, read
from tests.unit.liuyao.polarity.random_casts import cast

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
CASTS = 40


def answers(question: str, language: Language) -> list[str]:
    """The first paragraph of several casts without the question."""
    draw = random.Random(question)
    return [
        read(cast(draw, question), language=language).answer.split("\n\n")[0].split(question, 1)[1]
        for _ in range(CASTS)
    ]


@pytest.mark.parametrize(
    ("question", "language", "never"),
    [
        ("件事会成吗？", ZH, "件事"),
        ("那家店想扩张，会批下来吗？", ZH, "那家店想扩张"),
        ("他們要蓋大樓，會核准嗎？", TW, "要蓋大樓"),
    ],
)
def test_a_matter_unnamed_or_a_clause_before_the_question_is_no_subject(
    question: str, language: Language, never: str
) -> None:
    assert not [answer for answer in answers(question, language) if never in answer]


def test_a_time_that_stands_alone_is_not_put_after_hardly() -> None:
    said = " ".join(answers("Will the loft be done by Easter?", EN))
    assert "ardly Easter" not in said


def test_two_clauses_to_choose_from_are_answered_neither_by_yes_nor_by_no() -> None:
    for answer in answers("Is he bored or is he angry?", EN):
        assert not answer.lstrip("” ").lower().startswith(("yes", "no,", "no:", "probably", "possibly")), answer
