"""Another way, another option, another month, weighed against what the cast was made for.

世 stands for the first of two ways, 应 for the second, as in a first question that names two.
"""

from typing import Final

from liuyao.divination import Element
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, generates, overcomes
from liuyao.reading.answering.comparison import options, which_why
from liuyao.reading.answering.reasons import plain_reasons
from liuyao.reading.answering.replies import of_weather
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.later_times import months_named
from liuyao.reading.question.mentioned import is_own_deed
from liuyao.reading.question.plans import other_named, plan_named
from liuyao.reading.question.text import Expression, Text

_BESIDE: Final = Expression(r"(?:比起[来來]|相比|相[较較]|比[较較])$")
"""What compares, at the end of what is compared."""
_ASKING: Final = Expression(
    r"^(?:is it|was it|is|are|was|would|will|should i (?:take|choose|go)|do i (?:take|choose)|which is better,?|"
    r"so|and|then) |"
    r"^(?:那么?|所以|是|选?址选|[选买放住掉落]在|选|挑|去|跟|和|与)|(?: is| be)? (?:better|best|safer|wiser)$|"
    r"(?:更|比较|会?)?(?:好|强|合适)一?[点些]?$"
)
"""What asks about an option, and is no part of it."""


def another_way(narrator: Narrator, text: Text) -> list[str]:
    """Whether another way has more for it than the one the cast was made for, and what it would have to ease."""
    voice = narrator.voice
    plan = voice.own_words(plan_named(text))
    named = voice.phrase("plan named", plan=plan) if plan else voice.phrase("plan unnamed")
    better = _weighed(narrator)
    key = f"plan {better}" if better != "first" or narrator.judgement.favourable else "plan first ill"
    sentences = [voice.sentence(voice.phrase(key, plan=named))]
    against = sorted(
        (reason for reason in narrator.judgement.reasons if reason.weight < 0), key=lambda reason: reason.weight
    )
    if is_own_deed(text):
        return [*sentences, narrator.action()]
    if against and not of_weather(narrator):
        sentences.append(
            voice.sentence(voice.phrase("instead eases", reasons=plain_reasons(narrator, against[:1], -1)))
        )
    return [*sentences, voice.sentence(voice.phrase("instead itself"))]


def compared(narrator: Narrator, text: Text, named: tuple[str, ...], first: tuple[str, ...]) -> list[str]:
    """Which of two is better: those a follow-up names, else one it names and the asked one, else the first two."""
    voice = narrator.voice
    months = months_named(text)
    if len(months) >= 2:
        return [_of_months(narrator, months)]
    own = [voice.own_words(_named(option)) for option in named]
    if len(own) != 2 or not all(own):
        own = [voice.own_words(option) for option in first]
    if len(own) == 2 and all(own):
        return _of_two(narrator, own[0] or "", own[1] or "")
    if other := voice.own_words(other_named(text)):
        told = voice.sentence(voice.phrase(f"other {_weighed(narrator)}", other=_named(other)))
        return [told, voice.sentence(voice.phrase("other itself", other=_named(other)))]
    return [voice.sentence(voice.phrase("which unnamed")), narrator.action()]


def _named(option: str) -> str:
    """An option without the words that ask about it: "is Leeds better" names Leeds."""
    named = _BESIDE.sub("", option.strip(" ,，?？"))
    while (shorter := _ASKING.sub("", named).strip()) and shorter != named:
        named = shorter
    return named


def _weighed(narrator: Narrator) -> str:
    """Return `first`, `second` or `even`: a slight lead is no reason to change one's mind."""
    better = options(narrator)
    return "even" if better.endswith(" slightly") else better


def _of_two(narrator: Narrator, first: str, second: str) -> list[str]:
    voice = narrator.voice
    told = [voice.sentence(voice.phrase(f"which {options(narrator)}", first=first, second=second))]
    why = which_why(narrator, first, second)
    return [*told, voice.sentence(why) if why else voice.sentence(voice.phrase("which itself"))]


def standing(element: Element, own: Element) -> int:
    """How good a time of an element is for the 用神, from 0 to 3."""
    return 3 if element == own else 2 if generates(element, own) else 0 if overcomes(element, own) else 1


def _of_months(narrator: Narrator, months: list[tuple[int, str]]) -> str:
    """The better of the months by how their element stands to the 用神."""
    own = narrator.judgement.focus.at.element

    def rank(number: int) -> int:
        return standing(BRANCH_ELEMENT[BRANCHES[number % 12]], own)

    ranked = sorted(months, key=lambda month: -rank(month[0]))
    best, next_best = ranked[0], ranked[1]
    key = "months even" if rank(best[0]) == rank(next_best[0]) else "months better"
    return narrator.voice.sentence(narrator.voice.phrase(key, first=best[1], second=next_best[1]))
