"""The classifier beside the phrase tables (CARE-07): it finds phrasings that no table lists.

Above the higher threshold a question is of its kind, above the lower it is `UNSURE`. `tools/train_care.py` trains it.
"""

from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Final

from yarrow.divination.care.kinds import Kind

if TYPE_CHECKING:
    from yarrow.divination.classification.model import Classifier

MODEL: Final = Path(__file__).with_name("model.bin")
ORDINARY: Final = "ordinary"


def classified(text: str) -> Kind | None:
    """The kind of a text; None if it is ordinary."""
    from yarrow.divination.classification.model import load  # which imports this package

    if not _has_evidence(text):
        return None
    model = load(MODEL)
    alarm, kind = max((_alarm(score) for score in model.scores(text)), default=(float("-inf"), Kind.UNSURE))
    sure, unsure = _thresholds(model, text)
    if alarm >= sure:
        return kind
    return Kind.UNSURE if alarm >= unsure else None


def _has_evidence(text: str) -> bool:
    """Whether a text has two words, or three Chinese characters: fewer are the tables' alone, as "other" and "end"."""
    if script_of(text) == "zh":
        return sum(map(str.isalnum, text)) >= 3
    return sum(any(map(str.isalnum, word)) for word in text.split()) >= 2


def _alarm(score: dict[str, float]) -> tuple[float, Kind]:
    """The log-odds of all kinds against ordinary, and the likeliest kind."""
    kinds = {label: value for label, value in score.items() if label != ORDINARY}
    best = max(kinds, key=kinds.__getitem__)
    top = kinds[best]
    return top + log(sum(exp(value - top) for value in kinds.values())) - score[ORDINARY], Kind(best)


def _thresholds(model: "Classifier", text: str) -> tuple[float, float]:
    """Of the script that most of a text is in."""
    script = script_of(text)
    return model.thresholds[f"{script}.sure"], model.thresholds[f"{script}.unsure"]


def script_of(text: str) -> str:
    """`zh` if a text has Chinese characters, else `en`."""
    return "zh" if any("\u3400" <= sign <= "\u9fff" for sign in text) else "en"
