"""Recorded casts of the classics: what was asked, and how it ended.

`recorded_cases.jsonl` has 98 of 《增删卜易》, by which the decisive rules were first written and the weights fitted.

`further_cases.jsonl` has 251 transcribed later. The part `read`, 160 of 《增删卜易》 and 《卜筮正宗》, was read before
the rules were last changed. The part `apart`, 91, was written down after that and scored once: those chapters of
《增删卜易》 that a hash of their names took, and all of 《易冒》. A plate that a book prints was checked to derive: its
hexagrams, moving lines, relations and branches come of its lines. Where a day contradicts the text, the one that the
text speaks of is taken. A case whose text tells no outcome, or that of something else than was asked, is not in it.

`recorded_timings.json` holds the branches of the hour, day, month or year at which a case's text says that it came
about, read by hand; a case whose text tells no time is not in it.
"""

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading.judgement import Judgement, judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.timing import timings
from tests.support.paths import ROOT

_VECTORS = ROOT / "tests/vectors"


@dataclass(frozen=True)
class Recorded:
    """One case: its judgement by this reading, the branches its 应期 names, and what its text says came of it."""

    id: str
    title: str
    divination: Divination
    judgement: Judgement
    named: frozenset[str]
    favourable: bool
    came: frozenset[str]
    """The branches of the time at which it came about, empty if the text tells none."""
    apart: bool = False
    """Whether it was written down only after the rules were last changed."""

    @property
    def kept_apart(self) -> bool:
        """Whether it belongs to the third that was kept unread while the decisive rules were first written."""
        return int(sha256(self.id.encode()).hexdigest(), 16) % 3 == 0

    @property
    def right(self) -> bool:
        return self.judgement.favourable is self.favourable

    @property
    def timed(self) -> bool:
        """Whether the reading names a branch of the time at which it came about."""
        return bool(self.named & self.came)


@cache
def recorded_cases() -> tuple[Recorded, ...]:
    """Return the first 98, judged."""
    came = json.loads((_VECTORS / "recorded_timings.json").read_text(encoding="utf-8"))
    return tuple(_judged(case, came) for case in _cases("recorded_cases.jsonl"))


@cache
def further_cases() -> tuple[Recorded, ...]:
    """Return the 251 transcribed later, judged."""
    return tuple(_judged(case, {}) for case in _cases("further_cases.jsonl"))


def _cases(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (_VECTORS / name).read_text(encoding="utf-8").splitlines()]


def _judged(case: dict[str, object], came: dict[str, str]) -> Recorded:
    payload = DivinationPayload.model_validate(case["input"])
    divination = derive(payload)
    plate = lay_out(divination)
    judgement = judge(plate, inquire(payload.question_type, payload.question))
    identity = str(case["id"])
    return Recorded(
        id=identity,
        title=f"{case['source']} {case['cast']} {payload.question}",
        divination=divination,
        judgement=judgement,
        named=frozenset(branch for timing in timings(judgement, plate) for branch in timing.branches),
        favourable=case["outcome"] == "favourable",
        came=frozenset(came.get(identity, "")),
        apart=case.get("part") == "apart",
    )
