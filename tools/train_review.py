"""Trains `review/model.bin`, which finds what a model's sentence does beside explaining a cast (CARE-09).

Run `make classifiers`; it prints the figures of docs/decisions/a-model-only-phrases.md. Cross-validation never splits
a template's sentences; thresholds come from it. It learns from `training/review` and from the rules' own sentences;
the texts of `tests/unit/yarrow_agents/divination/model_texts` are never trained on.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from liuyao import DivinationPayload, derive
from liuyao.care.classified import script_of
from liuyao.classification.model import read as read_model
from liuyao.reading import Language, read
from tools.classification.corpus import Example, digest, examples
from tools.classification.training import Scores, TrainingSettings, confusion, cross_validated, fit, quantised
from yarrow_agents.divination.review.concepts import digest as digest_of_concepts
from yarrow_agents.divination.review.manner import Manner, allowed, features

TARGET: Final = Path(__file__).parents[1] / "layers/core/yarrow_agents/divination/review/model.bin"
MOST: Final = 12
CASTS: Final = 120
"""Whose grounds are ordinary sentences."""
SETTINGS: Final = TrainingSettings(strength=8.0, features=features)
WITHHELD: Final = 0.007
"""Allowed sentences above the threshold in cross-validation."""
_TYPES: Final = ("事业", "健康", "财运", "感情", "官司", "出行", "学业", "失物", "其他")


def sentences_of_review() -> list[Example]:
    """Return the templates' sentences, and the rules' own, a group a sentence."""
    found = examples("review", MOST)
    group = max(sentence.group for sentence in found) + 1
    for number, (language, text) in enumerate(_grounds()):
        found.append(Example(text, Manner.ORDINARY, language, group + number, 0.3))
    return found


def _grounds() -> Iterator[tuple[str, str]]:
    draw = random.Random(1)  # noqa: S311
    for _ in range(CASTS):
        payload = {
            "divinationMethod": "手动起卦",
            "questionType": draw.choice(_TYPES),
            "question": "近来如何?",
            "divinationTimeIso": f"20{draw.randint(10, 60)}-{draw.randint(1, 12):02}-15T10:00:00+08:00",
            "yaoLines": draw.choices(["少阳", "少阴", "老阳", "老阴"], k=6),
        }
        divination = derive(DivinationPayload.model_validate(payload))
        for language, reading in (("zh", Language.SIMPLIFIED), ("en", Language.ENGLISH)):
            yield from ((language, text) for text in read(divination, language=reading).focus_points)


def alarms(scores: Scores, labels: Sequence[str], *, favourable: bool) -> Scores:
    """Return the log-odds of labels that are not allowed against those that are."""
    may = [label in allowed(favourable=favourable, careful=False) for label in labels]
    must_not = [not is_allowed for is_allowed in may]
    return np.asarray(np.logaddexp.reduce(scores[:, must_not], axis=1) - np.logaddexp.reduce(scores[:, may], axis=1))


def thresholds(sentences: Sequence[Example], labels: Sequence[str], scores: Scores) -> dict[str, float]:
    """Return the alarms above which a sentence is withheld, by script."""
    found = {}
    for script in ("zh", "en"):
        values: list[float] = []
        for favourable in (True, False):
            may = allowed(favourable=favourable, careful=False)
            these = [sentence.label in may and script_of(sentence.text) == script for sentence in sentences]
            values += alarms(scores, labels, favourable=favourable)[these].tolist()
        found[script] = round(float(np.quantile(values, 1 - WITHHELD)), 3)
    return found


def report(sentences: Sequence[Example], labels: Sequence[str], scores: Scores, limits: dict[str, float]) -> str:
    """Report the shares withheld by language and label under either verdict, and the confusion matrix."""
    rows = ["| language | label | sentences | withheld, favourable | unfavourable |", "|---|---|---|---|---|"]
    for language, label in sorted({(sentence.language, sentence.label) for sentence in sentences}):
        these = [(sentence.language, sentence.label) == (language, label) for sentence in sentences]
        shares = []
        for favourable in (True, False):
            found = alarms(scores, labels, favourable=favourable)[these]
            limit = [limits[script_of(sentence.text)] for sentence, it in zip(sentences, these, strict=True) if it]
            shares.append(f"{np.mean(found > np.array(limit)):.1%}")
        rows.append(f"| {language} | {label} | {sum(these)} | {' | '.join(shares)} |")
    return "\n".join([*rows, "", *confusion(sentences, labels, scores)])


def main(arguments: Sequence[str]) -> None:
    """Train, report, and write the model."""
    sentences = sentences_of_review()
    labels, scores = cross_validated(sentences, SETTINGS)
    limits = thresholds(sentences, labels, scores)
    about: dict[str, Any] = {"digest": digest("review"), "concepts": digest_of_concepts(), "sentences": len(sentences)}
    stored = quantised(fit(sentences, SETTINGS), limits, about)
    sys.stdout.write(f"{report(sentences, labels, scores, limits)}\n\n{limits}, {len(stored)} bytes\n")
    if "--dry-run" not in arguments:
        TARGET.write_bytes(stored)
    read_model(stored)


if __name__ == "__main__":
    main(sys.argv[1:])
