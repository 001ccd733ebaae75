"""Which intents a follow-up has, part by part: a classifier chooses, and the tables of `intents` may add to it.

A part is a sentence, or a question joined to another by "and". Thanks, feelings and news are answered only where
nothing is asked beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from liuyao.reading.question.asks import Intent
from liuyao.reading.question.intents import covers, intents
from liuyao.reading.question.later_times import later_time
from liuyao.reading.question.likely import TURN, Guess, likely_intent
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.text import Expression, Text, read, sentences

SOCIAL: Final = frozenset(
    {Intent.FEELING, Intent.GLAD, Intent.THANKS, Intent.BYE, Intent.NOTED, Intent.NONE, Intent.NEWS}
)
"""What is said beside a question, or alone."""
OF_THE_CAST: Final = frozenset(
    {
        *SOCIAL,
        *(Intent.LINE, Intent.PLAIN, Intent.REPEAT, Intent.CONFIRM, Intent.DOUBT, Intent.METHOD, Intent.NEW_CAST),
        *(Intent.BEYOND, Intent.WHO),
    }
)
"""Intents that turn to no other matter, whatever they name: which line shows the money."""
_FIRST: Final = (Intent.NEWS, Intent.FEELING, Intent.GLAD, Intent.BYE, Intent.THANKS, Intent.NOTED, Intent.NONE)
"""Which of several is answered."""
_ACROSS: Final[dict[Intent, frozenset[Intent]]] = {
    Intent.CORRECTION: frozenset({*Intent} - {Intent.CORRECTION}),
    Intent.PLAIN: frozenset({Intent.DOUBT, Intent.METHOD}),
    Intent.METHOD: frozenset({Intent.DOUBT}),
    Intent.DOUBT: frozenset({Intent.CERTAINTY, Intent.OUTCOME, Intent.CONFIRM}),
    Intent.INSTEAD: frozenset({Intent.OUTCOME}),
    Intent.CONFIRM: frozenset({Intent.OUTCOME}),
}
"""What an intent of one part covers in the others."""
_BESIDE: Final = 1.5
"""By how much what the tables found may be less likely than the likeliest intent."""
_SURE: Final = 0.5
"""The margin above which the likeliest intent is taken beside what the tables found."""
_NOTHING: Final = 1.0
"""The margin above which a part that the tables know is taken to ask nothing."""
_NOT_OF_ANOTHER: Final = (TURN, "instead", "none")
"""Labels that are not the next likeliest of a follow-up that turns to another matter or person."""
_JOINED: Final = Expression(
    r",? (?:and|but) (?=(?:what|when|how|who|whom|where|why|which|should|will|is|are|can|could|do|does) )|"
    r"[，,](?=(?:那|那么)?(?:我|我们)?(?:要不要|该不该|应不应该|怎么(?!会|可能)|什么时候|谁|哪|会不会|能不能|"
    r"为什么|有没有|还需要|应该|该怎))"
)
"""What joins two questions in a sentence."""


@dataclass(frozen=True)
class FollowUpPart:
    """One part of a follow-up: what the tables found in it, and what the classifier takes it for."""

    text: Text
    found: tuple[Intent, ...]
    likely: Guess


def parts_of(text: Text, people: Sequence[Mention]) -> list[FollowUpPart]:
    """Return the parts of a follow-up; the whole is one, if it has no other."""
    places = [place for start, end in sentences(text.folded) for place in _split(text, start, end)]
    if len(places) < 2:
        found = intents(text)
        return [FollowUpPart(text, found, likely_intent(text, people, found))]
    parts = []
    for start, end in places:
        part = read(text.words(start, end).strip())
        found = intents(part)
        parts.append(FollowUpPart(part, found, likely_intent(part, mentions(part), found)))
    return parts


def _split(text: Text, start: int, end: int) -> list[tuple[int, int]]:
    at, places = start, []
    for match in _JOINED.finditer(text.folded, start, end):
        places.append((at, match.start()))
        at = match.end()
    return [*places, (at, end)]


def turns(parts: Sequence[FollowUpPart]) -> Guess:
    """The guess of the part that turns to another matter or person, else that of the first one."""
    return next((part.likely for part in parts if part.likely.label == TURN), parts[0].likely)


def wanted(parts: Sequence[FollowUpPart], *, turned: bool) -> tuple[Intent, ...]:
    """The intents in the order in which they are asked, without those that others cover."""
    found = list(
        dict.fromkeys(_timed(intent, part, parts) for part in parts for intent in _of_part(part, turned=turned))
    )
    asking = [item for item in found if item not in SOCIAL]
    if not asking:
        return tuple([item for item in _FIRST if item in found][:1])
    dropped = frozenset().union(*(_ACROSS.get(item, frozenset()) for item in asking))
    return tuple(item for item in asking if item not in dropped)


def _timed(intent: Intent, part: FollowUpPart, parts: Sequence[FollowUpPart]) -> Intent:
    """Of several parts, one that asks how it goes in a time it names asks about that time."""
    apart = len(parts) > 1 and intent is Intent.OUTCOME
    return Intent.PERIOD if apart and later_time(part.text) is not None else intent


def _of_part(part: FollowUpPart, *, turned: bool) -> list[Intent]:
    """The likeliest intent, with those that the tables find and the classifier finds likely as well."""
    aside = _NOT_OF_ANOTHER if part.likely.label == TURN else (TURN,)
    scores = {label: score for label, score in part.likely.scores.items() if label not in aside}
    label, next_label = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
    kept = [item for item in part.found if scores[label] - scores.get(item.name.lower(), scores[label]) <= _BESIDE]
    if part.likely.label == TURN and (turned or kept):
        return kept
    intent, margin = Intent[label.upper()], scores[label] - scores[next_label]
    if kept and margin < (_NOTHING if intent in SOCIAL else _SURE):
        return kept
    return [intent, *(item for item in kept if not covers(intent, item))]
