"""The rules' sentence that takes the place of a model's: the one that names the most of the same things (CARE-09)."""

from collections.abc import Iterator
from typing import Final

from liuyao.reading import Language
from liuyao.reading.wording.glosses import ANIMALS, ELEMENTS, GLOSSES
from yarrow_agents.divination.brief import Brief
from yarrow_agents.divination.review import Review, sentences_of
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.vocabulary import STATE, TOKEN, folded, word_of

_TERMS_IN_ENGLISH: Final = frozenset(
    (
        *("officer", "wealth", "parents", "siblings", "offspring", "focus", "source", "asker", "other", "side", "line"),
        *(
            "month",
            "day",
            "moving",
            "moves",
            "turns",
            "changes",
            "void",
            "clash",
            "clashes",
            "break",
            "broken",
            "triple",
        ),
        *("triple", "combines", "combined", "combination", "combinations", "reversal", "feeds", "overcomes", "drains"),
        *("metal", "wood", "fire", "water", "earth", "rat", "ox", "tiger", "rabbit", "dragon", "snake", "horse"),
        *("goat", "monkey", "rooster", "dog", "pig"),
    )
)

_FOCUS: Final = "用神"


class Alignment:
    """The rules' sentences about one cast, each of which is used once."""

    def __init__(self, brief: Brief, review: Review) -> None:
        texts = brief.reading.focus_points if brief.is_reading else (brief.answered,)
        self._language = brief.language
        at = brief.reading.judgement.focus.at
        self._focus = f"{at.relation}{at.branch}{at.element}"
        self._in_english = {GLOSSES[at.relation], ANIMALS[at.branch].lower(), ELEMENTS[at.element]}
        self._left = [
            sentence.strip() for text in texts for sentence in sentences_of(text) if not review.objections(sentence)
        ]

    def instead(self, sentence: str) -> str:
        """Return the rules' sentence for the same part; empty if none names any of the same things."""
        names = set(self._names(sentence))
        best = max(self._left, key=lambda own: len(names.intersection(self._names(own))), default="")
        if not names.intersection(self._names(best)):
            return ""
        self._left.remove(best)
        return best

    def _names(self, text: str) -> Iterator[str]:
        if self._language is Language.ENGLISH:
            words = set(fold(text).english.split())
            yield from _TERMS_IN_ENGLISH.intersection(words | (self._in_english if "focus" in words else set()))
            return
        plain = folded(text)
        if _FOCUS in plain:
            # The rules name the line once and call it so from then on; a model may name it again.
            plain = f"{plain}，{self._focus}"
        yield from (word_of(match[0]) for match in TOKEN.finditer(plain))
        yield from STATE.findall(plain)
