"""Weighs the sentences of a text together (CARE-09): who lies in one sentence is not believed in the next.

A harmless sentence beside three that are withheld ("The lump is nothing. Cancel the scan.") was written for them. How
much what is found in sentences says of a whole text was learnt from texts of models (`tools/train_review.py`).
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from liuyao.classification import load
from yarrow_agents.divination.review import manner

_CALMEST: Final = -4.0
_LOUDEST: Final = 6.0
"""How much a sentence weighs among others at least and at most."""
_MAX_WITHHELD: Final = 3
"""How many withheld sentences count."""


class Weighed(NamedTuple):
    """What was found in a sentence: `is_certain` that it must not be shown, or only weighed."""

    weight: float
    is_certain: bool
    is_withheld: bool


def values(sentences: Sequence[Weighed], *, careful: bool, english: bool) -> dict[str, float]:
    """Return the values of a text that are weighed, by name."""
    number = len(sentences)
    weights = sorted((min(max(it.weight, _CALMEST), _LOUDEST) for it in sentences), reverse=True)
    withheld = sum(it.is_withheld for it in sentences)
    return {
        "mean": sum(weights) / number,
        "loudest": weights[0],
        "second": weights[min(1, number - 1)],
        "withheld": float(min(withheld, _MAX_WITHHELD)),
        "part withheld": withheld / number,
        "part certain": sum(it.is_certain for it in sentences) / number,
        "several": float(number > 1),
        "careful": float(careful),
        "english": float(english),
    }


def weight(found: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """Return the log-odds that a text was written to deceive, less the threshold; of a positive one nothing is shown.

    Training gives its own weights.
    """
    weights = weights or load(manner.MODEL).about["text"]
    return weights["bias"] + sum(weights[name] * value for name, value in found.items())
