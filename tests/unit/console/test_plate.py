"""The console's plate, in Node: palaces and stems as the books have them, and the lines that a reading names."""

import json
import random
import shutil
import subprocess
from typing import Any

import pytest

from liuyao import DivinationPayload, derive
from liuyao.hexagrams import HEXAGRAMS
from liuyao.reading import Language, read
from tests.support.paths import ROOT
from yarrow_client.cli.hexagram import PALACES, stems

_SCRIPT = """
import { readFileSync } from "node:fs";
import { focusOf, linesIn, palaceOf, stemInPalace, stemOf } from "./console/najia.js";
const { codes, outputs, texts } = JSON.parse(readFileSync(0, "utf-8"));
const positions = [1, 2, 3, 4, 5, 6];
console.log(JSON.stringify({
  palaces: codes.map(palaceOf),
  stems: codes.map((code) => positions.map((each) => stemOf(code, each))),
  own: codes.map((code) => positions.map((each) => stemInPalace(palaceOf(code).palace, each))),
  focuses: outputs.map(focusOf),
  lines: texts.map(([text, of]) => linesIn(text, of)),
}));
"""
_CODES = [f"{number:06b}" for number in range(64)]
_LINES = ("少阳", "少阴", "老阳", "老阴")
_MATTERS = ("其他", "事业", "财运", "感情", "学业", "健康", "出行", "寻物", "官司")
_QUESTIONS = (
    *(
        "今年换工作合适吗？",
        "我的钱包在哪里？",
        "他爱我吗？",
        "我能打赢官司吗？",
        "明天会下雨吗？",
        "孩子什么时候出生？",
    ),
    *(
        "对方会还钱吗？",
        "这次考试能考上吗？",
        "他什么时候回来？",
        "房子能卖掉吗？",
        "Will I get the job?",
        "Is he honest?",
    ),
)
_OF = {"focus": 2, "world": 5, "response": 2}
_TEXTS: list[tuple[str, dict[str, int], list[int]]] = [
    ("三爻子孙申金发动，为忌神，来克用神", _OF, [2, 3]),
    ("世爻克应爻（上爻官鬼卯木）", _OF, [2, 5, 6]),
    ("The asker's line, Offspring of Tiger wood on line 2, moves", _OF, [2, 5]),
    ("六爻安静，没有哪一爻来生它或克它。", _OF, []),
    ("It turns into a hexagram of six combinations (六合卦)", _OF, []),
    ("取伏在三爻之下的妻财午火", {}, [3]),
]


def _casts() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Readings as they are stored, and their 用神, of casts of every kind."""
    made = random.Random(20261128)
    found = []
    for number in range(240):
        cast = {
            "divinationMethod": "手动起卦",
            "questionType": _MATTERS[number % len(_MATTERS)],
            "question": made.choice(_QUESTIONS),
            "divinationTimeIso": f"2026-{made.randint(1, 12):02}-{made.randint(1, 28):02}T20:30:00+08:00",
            "yaoLines": made.choices(_LINES, k=6),
        }
        divination = derive(DivinationPayload.model_validate(cast))
        reading = read(divination, language=list(Language)[number % 3], times_asked=1 + number % 2 * 2)
        focus = reading.judgement.focus
        output = {"focus_points": reading.focus_points, "divination_derived": divination.model_dump(mode="json")}
        found.append((output, {"position": focus.at.position, "isHidden": focus.hidden}))
    return found


@pytest.fixture(scope="module")
def casts() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return _casts()


@pytest.fixture(scope="module")
def told(casts: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    given = {"codes": _CODES, "outputs": [output for output, _ in casts], "texts": [text[:2] for text in _TEXTS]}
    command = ["node", "--input-type=module", "-e", _SCRIPT]
    run = subprocess.run(
        command, cwd=ROOT, input=json.dumps(given), capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_palace_and_generation_are_those_of_the_table(told: dict[str, Any]) -> None:
    """DIV-14: 宫 and 世数 of all 64."""
    assert told["palaces"] == [
        {"palace": HEXAGRAMS[code].palace.name, "generation": HEXAGRAMS[code].generation} for code in _CODES
    ]


def test_stems_are_those_of_the_terminal(told: dict[str, Any]) -> None:
    """纳干 of all 64, and of the pure hexagram of their palace, whose lines hide below them."""
    pure = {palace.name: code for code, palace in PALACES.items() if palace.generation == "八纯"}
    assert told["stems"] == [stems(code) for code in _CODES]
    assert told["own"] == [stems(pure[PALACES[code].name]) for code in _CODES]


def test_the_focus_is_the_one_that_was_judged(
    told: dict[str, Any], casts: list[tuple[dict[str, Any], dict[str, Any]]]
) -> None:
    """The output has no field for the 用神: it is read from the first reason, in three languages."""
    wanted = [focus for _, focus in casts]
    assert any(focus["isHidden"] for focus in wanted)
    assert told["focuses"] == wanted


def test_a_reason_names_its_lines(told: dict[str, Any]) -> None:
    assert told["lines"] == [lines for _, _, lines in _TEXTS]
