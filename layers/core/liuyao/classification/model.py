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
from typing import Any, Final

from liuyao.classification.features import buckets, passages

MAGIC: Final = b"YLM1"
_MANY: Final = 8
"""Labels that are summed at once."""
_LANE: Final = 4
"""Bytes of a sum."""
_SHIFTED: Final = bytes((at + 128) % 256 for at in range(256))
"""A signed byte, plus 128, by its unsigned value."""


@dataclass(frozen=True, slots=True)
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
    _rows: bytes = field(default=b"", repr=False)
    """The weights of all labels of a bucket side by side, plus 128, each in a lane of a number."""

    def scores(self, text: str) -> list[dict[str, float]]:
        """Return the scores (log-odds) by label, of each passage of a text."""
        return [self.score(passage) for passage in passages(text)]

    def score(self, passage: str) -> dict[str, float]:
        """Return the scores by label of one passage; of one without letters, the biases."""
        return self.score_of(buckets(passage, self.count))

    def score_of(self, found: list[int]) -> dict[str, float]:
        """Return the scores by label of a passage's distinct buckets."""
        norm = sqrt(len(found)) or 1.0
        sums = self._at_once(found) if self._rows else [sum(map(weight.__getitem__, found)) for weight in self.weights]
        return {
            label: bias + scale * total / norm
            for label, bias, scale, total in zip(self.labels, self.biases, self.scales, sums, strict=True)
        }

    def _at_once(self, found: list[int]) -> list[int]:
        """Return the sums of many labels: one addition of long numbers a bucket."""
        rows, width = self._rows, _LANE * len(self.labels)
        total = sum(int.from_bytes(rows[at * width : (at + 1) * width], "little") for at in found)
        lanes, shift = total.to_bytes(width + _LANE, "little"), 128 * len(found)
        return [int.from_bytes(lanes[at : at + _LANE], "little") - shift for at in range(0, width, _LANE)]


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
    rows = bytearray(len(weights) * _LANE if len(labels) > _MANY else 0)
    if rows:
        for at in range(len(labels)):
            own = weights[at * count : (at + 1) * count]
            rows[at * _LANE :: len(labels) * _LANE] = own.tobytes().translate(_SHIFTED)
    return Classifier(
        labels=labels,
        count=count,
        biases=tuple(header["biases"]),
        scales=tuple(header["scales"]),
        weights=tuple(weights[at * count : (at + 1) * count] for at in range(len(labels))),
        thresholds=header["thresholds"],
        about=header["about"],
        _rows=bytes(rows),
    )


@cache
def load(path: Path) -> Classifier:
    """Read a model file once a process, when it is first needed."""
    return read(path.read_bytes())
