"""Answers the intents of a follow-up, one by one, from the judgement of a stored cast (FUP-03 … FUP-06)."""

import re
from collections.abc import Callable
from typing import Final

from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.answering.reasons import other_reason
from liuyao.reading.answering.replies import helped, state
from liuyao.reading.contributions import Aspect, Term
from liuyao.reading.conversing.comparing import compared
from liuyao.reading.conversing.confirming import confirmed
from liuyao.reading.conversing.correcting import put_right
from liuyao.reading.conversing.dating import when_told, which_month
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
from liuyao.reading.conversing.grounding import obstacles_told, why_told
from liuyao.reading.conversing.here import terms_here
from liuyao.reading.conversing.methods import asks_address, beyond_told, method_told
from liuyao.reading.conversing.named_times import in_that_time
from liuyao.reading.conversing.others import third_mind
from liuyao.reading.conversing.persons import asks_sex, is_sought, person_told
from liuyao.reading.conversing.remarks import remarked
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.saying import told_to_say
from liuyao.reading.conversing.taking_up import taken_up
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.follow_up_intents import against, instead, likely, named_lines
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.corrected import corrected
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.hearing import SOCIAL, asks_something
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.later_times import months_named
from liuyao.reading.question.mentioned import is_of_casts, is_own_deed, time_unplaced
from liuyao.reading.question.objected import asks_which_month, watches_out
from liuyao.reading.question.plans import other_named, supposes
from liuyao.reading.question.polarity import Polarity, Stance, is_leaving

_MOST_TERMS: Final = 3
_IT: Final = re.compile(r"(?:it|this|that|things?)\b", re.IGNORECASE)
"""The subject of a question that only asks the first one again."""
_HELPS: Final = re.compile(
    r"[帮幫助靠撑撐]|[贵貴]人|[找问問][谁誰边邊]|\b(?:help\w*|support|count on|rely on|turn to|ask)\b"
)
"""What asks for somebody who helps, not for who hinders."""
_ABLE: Final = re.compile(r"[谁誰](?:能|可以)|[边邊][个個](?:能|可以)|\bwho (?:can|could|might)\b")
"""Asks for somebody who is able to help."""
_WHOM: Final = re.compile(r"[跟和找问向]谁|谁.{0,3}(?:比较好|更合适|靠谱)|\bwhom?\b")
"""Asks which person, of whom a cast shows only the kind."""
_HEXAGRAM: Final = re.compile(r"卦|爻|象|名|意思|\b(?:hexagrams?|symbols?|lines?|mean\w*|picture)\b")
"""Asks what the hexagram means, and not the answer."""
_HOLDS: Final = re.compile(
    r"等|守|坚持|堅持|留|撑|撐|\b(?:hold|keep|stay|continue|stick|hang|wait|go on|give|stop|quit)\b"
)
"""Asks whether to hold on to something, or to let it go."""
_NO_WAIT: Final = re.compile("不用等|不必等|need to wait")


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
        asks_to_act = self._told.own is not None and self._told.own.asks is Asks.SHOULD
        if intent is Intent.NEW_CAST and asks_to_act and not is_of_casts(self._turn.text):
            return self.action()
        if intent in SOCIAL or intent is Intent.NEW_CAST:
            return remarked(self._turn.retold, self._narrator, intent, self._turn.text)
        return _ANSWERS[intent](self)

    def taken_up(self, intents: tuple[Intent, ...]) -> list[str] | None:
        """Answer what a follow-up brings in itself, whatever else it is heard as; None if it brings in nothing."""
        return taken_up(self._told, self._turn, self._narrator, intents, self.grounds)

    def outcome(self) -> list[str]:
        told, narrator = self._told, self._narrator
        if told.turned:
            self.grounds.append(self._voice.said("turned ground", line=self._voice.line(narrator.judgement.focus.at)))
            return direct_answer(self._turn.in_its_words(told.inquiry), restating=False)
        if narrator.is_guarded:
            return self._outcome(told.stance)
        if told.own is not None and told.own.asks is Asks.WHETHER and not self._asks_again(told.own):
            return direct_answer(self._turn.in_its_words(told.own), restating=False)
        return self.confirm()

    def _asks_again(self, own: Inquiry) -> bool:
        """Whether a yes-or-no question only asks the first one again: is it, will it; never one of something feared."""
        if Polarity.UNWANTED in (own.stance.polarity, self._asked.stance.polarity):
            return own.stance.polarity is self._asked.stance.polarity and self._names_it(own)
        return self._names_it(own)

    @staticmethod
    def _names_it(own: Inquiry) -> bool:
        return _IT.match(" ".join(own.stated or ())) is not None

    def confirm(self) -> list[str]:
        if self._narrator.of_health:
            return self._outcome(self._told.stance)
        return confirmed(self._turn.retold, self._narrator, self._turn.text)

    def doubt(self) -> list[str]:
        return doubted(self._turn.retold, self._turn.first, self._turn.text)

    def who(self) -> list[str]:
        if self._asked.matter.key == "pregnancy" and not asks_sex(self._turn.text):
            return self._for_doctors()
        hindering = against(self._narrator, self._question)
        if hindering is not None and not is_sought(self._turn.text, self._turn.question):
            return hindering
        if _ABLE.search(self._question.lower()):
            return self.people()
        return person_told(self._turn.retold, self._turn.text, self._turn.question, self.grounds)

    def _for_doctors(self) -> list[str]:
        return [self._voice.said("beyond else"), self._voice.said("doubt adviser", who=self._narrator.adviser_named)]

    def correction(self) -> list[str]:
        if self._told.horizon and corrected(self._turn.question.written, self._question) is None:
            return self._in_that_time()
        return put_right(self._turn.retold, self._question, self._turn.again, self.grounds)

    def method(self) -> list[str]:
        return method_told(self._turn.retold, self._turn.text)

    def beyond(self) -> list[str]:
        turn = self._turn
        return beyond_told(turn.retold, turn.text, turn.question, self.grounds, verdict(turn.retold))

    def repeat(self) -> list[str]:
        return told_in_short(self._turn.retold, self._turn.text)

    def _outcome(self, stance: Stance) -> list[str]:
        if self._narrator.careful or self._narrator.withholds:
            return [self._voice.sentence(self._narrator.leaning())]
        return [self._voice.said(self._narrator.key(f"{self._mood(stance)} {self._state}")), *self._later()]

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
        own = self._told.own
        leaves_or_holds = is_leaving(self._turn.text.folded) or _HOLDS.search(self._turn.text.folded)
        if own is not None and own.asks is Asks.SHOULD and not leaves_or_holds:
            return self.action()  # should I apply for a new one: a deed, and nothing is given up
        if self._narrator.careful:
            return [self._voice.said("held", who=self._narrator.adviser_named)]
        if self._narrator.of_health:
            return [self._voice.said("let go in illness")]
        told = [self._voice.said(f"let go {self._state}")]
        if reason := other_reason(self._narrator):
            key = "also for" if self._narrator.judgement.favourable else "also against"
            told.append(self._voice.said(key, reason=reason))
        date = self._narrator.limit()
        if date and self._state in ("later", "poor"):
            told.append(self._voice.said("limit", date=date))
        return told

    def wait(self) -> list[str]:
        if self._narrator.careful:
            timed = self._in_that_time()[:1] if self._told.horizon else [self._narrator.action()]
            return [*timed, self._voice.said("held", who=self._narrator.adviser_named)]
        if self._narrator.of_health:
            return [self._voice.said("wait in illness"), *self._later()]
        if self._told.horizon or time_unplaced(self._turn.text):
            # What is waited for has a time of its own.
            return [*self._in_that_time(), self._voice.said(f"wait {self._state}")]
        meanwhile = [
            self._voice.said("meanwhile", action=self._voice.lowered(item))
            for item in self._narrator.adviser.further()
            if not _NO_WAIT.search(item)
        ]
        return [self._voice.said(f"wait {self._state}"), *self._later(), *meanwhile]

    def _later(self) -> list[str]:
        """The date of what takes time, which the sentence before has said."""
        date = self._narrator.main_time()
        if date and self._narrator.judgement.outcome is Outcome.DELAYED:
            return [self._voice.said(self._narrator.key("later until"), date=date)]
        return []

    def when(self) -> list[str]:
        if len(months_named(self._turn.text)) > 1:
            return self.which()
        return when_told(self._narrator, self._told, self._turn, self.grounds)

    def period(self) -> list[str]:
        """The months of the time asked about by how their element stands to the 用神."""
        if len(months_named(self._turn.text)) > 1:
            return self.which()
        if asks_which_month(self._turn.text) and not months_named(self._turn.text):
            return which_month(self._narrator, self._turn, self._told, self.grounds)
        element = self._narrator.judgement.focus.at.element
        self.grounds.append(self._voice.said("period ground", element=self._voice.element(element)))
        if self._told.horizon is None and other_named(self._turn.text):
            return self.which()
        told, own = self._told, self._told.own
        if own is not None and told.horizon is None and not time_unplaced(self._turn.text) and own.horizon is None:
            return self.outcome()
        return self._in_that_time()

    def _in_that_time(self) -> list[str]:
        return in_that_time(self._narrator, self._turn.retold, self._turn.text, self._told.horizon)

    def how_much(self) -> list[str]:
        told = [self._voice.said(f"much {self._state}")]
        reason = None if self._narrator.of_health or self._narrator.withholds else other_reason(self._narrator)
        return [*told, self._voice.said("likely because", reason=reason)] if reason else told

    def where(self) -> list[str]:
        if asks_address(self._turn.text):
            return self.beyond()
        if (len(self._asked.options) == 2 and self._asked.asks is Asks.WHICH) or len(self._told.options) == 2:
            return self.which()
        return where_told(self._narrator, self._asked, self.grounds)

    def others_mind(self) -> list[str]:
        third = self._told.third
        if third and (told := third_mind(third, self._turn, self.grounds)):
            return told
        return mind_told(self._narrator, self._turn, self.grounds)

    def whom_to_ask(self) -> list[str]:
        return whom_told(self._narrator, self._turn.text)

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
        if self._narrator.judgement.inquiry.matter.key == "pregnancy":
            return self._for_doctors()
        named = len(self._told.options) == 2 or other_named(self._turn.text) is not None
        if _WHOM.search(self._turn.text.folded):
            return self.people()
        if self._told.horizon is not None and not named and len(months_named(self._turn.text)) < 2:
            return self.period()
        return compared(self._narrator, self._turn.text, self._told.options, self._asked.options)

    def obstacles(self) -> list[str]:
        told = obstacles_told(self._narrator, self.grounds)
        # Who asks what to mind is told what to do about it.
        return [*told, self._narrator.action()] if watches_out(self._turn.text) else told

    def why(self) -> list[str]:
        return why_told(self._narrator, self._told, self._turn, self.grounds)

    def action(self) -> list[str]:
        narrator = self._narrator
        if (decided := self._decided()) is not None:
            return [decided, narrator.action()]
        further = [self._voice.said("further", action=item) for item in narrator.adviser.further()]
        return [narrator.action(), *further, *narrator.people()[:1]]

    def _decided(self) -> str | None:
        """Whether to do what a follow-up names: should I write to him first."""
        own, narrator = self._told.own, self._narrator
        if own is None or own.asks is not Asks.SHOULD or self._asked.stance.polarity is Polarity.UNWANTED:
            return None
        if narrator.is_guarded:
            return None
        return direct_answer(self._turn.in_its_words(own), restating=False)[0]

    def say(self) -> list[str]:
        return told_to_say(self._turn.plain(self._asked), self._turn)

    def meaning(self) -> list[str]:
        voice, divination = self._voice, self._narrator.divination
        if terms := voice.explained(self._question):
            told = [voice.sentence(term) for term in terms[:_MOST_TERMS]]
            return [*told, *terms_here(self._narrator, self._turn.text)]
        if not _HEXAGRAM.search(self._turn.text.folded):
            return self.plainly()
        gua = voice.hexagram(divination.gua_name, divination.gua_name_hant)
        if not divination.has_changing_yao:
            return [self._voice.said("hexagram", gua=gua)]
        target = voice.hexagram(divination.target_gua_name, divination.target_gua_name_hant)
        return [self._voice.said("hexagram changing", gua=gua, target=target)]

    def certainty(self) -> list[str]:
        return sureness_told(self._narrator, self._turn.text)

    def plainly(self) -> list[str]:
        return told_plainly(self._narrator, self._turn.retold, self._turn.text)

    def more(self) -> list[str]:
        return more_told(self._narrator, self.grounds)

    def instead(self) -> list[str]:
        if self._asks_beyond():
            return self.outcome()
        dated = not is_own_deed(self._turn.text) or months_named(self._turn.text)
        if dated and not self._told.turned and (self._told.horizon or time_unplaced(self._turn.text)):
            return self._in_that_time() if asks_something(self._turn.text) else self.correction()
        return instead(self._narrator, self._told, self._turn, self.grounds)

    def _asks_beyond(self) -> bool:
        """Whether it asks what follows once that has come which the cast was made for: 如果复合了能长久吗."""
        own = self._told.own
        if own is None or own.asks is not Asks.WHETHER or own.stance.polarity is Polarity.UNKNOWN:
            return False
        return supposes(self._turn.text, self._turn.question)

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
    Intent.SAY: IntentAnswers.say,
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
