"""Answers the intents of a follow-up, one by one, from the judgement of a stored cast (FUP-03 … FUP-06)."""

import re
from collections.abc import Callable
from typing import Final

from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.answering.reasons import other_reason, plain_reasons, why
from liuyao.reading.answering.replies import helped, period, state, when
from liuyao.reading.contributions import Aspect, Term
from liuyao.reading.conversing.comparing import compared
from liuyao.reading.conversing.confirming import confirmed
from liuyao.reading.conversing.correcting import put_right
from liuyao.reading.conversing.doubting import doubted
from liuyao.reading.conversing.further import (
    mind_told,
    more_told,
    sureness_told,
    told_in_short,
    told_plainly,
    where_told,
    whom_told,
)
from liuyao.reading.conversing.methods import asks_address, beyond_told, method_told
from liuyao.reading.conversing.persons import asks_sex, is_sought, person_told
from liuyao.reading.conversing.remarks import remarked
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.follow_up_intents import against, instead, likely, named_lines
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.hearing import SOCIAL
from liuyao.reading.question.later_times import months_named
from liuyao.reading.question.plans import other_named
from liuyao.reading.question.polarity import Polarity, Stance, polarity_told

_MOST_OBSTACLES: Final = 3
_MOST_TERMS: Final = 3
_IT: Final = re.compile(r"(?:it|this|that|things?)\b", re.IGNORECASE)
"""The subject of a question that only asks the first one again."""
_WHY_NOT: Final = re.compile(r"不|没|唔|\bnot\b|n't\b|\bno\b")
"""Takes the answer for a no."""
_TIME_ALONE: Final = re.compile(
    "什[么麼]时候|什[么麼]時候|何时|何時|几时|幾時|多久|[会會能呢要]|^when|\\b(?:will|it|that|be)\\b"
)
"""What asks for a time and for nothing else."""
_HELPS: Final = re.compile(
    r"[帮幫助靠撑撐]|[贵貴]人|[找问問][谁誰边邊]|\b(?:help\w*|support|count on|rely on|turn to|ask)\b"
)
"""What asks for somebody who helps, not for who hinders."""
_ABLE: Final = re.compile(r"[谁誰](?:能|可以)|[边邊][个個](?:能|可以)|\bwho (?:can|could|might)\b")
"""Asks for somebody who is able to help."""
_NO_WAIT: Final = re.compile("不用等|不必等|need to wait")
"""Advice that is no pastime."""
_BETTER: Final = re.compile(r"^好|[转轉]好|好[转轉起]|恢[复復]|[过過]去|平息|\b(?:better|over|end|recover|pass)\b")
"""The end of what the first question fears."""


class IntentAnswers:
    """Answers intents one by one; `grounds` collects what they rest on, in terms."""

    def __init__(self, narrator: Narrator, told: FollowUp, turn: Turn) -> None:
        self.grounds: list[str] = []
        self._narrator = narrator
        self._told = told
        self._turn = turn
        self._asked = turn.asked
        self._question = turn.words
        self._voice = narrator.voice
        self._state = state(narrator.judgement)

    def answer(self, intent: Intent) -> list[str]:
        if intent in SOCIAL or intent is Intent.NEW_CAST:
            return remarked(self._turn.retold, self._narrator, intent, self._turn.text)
        return _ANSWERS[intent](self)

    def _said(self, key: str, **fields: str) -> str:
        return self._voice.sentence(self._voice.phrase(key, **fields))

    def outcome(self) -> list[str]:
        told, narrator = self._told, self._narrator
        if told.turned:
            self.grounds.append(self._said("turned ground", line=self._voice.line(narrator.judgement.focus.at)))
            return direct_answer(self._turn.in_its_words(told.inquiry), restating=False)
        if narrator.careful or narrator.withholds or narrator.of_health:
            return self._outcome(told.stance)
        if told.own is not None and told.own.asks is Asks.WHETHER and not _IT.match(" ".join(told.own.stated or ())):
            return direct_answer(self._turn.in_its_words(told.own), restating=False)
        return self.confirm()

    def confirm(self) -> list[str]:
        if self._narrator.of_health:
            return self._outcome(self._told.stance)
        return confirmed(self._turn.retold, self._narrator, self._turn.text)

    def doubt(self) -> list[str]:
        return doubted(self._turn.retold, self._turn.first, self._turn.text)

    def who(self) -> list[str]:
        if _ABLE.search(self._question.lower()):
            return self.people()
        return person_told(self._turn.retold, self._turn.text, self._turn.question, self.grounds)

    def correction(self) -> list[str]:
        return put_right(self._turn.retold, self._question, self._turn.again, self.grounds)

    def method(self) -> list[str]:
        return method_told(self._turn.retold, self._turn.text)

    def beyond(self) -> list[str]:
        turn = self._turn
        return beyond_told(turn.retold, turn.text, turn.question, self.grounds, verdict(turn.retold))

    def repeat(self) -> list[str]:
        return told_in_short(self._turn.retold)

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
        if reason := other_reason(self._narrator):
            key = "also for" if self._narrator.judgement.favourable else "also against"
            told.append(self._said(key, reason=reason))
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
            self._said("meanwhile", action=self._voice.lowered(item))
            for item in self._narrator.adviser.further()
            if not _NO_WAIT.search(item)
        ]
        return [self._said(f"wait {self._state}"), *self._later(), *meanwhile]

    def _later(self) -> list[str]:
        """The date of what takes time, which the sentence before has said."""
        date = self._narrator.main_time()
        if date and self._narrator.judgement.outcome is Outcome.DELAYED:
            return [self._said(self._narrator.key("later until"), date=date)]
        return []

    def when(self) -> list[str]:
        if len(months_named(self._turn.text)) > 1:
            return self.which()
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
        if len(months_named(self._turn.text)) > 1:
            return self.which()
        element = self._narrator.judgement.focus.at.element
        self.grounds.append(self._said("period ground", element=self._voice.element(element)))
        words = self._narrator.named_time or self._voice.phrase("that time")
        return [self._said("within", words=words, told=period(self._narrator))]

    def how_much(self) -> list[str]:
        return [self._said(f"much {self._state}")]

    def where(self) -> list[str]:
        if asks_address(self._turn.text):
            return self.beyond()
        return where_told(self._narrator, self._asked, self.grounds)

    def others_mind(self) -> list[str]:
        return mind_told(self._narrator, self._turn, self.grounds)

    def whom_to_ask(self) -> list[str]:
        return whom_told(self._narrator)

    def people(self) -> list[str]:
        narrator, turn = self._narrator, self._turn
        if not _ABLE.search(self._question.lower()) and is_sought(turn.text, turn.question):
            return self.who()
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
        if asks_sex(self._turn.text):
            return self.who()
        named = len(self._told.options) == 2 or other_named(self._turn.text) is not None
        if self._told.horizon is not None and not named and len(months_named(self._turn.text)) < 2:
            return self.period()
        return compared(self._narrator, self._turn.text, self._told.options, self._asked.options)

    def obstacles(self) -> list[str]:
        against = [reason for reason in self._narrator.judgement.reasons if reason.weight < 0]
        if not against:
            return [self._said("obstacles none")]
        worst = sorted(against, key=lambda reason: reason.weight)[:_MOST_OBSTACLES]
        self.grounds.append(self._narrator.told(worst[:1]))
        return [self._said("obstacles", reasons=plain_reasons(self._narrator, worst, -1))]

    def why(self) -> list[str]:
        narrator, judgement = self._narrator, self._narrator.judgement
        sign = 1 if judgement.favourable else -1
        deciding = [reason for reason in judgement.reasons if reason.weight * sign > 0]
        if not deciding:
            return self.more()
        deciding.sort(key=lambda reason: (reason is not judgement.decided_by, -reason.prominence))
        self.grounds += [narrator.choice(), narrator.told(deciding[:1])]
        key = self._why_key(favourable=sign > 0)
        told = [self._said(key, reasons=why(narrator, bare=True) or plain_reasons(narrator, deciding[:1], sign))]
        further = other_reason(narrator)
        if further and not narrator.of_health and further not in told[0]:
            told.append(self._said("also for" if sign > 0 else "also against", reason=further))
        return told

    def _why_key(self, *, favourable: bool) -> str:
        """How the reasons are introduced: of what is feared, of a good that is asked why not, of the rest."""
        if self._asked.stance.polarity is Polarity.UNWANTED and not self._told.turned:
            return "why feared well" if favourable else "why feared ill"
        if favourable and _WHY_NOT.search(self._turn.text.folded):
            return "why well after all"
        return "why well" if favourable else "why ill"

    def action(self) -> list[str]:
        narrator = self._narrator
        if (decided := self._decided()) is not None:
            return [decided, narrator.action()]
        further = [self._said("further", action=item) for item in narrator.adviser.further()]
        return [narrator.action(), *further, *narrator.people()[:1]]

    def _decided(self) -> str | None:
        """Whether to do what a follow-up names: should I write to him first."""
        own, narrator = self._told.own, self._narrator
        if own is None or own.asks is not Asks.SHOULD or self._asked.stance.polarity is Polarity.UNWANTED:
            return None
        if narrator.careful or narrator.withholds or narrator.of_health:
            return None
        return direct_answer(self._turn.in_its_words(own), restating=False)[0]

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
        return sureness_told(self._narrator, self._turn.text)

    def plainly(self) -> list[str]:
        return told_plainly(self._narrator, self._turn.retold)

    def more(self) -> list[str]:
        return more_told(self._narrator, self.grounds)

    def instead(self) -> list[str]:
        return instead(self._narrator, self._told, self._turn, self.grounds)

    def likely(self) -> list[str]:
        return likely(self._narrator)

    def line(self) -> list[str]:
        return named_lines(self._narrator, self._question)


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
    Intent.CORRECTION: IntentAnswers.correction,
    Intent.PLAIN: IntentAnswers.plainly,
    Intent.REPEAT: IntentAnswers.repeat,
    Intent.CONFIRM: IntentAnswers.confirm,
    Intent.DOUBT: IntentAnswers.doubt,
    Intent.WHO: IntentAnswers.who,
    Intent.METHOD: IntentAnswers.method,
    Intent.BEYOND: IntentAnswers.beyond,
}

_OTHER_SIDE: Final = (
    *(Term.RESPONSE_COMBINES, Term.RESPONSE_CLASHES, Term.RESPONSE_GENERATES, Term.RESPONSE_OVERCOMES),
    *(Term.RESPONSE_MATCHES, Term.WORLD_GENERATES, Term.WORLD_OVERCOMES, Term.RESPONSE_VOID),
)
