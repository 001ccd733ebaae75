"""What is restated of a question reads as English, or is not restated at all."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from liuyao.reading import Language, read
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.well_formed import is_clause, is_whole, names_time_twice
from liuyao.reading.wording.cantonese import in_cantonese
from tests.support.readings.repetition import casts

ROOT: Final = Path(__file__).parents[4]
CORPORA: Final = (
    *sorted((ROOT / "training").glob("questions/*/en.tsv")),
    *sorted((ROOT / "training").glob("natural/*/en.tsv")),
)
HELD_OUT: Final = ROOT / "tests/unit/liuyao/polarity/held_out/en.txt"


def questions() -> Iterator[str]:
    for path in CORPORA:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row.get("label", "ordinary") == "ordinary" and (text := row.get("text") or row.get("question")):
                    yield text
    for line in HELD_OUT.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line


def test_whatever_is_restated_of_any_question_is_a_clause() -> None:
    asked = list(questions())
    broken, restated = [], 0
    for text in asked:
        inquiry = inquire("", text)
        if inquiry.restated:
            restated += 1
            if not is_whole(inquiry.restated):
                broken.append(inquiry.restated)
        if inquiry.stated and not is_clause(*inquiry.stated):
            broken.append(" ".join(inquiry.stated))
        broken += [option for option in inquiry.options if not is_whole(option)]
    assert len(asked) > 2500
    assert restated > len(asked) * 0.45
    assert not broken


@pytest.mark.parametrize(
    ("question", "restated"),
    [
        ("Will my date on Saturday go well?", "whether your date on Saturday will go well"),
        ("Is my snoring getting worse?", "whether your snoring is getting worse"),
        ("Can I trust the man I am seeing?", "whether you can trust the man you are seeing"),
        (
            "Will the landlord in Leeds give us back the deposit?",
            "whether the landlord in Leeds will give you back the deposit",
        ),
        ("Will the move to Nova Scotia go well?", "whether the move to Nova Scotia will go well"),
        ("Will my dog that ran off on Friday come back?", None),
        ("Is my brother who I haven't seen for years coming home?", None),
    ],
)
def test_a_clause_has_a_subject_and_its_verb(question: str, restated: str | None) -> None:
    assert inquire("", question).restated == restated


@pytest.mark.parametrize(
    "words", ["stay where you am", "go now now", "not being alone?", "you was late", "he are here", "like my", "see me"]
)
def test_broken_words_are_found(words: str) -> None:
    assert not is_whole(words)


@pytest.mark.parametrize(
    ("subject", "aux", "tail"),
    [("your", "will", "date on Saturday go well"), ("your dog", "will", "that ran off come back"), ("it", "will", "")],
)
def test_a_phrase_cut_in_two_is_no_clause(subject: str, aux: str, tail: str) -> None:
    assert not is_clause(subject, aux, tail)


def test_a_deed_with_a_time_is_put_into_no_sentence_with_another() -> None:
    assert names_time_twice("no, do not {deed} now", "ask for a raise now")
    for question in ("Should I ask for a raise now?", "Should I quit my job right now?", "Should I move out today?"):
        for divination in casts(question, 30):
            told = " ".join(read(divination, language=Language.ENGLISH).conclusion).lower()
            assert not any(
                twice in told for twice in ("now now", "now for now", "now yet", "today yet", "today for now")
            )


def test_a_choice_agrees_with_its_new_subject() -> None:
    assert inquire("", "Should I move or stay where I am?").options == ("move", "stay where you are")


def test_cantonese_is_of_one_register_in_the_explanation_of_a_term_too() -> None:
    told = in_cantonese("用神（代表所問的那一爻）沒有動，時間花到別處去了，很特別。")
    assert told == "用神（代表所問嘅嗰一爻）冇動，時間花到第二度去咗，好特別。"
