"""The kind of answer that a question likely wants: a linear classifier beside the words that the tables list.

`likely/form.bin` tells how a question is put: yes or no, one of several, when, who. It is trained by
`tools.classification.train_form` on texts as people type them, with what the tables found among its features.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from zlib import crc32

from liuyao.classification import Classifier, load
from liuyao.reading.question.asking import Asking
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.likely import INTENTS, LONGEST, Guess, grams, words_of
from liuyao.reading.question.text import Text

FORM: Final = Path(__file__).parent / "likely" / "form.bin"
STATEMENT: Final = "statement"
"""The label of a text that asks nothing in its words; one that ends with a question mark is none."""
PART: Final = "which_period"
"""The label of a question that asks for the best part of a stretch of time."""
KINDS: Final[dict[str, tuple[Asks, ...]]] = {
    "yesno": (Asks.WHETHER, Asks.SHOULD, Asks.OTHERS_MIND, Asks.SEX_OF_CHILD),
    "either": (Asks.WHICH, Asks.SEX_OF_CHILD),
    "when": (Asks.WHEN,),
    PART: (Asks.WHEN,),
    "who": (Asks.WHO, Asks.WHICH),
    "where": (Asks.WHERE,),
    "howmuch": (Asks.HOW_MUCH,),
    "open": (Asks.HOW_IS, Asks.HOW, Asks.WHY, Asks.OTHERS_MIND),
    STATEMENT: (Asks.HOW_IS, Asks.HOW, Asks.WHY, Asks.OTHERS_MIND),
}
"""The kinds of answer that fit each label; the first where the tables know none of them."""
ENOUGH: Final = 0.0
"""The margin above which a guess is taken where the tables found nothing but that something is asked."""
AGAINST: Final = 2.5
"""The margin above which it is taken against a word that asks: who, when, which."""
OF_CHOICES: Final = 1.5
"""The same against a word that asks whether something is good: 請印傭定菲傭好 names two."""
_BARE: Final = (Asks.WHETHER, Asks.HOW_IS)
_LONGEST: Final = 60
"""Characters of the asking clause that are classified, the last ones."""
_EDGE: Final = 3
"""Words of either end of the clause that are features of their own."""


def likelier(asks: Asks, text: Text, asked: Asking) -> Asks:
    """The kind that the tables found, or the likely one where that is far likelier."""
    return settled(asks, likely_form(asks, text, asked))


def settled(asks: Asks, guessed: Guess) -> Asks:
    """The kind that the tables found, or that of a guess which is sure enough."""
    fitting = KINDS[guessed.label]
    least = ENOUGH if asks in _BARE else AGAINST
    if guessed.label == "either" and asks is Asks.SHOULD:
        least = OF_CHOICES
    return asks if asks in fitting or guessed.margin < least else fitting[0]


def asks_for_part(text: Text, asked: Asking, asks: Asks) -> bool:
    """Whether a question asks for the best part of a stretch of time."""
    return likely_form(asks, text, asked).label == PART


def likely_form(asks: Asks, text: Text, asked: Asking) -> Guess:
    """How a question is likely put, with the kind of answer that the tables found."""
    return _guess(text.folded, asked.clause, asks)


@lru_cache(maxsize=64)
def _guess(folded: str, clause: tuple[int, int], asks: Asks) -> Guess:
    return guessed_by(load(FORM), folded, clause, asks)


def guessed_by(model: Classifier, folded: str, clause: tuple[int, int], asks: Asks) -> Guess:
    """How a text is likely put, with the place of its asking clause, by a model."""
    scores = model.score_of(buckets(folded, clause, asks, model.count))
    if folded.rstrip().endswith(("?", "？")):
        del scores[STATEMENT]
    ranked = sorted(scores.values(), reverse=True)
    return Guess(max(scores, key=scores.__getitem__), ranked[0] - ranked[1], scores)


def buckets(folded: str, clause: tuple[int, int], asks: Asks, count: int) -> list[int]:
    """The distinct buckets of a text, its asking clause and what the tables found; `count` is a power of two."""
    last = count - 1
    start, end = clause
    asking = folded[start:end].strip(" ?？!！。.~…")
    beside = f"{folded[:start]} {folded[end:]}"[-LONGEST:]
    return list({crc32(gram.encode()) & last for gram in (*_grams(asking, asks), *_beside(beside))})


def _grams(clause: str, asks: Asks) -> Iterator[str]:
    yield from grams(clause[-_LONGEST:], INTENTS)
    yield from (f"#{asks}", f"##{asks}", f"###{asks}")
    words = words_of(clause)
    for size in range(1, min(_EDGE, len(words)) + 1):
        yield "^" + " ".join(words[:size])
        yield "$" + " ".join(words[-size:])
    if words:
        yield from (f"#{asks} ^{words[0]}", f"#{asks} ${words[-1]}")


def _beside(told: str) -> Iterator[str]:
    """Yield the words beside the asking clause, where a choice may stand: "sell it or fix it, wife says sell"."""
    words = words_of(told)
    yield from (f"~{word}" for word in words)
    yield from (f"~{one} {two}" for one, two in pairwise(words))
