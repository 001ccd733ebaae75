"""Ordinary questions in three languages (`ordinary/`): whose line they ask for and what kind of answer.

Those of `seen` and `further` mended the grammar, those of `unseen` were measured before they did, and those of `again`
before each change of the classifiers; those of `held_back` are not to be shown, so a failure names how many are wrong.
`classes` and the two sets after it ask of doctors, staff, relatives as a party, rivals, months: the second and the
third were measured before they mended anything. `classes_kept`, of staff, relatives as a party, somebody's mother,
doctors and "they", is never trained on and mends nothing.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from tests.support.readings.follow_ups import heard_as

FOCUS_AT_LEAST = {"seen": 0.95, "unseen": 0.95, "further": 0.95, "again": 0.87, "held_back": 0.91}
FOCUS_AT_LEAST |= {"classes": 0.95, "classes_apart": 0.95, "classes_last": 0.92, "classes_kept": 0.9}
KIND_AT_LEAST = 0.92
FOLLOW_UPS_AT_LEAST = {"seen": 0.95, "unseen": 0.95, "further": 0.95, "again": 0.88}
PER_LANGUAGE = {"seen": 20, "unseen": 20, "further": 130, "again": 60, "held_back": 12}
PER_LANGUAGE |= {"classes": 26, "classes_apart": 26, "classes_last": 13, "classes_kept": 20}
FOLLOW_UPS = {"seen": 10, "unseen": 10, "further": 20, "again": 30}


def table(name: str) -> list[dict[str, str]]:
    path = Path(__file__).parent / "ordinary" / f"{name}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def fits(wanted: str, *found: str) -> bool:
    """Whether one of several things that are found is wanted; `*` leaves it open, `/` separates what serves."""
    return wanted == "*" or not set(wanted.split("/")).isdisjoint(found)


def named(half: str, wrong: list[str]) -> list[str] | int:
    """The questions that are wrong, or how many of those that are not to be shown."""
    return len(wrong) if half in ("held_back", "classes_kept") else wrong


@pytest.mark.parametrize("half", FOCUS_AT_LEAST)
def test_the_line_and_the_kind_of_answer_are_found(half: str) -> None:
    """DIV-28."""
    rows = table(f"questions_{half}")
    found = [(row, inquire("", row["question"])) for row in rows]
    other_focus = [row["question"] for row, inquiry in found if not fits(row["focus"], inquiry.focus)]
    other_kind = [row["question"] for row, inquiry in found if not fits(row["asks"], str(inquiry.asks))]
    languages = Counter(row["language"] for row in rows)
    assert set(languages) == {"zh", "hant", "en"}
    assert min(languages.values()) == PER_LANGUAGE[half]
    focus_wrong, kind_wrong = len(other_focus), len(other_kind)
    assert focus_wrong <= (1 - FOCUS_AT_LEAST[half]) * len(rows), named(half, other_focus)
    assert kind_wrong <= (1 - KIND_AT_LEAST) * len(rows), named(half, other_kind)


@pytest.mark.parametrize(
    ("humble", "plain"),
    [
        ("在下今年能升职吗", "我今年能升职吗"),
        ("小弟想换工作，合适吗", "我想换工作，合适吗"),
        ("晚輩想拜師，可以嗎", "我想拜師，可以嗎"),
        ("Will this humble servant get the job?", "Will I get the job?"),
        ("Yours truly wants to sell the house, will it work?", "I want to sell the house, will it work?"),
    ],
)
def test_a_humble_word_for_the_asker_is_the_asker(humble: str, plain: str) -> None:
    """DIV-28, DIV-32: restated as "you", as a plain "I" is."""
    assert inquire("", humble) == inquire("", plain)


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("小弟能找到工作吗", "兄弟"),
        ("我小妹想换工作，合适吗", "兄弟"),
        ("现在下雨会停吗", "妻财"),
        ("小女子何时能遇到良人", "官鬼"),
        ("小生何时能遇到良人", "妻财"),
    ],
)
def test_the_same_word_for_kin_is_kin(question: str, focus: str) -> None:
    """DIV-28: and a humble word tells the asker's sex."""
    assert inquire("", question).focus == focus


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("轉工好定係留低好", ("轉工", "留低")),
        ("去加拿大好定係留喺香港好", ("去加拿大", "留喺香港")),
        ("跳槽好还是留下好", ("跳槽", "留下")),
    ],
)
def test_options_are_named_in_the_words_of_the_question(question: str, options: tuple[str, ...]) -> None:
    """DIV-32: of a Cantonese question too, which is read in standard Chinese."""
    assert inquire("", question).options == options


@pytest.mark.parametrize("half", FOLLOW_UPS)
def test_a_follow_up_is_heard_and_takes_its_own_line(half: str) -> None:
    """FUP-03, FUP-06: explain without terms, why, what can I do, if I wait, which month; another person or matter."""
    rows = table(f"follow_ups_{half}")
    missed = []
    for row in rows:
        output = follow_up(row["follow_up"], inquire("", row["question"]))
        if not (fits(row["intents"], *heard_as(output.intents)) and fits(row["focus"], output.inquiry.focus)):
            missed.append(f"{row['question']} {row['follow_up']}: {output.intents} {output.inquiry.focus}")
    assert Counter(row["language"] for row in rows) == dict.fromkeys(("zh", "hant", "en"), FOLLOW_UPS[half])
    assert len(missed) <= (1 - FOLLOW_UPS_AT_LEAST[half]) * len(rows), missed


@pytest.mark.parametrize(
    ("question", "again", "whom"),
    [
        ("我今年能升职吗", "那我老婆呢", "你老婆"),
        ("我老豆個病好唔好得返", "咁我阿媽呢", "你阿媽"),
        ("我和女朋友能结婚吗", "她爸妈会同意吗", "她爸妈"),
        ("Will I get the job?", "And what about my wife?", "your wife"),
        ("Will my son pass the bar exam?", "What about his girlfriend?", "his girlfriend"),
        ("我妈的病能好吗", "那我呢", "你自己"),
        ("Will my brother find a job?", "And me, will I find one?", "you yourself"),
        ("我今年能升职吗", "那财运呢", None),
    ],
)
def test_a_follow_up_names_whom_it_turns_to(question: str, again: str, whom: str | None) -> None:
    """FUP-06: in the user's own words."""
    output = follow_up(again, inquire("", question))
    assert output.turned
    assert output.whom == whom
