"""The recorded casts of 《增删卜易》 (`tests/vectors/recorded_cases.jsonl`): what was asked, and how it ended.

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

    @property
    def kept_apart(self) -> bool:
        """Whether it belongs to the third that was kept unread while the decisive rules were first written."""
        return int(sha256(self.id.encode()).hexdigest(), 16) % 3 == 0

    @property
    def right(self) -> bool:
        """Whether the reading has its direction."""
        return self.judgement.favourable is self.favourable

    @property
    def timed(self) -> bool:
        """Whether the reading names a branch of the time at which it came about."""
        return bool(self.named & self.came)


@cache
def recorded_cases() -> tuple[Recorded, ...]:
    """All of them, judged."""
    came = json.loads((_VECTORS / "recorded_timings.json").read_text(encoding="utf-8"))
    return tuple(
        _judged(json.loads(line), came)
        for line in (_VECTORS / "recorded_cases.jsonl").read_text(encoding="utf-8").splitlines()
    )


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
    )
