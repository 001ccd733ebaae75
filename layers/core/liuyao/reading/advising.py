"""What a reading advises: one deed, of the thing the question names or of its topic where that fits how it is put, else
by the form of the question, who acts in it, the side of the cast, and what acts there.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final

from liuyao.divination import Divination
from liuyao.reading.contributions import Aspect
from liuyao.reading.judgement import Judgement
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.named_thing import Thing, named_thing
from liuyao.reading.question.polarity import Polarity, is_leaving
from liuyao.reading.question.text import Expression, Text, read
from liuyao.reading.question.told import fear_told
from liuyao.reading.question.topic import NEUTRAL, PARCEL, PUBLIC_PLACE
from liuyao.reading.situation import Situation
from liuyao.reading.voice import Voice

_NEAR: Final = {
    **dict.fromkeys(("layoff", "promotion", "raise", "new job", "boss"), ("career",)),
    **dict.fromkeys(("exam", "admission", "thesis"), ("study",)),
    **dict.fromkeys(("invest", "business"), ("wealth",)),
    **dict.fromkeys(("rent", "home", "contract"), ("documents",)),
    **dict.fromkeys(("ex", "crush", "quarrel"), ("love",)),
    **dict.fromkeys(("owed money",), ("debt",)),
    **dict.fromkeys(("lost item",), ("lost",)),
    **dict.fromkeys(("trip",), ("journey",)),
    **dict.fromkeys(("court",), ("lawsuit",)),
    **dict.fromkeys(("visa",), ("permit",)),
    **dict.fromkeys(("match",), ("contest",)),
}
"""Things whose matter's deeds suit them as well."""
_SOUGHT_ELSEWHERE: Final = ("pet lost", "parcel")
"""Things that no place in a room is named for: an animal walks, a parcel is with its courier."""
_WEATHER: Final = Expression(
    r"天气|下[大小]?[雨雪]|放晴|晴天|出太阳|台风|"
    r"\b(?:weather|will it (?:really )?(?:rain|snow|be (?:sunny|dry|fine|wet)|stay dry)|rain\?)"
)
"""Asks after the weather itself, whatever it is wanted for."""
_OWN: Final = Expression(r"[我咱俺]|\b(?:i|we|my|our|us|me)\b")
"""What tells a contest of the asker's own, or of the asker's side."""


_OF_MATTERS: Final = (
    *(Form.WHETHER, Form.SHOULD, Form.HOW, Form.HEED, Form.WHEN, Form.COURSE, Form.WHERE, Form.STATE),
)
"""Forms that the deeds of a topic fit."""
_ALWAYS: Final = ("rain", "fair", "dream", "naming", "health", "pregnancy", "lost", "contest")
"""Topics whose own deeds fit however it is asked."""
_WITH_ANOTHER: Final = ("debt", "belongings", "lawsuit", "children", "love")
"""Topics whose deeds are of dealing with somebody else."""
_OF_ONES_OWN: Final = frozenset({"career", "study", "permit", "contest", "lawsuit", "health", "wealth", "pregnancy"})
"""Matters in which somebody's own fortune is asked about, not what they do for the asker."""
_BY_MIND: Final = (Form.HOW, Form.WHY, Form.MIND)
"""Forms in which what to do follows from how the other side stands to the asker."""


class Adviser:
    """Advises on one judgement with one voice.

    With `careful` it only holds back; what is not `lawful` gets the matter's plain action.
    """

    def __init__(
        self,
        voice: Voice,
        plate: Plate,
        judgement: Judgement,
        divination: Divination,
        situation: Situation,
        *,
        careful: bool,
        until: Callable[[], str | None],
        lawful: bool = True,
    ) -> None:
        self._voice = voice
        self._plate = plate
        self._judgement = judgement
        self._divination = divination
        self._situation = situation
        self._careful = careful
        self._until = until
        self._lawful = lawful

    @cached_property
    def text(self) -> Text:
        """The question."""
        return read(self._divination.question)

    @cached_property
    def _thing(self) -> tuple[Thing, str | None] | None:
        """The thing of the topic that the question names, with the user's own word."""
        return named_thing(self.text, self._judgement.inquiry.topic)

    @property
    def topic(self) -> str:
        """The key of the words for the matter."""
        inquiry = self._judgement.inquiry
        if inquiry.matter.key in ("rain", "fair") and _WEATHER.search(self.text.folded):
            return inquiry.matter.key
        return NEUTRAL if inquiry.topic == PARCEL else inquiry.topic

    @property
    def is_lost_outside(self) -> bool:
        """Whether something was lost where others hand it in."""
        return self.topic == "lost" and PUBLIC_PLACE.search(self.text.folded) is not None

    def deed(self) -> str:
        """Return what to do."""
        voice = self._voice
        if not self._lawful:
            return voice.words.actions[self._matter][self._side]
        if self._situation.is_unnamed:
            return voice.way("unnamed")
        if self.is_lost_outside and not self._careful:
            return voice.way("lost outside")
        if self.watches and voice.varies:
            return voice.way("spectator")
        return voice.pick("deed", self._deeds())

    @property
    def _side(self) -> int:
        return 0 if self._judgement.favourable else 1

    @property
    def _matter(self) -> str:
        """The topic; somebody else's love is theirs to act on."""
        return "kin" if self.topic == "love" and self._judgement.inquiry.person else self.topic

    def _deeds(self) -> tuple[str, ...]:
        """The deeds that fit, the plainest first: of the thing, of the topic, or of the form of the question."""
        words, matter, side = self._voice.words, self._matter, self._side
        named = None if self.leaves() else self._thing
        if self._careful and (named is None or self._judgement.favourable):
            return (words.actions[matter][side],)
        if self._asks_where:
            return words.places[self.acting_spirit]
        if not self._goes_by_matter:
            return self._by_form()
        if named is None:
            return (words.actions[matter][side], *words.deeds[matter][side])
        own = words.things[named[0].key][side]
        if matter not in _NEAR.get(named[0].key, ()):
            return own
        deeds = words.deeds[matter][side]
        return (*own, *own, *deeds) if self._voice.varies else (words.actions[matter][side], *own, *deeds)

    @property
    def _goes_by_matter(self) -> bool:
        """Whether the words of the topic, or of the thing that is named, fit how the question is put."""
        inquiry, situation = self._judgement.inquiry, self._situation
        if self._careful or self.topic in _ALWAYS:
            return True
        if situation.form not in _OF_MATTERS:
            return False
        if self.topic == NEUTRAL and self._thing is None:
            return False
        if situation.agent is Agent.OTHER:
            # A follow-up may ask what that one is to do.
            return self.topic in _WITH_ANOTHER or (inquiry.person is not None and not self._voice.varies)
        unwanted = inquiry.stance.polarity is Polarity.UNWANTED
        return self._thing is not None or not (unwanted or situation.form is Form.SHOULD)

    def _by_form(self) -> tuple[str, ...]:
        """The advice that fits the form of the question most closely."""
        situation, advice = self._situation, self._voice.words.advice
        form, agent, side = self._form, situation.agent, situation.side
        if situation.form in _BY_MIND and agent is Agent.OTHER:
            if situation.is_of_third:
                return advice[f"mind third {side}"]
            if situation.is_of_telling:
                return advice[f"how tell {situation.mind}"]
            near = advice.get(f"{situation.form} near {situation.mind}") if situation.is_near else None
            mind = situation.mind
            if situation.form is Form.MIND and not self._judgement.favourable and mind in ("warm", "alike"):
                # The grade is what the asker is told.
                mind = "cold"
            return near or advice[f"{situation.form} other {mind}"]
        if situation.is_of_making or situation.is_of_past:
            return advice["why made" if situation.is_of_making else "result self ill"]
        if situation.form is Form.WHEN and self._judgement.inquiry.matter.key in ("health", "pregnancy"):
            return advice["when body"]
        group = situation.cause if situation.form is Form.WHY else situation.group
        whose = (f"{form} {agent}", f"{form} {Agent.SELF}", form, f"{form} {Agent.OTHER}")
        keys = (f"{start}{end}" for start in whose for end in (f" {side} {group}", f" {side}", f" {group}", ""))
        return self._dated(next(advice[key] for key in keys if key in advice))

    @property
    def _form(self) -> str:
        """The form, or what a question of an event or a deed is for advice."""
        form = self._situation.form
        if form in (Form.SHOULD, Form.OBJECTION):
            return "leave" if self.leaves() else "should"
        if self._supports:
            return "support"
        if self._situation.unwanted:
            return "harm"
        if self._situation.is_open:
            return "open"
        return "whether" if form is Form.COURSE and self._situation.agent is not Agent.SELF else form

    @property
    def _supports(self) -> bool:
        """Whether somebody's own fortune is asked about, which the asker can only support."""
        inquiry, situation = self._judgement.inquiry, self._situation
        return (
            situation.agent is Agent.OTHER
            and inquiry.person is not None
            and inquiry.matter.key in _OF_ONES_OWN
            and situation.form in (Form.WHETHER, Form.COURSE, Form.RESULT, Form.WHEN)
        )

    def _dated(self, deeds: tuple[str, ...]) -> tuple[str, ...]:
        """The deeds with the last day of the likely time, without those that need one where there is none."""
        if not any("{date}" in deed for deed in deeds):
            return deeds
        date = self._until()
        return tuple([deed.format(date=date) for deed in deeds if date or "{date}" not in deed])

    @property
    def _asks_where(self) -> bool:
        sought_here = self._thing is None or self._thing[0].key not in _SOUGHT_ELSEWHERE
        return self.topic == "lost" and self._judgement.inquiry.asks is Asks.WHERE and sought_here

    def as_well(self) -> str | None:
        """Another thing to mind than the one of the reading."""
        if self._situation.is_unnamed:
            return None
        told = self.deed()
        return next((deed for deed in self._by_form() if deed != told), None)

    def further(self) -> list[str]:
        """Another deed than the one of the reading, where there is one."""
        if (
            self._situation.is_unnamed
            or self._careful
            or not self._lawful
            or (self.topic == "love" and self._judgement.inquiry.person)
        ):
            return []
        if self.is_lost_outside:
            return [self._voice.words.roles["lost outside as well"][0]]
        told = Adviser(
            Voice(self._voice.language, self._divination, varies=True, heard=self._voice.heard),
            *(self._plate, self._judgement, self._divination, self._situation),
            careful=False,
            until=self._until,
        ).deed()
        return [deed for deed in self._deeds() if deed != self.deed() and deed not in told][:1]

    @property
    def watches(self) -> bool:
        """Whether the asker only watches a contest of others."""
        if self.topic != "contest" or self._judgement.inquiry.person:
            return False
        return _OWN.search(self.text.folded) is None

    def leaves(self) -> bool:
        """Whether the question is of leaving: its grade is of what is left, and so is the matter's deed."""
        inquiry = self._judgement.inquiry
        deed = self._situation.form in (Form.SHOULD, Form.OBJECTION)
        return deed and is_leaving(f"{inquiry.predicate or ''} {inquiry.restated or self.text.folded}")

    def fear(self) -> list[str]:
        """What to do about a fear that the question names, if it names one."""
        fear = fear_told(self.text)
        return [self._voice.way(f"fear {fear}")] if fear else []

    @cached_property
    def _acting_line(self) -> Place:
        """The line that acts on the 用神 most; else the 用神 if it moves, another that moves, or the 用神's place."""
        plate, judgement = self._plate, self._judgement
        acting = [reason for reason in judgement.about(Aspect.OTHERS) if reason.lines and reason.weight]
        if acting:
            return plate.lines[max(acting, key=lambda reason: reason.prominence).lines[0] - 1]
        at = judgement.focus.at
        if at.acts:
            return at
        return next((line for line in plate.lines if line.acts), plate.lines[at.position - 1])

    @property
    def acting_relation(self) -> str:
        """The relation (六亲) of the line that acts most."""
        return self._acting_line.relation

    @property
    def acting_spirit(self) -> str:
        """The 六神 of the acting line, as the wire writes it."""
        return self._divination.yao_info_list[self._acting_line.position - 1].spirit_name
