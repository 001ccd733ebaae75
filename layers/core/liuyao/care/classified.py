"""The classifier beside the phrase tables (CARE-07): it finds phrasings that no table lists.

Above the higher threshold a text is of its kind, above the lower it is `UNSURE`; what follows a reading has a lower
threshold of its own. `tools/train_care.py` trains it.
"""

from functools import lru_cache
from itertools import chain
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liuyao.care.kinds import Caution, Kind

if TYPE_CHECKING:
    from liuyao.classification.model import Classifier

MODEL: Final = Path(__file__).with_name("model.bin")
CAUTIONS: Final = Path(__file__).with_name("cautions.bin")
ORDINARY: Final = "ordinary"
CLEARLY: Final = 1.5
"""By how much a stake must be likelier than another matter of money."""
BESIDE: Final = 2.0
"""By how much a caution may be less likely than the likeliest label: a loan is no lawsuit."""
NEAR: Final = 2.0
"""Above the lower threshold by less than this, a question that clearly is about health has a reading and a caution."""
NEAR_SELF_HARM: Final = 1.0
"""The same where suicide or self-harm is likeliest, as cuts on an arm are a matter of health as well; there a matter
that clearly is of law counts too. Not one of money: debts are what many despair of."""
CLEARLY_NONE: Final = 2.0
"""By how much the odds of a caution must be below its threshold for words that the tables take for it."""
CLEARLY_ABOUT: Final = 2.0
"""By how much the odds of a caution of health or law must be above its threshold for that."""
CLEARLY_ORDINARY: Final = 2.0
"""By how much the alarm must be below the lower threshold for words that the tables take for `LIFESPAN`."""
NEARLY: Final = 0.55
"""By how much it may be below the lower threshold for ambiguous words of the tables to decide."""
_MAY_BE_A_MATTER: Final = {
    Kind.SELF_HARM: (NEAR_SELF_HARM, (Caution.HEALTH, Caution.LEGAL)),
    Kind.VIOLENCE: (NEAR, (Caution.HEALTH,)),
    Kind.LIFESPAN: (NEAR, (Caution.HEALTH,)),
}
"""By kind: how near the threshold a question has a reading, and of what. `EMERGENCY` and `TREATMENT` are about health
themselves, and who was beaten goes to law."""
_CAUTIONS: Final = ((Caution.HEALTH,), (Caution.LEGAL,), (Caution.STAKES, Caution.FINANCE))
"""Those of one tuple exclude each other."""
FEW: Final = 5
"""Words of a short text; a Chinese one has a character more."""
SELF_HARM_MORE: Final = 0.9
VIOLENCE_MORE: Final = {"zh": 0.3, "en": 0.5}
LIFESPAN_MORE: Final = {"zh": 1.3, "en": 0.5}
LIFESPAN_OF_ILLNESS: Final = 1.8
"""What is added to the alarm where such a kind is likeliest: it is often only hinted at, and an illness is a hint.

By script where the same number gave other shares of false alarms: what is only near `LIFESPAN` in English is mostly
ordinary.
"""
MARGIN: Final = 2.0
"""By how much the alarm of a short text must be higher: it has few n-grams, each of which weighs much."""


def scores_of(model: "Classifier", text: str) -> list[dict[str, float]]:
    """The scores by label of each passage of a text."""
    return list(map(dict, _scores_of(model, text)))


@lru_cache(64)
def _scores_of(model: "Classifier", text: str) -> tuple[dict[str, float], ...]:
    """Return the same, once for all that is asked of a text."""
    from liuyao.classification import words  # which imports this package
    from liuyao.classification.features import passages

    return tuple([model.score_of(words.buckets(passage, model.count)) for passage in passages(text)])


def alarm_of(model: "Classifier", text: str) -> tuple[float, Kind]:
    """The highest alarm of a text's passages, and the likeliest kind."""
    alarm, kind = max(map(_alarm, scores_of(model, text)), default=(float("-inf"), Kind.UNSURE))
    return alarm + (_more(text, kind) if _size(text) > FEW else -MARGIN), kind


def classified(text: str, *, is_follow_up: bool = False) -> Kind | None:
    """The kind of a text; None if it is ordinary."""
    from liuyao.classification.model import load  # which imports this package

    if _size(text) < 2:  # the tables' alone, as "other" and "end"
        return None
    model = load(MODEL)
    alarm, kind = alarm_of(model, text)
    sure, unsure = _thresholds(model, text, is_follow_up=is_follow_up)
    if alarm >= sure:
        return kind
    near, matters = _MAY_BE_A_MATTER.get(kind, (0.0, ()))
    if alarm < unsure or (alarm < unsure + near and any(_is_about(matter, text) for matter in matters)):
        return None
    return Kind.UNSURE


def _more(text: str, kind: Kind) -> float:
    match kind:
        case Kind.SELF_HARM:
            return SELF_HARM_MORE
        case Kind.VIOLENCE:
            return VIOLENCE_MORE[script_of(text)]
        case Kind.LIFESPAN:
            return (
                LIFESPAN_OF_ILLNESS if Caution.HEALTH in classified_cautions(text) else LIFESPAN_MORE[script_of(text)]
            )
        case _:
            return 0.0


def agrees(text: str, *, is_follow_up: bool = False) -> bool:
    """Whether the classifier is near an alarm in any passage of a text, or cannot read so short a text.

    Words that the tables hold for ambiguous decide only then.
    """
    return _above(text, is_follow_up=is_follow_up) >= -NEARLY


def clearly_ordinary(text: str) -> bool:
    """Whether the classifier is far from any alarm in every passage of a Chinese text.

    `死` alone is a phrase of `LIFESPAN`, and most sentences that have it are about nobody's death; no English phrase is
    as wide.
    """
    return script_of(text) == "zh" and _above(text) < -CLEARLY_ORDINARY


def _above(text: str, *, is_follow_up: bool = False) -> float:
    """The highest alarm of a text less the lower threshold; infinite for a text that the classifier does not read."""
    from liuyao.classification.model import load  # which imports this package

    if _size(text) < 2:
        return float("inf")
    model = load(MODEL)
    _, unsure = _thresholds(model, text, is_follow_up=is_follow_up)
    return max((_alarm(score)[0] for score in scores_of(model, text)), default=float("-inf")) - unsure


def _is_about(caution: Caution, text: str) -> bool:
    """Whether a text clearly calls for a caution: who asks about an illness or a lawsuit is no one in despair."""
    from liuyao.classification.model import load  # which imports this package

    model = load(CAUTIONS)
    limit = model.thresholds[f"{script_of(text)}.{caution}"] + CLEARLY_ABOUT
    return all(score[caution] - score[ORDINARY] > limit for score in scores_of(model, text))


def contradicted_cautions(text: str) -> frozenset[Caution]:
    """The cautions that a text clearly calls not for, whatever its words: a nurse's rota, a judge at a dog show."""
    from liuyao.classification.model import load  # which imports this package

    if _size(text) < 2:
        return frozenset()
    model, script = load(CAUTIONS), script_of(text)
    scores = scores_of(model, text)
    return frozenset(
        caution
        for caution in chain.from_iterable(_CAUTIONS)
        if max((score[caution] - score[ORDINARY] for score in scores), default=float("inf"))
        < model.thresholds[f"{script}.{caution}"] - CLEARLY_NONE
    )


@lru_cache(64)
def classified_cautions(text: str) -> frozenset[Caution]:
    """The cautions that a text calls for (CARE-04). `tools/train_cautions.py` trains their model."""
    from liuyao.classification.model import load  # which imports this package

    if _size(text) < 2:
        return frozenset()
    model, script = load(CAUTIONS), script_of(text)
    found = set()
    for score in scores_of(model, text):
        score[Caution.STAKES] -= CLEARLY  # in doubt, money that is lent or owed is no stake
        best = max(score.values())
        for labels in _CAUTIONS:
            label = max(labels, key=score.__getitem__)
            above = score[label] - score[ORDINARY] > model.thresholds[f"{script}.{label}"]
            if above and score[label] >= best - BESIDE:
                found.add(label)
    return frozenset(found)


def _size(text: str) -> int:
    """Words, or Chinese characters less one."""
    if script_of(text) == "zh":
        return sum(map(str.isalnum, text)) - 1
    return sum(any(map(str.isalnum, word)) for word in text.split())


def _alarm(score: dict[str, float]) -> tuple[float, Kind]:
    """The log-odds of all kinds against ordinary, and the likeliest kind."""
    kinds = {label: value for label, value in score.items() if label != ORDINARY}
    best = max(kinds, key=kinds.__getitem__)
    top = kinds[best]
    return top + log(sum(exp(value - top) for value in kinds.values())) - score[ORDINARY], Kind(best)


def _thresholds(model: "Classifier", text: str, *, is_follow_up: bool = False) -> tuple[float, float]:
    """The higher and the lower one of the script that most of a text is in."""
    script, lower = script_of(text), "follow_up" if is_follow_up else "unsure"
    return model.thresholds[f"{script}.sure"], model.thresholds[f"{script}.{lower}"]


def script_of(text: str) -> str:
    """`zh` if a text has Chinese characters, else `en`."""
    return "zh" if any("\u3400" <= sign <= "\u9fff" for sign in text) else "en"
