"""Deriving one cast, beside `najia`, which does less of it: no analysis, no typed object.

Both sides get the same fresh random casts and instants, block after block in turn, so that a busy moment of the machine
falls on both. The figure is the median of the blocks.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from statistics import median
from time import perf_counter
from typing import Any

from najia import Najia

from liuyao import DivinationPayload, derive
from tests.bench.row import Row

BLOCKS = 40
OURS_PER_BLOCK = 1000
THEIRS_PER_BLOCK = 20

ZONE = timezone(timedelta(hours=8))
FIRST = datetime(1901, 1, 1, tzinfo=ZONE)
SECONDS = int((datetime(2100, 12, 31, tzinfo=ZONE) - FIRST).total_seconds())
# najia writes a line as 1 少阳, 2 少阴, 3 老阳, 4 老阴.
YAO_LINES = ("少阳", "少阴", "老阳", "老阴")


@dataclass(frozen=True)
class Cast:
    """One random cast, as each side wants it."""

    payload: dict[str, Any]
    params: list[int]
    date: str


def measure() -> list[Row]:
    """Return the microseconds per derivation, with and without reading the payload, and derivations per second."""
    choose = random.Random(64)
    whole, derivation, theirs = [], [], []
    for _ in range(BLOCKS):
        casts = [_cast(choose) for _ in range(OURS_PER_BLOCK)]
        payloads = [DivinationPayload.model_validate(cast.payload) for cast in casts]
        whole.append(_microseconds(lambda cast: derive(DivinationPayload.model_validate(cast.payload)), casts))
        derivation.append(_microseconds(derive, payloads))
        theirs.append(_microseconds(_compile, [_cast(choose) for _ in range(THEIRS_PER_BLOCK)]))
    ours, najia = median(whole), median(theirs)
    return [
        Row("derive a cast from its JSON object", "µs", ours, "najia compile", najia),
        Row("derive a cast from its payload", "µs", median(derivation), "najia compile", najia),
        Row("derivations", "1/s", 1e6 / ours, "najia compile", 1e6 / najia, more_is_better=True),
    ]


def _cast(choose: random.Random) -> Cast:
    moment = FIRST + timedelta(seconds=choose.randrange(SECONDS))
    lines = [choose.randrange(4) for _ in range(6)]
    payload = {
        "divinationMethod": "手动起卦",
        "questionType": "事业",
        "question": "我最近换工作是否合适?",
        "divinationTimeIso": moment.isoformat(),
        "yaoLines": [YAO_LINES[line] for line in lines],
    }
    return Cast(payload, [line + 1 for line in lines], f"{moment:%Y-%m-%d %H:%M}")


def _compile(cast: Cast) -> object:
    return Najia(0).compile(params=cast.params, date=cast.date)


def _microseconds(call: Callable[[Any], object], arguments: list[Any]) -> float:
    start = perf_counter()
    for argument in arguments:
        call(argument)
    return (perf_counter() - start) / len(arguments) * 1e6
