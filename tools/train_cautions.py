"""Trains `care/cautions.bin`, which finds the cautions that a question calls for (CARE-04).

Run `make classifiers`; it prints the figures of docs/care.md. It learns from ordinary natural texts, from
`training/caution`, and from the ordinary questions of `training/care`, with the caution that a table finds. Thresholds
come from the natural texts for development, which are never trained on, as the questions of
`tests/unit/liuyao/care/held_out` are not.
"""

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from liuyao.care.assessment import table_cautions
from liuyao.care.classified import scores_of, script_of
from liuyao.care.kinds import Caution
from liuyao.classification.model import Classifier, read
from liuyao.classification.words import buckets
from tools.classification.augmentation import ORDINARY
from tools.classification.corpus import Example, digest, examples
from tools.classification.natural import NaturalText, natural, natural_follow_ups
from tools.classification.training import TrainingSettings, cross_validated, fit, quantised

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/care/cautions.bin"
CORPORA: Final = ("caution", "care", "natural", "natural_follow_ups")
MOST: Final = 16
MOST_OF_CARE: Final = 4
AMBIGUOUS: Final = 0.5
"""Odds above which an ordinary sentence of `training/care` is left out: nobody has said that it needs no caution."""
WEIGHT_OF_NATURAL: Final = 3.0
"""The weight of a text that somebody wrote, beside 1 of a template's four sentences."""
SETTINGS: Final = TrainingSettings(strength=8.0, features=buckets, iterations=1_000, tolerance=1e-4)
FLAGGED: Final = {"health": 0.032, "legal": 0.037, "stakes": 0.022, "finance": 0.045}
"""Natural texts for development that call for no caution above the threshold of each label."""
MEANT: Final = {"none": ORDINARY, "health": "health", "law": "legal", "stakes": "stakes", "finance": "finance"}
"""The label of a natural text's caution."""


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


def of_natural(first_group: int) -> list[Example]:
    """Return ordinary natural texts, and follow-ups without a caution of a table, each a group of its own."""
    texts = [text for text in natural("learn") if text.label == ORDINARY]
    found = [
        Example(text.text, MEANT[text.caution], f"natural-{text.language}", group, WEIGHT_OF_NATURAL)
        for group, text in enumerate(texts, first_group)
    ]
    follow_ups = [text for text in natural_follow_ups("learn") if not table_cautions(text.text)]
    return found + [
        Example(text.text, ORDINARY, f"follow-ups-{text.language}", group, WEIGHT_OF_NATURAL)
        for group, text in enumerate(follow_ups, first_group + len(found))
    ]


def without_ambiguous(sentences: Sequence[Example]) -> list[Example]:
    """Drop those of `training/care` that a cross-validated model takes for a caution."""
    first = max(sentence.group for sentence in examples("caution", 1)) + 1
    labels, scores = cross_validated(sentences, SETTINGS)
    ordinary = scores[:, list(labels).index(ORDINARY)]
    highest = np.max(scores, axis=1) - ordinary
    return [
        sentence
        for sentence, value in zip(sentences, highest, strict=True)
        if sentence.group < first or sentence.label != ORDINARY or value < AMBIGUOUS
    ]


def odds_of(model: Classifier, text: str) -> dict[str, float]:
    """Return the highest log-odds of each caution against none, of a text's passages."""
    scores = scores_of(model, text)
    return {label: max(one[label] - one[ORDINARY] for one in scores) for label in FLAGGED}


def thresholds(model: Classifier, texts: Sequence[NaturalText]) -> dict[str, float]:
    """Return the log-odds above which a question gets a caution, by script and caution."""
    limits = {}
    for script in ("zh", "en"):
        found = [
            odds_of(model, text.text) for text in texts if text.caution == "none" and script_of(text.text) == script
        ]
        for label, part in FLAGGED.items():
            limits[f"{script}.{label}"] = round(float(np.quantile([odds[label] for odds in found], 1 - part)), 3)
    return limits


def report(model: Classifier, texts: Sequence[NaturalText], limits: dict[str, float]) -> str:
    """Report the shares with any caution and with the right one, by script and caution."""
    rows = ["| script | caution | texts | with a caution | with their own |", "|---|---|---|---|---|"]
    for script, caution in itertools.product(("en", "zh"), MEANT):
        these = [text.text for text in texts if (script_of(text.text), text.caution) == (script, caution)]
        found = [
            {label for label, odds in odds_of(model, text).items() if odds > limits[f"{script}.{label}"]}
            for text in these
        ]
        own = f"{np.mean([MEANT[caution] in one for one in found]):.1%}" if caution != "none" else ""
        rows.append(f"| {script} | {caution} | {len(these)} | {np.mean([bool(one) for one in found]):.1%} | {own} |")
    return "\n".join(rows)


def main() -> None:
    """Train, report, and write the model."""
    sentences = sentences_of_cautions()
    first = max(sentence.group for sentence in sentences) + 1
    sentences = [*without_ambiguous(sentences), *of_natural(first)]
    about: dict[str, Any] = {"digest": digest(*CORPORA), "sentences": len(sentences)}
    fitted = fit(sentences, SETTINGS)
    texts = [text for text in natural("development") if text.label == ORDINARY]
    model = read(quantised(fitted, {}, about))
    limits = thresholds(model, texts)
    stored = quantised(fitted, limits, about)
    TARGET.write_bytes(stored)
    sys.stdout.write(f"{report(model, texts, limits)}\n\n{limits}, {len(stored)} bytes\n")


if __name__ == "__main__":
    main()
