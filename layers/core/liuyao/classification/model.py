"""Loads and scores a linear model: one score a label, from weights of a byte each.

A model file is `MAGIC`, the length of a JSON header (4 bytes, big endian), the header, then the weights of all labels,
compressed by zlib: for each label in turn, a signed byte a bucket.
"""

import json
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from pathlib import Path
from struct import unpack
from typing import Any, Final

from liuyao.classification.features import buckets, passages

MAGIC: Final = b"YLM1"
_LANE: Final = 4
"""Bytes of a sum."""
_MOST_ROWS: Final = 2**14
"""Buckets whose weights are kept as numbers: most of a language's n-grams are rare, and are asked for once."""
_SHIFTED: Final = bytes((at + 128) % 256 for at in range(256))
"""A signed byte, plus 128, by its unsigned value."""


class _Rows(dict[int, int]):
    """The weights of all labels of a bucket side by side, each plus 128 in a lane of a number; made when asked for."""

    def __init__(self, weights: "array[int]", count: int) -> None:
        super().__init__()
        self._shifted = weights.tobytes().translate(_SHIFTED)
        self._count = count

    def __missing__(self, bucket: int) -> int:
        if len(self) >= _MOST_ROWS:
            self.clear()
        lanes = bytearray(_LANE * (len(self._shifted) // self._count))
        lanes[::_LANE] = self._shifted[bucket :: self._count]
        row = self[bucket] = int.from_bytes(lanes, "little")
        return row


@dataclass(frozen=True, slots=True, eq=False)
class Classifier:
    """A loaded model. `thresholds` and `about` are what the trainer stored; a threshold is compared with a score."""

    labels: tuple[str, ...]
    count: int
    """Buckets, a power of two."""
    biases: tuple[float, ...]
    scales: tuple[float, ...]
    """What a weight of 1 stands for, by label."""
    weights: tuple["array[int]", ...]
    thresholds: Mapping[str, float]
    about: Mapping[str, Any]
    _rows: _Rows = field(repr=False)

    def scores(self, text: str) -> list[dict[str, float]]:
        """Return the scores (log-odds) by label, of each passage of a text."""
        return [self.score(passage) for passage in passages(text)]

    def score(self, passage: str) -> dict[str, float]:
        """Return the scores by label of one passage; of one without letters, the biases."""
        return self.score_of(buckets(passage, self.count))

    def score_of(self, found: list[int]) -> dict[str, float]:
        """Return the scores by label of a passage's distinct buckets."""
        norm = sqrt(len(found)) or 1.0
        sums = self._sums(found)
        return {
            label: bias + scale * total / norm
            for label, bias, scale, total in zip(self.labels, self.biases, self.scales, sums, strict=True)
        }

    def _sums(self, found: list[int]) -> list[int]:
        """Return the sums of all labels: one addition of long numbers a bucket."""
        labels, shift = len(self.labels), 128 * len(found)
        total = sum(map(self._rows.__getitem__, found))
        return [lane - shift for lane in unpack(f"<{labels}I", total.to_bytes(_LANE * labels, "little"))]


def read(stored: bytes) -> Classifier:
    """Read a model file; ValueError for any other."""
    if stored[:4] != MAGIC:
        raise ValueError("not a model file")
    length = int.from_bytes(stored[4:8], "big")
    header = json.loads(stored[8 : 8 + length])
    labels, count = tuple(header["labels"]), header["buckets"]
    weights = array("b", zlib.decompress(stored[8 + length :]))
    if len(weights) != count * len(labels) or count & (count - 1):
        raise ValueError("a model file with the wrong number of weights")
    return Classifier(
        labels=labels,
        count=count,
        biases=tuple(header["biases"]),
        scales=tuple(header["scales"]),
        weights=tuple(weights[at * count : (at + 1) * count] for at in range(len(labels))),
        thresholds=header["thresholds"],
        about=header["about"],
        _rows=_Rows(weights, count),
    )


@cache
def load(path: Path) -> Classifier:
    """Read a model file once a process, when it is first needed."""
    return read(path.read_bytes())
