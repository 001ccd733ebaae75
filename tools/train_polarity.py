"""Trains `reading/question/polarity/model.bin`: whether a question asks about something wanted, unwanted or neither.

Run `python -m tools.train_polarity`, which prints cross-validated figures by language. It learns from
`training/polarity`, and from VADER's lexicon for words that no sentence has; the questions of
`tests/unit/liuyao/polarity/held_out` are never trained on.
"""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from liuyao.reading.question.polarity.features import buckets
from tools.classification.corpus import Example, digest, examples
from tools.classification.training import Scores, TrainingSettings, cross_validated, fit, quantised

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/reading/question/polarity/model.bin"
MOST: Final = 24
SETTINGS: Final = TrainingSettings(strength=8.0, importance={"unknown": 1.2}, buckets=2**16, features=buckets)
WRONG: Final = 0.03
"""Wrong answers among those above a threshold, in cross-validation.

Fewer than may be wrong of strangers' questions: the lexicon was written with the training sentences in view.
"""
WORD: Final = 0.3
"""The weight of a word of the lexicon, beside 1 of a question."""
SCRIPTS: Final = {"en": ("en",), "zh": ("yue", "zh")}
"""Each has a threshold of its own."""


def words(first_group: int) -> list[Example]:
    """Return English words that are good or bad by themselves.

    Source: VADER's lexicon (C. J. Hutto and E. Gilbert, 2014).
    """
    package = find_spec("vaderSentiment")
    if package is None or package.origin is None:
        raise SystemExit("vaderSentiment is missing: `make classifiers` installs it")
    found: list[Example] = []
    for line in Path(package.origin).with_name("vader_lexicon.txt").read_text(encoding="utf-8").splitlines():
        word, valence = line.split("\t")[:2]
        if word.isascii() and word.isalpha() and abs(float(valence)) >= 1:
            label = "wanted" if float(valence) > 0 else "unwanted"
            found.append(Example(word, label, "lexicon", first_group + len(found), WORD))
    return found


def margins(scores: Scores) -> Scores:
    """Return how far the best score is above the second, in log-odds."""
    ordered = np.sort(scores, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2])


def threshold(sentences: Sequence[Example], labels: Sequence[str], scores: Scores, languages: Sequence[str]) -> float:
    """Return the least margin above which at most `WRONG` of the known answers to single questions are wrong.

    Sentences of one template are too alike to be counted.
    """
    best = np.array([labels[at] for at in scores.argmax(axis=1)])
    right = best == np.array([sentence.label for sentence in sentences])
    alike = Counter(sentence.group for sentence in sentences)
    single = np.array([alike[sentence.group] == 1 and sentence.language in languages for sentence in sentences])
    margin, known = margins(scores), single & (best != "unknown")
    for limit in np.arange(0, 6, 0.05):
        these = known & (margin > limit)
        if 1 - right[these].mean() <= WRONG:
            return round(float(limit), 2)
    raise ValueError("no threshold is safe enough")


def report(sentences: Sequence[Example], labels: Sequence[str], scores: Scores, thresholds: Mapping[str, float]) -> str:
    """Report by language, for single questions and templates, the shares answered above the threshold and right."""
    best = np.array([labels[at] for at in scores.argmax(axis=1)])
    answers, margin = np.array([sentence.label for sentence in sentences]), margins(scores)
    alike = Counter(sentence.group for sentence in sentences)
    single = np.array([alike[sentence.group] == 1 for sentence in sentences])
    rows = ["| language | sentences | answered of those known | right of those answered |", "|---|---|---|---|"]
    for script, languages in SCRIPTS.items():
        sure = (best != "unknown") & (margin > thresholds[script])
        for language in languages:
            own = np.array([sentence.language == language for sentence in sentences])
            for name, these in ((f"{language}, single", own & single), (f"{language}, templates", own & ~single)):
                known = these & (answers != "unknown")
                coverage, right = sure[known].mean(), (best == answers)[these & sure].mean()
                rows.append(f"| {name} | {these.sum()} | {coverage:.1%} | {right:.1%} |")
    return "\n".join(rows)


def main() -> None:
    """Train, report, and write the model."""
    sentences = examples("polarity", MOST)
    every = [*sentences, *words(max(sentence.group for sentence in sentences) + 1)]
    labels, scores = cross_validated(every, SETTINGS)
    of_questions = scores[: len(sentences)]
    thresholds = {
        script: threshold(sentences, labels, of_questions, languages) for script, languages in SCRIPTS.items()
    }
    sys.stdout.write(report(sentences, labels, of_questions, thresholds) + "\n")
    about = {"digest": digest("polarity"), "sentences": len(sentences)}
    TARGET.write_bytes(quantised(fit(every, SETTINGS), thresholds, about))
    sys.stdout.write(f"{TARGET.stat().st_size} bytes, thresholds {thresholds}\n")


if __name__ == "__main__":
    main()
