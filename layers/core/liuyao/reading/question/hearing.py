"""Which intents a follow-up has, part by part: a classifier chooses, and the tables of `intents` may add to it.

A part is a sentence, or a question joined to another by "and". Thanks, feelings and news are answered only where
nothing is asked beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from liuyao.reading.question.asking import asking
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.inquiry import asked_in
from liuyao.reading.question.intents import covers, intents
from liuyao.reading.question.later_times import later_time
from liuyao.reading.question.likely import TURN, Guess, likely_intent
from liuyao.reading.question.mentioned import is_sad
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.people.subject import subject
from liuyao.reading.question.text import Expression, Text, read, sentences

SOCIAL: Final = frozenset(
    {Intent.FEELING, Intent.GLAD, Intent.THANKS, Intent.BYE, Intent.NOTED, Intent.NONE, Intent.NEWS}
)
"""What is said beside a question, or alone."""
OF_THE_CAST: Final = frozenset(
    {
        *SOCIAL,
        *(Intent.LINE, Intent.PLAIN, Intent.REPEAT, Intent.CONFIRM, Intent.DOUBT, Intent.METHOD, Intent.NEW_CAST),
        *(Intent.BEYOND, Intent.WHO, Intent.SAY),
    }
)
"""Intents that turn to no other matter, whatever they name: which line shows the money."""
_OF_KIND: Final = {
    Asks.WHEN: Intent.WHEN,
    Asks.WHERE: Intent.WHERE,
    Asks.WHICH: Intent.WHICH,
    Asks.WHO: Intent.WHO,
    Asks.WHY: Intent.WHY,
    Asks.HOW: Intent.ACTION,
    Asks.SHOULD: Intent.ACTION,
    Asks.HOW_MUCH: Intent.HOW_MUCH,
    Asks.OTHERS_MIND: Intent.OTHERS_MIND,
}
"""The intent of a kind of question; of the others, how it goes."""
_ONLY_ASKED: Final = frozenset(
    {
        *("when", "where", "which", "who", "people", "how_much", "likely", "others_mind", "whom_to_ask", "outcome"),
        *("method", "meaning", "line", "beyond", "let_go", "wait", "obstacles", "period", "certainty"),
    }
)
"""Labels of what is always a question."""
_QUESTION: Final = Expression(
    r"[?？]|[吗么呢]$|谁|什么|怎么|如何|哪|几|多少|为何|是不是|会不会|能不能|有没有|要不要|该不该|好不好|"
    r"行不行|可不可以|还是|"
    r"^(?:and |but |so |or )?(?:what|when|how|who|whom|whose|where|why|which|should|will|would|is|are|am|can|"
    r"could|do|does|"
    r"did|has|have|may|might|was|were)\b"
)
_NO_QUESTION: Final = frozenset({Intent.NOTED, Intent.GLAD})
"""What nobody puts a question mark to, but who wants a yes: 那我全押了？"""
_OF_SOMEBODY: Final = frozenset({Intent.PEOPLE, Intent.WHO, Intent.OTHERS_MIND})
_MARK: Final = Expression(r"[?？]")
_OF_READER: Final = Expression(r"(?:and |but |so )?(?:do|are|can|could|would|will|have|did|is there) (?:you|any)\b")
_OF_THE_TABLES: Final = frozenset({Intent.SAY})
"""What the tables know better than the classifier: it goes before the likeliest one that it covers."""
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
_BESIDE: Final = 2.0
"""By how much what the tables found may be less likely than the likeliest intent."""
_SURE: Final = 0.3
"""The margin above which the likeliest intent is taken beside what the tables found."""
_UNSURE: Final = 0.5
_FAINT: Final = 6.0
"""A margin and a score below which the classifier knows too few of the words: the grammar decides then."""
_NOTHING: Final = 0.3
"""The margin above which a part that the tables know is taken to ask nothing."""
_TOLD: Final = 3.0
"""The margin above which a part tells what has happened."""
_NEAR: Final = 1.5
"""By how much what gets an answer may be less likely than that nothing is asked, which gets none."""
_NOT_OF_ANOTHER: Final = (TURN, "instead", "none")
"""Labels that are not the next likeliest of a follow-up that turns to another matter or person."""
_JOINED: Final = Expression(
    r",? (?:and|but) (?=(?:(?:by|until|in|to|from|with|for) )?(?:what|when|how|who|whom|where|why|which|should|"
    r"will|is|are|can|could|do|does) )|"
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


def asks_something(text: Text) -> bool:
    """Whether a text is a question by its words."""
    return _QUESTION.search(text.folded) is not None


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
    if not any(asks_something(part.text) for part in parts):
        if any(is_sad(part.text) for part in parts):
            return (Intent.FEELING,)
        if any(map(_is_surely_told, parts)):
            return (Intent.NEWS,)  # what is told beside it is no question: 找到了！在隔壁
    if not asking:
        return tuple([item for item in _FIRST if item in found][:1])
    dropped = frozenset().union(*(_ACROSS.get(item, frozenset()) for item in asking))
    return tuple(item for item in asking if item not in dropped)


def _is_surely_told(part: FollowUpPart) -> bool:
    return part.likely.label == Intent.NEWS.name.lower() and part.likely.margin > _TOLD


def _by_grammar(text: Text, scores: Mapping[str, float]) -> Intent | None:
    """The intent by the kind of question, or the likeliest of what is no question; None if it has no clear kind."""
    if not asks_something(text):
        return _likeliest_told(scores)
    place = asking(text)
    kind = asked_in(text, place, subject(text, place, mentions(text))).asks
    return None if kind is Asks.HOW_IS or _OF_READER.match(text.folded) else _OF_KIND.get(kind, Intent.OUTCOME)


def _likeliest_told(scores: Mapping[str, float]) -> Intent:
    """The likeliest intent of what is no question."""
    said = {label: score for label, score in scores.items() if label not in _ONLY_ASKED}
    return Intent[max(said, key=said.__getitem__).upper()]


def _timed(intent: Intent, part: FollowUpPart, parts: Sequence[FollowUpPart]) -> Intent:
    """Of several parts, one that asks how it goes in a time it names asks about that time."""
    apart = len(parts) > 1 and intent is Intent.OUTCOME
    return Intent.PERIOD if apart and later_time(part.text) is not None else intent


def _of_part(part: FollowUpPart, *, turned: bool) -> list[Intent]:
    """The likeliest intent, with those that the tables find and the classifier finds likely as well."""
    aside = _NOT_OF_ANOTHER if part.likely.label == TURN else (TURN,)
    scores = {label: score for label, score in part.likely.scores.items() if label not in aside}
    label, next_label, *_ = sorted(scores, key=scores.__getitem__, reverse=True)
    if label == "none" and scores[label] - scores[next_label] < _NEAR:
        label, next_label = next_label, label
    kept = [
        item
        for item in part.found
        if item in _OF_THE_TABLES or scores[label] - scores.get(item.name.lower(), scores[label]) <= _BESIDE
    ]
    if not _OF_THE_TABLES.isdisjoint(kept) or (part.likely.label == TURN and (turned or kept)):
        return kept
    intent, margin = Intent[label.upper()], abs(scores[label] - scores[next_label])
    if not kept and margin < _UNSURE and scores[label] < _FAINT and (kind := _by_grammar(part.text, scores)):
        return [kind]
    if intent in _OF_SOMEBODY and not kept and not asks_something(part.text):
        # What is told of somebody asks nothing: 看中的那间被别人买走了.
        return [_likeliest_told(scores)]
    if intent in _NO_QUESTION and not kept and _MARK.search(part.text.folded):
        return [Intent.CONFIRM]
    if kept and margin < (_NOTHING if intent in SOCIAL else _SURE):
        return kept
    return [intent, *(item for item in kept if not covers(intent, item))]
