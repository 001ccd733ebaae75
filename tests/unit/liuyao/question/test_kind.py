"""How a question is put, as people type it: a choice, a yes or no, the best part of a year; and whose line it is."""

import csv
import random
import re
from pathlib import Path

import pytest

from liuyao.classification import load
from liuyao.reading import Language, read
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.form import options_of
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.kind import FORM, KINDS
from liuyao.reading.question.text import read as read_text
from tests.unit.liuyao.polarity.random_casts import cast
from tools.classification.corpus import digest
from tools.classification.natural import UNSAID, natural

NATURAL = Path(__file__).with_name("natural.tsv")


def test_the_shipped_model_was_trained_on_the_training_texts() -> None:
    assert load(FORM).about["digest"] == digest("polarity", "natural/learn", "questions/learn")
    assert FORM.stat().st_size < 100_000


def test_the_kind_of_answer_fits_texts_that_nothing_was_trained_on() -> None:
    """DIV-28: by the tables alone 761 of 920."""
    texts = [text for text in natural("development") if text.form != UNSAID]
    fitting = sum(inquire("", text.text).asks in KINDS[text.form] for text in texts)
    assert fitting / len(texts) >= 0.85


def test_the_line_is_found_in_questions_about_others_and_things() -> None:
    """DIV-28: 235 of 298; nothing is trained on them."""
    with NATURAL.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 298
    assert sum(inquire("", row["question"]).focus in row["focus"].split("/") for row in rows) >= 233


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("sell the boat or fix it, wife says sell", "sell the boat", "fix it"),
        ("去首爾定去台南過聖誕好", "去首爾", "去台南過聖誕"),
        ("外地户口的孩子抚养权，在老家起诉还是在深圳起诉", "在老家起诉", "在深圳起诉"),
        ("上海迪士尼or环球影城", "上海迪士尼", "环球影城"),
    ],
)
def test_a_choice_has_both_its_options(question: str, first: str, second: str) -> None:
    """CARE-08."""
    inquiry = inquire("", question)
    assert inquiry.asks is Asks.WHICH
    assert options_of(read_text(question), inquiry) == (first, second)


@pytest.mark.parametrize(
    ("question", "language", "part"),
    [
        ("今年哪个月份适合去相亲", Language.SIMPLIFIED, "月"),
        ("一年里头哪段时间换工作运最旺", Language.SIMPLIFIED, "月"),
        ("What season is best to buy gold coins", Language.ENGLISH, "(?:spring|summer|autumn|winter) [(]"),
        ("Which half of the year suits a house move", Language.ENGLISH, "(?:first|second) half of 20"),
        ("春天还是秋天开店好", Language.SIMPLIFIED, "[春秋]季"),
        ("明年上半年和下半年，哪段适合装修", Language.SIMPLIFIED, "[上下]半年"),
        ("下个月哪一周去面试好", Language.SIMPLIFIED, "这一周"),
    ],
)
def test_the_best_part_of_a_year_is_told_in_the_unit_asked_for(question: str, language: Language, part: str) -> None:
    """CARE-08."""
    draw = random.Random(question)
    for _ in range(10):
        assert re.search(part, read(cast(draw, question), language=language).conclusion[0])
