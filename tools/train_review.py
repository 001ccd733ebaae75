"""Trains `review/model.bin`, which finds what a model's sentence does beside explaining a cast (CARE-09).

Run `make classifiers`; it prints the figures of docs/decisions/a-model-only-phrases.md. It learns from templates
(`training/review`), the rules' own sentences, and texts of models (`classification/model_texts.py`). What each check
of the review weighs, and what the sentences of a text weigh together, is learnt from the alarms of cross-validation,
which never splits a template, or the texts of a scenario.
"""

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from sklearn.linear_model import LogisticRegression

from liuyao import DivinationPayload, derive
from liuyao.classification.model import read as read_model
from liuyao.reading import Language, read
from tools.classification.corpus import Example, digest, examples
from tools.classification.model_texts import CORPUS, Sentence, sentences_of_models
from tools.classification.training import Fitted, Scores, TrainingSettings, fit, matrix_of, quantised
from tools.classification.trusting import Text, texts_of, trusting
from yarrow_agents.divination.review import Review
from yarrow_agents.divination.review.concepts import digest as digest_of_concepts
from yarrow_agents.divination.review.evidence import Findings, quotes_of
from yarrow_agents.divination.review.lexicon import is_anchored
from yarrow_agents.divination.review.manner import Manner, allowed, clauses_of, features

TARGET: Final = Path(__file__).parents[1] / "layers/core/yarrow_agents/divination/review/model.bin"
MOST: Final = 12
CASTS: Final = 120
"""Whose grounds are ordinary sentences."""
SETTINGS: Final = TrainingSettings(strength=8.0, features=features)
FOLDS: Final = 3
OF_A_MODEL: Final = 1.5
"""The weight of a model's sentence beside the 1 of a template's four."""
COST: Final = 6.0
"""Of a hostile sentence that is shown, where an ordinary one that is withheld costs 1."""
_ALL: Final = 99
"""The number missing from a text of which nothing is shown."""
NATURAL: Final = "learn"
"""The part by which no rule was mended."""
LEARNT: Final = (NATURAL, "tests")
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


def examples_of(sentences: Iterable[Sentence]) -> list[Example]:
    """Return those that have a manner."""
    return [
        Example(sentence.text, sentence.manner, sentence.language, sentence.group, OF_A_MODEL)
        for sentence in sentences
        if sentence.manner is not None
    ]


def alarms(fitted: Fitted, texts: Sequence[str], favourable: Sequence[bool]) -> Scores:
    """Return the log-odds of the manners that a verdict does not allow against those that it does."""
    scores = fitted.scores(matrix_of(texts, SETTINGS))
    may = {
        verdict: np.array([label in allowed(favourable=verdict) for label in fitted.labels])
        for verdict in (False, True)
    }
    rows = zip(scores, favourable, strict=True)
    odds = [np.logaddexp.reduce(row[~may[it]]) - np.logaddexp.reduce(row[may[it]]) for row, it in rows]
    return np.array(odds)


def findings(fitted: Fitted, sentences: Sequence[Sentence]) -> list[Findings]:
    """Return what the review finds in sentences with this classifier."""
    pairs = [(number, clause) for number, it in enumerate(sentences) for clause in (clauses_of(it.text) or [it.text])]
    wholes = alarms(fitted, [it.text for it in sentences], [it.brief.favourable for it in sentences])
    parts = alarms(fitted, [clause for _, clause in pairs], [sentences[at].brief.favourable for at, _ in pairs])
    worst = np.full(len(sentences), -np.inf)
    np.maximum.at(worst, [at for at, _ in pairs], parts)
    found = []
    for it, whole, part in zip(sentences, wholes, worst, strict=True):
        language = it.brief.language
        quotes = quotes_of(it.text, Review(it.brief).context)
        found.append(Findings(language, float(whole), float(part), is_anchored(it.text, language), quotes))
    return found


def weighed(learnt: Sequence[Sentence], found: Sequence[Findings], withheld: Sequence[bool]) -> dict[str, float]:
    """Return the weight of each finding, and the bias that costs least on the texts that no rule was mended by."""
    names = list(found[0].values())
    values = np.array([list(it.values().values()) for it in found])
    hostile = np.array([it.is_hostile for it in learnt])
    used = np.array([not it.is_hostile or it.manner is not None for it in learnt])
    model = LogisticRegression(C=1.0, max_iter=1000).fit(values[used], hostile[used])
    odds = model.decision_function(values)
    natural = used & np.array([it.part == NATURAL for it in learnt]) & ~np.array(withheld)
    limits = np.arange(-4, 3, 0.1)
    costs = [
        COST * np.sum(hostile[natural] & (odds[natural] <= limit)) + np.sum(~hostile[natural] & (odds[natural] > limit))
        for limit in limits
    ]
    limit = float(limits[int(np.argmin(costs))])
    weights = {name: round(float(weight), 4) for name, weight in zip(names, model.coef_[0], strict=True)}
    return weights | {"bias": round(float(model.intercept_[0]) - limit, 4)}


def report(texts: Sequence[Text], weights: dict[str, float]) -> str:
    """Report by part and language how many texts are shown whole, with one sentence missing, and though hostile."""
    rows = [
        "| part | language | ordinary | whole | at most one missing | hostile | any sentence shown |",
        "|---|---|---|---|---|---|---|",
    ]
    shown = [(text, text.shown(weights)) for text in texts]
    for part, language in sorted({_part_of(text) for text in texts}):
        of_part = [(text, it) for text, it in shown if _part_of(text) == (part, language)]
        missing = [it.count(False) if any(it) else _ALL for text, it in of_part if not text.is_hostile]
        hostile = [text.is_hostile_shown(it) for text, it in of_part if text.is_hostile]
        whole, most = (sum(number <= limit for number in missing) for limit in (0, 1))
        rows.append(f"| {part} | {language} | {len(missing)} | {whole} | {most} | {len(hostile)} | {sum(hostile)} |")
    return "\n".join(rows)


def _part_of(text: Text) -> tuple[str, str]:
    return text.sentences[0].part, text.sentences[0].brief.language.value


def main(arguments: Sequence[str]) -> None:
    """Train, report, and write the model."""
    templates, texts = sentences_of_review(), sentences_of_models()
    learnt = [it for it in texts if it.part in LEARNT]
    found: dict[int, Findings] = {}
    for fold in range(FOLDS):
        known = [it for it in learnt if _fold(it) != fold]
        unseen = [it for it in learnt if _fold(it) == fold]
        fitted = fit([*templates, *examples_of(known)], SETTINGS)
        found |= {id(it): one for it, one in zip(unseen, findings(fitted, unseen), strict=True)}
    fitted = fit([*templates, *examples_of(learnt)], SETTINGS)
    rest = [it for it in texts if it.part not in LEARNT]
    found |= {id(it): one for it, one in zip(rest, findings(fitted, rest), strict=True)}
    certain = {id(it): any(True for _ in Review(it.brief).certain(it.text)) for it in texts}
    weights = weighed(learnt, [found[id(it)] for it in learnt], [certain[id(it)] for it in learnt])
    reviewed = texts_of(texts, found, weights)
    of_texts = trusting([text for text in reviewed if text.sentences[0].part == NATURAL])
    about: dict[str, Any] = {
        "digest": digest("review", CORPUS),
        "concepts": digest_of_concepts(),
        "sentences": len(templates) + len(learnt),
        "evidence": weights,
        "text": of_texts,
    }
    stored = quantised(fitted, {}, about)
    sys.stdout.write(f"{report(reviewed, of_texts)}\n\n{weights}, {of_texts}, {len(stored)} bytes\n")
    if "--dry-run" not in arguments:
        TARGET.write_bytes(stored)
    read_model(stored)


def _fold(sentence: Sentence) -> int:
    """Return the fold in which all texts of a scenario are."""
    return crc32(sentence.scenario.encode()) % FOLDS


if __name__ == "__main__":
    main(sys.argv[1:])
