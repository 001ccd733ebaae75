"""What a reading advises: one deed, of the thing the question names, else of its topic, else what the cast asks for.

Where no topic is certain the deed follows from what carries the verdict: another line, the time, or the line itself.
"""

from functools import cached_property
from typing import Final

from liuyao.divination import Divination
from liuyao.reading.contributions import Aspect
from liuyao.reading.judgement import Judgement
from liuyao.reading.language import Language
from liuyao.reading.outline import outline
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.named_noun import noun_of
from liuyao.reading.question.named_thing import Thing, named_thing
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.polarity import is_leaving
from liuyao.reading.question.text import Expression, Text, read
from liuyao.reading.question.told import fear_told
from liuyao.reading.question.topic import NEUTRAL, PARCEL, PUBLIC_PLACE
from liuyao.reading.voice import Voice

_PASSED_ON: Final = frozenset({"career", "study", "permit", "journey", "contest", "lawsuit"})
"""Matters whose deed is up to the person it is about."""
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
_ASKER: Final = Expression(r"^(?:you|we|i)\b|^(?:你|咱|我)(?!家|的|妈|爸)|[你我]$")
"""The asker as the one who does it."""
_TOGETHER: Final = Expression(r"\b(?:with|at|for)\b|[和跟同与去到]")
"""Who is only met with does nothing."""
_DOER: Final = Expression(
    r"^(?:he|she|they)$|[他她][们們]?(?:真的|到底|还|還|最近)*$|(?:师傅|師傅|邻居|鄰居|阿姨|客服|老板|老闆|同事|同学|同學)$"
)
"""Who does something, where no table names them."""
_SOUGHT_ELSEWHERE: Final = ("pet lost", "parcel")
"""Things that no place in a room is named for: an animal walks, a parcel is with its courier."""
_OWN: Final = Expression(r"[我咱俺]|\b(?:i|we|my|our|us|me)\b")
"""What tells a contest of the asker's own, or of the asker's side."""


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
        *,
        careful: bool,
        lawful: bool = True,
    ) -> None:
        self._voice = voice
        self._plate = plate
        self._judgement = judgement
        self._divination = divination
        self._careful = careful
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
        key = self._judgement.inquiry.topic
        return NEUTRAL if key == PARCEL else key

    @cached_property
    def noun(self) -> str | None:
        """What the asker calls what the question is about."""
        return self._voice.own_words(noun_of(self.text, self._judgement.inquiry))

    @property
    def is_lost_outside(self) -> bool:
        """Whether something was lost where others hand it in."""
        return self.topic == "lost" and PUBLIC_PLACE.search(self.text.folded) is not None

    @property
    def name_of_thing(self) -> str | None:
        """What a text calls the thing the question names."""
        if self._thing is None:
            return None
        thing, own = self._thing
        english = self._voice.language is Language.ENGLISH
        name = thing.english if english else self._voice.spelt(thing.chinese)
        if "{own}" not in name:
            return name
        word = self._voice.own_words(own)
        return name.format(own=word) if word else None

    def deed(self) -> str:
        """Return what to do."""
        voice, judgement = self._voice, self._judgement
        if not self._lawful:
            return voice.words.actions[self._matter][self._side]
        if self.is_lost_outside and not self._careful:
            return voice.way("lost outside")
        if self.watches and voice.varies:
            return voice.way("spectator")
        told = voice.pick("deed", self._deeds())
        inquiry, matter = judgement.inquiry, self._matter
        passed = inquiry.person and matter in _PASSED_ON and inquiry.role not in (Role.SUPERIOR, Role.STRANGER)
        other = voice.own_words(inquiry.party) if passed and voice.varies else None
        return voice.varied("pass on", party=other, action=voice.lowered(told)) if other else told

    @property
    def _side(self) -> int:
        return 0 if self._judgement.favourable else 1

    @property
    def _matter(self) -> str:
        """The topic; somebody else's love is theirs to act on."""
        return "kin" if self.topic == "love" and self._judgement.inquiry.person else self.topic

    def _deeds(self) -> tuple[str, ...]:
        """The deeds that fit, the plainest first."""
        words, matter, side = self._voice.words, self._matter, self._side
        action, named = words.actions[matter][side], None if self._leaves() else self._thing
        if self._careful and (named is None or self._judgement.favourable):
            return (action,)
        if named is None and matter == NEUTRAL:
            return tuple([self._addressed(deed) for deed in words.neutral[self._kind][side]])
        if self._asks_where:
            return words.places[self._spirit]
        deeds = words.deeds[matter][side]
        if named is None:
            return (action, *deeds)
        own = words.things[named[0].key][side]
        if matter not in _NEAR.get(named[0].key, ()):
            return own
        return (*own, *own, *deeds) if self._voice.varies else (action, *own, *deeds)

    def _addressed(self, deed: str) -> str:
        """A deed with the thing or the person named, where it has a place for that."""
        if "{" not in deed:
            return deed
        voice, inquiry = self._voice, self._judgement.inquiry
        party = voice.own_words(inquiry.party)
        who = self.noun or (voice.phrase("party", party=party) if party else voice.phrase("them"))
        return deed.format(who=who, it=self.noun or voice.phrase("it"))

    @property
    def _asks_where(self) -> bool:
        sought_here = self._thing is None or self._thing[0].key not in _SOUGHT_ELSEWHERE
        return self.topic == "lost" and self._judgement.inquiry.asks is Asks.WHERE and sought_here

    @cached_property
    def _kind(self) -> str:
        """What kind of question it is, and what carries the verdict, as `NEUTRAL` of the wording has them."""
        inquiry = self._judgement.inquiry
        kind = "event"
        if inquiry.asks is Asks.SHOULD:
            kind = "should"
        elif inquiry.asks is Asks.OTHERS_MIND:
            kind = "mind"
        elif self.of_a_doer:
            kind = "other"
        elif self.of_another:
            return "thing"
        carries = outline(self._judgement).carries
        aspect = carries.term.aspect if carries else Aspect.SELF
        by = "people" if aspect is Aspect.OTHERS else "time" if aspect in (Aspect.MONTH, Aspect.DAY) else "self"
        return f"{kind} {by}"

    @property
    def of_another(self) -> bool:
        """Whether somebody or something else than the asker is asked about, in no certain topic."""
        inquiry = self._judgement.inquiry
        if self.topic != NEUTRAL or inquiry.person or inquiry.stated is None or inquiry.asks is Asks.SHOULD:
            return False
        subject = inquiry.stated[0].lower()
        return subject != "" and _ASKER.search(subject) is None

    @property
    def of_a_doer(self) -> bool:
        """Whether it is asked what somebody else does."""
        inquiry = self._judgement.inquiry
        if inquiry.role is Role.PET or inquiry.stated is None:
            return inquiry.role is not Role.PET and inquiry.focus == "应爻"
        named = inquiry.horizon.words if inquiry.horizon else ""
        subject, party = inquiry.stated[0].replace(named, "").strip().lower(), (inquiry.party or "").lower()
        return _DOER.search(subject) is not None or (
            bool(party) and subject.endswith(party) and _TOGETHER.search(subject) is None
        )

    def further(self) -> list[str]:
        """Another deed than the one of the reading, where there is one."""
        if self._careful or not self._lawful or (self.topic == "love" and self._judgement.inquiry.person):
            return []
        if self.is_lost_outside:
            return [self._voice.words.roles["lost outside as well"][0]]
        told = Adviser(
            Voice(self._voice.language, self._divination, varies=True),
            *(self._plate, self._judgement, self._divination),
            careful=False,
        ).deed()
        return [deed for deed in self._deeds() if deed != self.deed() and deed not in told][:1]

    @property
    def watches(self) -> bool:
        """Whether the asker only watches a contest of others."""
        if self.topic != "contest" or self._judgement.inquiry.person:
            return False
        return _OWN.search(self.text.folded) is None

    def _leaves(self) -> bool:
        """Whether the question is of leaving: its grade is of what is left, and so is the matter's deed."""
        inquiry = self._judgement.inquiry
        return inquiry.asks is Asks.SHOULD and is_leaving(f"{inquiry.predicate or ''} {inquiry.restated or ''}")

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
    def _spirit(self) -> str:
        """The 六神 of the acting line, as the wire writes it."""
        return self._divination.yao_info_list[self._acting_line.position - 1].spirit_name
