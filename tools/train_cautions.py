"""Trains `care/cautions.bin`, which finds the cautions that a question calls for (CARE-04).

Run `make classifiers`; it prints the figures of docs/care.md. It learns from `training/caution` and from the ordinary
questions of `training/care`, with the caution that a table finds. Cross-validation never splits a template's sentences;
thresholds come from it. The questions of `tests/unit/liuyao/care/held_out` are never trained on.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from liuyao.care.assessment import table_cautions
from liuyao.care.classified import script_of
from liuyao.care.kinds import Caution
from liuyao.classification.model import read
from tools.classification.augmentation import ORDINARY
from tools.classification.corpus import Example, digest, examples
from tools.classification.training import Scores, TrainingSettings, cross_validated, fit, quantised

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/care/cautions.bin"
MOST: Final = 40
MOST_OF_CARE: Final = 4
AMBIGUOUS: Final = 0.5
"""Odds above which an ordinary sentence of `training/care` is left out: nobody has said that it needs no caution."""
SETTINGS: Final = TrainingSettings(strength=8.0)
FLAGGED: Final = {"health": 0.045, "legal": 0.025, "stakes": 0.025, "finance": 0.035}
"""Ordinary sentences above the threshold of each label in cross-validation."""


def sentences_of_cautions() -> list[Example]:
    """Return those of `training/caution`, and ordinary ones of `training/care` with at most one caution of a table."""
    found = examples("caution", MOST)
    first = max(sentence.group for sentence in found) + 1
    for sentence in examples("care", MOST_OF_CARE):
        cautions = table_cautions(sentence.text)
        if sentence.label == ORDINARY and len(cautions) < 2 and not cautions & {Caution.PREGNANCY, Caution.ILLEGAL}:
            label = next(iter(cautions), ORDINARY)
            found.append(Example(sentence.text, str(label), sentence.language, first + sentence.group, sentence.weight))
    return found


def without_ambiguous(sentences: Sequence[Example]) -> list[Example]:
    """Drop those of `training/care` that a cross-validated model takes for a caution."""
    first = max(sentence.group for sentence in examples("caution", 1)) + 1
    labels, scores = cross_validated(sentences, SETTINGS)
    highest = np.max(list(odds(scores, labels).values()), axis=0)
    return [
        sentence
        for sentence, value in zip(sentences, highest, strict=True)
        if sentence.group < first or sentence.label != ORDINARY or value < AMBIGUOUS
    ]


def odds(scores: Scores, labels: Sequence[str]) -> dict[str, Any]:
    """Return the log-odds of all cautions against ordinary."""
    ordinary = scores[:, list(labels).index(ORDINARY)]
    return {label: scores[:, at] - ordinary for at, label in enumerate(labels) if label != ORDINARY}


def thresholds(sentences: Sequence[Example], found: dict[str, Any]) -> dict[str, float]:
    """Return the log-odds above which a question gets a caution, by script and caution."""
    limits = {}
    weights = np.array([sentence.weight for sentence in sentences])
    for script in ("zh", "en"):
        ordinary = np.array(
            [sentence.label == ORDINARY and script_of(sentence.text) == script for sentence in sentences]
        )
        for label, values in found.items():
            limits[f"{script}.{label}"] = round(_quantile(values[ordinary], weights[ordinary], 1 - FLAGGED[label]), 3)
    return limits


def _quantile(values: Any, weights: Any, part: float) -> float:
    """Return a weighted quantile, so that a template with many sentences counts as much as one with few."""
    order = np.argsort(values)
    return float(values[order][np.searchsorted(np.cumsum(weights[order]), part * weights.sum())])


def report(sentences: Sequence[Example], found: dict[str, Any], limits: dict[str, float]) -> str:
    """Report the shares with any caution and with the right one, by language and label."""
    rows = ["| language | label | sentences | with a caution | with their own |", "|---|---|---|---|---|"]
    for language, label in sorted({(sentence.language, sentence.label) for sentence in sentences}):
        these = np.array([(sentence.language, sentence.label) == (language, label) for sentence in sentences])
        script = "en" if language == "en" else "zh"
        above = {name: values[these] > limits[f"{script}.{name}"] for name, values in found.items()}
        any_ = np.any(list(above.values()), axis=0)
        own = f"{np.mean(above[label]):.1%}" if label in above else ""
        rows.append(f"| {language} | {label} | {len(any_)} | {np.mean(any_):.1%} | {own} |")
    return "\n".join(rows)


def main(arguments: Sequence[str]) -> None:
    """Train, report, and write the model."""
    sentences = without_ambiguous(sentences_of_cautions())
    labels, scores = cross_validated(sentences, SETTINGS)
    found = odds(scores, labels)
    limits = thresholds(sentences, found)
    about: dict[str, Any] = {"digest": digest("caution", "care"), "sentences": len(sentences)}
    stored = quantised(fit(sentences, SETTINGS), limits, about)
    sys.stdout.write(f"{report(sentences, found, limits)}\n\n{limits}, {len(stored)} bytes\n")
    if "--dry-run" not in arguments:
        TARGET.write_bytes(stored)
    read(stored)


if __name__ == "__main__":
    main(sys.argv[1:])
