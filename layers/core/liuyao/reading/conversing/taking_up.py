"""Answers to what a follow-up brings in itself: a place searched already, an age, somebody named, an earlier time.

They go before the intent it is heard as, since they tell which fact the answer has to take in.
"""

from typing import Final

from liuyao.reading.conversing.comparing import compared
from liuyao.reading.conversing.doubting import doubted
from liuyao.reading.conversing.further import searched_on
from liuyao.reading.conversing.named_times import in_that_time
from liuyao.reading.conversing.persons import asks_sex, person_told, suspects
from liuyao.reading.conversing.remarks import is_good_news
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.hearing import asks_something
from liuyao.reading.question.later_times import months_named
from liuyao.reading.question.mentioned import (
    age_told,
    asks_date_said,
    asks_if_better_then,
    asks_if_it_matters,
    asks_what_manner,
    asks_who_is_right,
    compares,
    has_searched,
    is_of_another,
    of_another_reading,
    person_named,
    puts_in_all,
    time_unplaced,
    wants_sooner,
)
from liuyao.reading.question.plans import other_named
from liuyao.reading.question.text import Expression, Text
from liuyao.reading.voice import Voice

_OPEN: Final = frozenset(
    {Intent.PERIOD, Intent.OUTCOME, Intent.INSTEAD, Intent.WHICH, Intent.MORE, Intent.PEOPLE, Intent.CONFIRM}
)
"""Intents under which a bare name is another one, and nobody who is suspected."""
_REMARKS: Final = frozenset({Intent.DOUBT, Intent.NEWS, Intent.GLAD, Intent.OUTCOME, Intent.MORE})
"""What a word about another reading is heard as."""
_WILLS: Final = frozenset({Intent.CONFIRM, Intent.OUTCOME, Intent.ACTION, Intent.HOW_MUCH, Intent.INSTEAD, Intent.MORE})
"""What a wish to stake everything is heard as."""
_PLAIN_FACTS: Final = frozenset({Intent.NEWS, Intent.MORE, Intent.FEELING})
"""What an age that is told may be heard as."""
_SAID_AS: Final = frozenset(
    {
        *(Intent.THANKS, Intent.OUTCOME, Intent.CONFIRM, Intent.BEYOND, Intent.NONE, Intent.MORE),
        Intent.WHERE,
        Intent.NEWS,
    }
)
"""What good news may be heard as."""
_TWO: Final = 2
_MONTHS: Final = frozenset({Intent.NONE, Intent.ACTION, Intent.OUTCOME, Intent.MORE, Intent.CONFIRM})
"""What two months to choose from may be heard as."""
_CALLED_OUT: Final = Expression(r"[!！]")
_DATES: Final = frozenset(
    {
        Intent.DOUBT,
        Intent.OUTCOME,
        Intent.NONE,
        Intent.NEWS,
        Intent.MORE,
        Intent.WHEN,
        Intent.WHICH,
        Intent.REPEAT,
        Intent.BEYOND,
        Intent.CONFIRM,
        Intent.PERIOD,
    }
)


def taken_up(
    told: FollowUp, turn: Turn, narrator: Narrator, intents: tuple[Intent, ...], grounds: list[str]
) -> list[str] | None:
    """Answer what is brought in; None if nothing is."""
    text, asked = turn.text, turn.asked
    if _has_joy(text, intents):
        return [_said(narrator.voice, "news joy")]
    lost = asked.matter.key in ("lost", "pets") or asked.asks is Asks.WHERE
    if lost and not told.turned and has_searched(text) and Intent.PEOPLE not in intents:
        return searched_on(turn.plain(asked), grounds)
    if asks_who_is_right(text):
        return _of_two_minds(turn.retold)
    if asked.asks is Asks.WHO and suspects(narrator, text):
        return person_told(turn.retold, text, turn.question, grounds)
    if told.turned and told.inquiry.person is None and time_unplaced(text):
        return in_that_time(turn.plain(asked), turn.retold, text, None)
    return None if told.turned else _of_the_same(told, turn, narrator, intents, grounds)


def _has_joy(text: Text, intents: tuple[Intent, ...]) -> bool:
    """Whether good news is told beside thanks, or called out."""
    if not _SAID_AS.issuperset(intents) or asks_something(text) or not is_good_news(text):
        return False
    return Intent.THANKS in intents or _CALLED_OUT.search(text.folded) is not None


def _of_the_same(
    told: FollowUp, turn: Turn, narrator: Narrator, intents: tuple[Intent, ...], grounds: list[str]
) -> list[str] | None:
    """Answer what is brought in of the cast's own matter; None if nothing is."""
    text, asked = turn.text, turn.asked
    if Intent.OUTCOME in intents and told.horizon and asks_if_better_then(text):
        return in_that_time(narrator, turn.retold, text, told.horizon)
    if compares(text) and other_named(text) and not _REMARKS.isdisjoint({*intents, Intent.NONE}):
        return compared(narrator, text, told.options, asked.options)
    if Intent.WHO in intents and len(told.options) == _TWO and not asks_sex(text):
        return compared(narrator, text, told.options, asked.options)
    if len(months_named(text)) > 1 and not _MONTHS.isdisjoint(intents):
        return compared(narrator, text, told.options, asked.options)
    if puts_in_all(text) and not _WILLS.isdisjoint(intents):
        return [_said(narrator.voice, "not all")]
    if asks_what_manner(text) and not _OPEN.isdisjoint(intents):
        return person_told(turn.retold, text, turn.question, grounds)
    if Intent.INSTEAD in intents and is_of_another(text):
        return _if_they(turn.retold)
    if wants_sooner(text) and (asked.asks is Asks.WHEN or Intent.WHEN in intents):
        return _sooner(turn.retold)
    if asks_date_said(text) and not _DATES.isdisjoint(intents):
        return _date_said(turn.retold)
    if of_another_reading(text) and not _REMARKS.isdisjoint(intents):
        return doubted(turn.retold, turn.first, text)
    if (age := age_told(text)) and (asks_if_it_matters(text) or set(intents) <= _PLAIN_FACTS):
        return _aged(turn.retold, age)
    if _OPEN.issuperset(intents) and (name := narrator.voice.own_words(person_named(text))):
        return _another(turn.retold, name)
    return _elsewhere(turn.retold) if told.elsewhere and not told.intents else None


def _of_two_minds(narrator: Narrator) -> list[str]:
    """That a cast takes no side between people, and what it says of the matter."""
    voice = narrator.voice
    if narrator.careful or narrator.withholds or narrator.of_health:
        return [_said(voice, "no side"), _said(voice, "no side talk")]
    told = _said(voice, "no side told", told=voice.lowered(verdict(narrator)))
    return [_said(voice, "no side"), told, _said(voice, "no side talk")]


def _sooner(narrator: Narrator) -> list[str]:
    """The earliest time of the cast, and what may help."""
    voice = narrator.voice
    if not narrator.times or narrator.main_time() is None:
        return [_said(voice, "sooner unknown"), narrator.action()]
    first = min(narrator.times, key=lambda when: when.first)
    return [_said(voice, "sooner", date=voice.civil(first, narrator.calendar)), narrator.action()]


def _date_said(narrator: Narrator) -> list[str]:
    voice, date = narrator.voice, narrator.main_time()
    return [_said(voice, "date said", date=date)] if date else [_said(voice, "no date said")]


def _aged(narrator: Narrator, age: str) -> list[str]:
    """That an age changes no cast, while what one does should take it in."""
    voice = narrator.voice
    if narrator.careful or narrator.withholds or narrator.of_health:
        return [_said(voice, "age careful", age=age), narrator.action()]
    return [_said(voice, "age", age=age, told=voice.lowered(verdict(narrator))), narrator.action()]


def _another(narrator: Narrator, name: str) -> list[str]:
    """That another one needs a cast of their own, and what this one says of the first."""
    return [_said(narrator.voice, "name cast", name=name), *_elsewhere(narrator)[1:]]


def _if_they(narrator: Narrator) -> list[str]:
    """That what somebody else may do is a case of its own, which does not change the cast beforehand."""
    voice = narrator.voice
    if narrator.careful or narrator.withholds or narrator.of_health:
        return [_said(voice, "if they"), narrator.action()]
    return [
        _said(voice, "if they told", told=voice.lowered(verdict(narrator))),
        _said(voice, "if they"),
        narrator.action(),
    ]


def _elsewhere(narrator: Narrator) -> list[str]:
    """That another matter needs a cast of its own."""
    voice = narrator.voice
    told = [_said(voice, "elsewhere")]
    if narrator.careful or narrator.withholds or narrator.of_health:
        return told
    return [*told, _said(voice, "elsewhere first", told=voice.lowered(verdict(narrator)))]


def _said(voice: Voice, key: str, **fields: str) -> str:
    return voice.sentence(voice.phrase(key, **fields))
