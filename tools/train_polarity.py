"""Trains `reading/question/polarity/model.bin`: whether a question asks about something wanted, unwanted or neither.

Run `python -m tools.train_polarity`, which prints figures by language. It learns from `training/polarity`, from the
yes-or-no questions of the natural texts, of `training/questions` and of `training/sides`, and from VADER's lexicon for
words that no sentence has. The thresholds are those of the questions that it does not learn from; those of
`tests/unit/liuyao/polarity/held_out` are never trained on.
"""

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from liuyao.care.classified import script_of
from liuyao.reading.question.asking import asking
from liuyao.reading.question.polarity import event_in
from liuyao.reading.question.polarity.features import Event, buckets
from liuyao.reading.question.text import read
from tools.classification.corpus import Example, digest, examples
from tools.classification.natural import Part, questions_of_sides, typed_questions
from tools.classification.training import Scores, TrainingSettings, cross_validated, fit, matrix_of, quantised

Labels = NDArray[np.str_]

TARGET: Final = Path(__file__).parents[1] / "layers/core/liuyao/reading/question/polarity/model.bin"
MOST: Final = 12
"""Sentences of a template."""


def event_of(text: str) -> Event:
    """Return what a text asks about, as the product takes it."""
    found = read(text)
    return event_in(found, asking(found))


def features(text: str, count: int) -> list[int]:
    """Return the buckets of a question, as the product computes them."""
    return buckets(event_of(text), count)


SETTINGS: Final = TrainingSettings(
    strength=16.0, buckets=2**17, features=features, augments=False, iterations=2_000, tolerance=1e-4
)
LEAST: Final = 3
"""The least weight that is stored: with smaller ones no more of `development` is right, and the file is larger."""
WRONG: Final = 3.0
"""What a wrong answer costs, beside 1 of a right one that is not given."""
WORD: Final = 0.3
"""The weight of a word of the lexicon."""
OF_TEMPLATES: Final = 0.5
"""The weight of a sentence of `training/polarity`."""
NATURAL: Final = 8.0
"""The weight of a text as people type it."""
SIDES: Final = 1.0
"""The weight of a question of `training/sides`: with more, others are taken for the wrong polarity."""
WRITTEN_TOGETHER: Final = 30
"""Lines of `training/sides` that are learnt from, or kept, together."""
OF_SIDES: Final = 0.1
"""What a question of `training/sides` counts for the thresholds, beside 1 of those that most people ask."""
CORPORA: Final = ("polarity", "polarity_typed", "natural", "questions", "sides")
LABELS: Final = {"good": "wanted", "bad": "unwanted", "even": "unknown"}
SCRIPTS: Final = ("en", "zh")
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


def questions(part: Part, first_group: int = 0) -> list[Example]:
    """Return the yes-or-no questions that get a reading, as people type them."""
    typed = list(typed_questions(part))
    weighed = [(text, NATURAL, at) for at, text in enumerate(typed)]
    # Writers put contrasts side by side: what was written together is in one fold.
    sides = enumerate(questions_of_sides(part))
    weighed += [(text, SIDES, len(typed) + at // WRITTEN_TOGETHER) for at, text in sides]
    return [
        Example(text.text, LABELS[text.polarity], text.language, first_group + group, weight)
        for text, weight, group in weighed
        if text.form == "yesno" and text.polarity in LABELS
    ]


def learnt() -> list[Example]:
    """Return all that is learnt from, the questions as people type them last."""
    sentences = [replace(example, weight=example.weight * OF_TEMPLATES) for example in examples("polarity", MOST)]
    typed = [replace(item, weight=NATURAL, group=len(sentences) + item.group) for item in examples("polarity_typed", 1)]
    found = [*sentences, *typed]
    found += words(len(found))
    return [*found, *questions("learn", len(found))]


def margins(scores: Scores) -> Scores:
    """Return how far the best score is above the second, in log-odds."""
    ordered = np.sort(scores, axis=1)
    return np.asarray(ordered[:, -1] - ordered[:, -2])


def threshold(truth: Labels, best: Labels, margin: Scores, weight: Scores) -> float:
    """Return the least margin at which an answer gains more than it costs.

    How likely one is right is fitted as a function that never falls, so that a single one does not move the threshold.
    """
    known = (best != "unknown") & (truth != "unknown")
    found = np.sort(margin[known])
    fitted = IsotonicRegression(out_of_bounds="clip").fit(margin[known], truth[known] == best[known], weight[known])
    right = fitted.predict(found)
    return round(float(found[np.argmax(right >= WRONG / (1 + WRONG))]), 2)


def main() -> None:
    """Train, report on questions by models that have not seen them, and write the model."""
    known, unseen = learnt(), questions("development")
    fitted = fit(known, SETTINGS)
    labels, crossed = cross_validated(known, SETTINGS)
    own = questions("learn")
    scores = np.vstack([crossed[-len(own) :], fitted.scores(matrix_of([item.text for item in unseen], SETTINGS))])
    asked = [*own, *unseen]
    best = np.array([labels[at] for at in scores.argmax(axis=1)])
    truth, margin = np.array([example.label for example in asked]), margins(scores)
    events = [event_of(example.text) for example in asked]
    scripts, told = np.array([script_of(event.clause) for event in events]), np.array([event.told for event in events])
    weight = np.array([OF_SIDES if example.weight == SIDES else 1.0 for example in asked])
    thresholds = {
        script: threshold(
            *(column[(scripts == script) & (told != "unknown")] for column in (truth, best, margin, weight))
        )
        for script in SCRIPTS
    }
    sure = margin >= np.array([thresholds[script] for script in scripts])
    answered = (best != "unknown") & (told != "unknown") & sure
    development = np.arange(len(asked)) >= len(own)
    rows = ["| questions | of a known polarity | answered | right | unknown | answered |", "|---|---|---|---|---|---|"]
    for language in sorted({example.language for example in asked}):
        spoken = np.array([example.language == language for example in asked])
        for name, part in (("learnt, cross-validated", ~development), ("development", development)):
            told, untold = spoken & part & (truth != "unknown"), spoken & part & (truth == "unknown")
            counts = (told, told & answered, told & answered & (truth == best), untold, untold & answered)
            rows.append(f"| {language}, {name} | {' | '.join(str(count.sum()) for count in counts)} |")
    sys.stdout.write("\n".join(rows) + "\n")
    about = {"digest": digest(*CORPORA), "sentences": len(known)}
    TARGET.write_bytes(quantised(fitted, thresholds, about, least=LEAST))
    sys.stdout.write(f"{TARGET.stat().st_size} bytes, thresholds {thresholds}\n")


if __name__ == "__main__":
    main()
