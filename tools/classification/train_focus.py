"""Trains the classifiers of `reading/question/likely`: matter and topic of a question, and the intent of a follow-up.

Run `python -m tools.classification.train_focus`, which prints cross-validated figures by language, and how many first
intents of the natural follow-ups of the part `development` are known. It learns from `training/focus`,
`training/topic`, `training/follow_up`, `training/natural_follow_ups/learn` and `training/typed_follow_ups/learn`, never
from the questions of `tests/unit/liuyao/question`.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from liuyao.reading.question.asking import asking
from liuyao.reading.question.intents import intents
from liuyao.reading.question.likely import INTENTS, buckets, heard, known, masked
from liuyao.reading.question.named_matter import matter_told
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.subject import subject
from liuyao.reading.question.text import read
from tools.classification.corpus import Example, digest, examples
from tools.classification.natural import typed_follow_ups
from tools.classification.training import Fitted, Scores, TrainingSettings, cross_validated, fit, matrix_of, quantised

LIKELY: Final = Path(__file__).parents[2] / "layers/core/liuyao/reading/question/likely"
MOST: Final = {"focus": 12, "topic": 12, "follow_up": 24}
"""Sentences of a template, by corpus."""
NATURAL: Final = 4.0
"""The weight of a natural follow-up beside the 1 of a template."""
ANSWERED_ALIKE: Final = ({"certainty", "likely"}, {"thanks", "bye"}, {"repeat", "plain"}, {"people", "who"})
"""Intents whose answers fit each other's follow-ups."""
MARGINS: Final = (0.0, 0.5, 1.0, 2.0, 3.0)

TOPIC_OF_MATTER: Final = {
    **{
        matter: matter
        for matter in (
            *("career", "study", "love", "health", "pregnancy", "lawsuit", "permit", "rain", "fair", "date"),
            *("naming", "dream", "children", "pets", "debt", "lost"),
        )
    },
    **dict.fromkeys(("healer", "medicine"), "health"),
    **dict.fromkeys(("general", "stranger", "superior", "staff", "kin"), "none"),
}
"""The topic of the sentences of a matter in `training/focus`; the other matters have sentences of wider meaning."""


def features(text: str, count: int) -> list[int]:
    """Return the buckets of a question, as the product computes them."""
    found = read(text)
    intent, people = asking(found), mentions(found)
    matter = matter_told(found, intent, people)
    about = subject(found, intent, people)
    return buckets(masked(found.folded, people), count, known(matter.key if matter else None, about))


def features_of_follow_up(text: str, count: int) -> list[int]:
    """Return the buckets of a follow-up, as the product computes them."""
    found = read(text)
    return buckets(masked(found.folded, mentions(found)), count, heard(intents(found)), INTENTS)


SETTINGS: Final = TrainingSettings(strength=20.0, buckets=2**14, features=features)
OF_FOLLOW_UPS: Final = TrainingSettings(
    strength=40.0, buckets=2**15, features=features_of_follow_up, iterations=1_500, tolerance=1e-4
)
LEAST: Final = {"follow_up": 6}
"""The least weight that is stored: with smaller ones no more follow-ups of `development` are known."""


def report(sentences: Sequence[Example], labels: Sequence[str], scores: Scores) -> str:
    """Report the share of right labels by language, and among the sentences above a margin."""
    right = np.array([labels[at] for at in scores.argmax(axis=1)]) == np.array(
        [sentence.label for sentence in sentences]
    )
    weights = np.array([sentence.weight for sentence in sentences])
    ordered = np.sort(scores, axis=1)
    margin = ordered[:, -1] - ordered[:, -2]
    rows = ["| language | sentences | right |", "|---|---|---|"]
    for language in sorted({sentence.language for sentence in sentences}):
        these = np.array([sentence.language == language for sentence in sentences])
        rows.append(f"| {language} | {these.sum()} | {np.average(right[these], weights=weights[these]):.1%} |")
    rows += ["", "| margin | of all | right of these |", "|---|---|---|"]
    for least in MARGINS:
        these = margin >= least
        share, good = np.average(these, weights=weights), np.average(right[these], weights=weights[these])
        rows.append(f"| {least} | {share:.1%} | {good:.1%} |")
    return "\n".join(rows)


def of_topics() -> list[Example]:
    """Return the sentences of `training/topic`, and those of `training/focus` whose matter is a topic as well."""
    own = examples("topic", MOST["topic"])
    groups = 1 + max(item.group for item in own)
    return own + [
        replace(example, label=label, group=groups + example.group)
        for example in examples("focus", MOST["focus"])
        if (label := TOPIC_OF_MATTER.get(example.label))
    ]


def of_follow_ups() -> list[Example]:
    """Return the sentences of `training/follow_up`, and the natural follow-ups under the first of their intents."""
    own = examples("follow_up", MOST["follow_up"])
    groups = 1 + max(item.group for item in own)
    natural = [
        Example(item.text, item.intents[0], item.language, groups + at, NATURAL)
        for at, item in enumerate(typed_follow_ups("learn"))
    ]
    return own + natural


def report_natural(fitted: Fitted, settings: TrainingSettings) -> str:
    """Report how many first intents of the natural follow-ups of the part `development` are known, by language."""
    texts = list(typed_follow_ups("development"))
    best = fitted.scores(matrix_of([item.text for item in texts], settings)).argmax(axis=1)
    rows = ["| language | follow-ups | right | any of theirs, or answered alike |", "|---|---|---|---|"]
    for language in ("en", "zh", "hant", "yue"):
        these = [
            (item.intents, fitted.labels[at]) for item, at in zip(texts, best, strict=True) if item.language == language
        ]
        right = sum(intents[0] == found for intents, found in these)
        alike = sum(found in intents or _alike(intents[0], found) for intents, found in these)
        rows.append(f"| {language} | {len(these)} | {right / len(these):.1%} | {alike / len(these):.1%} |")
    return "\n".join(rows)


def _alike(one: str, other: str) -> bool:
    return any({one, other} <= group for group in ANSWERED_ALIKE)


def train(corpus: str, target: Path, settings: TrainingSettings) -> None:
    """Train a classifier, print its figures and write it."""
    of = {"topic": of_topics, "follow_up": of_follow_ups}.get(corpus)
    sentences = of() if of else examples(corpus, MOST[corpus])
    sys.stdout.write(report(sentences, *cross_validated(sentences, settings)) + "\n")
    corpora = {
        "topic": ("topic", "focus"),
        "follow_up": ("follow_up", "natural_follow_ups/learn", "typed_follow_ups/learn"),
    }
    about = {"digest": digest(*corpora.get(corpus, (corpus,))), "sentences": len(sentences)}
    fitted = fit(sentences, settings)
    if corpus == "follow_up":
        sys.stdout.write(report_natural(fitted, settings) + "\n")
    target.write_bytes(quantised(fitted, {}, about, least=LEAST.get(corpus, 1)))
    sys.stdout.write(f"{target.stat().st_size} bytes\n")


def main() -> None:
    """Train, report, and write all models, or those of the named corpora."""
    for corpus, name, settings in (
        ("focus", "matter.bin", SETTINGS),
        ("topic", "topic.bin", SETTINGS),
        ("follow_up", "intent.bin", OF_FOLLOW_UPS),
    ):
        if corpus in (sys.argv[1:] or [corpus]):
            train(corpus, LIKELY / name, settings)


if __name__ == "__main__":
    main()
