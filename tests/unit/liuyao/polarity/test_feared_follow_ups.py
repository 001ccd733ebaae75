"""A yes or no to a follow-up about something feared agrees with the grade, whoever may do it (CARE-08).

`follow_ups.tsv` was written before the words of `polarity/governing.py`; those of the set `apart` were tried once.
"""

import csv
import random
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from liuyao.care.cantonese import in_standard_chinese
from liuyao.reading import Language, answer_follow_up
from liuyao.reading.answering.replies import state
from liuyao.reading.judgement import judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.asking import asking
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity, stance_of
from liuyao.reading.question.polarity.governing import Governed, governed
from liuyao.reading.question.text import read
from tests.unit.liuyao.polarity.random_casts import cast
from tests.unit.liuyao.polarity.yes_and_no import says_no, says_yes

LANGUAGES: Final = {"zh": Language.SIMPLIFIED, "hant": Language.TRADITIONAL, "en": Language.ENGLISH}
WELL: Final = ("best", "good", "later")
SAID: Final = 0.7


def _rows() -> list[dict[str, str]]:
    with Path(__file__).with_name("follow_ups.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("part", ["with", "apart"])
def test_the_answer_is_never_the_wrong_way_round(part: str) -> None:
    counted, wrong = Counter[str](), []
    for row in _rows():
        if row["set"] != part:
            continue
        asked, draw, seen = inquire("其他", row["question"]), random.Random(row["follow_up"]), set[bool]()
        while len(seen) < 2:
            divination = cast(draw, row["question"])
            inquiry = follow_up(row["follow_up"], asked).inquiry
            well = state(judge(lay_out(divination), inquiry)) in WELL
            if well in seen:
                continue
            seen.add(well)
            answer = answer_follow_up(divination, row["follow_up"], language=LANGUAGES[row["language"]]).lower()
            answer = in_standard_chinese(answer) or answer
            yes, no = says_yes(answer), says_no(answer)
            counted["said" if yes != no else "not said"] += 1
            if yes != no and yes != (well == (row["good"] == "yes")):
                wrong.append((row["follow_up"], well, answer))
    assert not wrong
    assert counted["said"] >= SAID * counted.total(), counted


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("他会介意我离过婚吗", Governed(is_ill=True, denied=False)),
        ("他介不介意我离过婚", Governed(is_ill=True, denied=False)),
        ("他能不计较彩礼吗", Governed(is_ill=False, denied=True)),
        ("他不会反悔吧", Governed(is_ill=True, denied=True)),
        ("份合約有冇伏", Governed(is_ill=True, denied=False)),
        ("她能体谅我没钱吗", Governed(is_ill=False, denied=False)),
        ("will he mind that I am divorced?", Governed(is_ill=True, denied=False)),
        ("they won't back out, will they?", Governed(is_ill=True, denied=True)),
        ("won't they overlook the debts?", Governed(is_ill=False, denied=False)),
        ("will he not mind?", None),
        ("what is on his mind?", None),
        ("will he change his mind?", None),
        ("会不会后悔", Governed(is_ill=True, denied=False)),
        ("他会后悔吗", None),
        ("对手会慌吗", None),
        ("will my rival panic?", None),
        ("will my rival hold it against me?", Governed(is_ill=True, denied=False)),
        ("我该介意吗", None),
        ("他喜欢我吗", None),
    ],
)
def test_the_governing_word_decides(words: str, found: Governed | None) -> None:
    text = read(words)
    assert governed(text, asking(text)) == found
    if found is not None:
        expected = Polarity.UNWANTED if found.is_ill else Polarity.WANTED
        assert stance_of(text, asking(text)).polarity is expected
