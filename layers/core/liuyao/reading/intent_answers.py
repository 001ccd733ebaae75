"""Answers the intents of a follow-up, one by one, from the judgement of a stored cast (FUP-03 … FUP-06)."""

import re
from collections.abc import Callable
from typing import Final

from liuyao.divination import Element
from liuyao.elements import GENERATION, generates
from liuyao.reading.answering.comparison import options, which_why
from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.answering.reasons import other_reason, plain_reasons, why
from liuyao.reading.answering.replies import helped, mind, of_weather, period, state, when, where_from
from liuyao.reading.contributions import Aspect, Term
from liuyao.reading.follow_up_intents import against, instead, likely, named_lines
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.polarity import UNKNOWN, Polarity, Stance, polarity_told

_MOST_OBSTACLES: Final = 3
_MOST_TERMS: Final = 3
_MOST_GROUNDS: Final = 2
_TIME_ALONE: Final = re.compile(
    "什[么麼]时候|什[么麼]時候|何时|何時|几时|幾時|多久|[会會能呢要]|^when|\\b(?:will|it|that|be)\\b"
)
"""What asks for a time and for nothing else."""
_HELPS: Final = re.compile(
    r"[帮幫助靠撑撐]|[贵貴]人|[找问問][谁誰边邊]|\b(?:help\w*|support|count on|rely on|turn to|ask)\b"
)
"""What asks for somebody who helps, not for who hinders."""
_WITHOUT_REASON: Final = (Asks.WHICH, Asks.SEX_OF_CHILD, Asks.WHERE, Asks.OTHERS_MIND)
_BETTER: Final = re.compile(r"^好|[转轉]好|好[转轉起]|恢[复復]|[过過]去|平息|\b(?:better|over|end|recover|pass)\b")
"""The end of what the first question fears."""


class IntentAnswers:
    """Answers intents one by one; `grounds` collects what they rest on, in terms."""

    def __init__(self, narrator: Narrator, told: FollowUp, question: str, asked: Inquiry) -> None:
        self.grounds: list[str] = []
        self._narrator = narrator
        self._told = told
        self._asked = asked
        self._question = question
        self._voice = narrator.voice
        self._state = state(narrator.judgement)

    def answer(self, intent: Intent) -> list[str]:
        return _ANSWERS[intent](self)

    def _said(self, key: str, **fields: str) -> str:
        return self._voice.sentence(self._voice.phrase(key, **fields))

    def outcome(self) -> list[str]:
        return self._outcome(self._told.stance)

    def _outcome(self, stance: Stance) -> list[str]:
        if self._narrator.careful or self._narrator.withholds:
            return [self._voice.sentence(self._narrator.leaning())]
        return [self._said(self._narrator.key(f"{self._mood(stance)} {self._state}")), *self._later()]

    def _mood(self, own: Stance) -> str:
        """How the outcome is told: a yes or no only where it is plain what a yes would mean (CARE-08).

        `own` is the stance of the follow-up's words, where those ask for an outcome.
        """
        first = self._narrator.judgement.inquiry.stance
        if own.polarity is Polarity.UNWANTED:
            return "harm" if own.plain else "feared"
        if own.polarity is Polarity.UNKNOWN and first.polarity is Polarity.UNWANTED:
            return "feared"
        return "outcome"

    def let_go(self) -> list[str]:
        if self._narrator.careful:
            return [self._said("held", who=self._narrator.adviser_named)]
        if self._narrator.of_health:
            return [self._said("let go in illness")]
        told = [self._said(f"let go {self._state}")]
        date = self._narrator.limit()
        if date and self._state in ("later", "poor"):
            told.append(self._said("limit", date=date))
        return told

    def wait(self) -> list[str]:
        if self._narrator.careful:
            return [self._said("held", who=self._narrator.adviser_named), self._narrator.action()]
        if self._narrator.of_health:
            return [self._said("wait in illness"), *self._later()]
        if self._told.horizon and (words := self._narrator.named_time):
            # What is waited for has a time of its own.
            return [self._said(f"wait {self._state}"), self._said("within", words=words, told=period(self._narrator))]
        meanwhile = [
            self._said("meanwhile", action=self._voice.lowered(item)) for item in self._narrator.adviser.further()
        ]
        return [self._said(f"wait {self._state}"), *self._later(), *meanwhile]

    def _later(self) -> list[str]:
        """The date of what takes time, which the sentence before has said."""
        date = self._narrator.main_time()
        if date and self._narrator.judgement.outcome is Outcome.DELAYED:
            return [self._said(self._narrator.key("later until"), date=date)]
        return []

    def when(self) -> list[str]:
        self.grounds.append(self._narrator.timing)
        if words := self._narrator.named_time_passed_over():
            return [self._said("time beyond", words=words, date=self._narrator.main_time() or "")]
        return [self._voice.sentence(when(self._narrator, self._question, polarity=self._polarity()))]

    def _polarity(self) -> Polarity | None:
        """Of what a follow-up dates: by its own words (when will he be better?), else by the first question."""
        words = _TIME_ALONE.sub("", self._told.predicate or self._told.restated or "").strip()
        own = polarity_told(words) if words else Polarity.UNKNOWN
        if own is not Polarity.UNKNOWN:
            return own
        if self._narrator.judgement.inquiry.stance.polarity is not Polarity.UNWANTED or not words:
            return None
        return Polarity.WANTED if _BETTER.search(words.lower()) else Polarity.UNKNOWN

    def period(self) -> list[str]:
        """The months of the time asked about by how their element stands to the 用神."""
        element = self._narrator.judgement.focus.at.element
        self.grounds.append(self._said("period ground", element=self._voice.element(element)))
        words = self._narrator.named_time or self._voice.phrase("that time")
        return [self._said("within", words=words, told=period(self._narrator))]

    def how_much(self) -> list[str]:
        return [self._said(f"much {self._state}")]

    def where(self) -> list[str]:
        voice, at = self._voice, self._narrator.judgement.focus.at
        source = _source(at.element)
        phrase = voice.phrase(
            "direction",
            use=voice.use(at),
            element=voice.element(at.element),
            source=voice.element(source),
            directions=voice.words.element_directions[source],
        )
        self.grounds += [where_from(self._narrator), voice.sentence(phrase)]
        return [self._said("where", direction=self._narrator.direction_of(at))]

    def others_mind(self) -> list[str]:
        plate = self._narrator.plate
        sides = {"world": self._voice.line(plate.world), "response": self._voice.line(plate.response)}
        self.grounds.append(self._said("mind ground", **sides))
        return [self._voice.sentence(mind(self._narrator))]

    def whom_to_ask(self) -> list[str]:
        narrator = self._narrator
        plate, element = narrator.plate, narrator.judgement.focus.at.element
        if narrator.judgement.inquiry.matter.key in ("health", "pregnancy", "pets"):
            places = [line for line in (*plate.lines, *plate.hidden) if line.relation == "子孙"]
            return [self._said("ask doctor", direction=narrator.direction_of(places[0]))]
        places = [line for line in (*plate.lines, *plate.hidden) if line.element == _source(element)]
        direction = narrator.direction_of(places[0] if places else plate.response)
        return [self._said("ask people", people=narrator.source(), direction=direction)]

    def people(self) -> list[str]:
        narrator = self._narrator
        if (hindering := against(narrator, self._question)) is not None:
            return hindering
        people = narrator.people(asked=True)
        acted_on = narrator.judgement.about(Aspect.OTHERS)
        if acted_on:
            self.grounds.append(narrator.others())
        bearing = [reason for reason in narrator.judgement.about(Aspect.WORLD) if reason.term in _OTHER_SIDE]
        if bearing:
            self.grounds.append(narrator.told(bearing))
        if people and not (_HELPS.search(self._question.lower()) and not narrator.is_helped):
            return people
        return [self._voice.sentence(helped(narrator)), *people]

    def which(self) -> list[str]:
        named = [self._voice.own_words(option) for option in self._told.options]
        if len(named) != 2 or not all(named):
            return [self._said("which unnamed")]
        plate = self._narrator.plate
        sides = {"world": self._voice.line(plate.world), "response": self._voice.line(plate.response)}
        self.grounds.append(self._said("which ground", **sides))
        first, second = named[0] or "", named[1] or ""
        told = [self._said(f"which {options(self._narrator)}", first=first, second=second)]
        why = which_why(self._narrator, first, second)
        return [*told, self._voice.sentence(why)] if why else told

    def obstacles(self) -> list[str]:
        against = [reason for reason in self._narrator.judgement.reasons if reason.weight < 0]
        if not against:
            return [self._said("obstacles none")]
        worst = sorted(against, key=lambda reason: reason.weight)[:_MOST_OBSTACLES]
        self.grounds.append(self._narrator.told(worst))
        return [self._said("obstacles", reasons=plain_reasons(self._narrator, worst, -1))]

    def why(self) -> list[str]:
        judgement = self._narrator.judgement
        sign = 1 if judgement.favourable else -1
        deciding = [reason for reason in judgement.reasons if reason.weight * sign > 0]
        if not deciding:
            return self.more()
        deciding.sort(key=lambda reason: (reason is not judgement.decided_by, -reason.prominence))
        self.grounds.append(self._narrator.told(deciding[:_MOST_GROUNDS]))
        key = "why well" if sign > 0 else "why ill"
        return [self._said(key, reasons=why(self._narrator, bare=True) or self._narrator.joined(deciding[:1]))]

    def action(self) -> list[str]:
        narrator = self._narrator
        further = [self._said("further", action=item) for item in narrator.adviser.further()]
        return [narrator.action(), *further, *narrator.people()[:1]]

    def meaning(self) -> list[str]:
        voice, divination = self._voice, self._narrator.divination
        if terms := voice.explained(self._question):
            return [voice.sentence(term) for term in terms[:_MOST_TERMS]]
        gua = voice.hexagram(divination.gua_name, divination.gua_name_hant)
        if not divination.has_changing_yao:
            return [self._said("hexagram", gua=gua)]
        target = voice.hexagram(divination.target_gua_name, divination.target_gua_name_hant)
        return [self._said("hexagram changing", gua=gua, target=target)]

    def certainty(self) -> list[str]:
        narrator = self._narrator
        if narrator.withholds:
            return [self._said("certainty"), self._said("certainty again")]
        favourable = narrator.judgement.favourable
        key = "certainty reason" if favourable else "certainty reason against"
        reason = other_reason(narrator)
        told = self._said(key, reason=reason) if reason else self._said("certainty alone")
        return [*narrator.candour(), told, self._said("certainty"), self._said("certainty again")]

    def plainly(self) -> list[str]:
        """The answer in other words than the reading's, a reason it has not told, and something to do."""
        narrator, asks = self._narrator, self._narrator.judgement.inquiry.asks
        hoped = narrator.judgement.inquiry.stance.polarity is Polarity.WANTED and not of_weather(narrator)
        simple = narrator.careful or (hoped and asks in (Asks.WHETHER, Asks.HOW_IS))
        answered = self._outcome(UNKNOWN) if simple else direct_answer(narrator, restating=False)[:1]
        reason = other_reason(narrator) if asks not in _WITHOUT_REASON else None
        because = [self._said("plain reason", reason=reason)] if reason else []
        further = [self._said("further", action=item) for item in narrator.adviser.further()]
        return [*answered, *because, *(further or [narrator.action()])]

    def more(self) -> list[str]:
        narrator, judgement = self._narrator, self._narrator.judgement
        self.grounds.append(narrator.told(judgement.about(Aspect.MONTH, Aspect.DAY)))
        if itself := judgement.about(Aspect.SELF):
            self.grounds.append(narrator.itself(itself))
        self.grounds.append(narrator.others())
        if self._narrator.careful or self._narrator.withholds:
            return [self._voice.sentence(self._narrator.leaning())]
        return [self._said(self._narrator.key(f"{self._mood(UNKNOWN)} {self._state}"))]

    def instead(self) -> list[str]:
        return instead(self._narrator, self._told, self._asked, self.grounds)

    def likely(self) -> list[str]:
        return likely(self._narrator)

    def line(self) -> list[str]:
        return named_lines(self._narrator, self._question)

    def none(self) -> list[str]:
        return [self._said("none"), *self._outcome(UNKNOWN)]


def _source(element: Element) -> Element:
    return next(source for source in GENERATION if generates(source, element))


_ANSWERS: Final[dict[Intent, Callable[[IntentAnswers], list[str]]]] = {
    Intent.OUTCOME: IntentAnswers.outcome,
    Intent.LET_GO: IntentAnswers.let_go,
    Intent.WAIT: IntentAnswers.wait,
    Intent.INSTEAD: IntentAnswers.instead,
    Intent.WHEN: IntentAnswers.when,
    Intent.PERIOD: IntentAnswers.period,
    Intent.HOW_MUCH: IntentAnswers.how_much,
    Intent.LIKELY: IntentAnswers.likely,
    Intent.WHERE: IntentAnswers.where,
    Intent.OTHERS_MIND: IntentAnswers.others_mind,
    Intent.WHOM_TO_ASK: IntentAnswers.whom_to_ask,
    Intent.PEOPLE: IntentAnswers.people,
    Intent.WHICH: IntentAnswers.which,
    Intent.OBSTACLES: IntentAnswers.obstacles,
    Intent.WHY: IntentAnswers.why,
    Intent.ACTION: IntentAnswers.action,
    Intent.LINE: IntentAnswers.line,
    Intent.MEANING: IntentAnswers.meaning,
    Intent.CERTAINTY: IntentAnswers.certainty,
    Intent.MORE: IntentAnswers.more,
    Intent.NONE: IntentAnswers.none,
}

_OTHER_SIDE: Final = (
    *(Term.RESPONSE_COMBINES, Term.RESPONSE_CLASHES, Term.RESPONSE_GENERATES, Term.RESPONSE_OVERCOMES),
    *(Term.RESPONSE_MATCHES, Term.WORLD_GENERATES, Term.WORLD_OVERCOMES, Term.RESPONSE_VOID),
)
