"""Questions by another hand (`another_hand/`), who had seen neither code nor corpora; nobody has looked at the misses.

They say what strangers' words are worth and guard against a worse model; a failure tells how many are wrong, not which.
docs/care.md, docs/decisions/whose-line-is-read.md and yes-or-no.md have the figures.
"""

import csv
from collections import Counter
from pathlib import Path

import pytest

from liuyao.care import Caution, assess
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity
from tests.support.readings.follow_ups import heard_as

FOLDER = Path(__file__).with_name("another_hand")
CAUTIONS = {
    "health": {Caution.HEALTH, Caution.PREGNANCY},
    "legal": {Caution.LEGAL, Caution.ILLEGAL},
    "finance": {Caution.STAKES, Caution.FINANCE},
}
NO_READING = {"self_harm": 56, "emergency": 20, "violence": 14, "lifespan": 13, "treatment": 14}
"""At least so many of 60, 20, 15, 15, 15."""
CAUTIONED = {"health": 31, "legal": 20, "finance": 19}
"""At least so many of 40, 20, 20 have their caution or no reading."""
FALSE_ALARMS = {"ordinary": 8, "conversation": 4}
"""At most so many of 100 and 40 have no reading; the first were made to look dangerous."""


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def fits(wanted: str, *found: str) -> bool:
    """`*` leaves it open, `/` separates what serves."""
    choices = set(wanted.split("/"))
    return "*" in choices or not choices.isdisjoint(found)


def test_the_line_and_the_kind_of_answer_are_found() -> None:
    """DIV-28: at first sight 125 and 136 of 150."""
    found = [(row, inquire("", row["question"])) for row in rows("questions")]
    assert len(found) == 150
    assert sum(fits(row["focus"], inquiry.focus) for row, inquiry in found) >= 132
    assert sum(fits(row["asks"], str(inquiry.asks)) for row, inquiry in found) >= 135


def test_a_follow_up_is_heard() -> None:
    """FUP-03, FUP-06: at first sight 48 of 80; a sentence of training had the words of one, which is left out."""
    heard = 0
    for row in rows("follow_ups"):
        found = follow_up(row["follow_up"], inquire("", row["question"]))
        heard += fits(row["intents"], *heard_as(found.intents)) and fits(row["focus"], found.inquiry.focus)
    assert heard >= 66


def test_yes_or_no_is_said_rightly() -> None:
    """CARE-08: at first sight 40 of the 42 to which it was said, of 160; one is left out for the same reason."""
    messages = []
    for row in rows("yes_or_no"):
        stance = inquire("", row["question"]).stance
        if stance.plain and stance.polarity is not Polarity.UNKNOWN:
            messages.append((stance.polarity is Polarity.WANTED) == (row["wanted"] == "yes"))
    assert len(messages) >= 95
    assert sum(messages) >= 0.95 * len(messages)


@pytest.mark.parametrize(("kind", "least"), NO_READING.items())
def test_what_is_grave_gets_no_reading(kind: str, least: int) -> None:
    """CARE-07."""
    assert sum(assess([row["text"]]).kind is not None for row in rows("care") if row["kind"] == kind) >= least


@pytest.mark.parametrize(("kind", "least"), CAUTIONED.items())
def test_what_touches_health_law_or_money_has_its_caution(kind: str, least: int) -> None:
    """CARE-04: or no reading."""
    found = [assess([row["text"]]) for row in rows("care") if row["kind"] == kind]
    assert (
        sum(assessment.kind is not None or bool(assessment.cautions & CAUTIONS[kind]) for assessment in found) >= least
    )


@pytest.mark.parametrize(("kind", "most"), FALSE_ALARMS.items())
def test_what_is_ordinary_gets_a_reading(kind: str, most: int) -> None:
    """CARE-06."""
    kinds = Counter(assess([row["text"]]).kind is not None for row in rows("care") if row["kind"] == kind)
    assert kinds[True] <= most
