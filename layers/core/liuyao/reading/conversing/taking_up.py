"""Answers to what a follow-up brings in itself: a place searched already, an age, somebody named, an earlier time.

They go before the intent it is heard as, since they tell which fact the answer has to take in.
"""

from typing import Final

from liuyao.reading.answering.reasons import other_reason
from liuyao.reading.conversing.comparing import compared
from liuyao.reading.conversing.doubting import doubted
from liuyao.reading.conversing.further import searched_on
from liuyao.reading.conversing.lines_told import source_of, strength_told
from liuyao.reading.conversing.named_times import in_that_time
from liuyao.reading.conversing.objecting import if_it_matters, not_what_was_asked, of_less, of_the_method
from liuyao.reading.conversing.persons import asks_sex, person_told, suspects
from liuyao.reading.conversing.remarks import is_good_news
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.saying import named_in
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.aside import (
    asks_fact,
    asks_to_ask_again,
    asks_whose_fault,
    confronts,
    names_other_one,
    spies,
    words_asked_about,
)
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.corrected import corrected
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
from liuyao.reading.question.objected import (
    asks_if_that_matters,
    doubts_method,
    finds_vague,
    opposes,
    option_meant,
    says_not_asked,
    smaller_sum,
)
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.roles import FAMILY, Role
from liuyao.reading.question.plans import other_named
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Expression, Text

_OPEN: Final = frozenset(
    {Intent.PERIOD, Intent.OUTCOME, Intent.INSTEAD, Intent.WHICH, Intent.MORE, Intent.PEOPLE, Intent.CONFIRM}
)
"""Intents under which a bare name is another one, and nobody who is suspected."""
_REMARKS: Final = frozenset({Intent.WHICH, Intent.DOUBT, Intent.NEWS, Intent.GLAD, Intent.OUTCOME, Intent.MORE})
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
_ONLY_OBJECTS: Final = frozenset(
    {
        *(Intent.CORRECTION, Intent.DOUBT, Intent.NONE, Intent.OUTCOME, Intent.MORE, Intent.CONFIRM, Intent.FEELING),
        *(Intent.NOTED, Intent.REPEAT, Intent.PLAIN, Intent.NEWS, Intent.MEANING),
    }
)
"""What an objection alone may be heard as."""
_DOUBTS: Final = _ONLY_OBJECTS | {
    Intent.METHOD,
    Intent.CERTAINTY,
    Intent.WHY,
    Intent.PEOPLE,
    Intent.GLAD,
    Intent.INSTEAD,
    Intent.BEYOND,
}
"""What a doubt of the method may be heard as."""
_SUMS: Final = frozenset(
    {
        *(Intent.INSTEAD, Intent.LIKELY, Intent.OUTCOME, Intent.HOW_MUCH, Intent.CONFIRM, Intent.MORE, Intent.ACTION),
        *(Intent.CERTAINTY, Intent.NONE, Intent.BEYOND, Intent.WAIT),
    }
)
"""What a smaller sum may be heard as."""
_OPPOSED: Final = frozenset(
    {
        *(Intent.CORRECTION, Intent.NEWS, Intent.DOUBT, Intent.ACTION, Intent.OBSTACLES, Intent.MORE, Intent.NONE),
        *(Intent.INSTEAD, Intent.FEELING, Intent.NOTED, Intent.CONFIRM, Intent.PEOPLE),
    }
)
"""What it may be heard as that somebody is against it."""
_OPTION: Final = frozenset(
    {
        *(Intent.PERIOD, Intent.INSTEAD, Intent.OUTCOME, Intent.WHICH, Intent.MORE, Intent.CONFIRM, Intent.NONE),
        *(Intent.WAIT, Intent.LET_GO, Intent.WHERE, Intent.PEOPLE, Intent.CORRECTION, Intent.DOUBT),
    }
)
"""What a word about one of the first two options may be heard as."""
_TWO: Final = 2
_MATTER: Final = frozenset({Intent.OUTCOME, Intent.CONFIRM, Intent.INSTEAD, Intent.MORE, Intent.DOUBT})
"""What a question of whether a fact matters is heard as."""
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
    if (aside := _aside(turn, narrator, intents)) is not None:
        return aside
    if _has_joy(text, intents):
        return [narrator.voice.said("news joy")]
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


def _aside(turn: Turn, narrator: Narrator, intents: tuple[Intent, ...]) -> list[str] | None:
    """Answer what no cast is asked for, or what is asked of the reading itself; None if it is neither."""
    text, asked, voice = turn.text, turn.asked, narrator.voice
    objects = says_not_asked(text) and _ONLY_OBJECTS.issuperset(intents)
    if objects and corrected(turn.question.written, turn.words) is None:
        return not_what_was_asked(turn.retold)
    if (finds_vague(text) or doubts_method(text)) and _DOUBTS.issuperset(intents):
        return of_the_method(turn.retold, text)
    if _OPPOSED.issuperset(intents) and (whom := _opposer(turn, narrator)):
        return _opposed(turn.plain(asked), turn.retold, whom)
    if (strong := strength_told(turn.plain(asked), text)) is not None:
        return strong
    if asks_fact(text, turn.question):
        return [voice.said("fact"), voice.said("none")]
    if asks_to_ask_again(text):
        return [voice.said("new cast")]
    if asks_whose_fault(text) and asks_something(text):
        return _no_blame(turn.retold)
    if (words := voice.own_words(words_asked_about(text))) and not voice.explained(words):
        return _meant(turn.retold, words)
    if names_other_one(text) and len(asked.options) == _TWO and asked.asks is Asks.WHICH:
        return compared(turn.plain(asked), text, (), asked.options)
    feared = asked.stance.polarity is Polarity.UNWANTED and asked.matter.key == "love"
    if feared and not (narrator.careful or narrator.withholds) and asks_something(text):
        if spies(text):
            return [voice.said("ask openly"), voice.said("ask how")]
        if confronts(text):
            good = turn.plain(asked).judgement.favourable
            return [voice.said("ask well" if good else "ask ill"), voice.said("ask how")]
    return None


def _no_blame(narrator: Narrator) -> list[str]:
    """That a cast blames nobody, what weighs in it, and what to do."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.said("no blame"), narrator.action()]
    reason = other_reason(narrator)
    weighs = [voice.said("blame reason", reason=reason)] if reason else []
    return [voice.said("no blame"), *weighs, narrator.action()]


def _meant(narrator: Narrator, words: str) -> list[str]:
    """What words of the reading come to."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.said("meant careful", words=words, who=narrator.adviser_named)]
    if (source := source_of(narrator, words)) is not None:
        stays = voice.said("strength whole", told=voice.lowered(verdict(narrator)))
        return [voice.said("meant from", words=words, told=narrator.joined([source])), stays]
    reason = other_reason(narrator)
    because = [voice.said("plain reason", reason=reason)] if reason else []
    return [voice.said("meant", words=words, told=voice.lowered(verdict(narrator))), *because]


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
    if (anew := _weighed_anew(told, turn, narrator, intents)) is not None:
        return anew
    if Intent.OUTCOME in intents and told.horizon and asks_if_better_then(text):
        return in_that_time(narrator, turn.retold, text, told.horizon)
    if compares(text) and other_named(text) and not _REMARKS.isdisjoint({*intents, Intent.NONE}):
        return compared(narrator, text, told.options, asked.options)
    if Intent.WHO in intents and len(told.options) == _TWO and not asks_sex(text):
        return compared(narrator, text, told.options, asked.options)
    if len(months_named(text)) > 1 and not _MONTHS.isdisjoint(intents):
        return compared(narrator, text, told.options, asked.options)
    if puts_in_all(text) and not _WILLS.isdisjoint(intents):
        return [narrator.voice.said("not all")]
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


def _weighed_anew(told: FollowUp, turn: Turn, narrator: Narrator, intents: tuple[Intent, ...]) -> list[str] | None:
    """Answer whether a fact matters, what a smaller sum changes, or how one of two first options stands."""
    text, asked = turn.text, turn.asked
    if asks_if_that_matters(text) and not told.horizon and not age_told(text) and not _MATTER.isdisjoint(intents):
        return if_it_matters(turn.retold)
    if (less := smaller_sum(text)) and _SUMS.issuperset(intents) and _of_money(turn):
        return of_less(turn.retold, text, less)
    of_two = len(asked.options) == _TWO and asked.asks is Asks.WHICH
    if of_two and not told.horizon and _OPTION.issuperset(intents) and option_meant(text, asked.options):
        return compared(narrator, text, (), asked.options)
    return None


def _opposed(narrator: Narrator, retold: Narrator, whom: str) -> list[str]:
    """That somebody near being against it is an obstacle, what the cast says of the matter, and what to do."""
    voice, told = narrator.voice, [narrator.voice.said("opposed", whom=whom)]
    if not narrator.is_guarded:
        told.append(voice.said("opposed told", told=voice.lowered(verdict(retold))))
    return [*told, narrator.action()]


def _opposer(turn: Turn, narrator: Narrator) -> str | None:
    """Somebody near who is against it, and not the one whom the question is about."""
    text = turn.text
    if not opposes(text):
        return None
    near = FAMILY | {Role.FRIEND, Role.SUPERIOR, Role.BELOVED}
    first = next((mention for mention in mentions(text) if mention.role in near), None)
    if first is None or first.role is turn.asked.role:
        return None
    return narrator.voice.own_words(named_in(text, first))


def _of_money(turn: Turn) -> bool:
    return turn.asked.matter.key in ("debt", "wealth", "documents", "partner", "lawsuit", "career")


def _of_two_minds(narrator: Narrator) -> list[str]:
    """That a cast takes no side between people, and what it says of the matter."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.said("no side"), voice.said("no side talk")]
    told = voice.said("no side told", told=voice.lowered(verdict(narrator)))
    return [voice.said("no side"), told, voice.said("no side talk")]


def _sooner(narrator: Narrator) -> list[str]:
    """The earliest time of the cast, and what may help."""
    voice = narrator.voice
    if not narrator.times or narrator.main_time() is None:
        return [voice.said("sooner unknown"), narrator.action()]
    first = min(narrator.times, key=lambda when: when.first)
    return [voice.said("sooner", date=voice.civil(first, narrator.calendar)), narrator.action()]


def _date_said(narrator: Narrator) -> list[str]:
    voice, date = narrator.voice, narrator.main_time()
    return [voice.said("date said", date=date)] if date else [voice.said("no date said")]


def _aged(narrator: Narrator, age: str) -> list[str]:
    """That an age changes no cast, while what one does should take it in."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.said("age careful", age=age), narrator.action()]
    return [voice.said("age", age=age, told=voice.lowered(verdict(narrator))), narrator.action()]


def _another(narrator: Narrator, name: str) -> list[str]:
    """That another one needs a cast of their own, and what this one says of the first."""
    return [narrator.voice.said("name cast", name=name), *_elsewhere(narrator)[1:]]


def _if_they(narrator: Narrator) -> list[str]:
    """That what somebody else may do is a case of its own, which does not change the cast beforehand."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.said("if they"), narrator.action()]
    return [
        voice.said("if they told", told=voice.lowered(verdict(narrator))),
        voice.said("if they"),
        narrator.action(),
    ]


def _elsewhere(narrator: Narrator) -> list[str]:
    """That another matter needs a cast of its own."""
    voice = narrator.voice
    told = [voice.said("elsewhere")]
    if narrator.is_guarded:
        return told
    return [*told, voice.said("elsewhere first", told=voice.lowered(verdict(narrator)))]
