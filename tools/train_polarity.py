"""Trains `reading/question/polarity/model.bin`: whether what a question asks about is wanted, unwanted or neither.

Run `python -m tools.train_polarity`; it prints cross-validated figures by language. It learns from
`training/polarity`; the questions of `tests/unit/liuyao/polarity/held_out` are never trained on.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from tools.classification.corpus import Example, digest, examples
from tools.classification.training import Scores, Settings, cross_validated, fit, quantised

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/reading/question/polarity/model.bin"
MOST: Final = 24
"""Sentences of a template."""
SETTINGS: Final = Settings(strength=8.0, importance={"unknown": 1.2}, buckets=2**16)
WRONG: Final = 0.03
"""Wrong answers among those above the threshold, in cross-validation."""


def margins(scores: Scores) -> Scores:
    """How far the best score is above the second, in log-odds."""
    ordered = np.sort(scores, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2])


def threshold(sentences: Sequence[Example], labels: Sequence[str], scores: Scores) -> float:
    """The least margin above which at most `WRONG` of the known answers are wrong."""
    best = np.array([labels[at] for at in scores.argmax(axis=1)])
    right = best == np.array([each.label for each in sentences])
    margin, known = margins(scores), best != "unknown"
    for limit in np.arange(0, 6, 0.05):
        these = known & (margin > limit)
        if 1 - right[these].mean() <= WRONG:
            return round(float(limit), 2)
    raise ValueError("no threshold is safe enough")


def report(sentences: Sequence[Example], labels: Sequence[str], scores: Scores, limit: float) -> str:
    """By language: sentences, those with a known answer above the threshold, and how many of them are right."""
    best = np.array([labels[at] for at in scores.argmax(axis=1)])
    answers, sure = np.array([each.label for each in sentences]), (best != "unknown") & (margins(scores) > limit)
    rows = ["| language | sentences | answered of those known | right of those answered |", "|---|---|---|---|"]
    for language in sorted({each.language for each in sentences}):
        these = np.array([each.language == language for each in sentences])
        known = these & (answers != "unknown")
        coverage, right = sure[known].mean(), (best == answers)[these & sure].mean()
        rows.append(f"| {language} | {these.sum()} | {coverage:.1%} | {right:.1%} |")
    return "\n".join(rows)


def main() -> None:
    """Train, report, and write the model."""
    sentences = examples("polarity", MOST)
    labels, scores = cross_validated(sentences, SETTINGS)
    limit = threshold(sentences, labels, scores)
    sys.stdout.write(report(sentences, labels, scores, limit) + "\n")
    about = {"digest": digest("polarity"), "sentences": len(sentences)}
    TARGET.write_bytes(quantised(fit(sentences, SETTINGS), {"margin": limit}, about))
    sys.stdout.write(f"{TARGET.stat().st_size} bytes, margin {limit}\n")


if __name__ == "__main__":
    main()
