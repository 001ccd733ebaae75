"""Fits a multinomial logistic regression and stores it in bytes; scores a corpus by grouped cross-validation.

The same sentences give the same file on one version of scikit-learn.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from liuyao.classification.features import buckets as n_grams
from tools.classification.augmentation import augmented
from tools.classification.corpus import Example
from tools.classification.model_file import pack

Scores = NDArray[np.float64]

BUCKETS: Final = 2**17
RARE: Final = 2
"""Buckets in fewer sentences have no weight."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """`strength` is the inverse of the regularisation; `importance` multiplies the weight of a label's sentences.

    `features` gives the distinct buckets of a text; `augments` is whether variants of the sentences are learnt too.
    """

    strength: float = 8.0
    importance: Mapping[str, float] = field(default_factory=dict)
    buckets: int = BUCKETS
    features: Callable[[str, int], list[int]] = n_grams
    augments: bool = True
    iterations: int = 200
    tolerance: float = 1e-3
    """When fitting stops: many sentences need more than the defaults, or chance decides how far it comes."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted model of log-odds; `weights` has a row a label."""

    labels: tuple[str, ...]
    weights: Scores
    biases: Scores

    def scores(self, matrix: Any) -> Scores:
        """Return the scores: a row a sentence, a column a label."""
        found: Scores = np.asarray(matrix @ self.weights.T) + self.biases
        return found


_KNOWN: Final[dict[tuple[Callable[[str, int], list[int]], int, str], "array[int]"]] = {}


def buckets_of(text: str, settings: TrainingSettings) -> "array[int]":
    """Return the sorted buckets of a text; they are cached, and forked processes share them."""
    key = settings.features, settings.buckets, text
    if key not in _KNOWN:
        _KNOWN[key] = array("i", sorted(settings.features(text, settings.buckets)))
    return _KNOWN[key]


def matrix_of(texts: Sequence[str], settings: TrainingSettings) -> Any:
    """Return the sparse matrix of sentences, with rows of length 1."""
    rows = [buckets_of(text, settings) for text in texts]
    sizes = np.array([len(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
    columns = np.fromiter((bucket for row in rows for bucket in row), dtype=np.int32, count=int(sizes.sum()))
    return csr_matrix((values, columns, starts), shape=(len(rows), settings.buckets))


def fit(sentences: Sequence[Example], settings: TrainingSettings) -> Fitted:
    known = [*sentences, *(augmented(sentences) if settings.augments else ())]
    matrix = matrix_of([sentence.text for sentence in known], settings)
    used = np.flatnonzero(np.bincount(matrix.indices, minlength=settings.buckets) >= RARE)
    model = LogisticRegression(C=settings.strength, max_iter=settings.iterations, tol=settings.tolerance)
    model.fit(
        matrix[:, used],
        [sentence.label for sentence in known],
        sample_weight=[sentence.weight * settings.importance.get(sentence.label, 1.0) for sentence in known],
    )
    coefficients, biases = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        coefficients, biases = np.vstack([-coefficients, coefficients]) / 2, np.array([-biases[0], biases[0]]) / 2
    weights = np.zeros((len(model.classes_), settings.buckets))
    weights[:, used] = coefficients
    return Fitted(tuple(map(str, model.classes_)), weights, biases)


def quantised(fitted: Fitted, thresholds: Mapping[str, float], about: Mapping[str, Any], *, least: int = 1) -> bytes:
    """Return the model file, with a signed byte a weight.

    Weights below `least`, of 127, are left out: the smallest decide nothing, and are a good part of the bytes.
    """
    scales = np.abs(fitted.weights).max(axis=1) / 127
    rows = np.rint(fitted.weights / scales[:, None]).astype(np.int8)
    rows[np.abs(rows) < least] = 0
    return pack(
        fitted.labels,
        [round(float(bias), 5) for bias in fitted.biases],
        [round(float(scale), 6) for scale in scales],
        [row.tobytes() for row in rows],
        thresholds,
        about,
    )


def cross_validated(
    sentences: Sequence[Example], settings: TrainingSettings, folds: int = 3
) -> tuple[tuple[str, ...], Scores]:
    """Return the labels, and every sentence's scores by a model that saw no sentence of its group.

    Folds run in parallel processes.
    """
    groups = [sentence.group for sentence in sentences]
    labels = tuple(sorted({sentence.label for sentence in sentences}))
    found = np.zeros((len(sentences), len(labels)))
    for sentence in sentences:
        buckets_of(sentence.text, settings)
    splits = list(GroupKFold(n_splits=folds).split(sentences, groups=groups))
    with ProcessPoolExecutor(folds, get_context("fork")) as pool:
        parts = [([sentences[at] for at in known], [sentences[at].text for at in unseen]) for known, unseen in splits]
        scored = pool.map(_scores_of_fold, *zip(*parts, strict=True), repeat(settings))
        for (_, unseen), (columns, scores) in zip(splits, scored, strict=True):
            found[np.ix_(unseen, [labels.index(label) for label in columns])] = scores
    return labels, found


def _scores_of_fold(
    known: Sequence[Example], unseen: Sequence[str], settings: TrainingSettings
) -> tuple[tuple[str, ...], Scores]:
    fitted = fit(known, settings)
    return fitted.labels, fitted.scores(matrix_of(unseen, settings))


def confusion(sentences: Sequence[Example], labels: Sequence[str], scores: Scores) -> list[str]:
    best = [labels[at] for at in scores.argmax(axis=1)]
    counts = Counter(zip([sentence.label for sentence in sentences], best, strict=True))
    rows = [f"| {is_} | {' | '.join(str(counts[is_, found]) for found in labels)} |" for is_ in labels]
    return [f"| is \\ found | {' | '.join(labels)} |", "|---" * (len(labels) + 1) + "|", *rows]
