"""The derivation against recorded whole plates and pillars: `tests/vectors/*.jsonl` (DIV-13 … DIV-25).

A vector also says what the wire leaves out (palace, generation, stems, kind, full names of the spirits): that is
checked against the tables behind the wire.
"""

import json
from datetime import datetime
from typing import Any

import pytest

from liuyao import DayChange, Divination, DivinationPayload, derive
from liuyao.calendar import CYCLE, VOIDS, pillars
from liuyao.derivation import SPIRITS
from liuyao.hexagrams import HEXAGRAMS, traditional
from tests.support.paths import ROOT

VECTORS = ROOT / "tests/vectors"
LISTS = ("yaoInfoList", "targetYaoInfoList", "fushenInfoList")


def recorded(name: str) -> list[Any]:
    lines = (VECTORS / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(vector, id=vector["id"]) for vector in map(json.loads, lines)]


@pytest.mark.parametrize("vector", recorded("structure.jsonl"))
def test_a_plate_is_the_recorded_one(vector: dict[str, Any]) -> None:
    """DIV-13, DIV-14, DIV-15, DIV-16, DIV-17, DIV-18, DIV-19, DIV-21, DIV-22, DIV-23, DIV-24."""
    expected = vector["expected"]
    divination = derive(DivinationPayload.model_validate(vector["input"]))
    derived = as_recorded(divination)
    plain = {key: value for key, value in expected.items() if key not in LISTS}
    assert {key: derived[key] for key in plain} == plain
    for name in LISTS:
        assert len(derived[name]) == len(expected[name])
        for line, recorded_line in zip(derived[name], expected[name], strict=True):
            assert {key: line[key] for key in recorded_line} == recorded_line


def as_recorded(divination: Divination) -> dict[str, Any]:
    """The wire object and what a vector adds to it."""
    wire = divination.model_dump(mode="json")
    hexagram, target = HEXAGRAMS[divination.binary_code], HEXAGRAMS[divination.changed_binary_code]
    wire |= {
        "palace": hexagram.palace.name,
        "generation": hexagram.generation,
        "hexKind": [hexagram.kind] if hexagram.kind else [],
        "targetHexKind": [target.kind] if target.kind and divination.has_changing_yao else [],
    }
    for name, stems in (("yaoInfoList", hexagram.stems), ("targetYaoInfoList", target.stems)):
        for line in wire[name]:
            spirit = SPIRITS[line["spiritName"]]
            line |= {"spirit": spirit, "spiritHant": traditional(spirit), "stem": stems[line["position"] - 1]}
    for line, hidden in zip(wire["fushenInfoList"], hexagram.hidden, strict=True):
        line["stem"] = hidden.stem
    return wire


@pytest.mark.parametrize("vector", recorded("calendar.jsonl"))
@pytest.mark.parametrize(
    ("school", "key"), [(DayChange.ELEVEN_PM, "expected"), (DayChange.MIDNIGHT, "expectedIfMidnightDayChange")]
)
def test_the_pillars_are_the_recorded_ones_in_either_school(
    vector: dict[str, Any], school: DayChange, key: str
) -> None:
    """DIV-19, DIV-20."""
    found = pillars(datetime.fromisoformat(vector["divinationTimeIso"]), school)
    expected = vector[key]
    for place, name in zip(found, ("year", "month", "day", "time"), strict=True):
        assert (CYCLE[place], VOIDS[place]) == (expected[f"{name}GanZhi"], expected[f"{name}KongWang"])
