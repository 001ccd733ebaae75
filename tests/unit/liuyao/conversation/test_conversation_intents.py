"""Follow-ups of a conversation in four languages, written by one author before the intents they have were made.

The misses of `apart.tsv` were looked at once, after the answers were made.
"""

import csv
from pathlib import Path
from typing import Final

import pytest

from liuyao import derive
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from tests.support.casts import payload
from tests.support.readings.repetition import casts

FOLDER: Final = Path(__file__).parent
AT_LEAST: Final = {"open": 0.95, "apart": 0.9}
LANGUAGES: Final = {
    "en": Language.ENGLISH,
    "zh": Language.SIMPLIFIED,
    "hant": Language.TRADITIONAL,
    "yue": Language.TRADITIONAL,
}
LONGEST_EN, LONGEST_ZH = 95, 260
"""Words of an English answer, characters of a Chinese one."""


def rows(half: str) -> list[dict[str, str]]:
    with (FOLDER / f"{half}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_heard(wanted: str, found: list[str], *, turned: bool) -> bool:
    """A comma separates what must all be heard, a slash what serves."""
    names = {item.lower() for item in found} | ({"turn"} if turned else set())
    return all(not set(item.split("/")).isdisjoint(names) for item in wanted.split(","))


@pytest.mark.parametrize("half", AT_LEAST)
def test_intents_of_a_conversation_are_heard(half: str) -> None:
    """FUP-03."""
    table = rows(half)
    heard = 0
    for row in table:
        told = follow_up(row["follow_up"], inquire("", row["question"]))
        heard += is_heard(row["intents"], [intent.name for intent in told.intents], turned=told.turned)
    assert len(table) > 80
    assert heard / len(table) >= AT_LEAST[half]


def test_answers_are_short_and_do_not_open_like_the_reading() -> None:
    """FUP-03: the whole answer, with its ground in terms."""
    table = rows("open")
    long, again = [], []
    for row in table:
        language = LANGUAGES[row["language"]]
        for divination in casts(row["question"], 2):
            answer = answer_follow_up(divination, row["follow_up"], language=language)
            size, most = (len(answer.split()), LONGEST_EN) if row["language"] == "en" else (len(answer), LONGEST_ZH)
            long += [answer] if size > most else []
            reading = read(divination, language=language)
            again += [answer] if answer.startswith(reading.conclusion[0]) else []
    assert len(long) <= 0.06 * 2 * len(table), "\n".join(long)
    assert not again


def test_a_follow_up_never_changes_the_stored_reading() -> None:
    """FUP-05, FUP-06: grade, line and dates of the first question stay after any follow-up."""
    divination = derive(payload(question="我能升职吗"))
    before = read(divination, language=Language.SIMPLIFIED)
    for row in rows("open")[:40]:
        answer_follow_up(divination, row["follow_up"], language=Language.SIMPLIFIED)
    after = read(divination, language=Language.SIMPLIFIED)
    assert (before.sign_level, before.answer) == (after.sign_level, after.answer)
