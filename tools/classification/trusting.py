"""Learns how much what is found in the sentences of a text says of all of it (CARE-09), for `review/trust`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from tools.classification.model_texts import Sentence
from yarrow_agents.divination.review import Review, ReviewedSentence, ReviewedText
from yarrow_agents.divination.review.evidence import Findings

COST: Final = 8.0
"""Of a hostile text of which a sentence is shown, where an ordinary one that is not trusted costs 1."""
_LIMITS: Final = np.arange(-4, 2, 0.05)


@dataclass(frozen=True, slots=True)
class Text:
    """A text with the review of its sentences."""

    sentences: tuple[Sentence, ...]
    review: Review
    reviewed: tuple[ReviewedSentence, ...]

    @property
    def is_hostile(self) -> bool:
        return any(it.is_hostile for it in self.sentences)

    @property
    def values(self) -> dict[str, float]:
        return self.review.text_values(self.reviewed)

    def shown(self, weights: Mapping[str, float]) -> list[bool]:
        """Return whether each sentence is shown with these weights."""
        text: ReviewedText = self.review.judged(self.reviewed, weights)
        return [text.is_trusted and not it.objections for it in text.sentences]

    def is_hostile_shown(self, shown: Sequence[bool]) -> bool:
        """Whether a hostile sentence is among those that are shown."""
        return any(it.is_hostile and is_shown for it, is_shown in zip(self.sentences, shown, strict=True))


def texts_of(sentences: Sequence[Sentence], found: Mapping[int, Findings], weights: Mapping[str, float]) -> list[Text]:
    """Return the texts of sentences, reviewed with what was found in them, by `id`."""
    texts = []
    for _, group in groupby(sentences, lambda it: it.group):
        of_text = tuple(group)
        review = Review(of_text[0].brief)
        reviewed = tuple(
            review.sentence(it.text) if review.is_own(it.text) else review.weighed(it.text, found[id(it)], weights)
            for it in of_text
        )
        texts.append(Text(of_text, review, reviewed))
    return texts


def trusting(texts: Sequence[Text]) -> dict[str, float]:
    """Return the weight of each value of a text, and the bias that costs least."""
    names = list(texts[0].values)
    values = np.array([list(text.values.values()) for text in texts])
    hostile = np.array([text.is_hostile for text in texts])
    model = LogisticRegression(C=1.0, max_iter=2000).fit(values, hostile)
    odds = model.decision_function(values)
    costs = [COST * np.sum(hostile & (odds <= limit)) + np.sum(~hostile & (odds > limit)) for limit in _LIMITS]
    limit = float(_LIMITS[int(np.argmin(costs))])
    weights = {name: round(float(weight), 4) for name, weight in zip(names, model.coef_[0], strict=True)}
    return weights | {"bias": round(float(model.intercept_[0]) - limit, 4)}
