"""A linear model: one score a label, from weights of a byte each.

A model file is `MAGIC`, the length of a JSON header (4 bytes, big endian), the header, then the weights of all labels,
compressed by zlib: for each label in turn, a signed byte a bucket.
"""

import json
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any, Final

from liuyao.classification.features import buckets, passages

MAGIC: Final = b"YLM1"


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

    def scores(self, text: str) -> list[dict[str, float]]:
        """The scores (log-odds) by label, of each passage of a text."""
        return [self.score(passage) for passage in passages(text)]

    def score(self, passage: str) -> dict[str, float]:
        """The scores by label of one passage; of one without letters, the biases."""
        return self.score_of(buckets(passage, self.count))

    def score_of(self, found: list[int]) -> dict[str, float]:
        """The scores by label of a passage's distinct buckets."""
        norm = sqrt(len(found)) or 1.0
        return {
            label: bias + scale * sum(map(weights.__getitem__, found)) / norm
            for label, bias, scale, weights in zip(self.labels, self.biases, self.scales, self.weights, strict=True)
        }


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
    )


@cache
def load(path: Path) -> Classifier:
    """Read a model file once a process, when it is first needed."""
    return read(path.read_bytes())
