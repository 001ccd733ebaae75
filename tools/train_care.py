"""Trains `care/model.bin`, which finds the kind of a question, or that it is ordinary (CARE-07).

Run `make classifiers`; it prints the figures of docs/care.md. `--only-train` leaves the figures out; `--check` writes
nothing, and fails unless training again gives the shipped file, byte for byte. It learns from natural texts and
follow-ups, from the templates of `training/care` and `training/alarms`, and from the phrasings that the tables are
tested with. Cross-validation never splits a template's sentences. Thresholds come from the natural texts for
development, which are never trained on, as the questions of `tests/unit/liuyao/care/held_out` are not.
"""

import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from liuyao.care.assessment import declined_by_tables
from liuyao.care.classified import alarm_of, script_of
from liuyao.classification.model import Classifier, read
from liuyao.classification.words import buckets
from tools.classification.asked_about import asked_about
from tools.classification.augmentation import ORDINARY
from tools.classification.corpus import Example, digest, examples, lines
from tools.classification.natural import natural, natural_follow_ups, typed_questions
from tools.classification.training import Scores, TrainingSettings, confusion, cross_validated, fit, quantised

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/care/model.bin"
PHRASINGS: Final = Path(__file__).parents[1] / "tests/unit/liuyao/care/phrasings"
QUESTIONS: Final = ("questions/learn", "about/learn")
"""Questions of everyday life, many after something feared: 我不会没座位吧 is no despair."""
ALARMS: Final = "alarms"
"""Templates like those of `training/care`, which no other model learns from: a change of them trains this one alone."""
CORPORA: Final = ("care", ALARMS, "caution", "follow_up", "natural", "natural_follow_ups", *QUESTIONS)
MOST: Final = 12
MOST_OF_CAUTIONS: Final = 6
"""Sentences of a template of `training/caution`: what calls for a caution has a reading, so it is ordinary here."""
WEIGHT_OF_CAUTIONS: Final = 1.0
WEIGHT_OF_NATURAL: Final = 3.0
"""The weight of a text that somebody wrote, beside 1 of a template's four sentences."""
SETTINGS: Final = TrainingSettings(
    strength=8.0,
    importance={"self_harm": 1.5, "emergency": 1.5, "violence": 1.5},
    features=buckets,
    iterations=1_000,
    tolerance=1e-4,
)
WEIGHT_OF_QUESTIONS: Final = 1.0
MOST_OF_FOLLOW_UPS: Final = 3
"""Sentences of a template of `training/follow_up`: nobody in danger asks after a reading in any of its words."""
FLAGGED: Final = {"zh.unsure": 0.12, "zh.sure": 0.017, "en.unsure": 0.163, "en.sure": 0.027}
"""Ordinary natural texts for development above each threshold, by script."""
FLAGGED_FOLLOW_UPS: Final = 0.03
"""Natural follow-ups for development above the threshold of follow-ups."""


def sentences_of_care() -> list[Example]:
    """Return sentences of templates, those of cautions and follow-ups as ordinary ones, phrasings of the tables' tests,
    natural texts and follow-ups.

    A template is a group; a phrasing or a natural text is a group of its own.
    """
    found = examples("care", MOST)
    group = max(sentence.group for sentence in found) + 1
    found += [replace(sentence, group=sentence.group + group) for sentence in examples(ALARMS, MOST)]
    group = max(sentence.group for sentence in found) + 1
    with_caution = [
        sentence for sentence in examples("caution", MOST_OF_CAUTIONS) if declined_by_tables(sentence.text) is None
    ]
    found += [
        replace(sentence, label=ORDINARY, group=sentence.group + group, weight=sentence.weight * WEIGHT_OF_CAUTIONS)
        for sentence in with_caution
    ]
    group = max(sentence.group for sentence in found) + 1
    found += [
        replace(sentence, label=ORDINARY, group=sentence.group + group)
        for sentence in examples("follow_up", MOST_OF_FOLLOW_UPS)
    ]
    group = max(sentence.group for sentence in found) + 1
    for path in sorted(PHRASINGS.glob("*.txt")):
        for text in lines(path):
            found.append(Example(text, path.stem, "phrasings-" + script_of(text), group))
            group += 1
    for at, known in enumerate(natural("learn"), group):
        found.append(Example(known.text, known.label, f"natural-{known.language}", at, WEIGHT_OF_NATURAL))
    group = max(sentence.group for sentence in found) + 1
    for at, follow_up in enumerate(natural_follow_ups("learn"), group):
        found.append(Example(follow_up.text, ORDINARY, f"follow-ups-{follow_up.language}", at, WEIGHT_OF_NATURAL))
    return [*found, *_questions({sentence.text for sentence in found}, max(one.group for one in found) + 1)]


def _questions(known: Collection[str], group: int) -> Iterator[Example]:
    """Yield the everyday questions that no other corpus has, without those that a table declines."""
    typed = (question.text for question in typed_questions("learn"))
    texts = dict.fromkeys([*typed, *(question.text for question in asked_about("learn"))])
    for at, text in enumerate(text for text in texts if text not in known and declined_by_tables(text) is None):
        yield Example(text, ORDINARY, f"questions-{script_of(text)}", group + at, WEIGHT_OF_QUESTIONS)


def alarm(scores: Scores, labels: Sequence[str]) -> Scores:
    """Return the log-odds of any kind against ordinary."""
    kinds = [at for at, label in enumerate(labels) if label != ORDINARY]
    return np.asarray(np.logaddexp.reduce(scores[:, kinds], axis=1) - scores[:, list(labels).index(ORDINARY)])


def thresholds(model: Classifier) -> dict[str, float]:
    """Return the alarms above which a question is unsure and sure, and a follow-up unsure."""
    ordinary = [text.text for text in natural("development") if text.label == ORDINARY]
    follow_ups = [follow_up.text for follow_up in natural_follow_ups("development")]
    found = {}
    for script in ("zh", "en"):
        alarms = [alarm_of(model, text)[0] for text in ordinary if script_of(text) == script]
        for name in ("unsure", "sure"):
            found[f"{script}.{name}"] = round(float(np.quantile(alarms, 1 - FLAGGED[f"{script}.{name}"])), 3)
        alarms = [alarm_of(model, text)[0] for text in follow_ups if script_of(text) == script]
        lower = max(found[f"{script}.unsure"], float(np.quantile(alarms, 1 - FLAGGED_FOLLOW_UPS)))
        found[f"{script}.follow_up"] = round(min(lower, found[f"{script}.sure"]), 3)
    return found


def report(sentences: Sequence[Example], labels: Sequence[str], scores: Scores, limits: dict[str, float]) -> str:
    """Report shares above the thresholds by language and label, and the confusion matrix."""
    alarms = alarm(scores, labels)
    rows = ["| language | label | sentences | sure | sure or unsure |", "|---|---|---|---|---|"]
    for language, label in sorted({(sentence.language, sentence.label) for sentence in sentences}):
        these = [(sentence.language, sentence.label) == (language, label) for sentence in sentences]
        found, script = alarms[these], "en" if language.endswith("en") else "zh"
        shares = [f"{np.mean(found > limits[f'{script}.{name}']):.1%}" for name in ("sure", "unsure")]
        rows.append(f"| {language} | {label} | {len(found)} | {' | '.join(shares)} |")
    return "\n".join([*rows, "", *confusion(sentences, labels, scores)])


def main(arguments: Sequence[str]) -> None:
    """Train and write the model; without `--only-train`, report cross-validated figures as well.

    SystemExit if `--check` finds another file than the shipped one.
    """
    sentences = sentences_of_care()
    about: dict[str, Any] = {"digest": digest(*CORPORA), "sentences": len(sentences)}
    fitted = fit(sentences, SETTINGS)
    limits = thresholds(read(quantised(fitted, {}, about)))
    stored = quantised(fitted, limits, about)
    sys.stdout.write(f"{limits}, {len(stored)} bytes\n")
    if "--check" in arguments:
        if stored != TARGET.read_bytes():
            raise SystemExit(f"{TARGET.name} is not what these corpora give")
        return
    TARGET.write_bytes(stored)
    if "--only-train" not in arguments:
        labels, scores = cross_validated(sentences, SETTINGS)
        sys.stdout.write(f"{report(sentences, labels, scores, limits)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
