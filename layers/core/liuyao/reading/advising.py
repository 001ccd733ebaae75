"""What a reading advises: a deed, a manner and somebody to mind, as phrases.

The deed is that of the thing the question names, else of its matter. The manner is the character (六神) of the line
that acts, and what the plate's state asks for. Whom to mind is told by the relation of the line that helps or hinders.
"""

from functools import cached_property
from typing import Final

from liuyao.derivation import SPIRITS
from liuyao.divination import Divination
from liuyao.reading.contributions import Aspect, Term
from liuyao.reading.dates import Calendar, When
from liuyao.reading.judgement import Judgement, Outcome
from liuyao.reading.language import Language
from liuyao.reading.outline import Outline
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.named_thing import Thing, named_thing
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.polarity import is_leaving
from liuyao.reading.question.text import Expression, Text, read
from liuyao.reading.question.told import fear_told
from liuyao.reading.question.topic import PUBLIC_PLACE, topic
from liuyao.reading.voice import Voice

_PASSED_ON: Final = frozenset({"career", "study", "permit", "journey", "contest", "lawsuit"})
"""Matters whose deed is up to the person it is about."""
_WITHOUT_MANNER: Final = frozenset(
    {"rain", "fair", "health", "pets", "pregnancy", "dream", "naming", "date", "dwelling"}
)
_CONDITIONS: Final = (
    *(Term.VOID, Term.WORLD_VOID, Term.WORLD_TURNED_ON, Term.WORLD_BROKEN, Term.WORLD_FEEBLE, Term.RESPONSE_VOID),
    *(Term.HIDDEN, Term.BOUND, Term.TOMB, Term.REVERSAL, Term.ECHO, Term.RETREATS, Term.RESPONSE_CLASHES),
    *(Term.WANDERING, Term.CLASHING, Term.DRAINS_WORLD),
)
"""States that advice may speak of, the first that holds."""
_OF_TWO: Final = (Term.RESPONSE_VOID, Term.RESPONSE_CLASHES)
"""States of another side, where there is one."""
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
_WITH_DEADLINE: Final = (Asks.WHETHER, Asks.SHOULD, Asks.HOW)
_WITHOUT_DEADLINE: Final = frozenset(
    {"rain", "fair", "health", "pets", "pregnancy", "dream", "naming", "date", "lost", "return"}
)
_MOST_DAYS: Final = 45
"""Days until the last one asked about from which it is too far to count them."""
_MOST_SPAN: Final = 10
"""Days of the time asked about up to which it is one to prepare for."""
_OWN: Final = Expression(r"[我咱俺]|\b(?:i|we|my|our|us|me)\b")
"""What tells a contest of the asker's own, or of the asker's side."""
_OF_ONESELF: Final = (
    "home",
    "home sale",
    "moving",
    "rent",
    "contract",
    "resign",
    "new job",
    "invest",
    "business",
    "trip",
)
"""Things whose deeds are those of whoever does them."""
_KNOWN_HELP: Final = {"lost": ("父母", "兄弟", "子孙"), "pets": ("兄弟", "子孙")}


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
        """The thing the question names, with the user's own word."""
        found = named_thing(self.text, self.topic)
        inquiry = self._judgement.inquiry
        # What somebody else moves, signs or leaves is no deed of the asker.
        return None if found and inquiry.person and self.topic == "general" and found[0].key in _OF_ONESELF else found

    @cached_property
    def topic(self) -> str:
        """The key of the words for the matter."""
        return topic(self._judgement.inquiry, self.text)

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
        """What to do."""
        voice, judgement = self._voice, self._judgement
        matter, side = self.topic, 0 if judgement.favourable else 1
        if self.is_lost_outside and not self._careful:
            return voice.way("lost outside")
        if matter == "love" and judgement.inquiry.person:
            # Somebody else's love is theirs to act on.
            matter = "kin"
        action = voice.words.actions[matter][side]
        if not self._lawful:
            return action
        if not voice.varies:
            thing = None if self._careful or self._leaves() else self._thing
            far = thing is not None and matter not in _NEAR.get(thing[0].key, (matter,))
            return voice.words.things[thing[0].key][side][0] if thing and far else action
        if self.watches:
            return voice.way("spectator")
        named = None if self._leaves() else self._thing
        if self._careful and (named is None or judgement.favourable):
            return action
        deeds = (action, *voice.words.deeds[matter][side])
        if named:
            own = voice.words.things[named[0].key][side]
            # What is told of the thing itself comes twice as often as what is told of its matter.
            deeds = (*own, *own, *deeds[1:]) if matter in _NEAR.get(named[0].key, ()) else own
        told = voice.pick("deed", deeds)
        inquiry = judgement.inquiry
        passed = inquiry.person and matter in _PASSED_ON and inquiry.role not in (Role.SUPERIOR, Role.STRANGER)
        other = voice.own_words(inquiry.party) if passed else None
        return voice.varied("pass on", party=other, action=voice.lowered(told)) if other else told

    def further(self) -> list[str]:
        """Another deed than the one of the reading, where there is one."""
        voice, judgement = self._voice, self._judgement
        if self._careful or not self._lawful:
            return []
        matter, side = self.topic, 0 if judgement.favourable else 1
        named = None if self._leaves() else self._thing
        if self.is_lost_outside:
            return [next(each for each in voice.words.roles["lost outside as well"] if each != self.deed())]
        deeds = voice.words.things[named[0].key][side] if named else voice.words.deeds[matter][side]
        if matter == "love" and judgement.inquiry.person:
            return []
        told = Adviser(
            Voice(voice.language, self._divination, varies=True),
            *(self._plate, judgement, self._divination),
            careful=False,
        ).deed()
        return [next(each for each in deeds if each not in (told, self.deed()) and each not in told)]

    @property
    def watches(self) -> bool:
        """Whether the asker only watches a contest of others."""
        if self._judgement.inquiry.matter.key != "contest" or self._judgement.inquiry.person:
            return False
        return _OWN.search(self.text.folded) is None

    def _leaves(self) -> bool:
        """Whether the question is of leaving: its grade is of what is left, and so is the matter's deed."""
        inquiry = self._judgement.inquiry
        return inquiry.asks is Asks.SHOULD and is_leaving(f"{inquiry.predicate or ''} {inquiry.restated or ''}")

    def manner(self) -> list[str]:
        """How to go about it, by the acting line; where to look for what is lost."""
        voice, judgement = self._voice, self._judgement
        matter = self.topic
        spirit = self._spirit
        if self.is_lost_outside:
            return [voice.way("lost outside as well")]
        if self._thing and self._is_sought_elsewhere:
            own = voice.words.things[self._thing[0].key][0 if judgement.favourable else 1]
            return [voice.pick("manner", tuple([each for each in own if each != self.deed()]))]
        if matter == "lost":
            return [voice.pick("place", voice.words.places[spirit])]
        if matter in _WITHOUT_MANNER:
            return []
        ways = voice.words.spirits[spirit]
        side = 2 if judgement.outcome is Outcome.DELAYED else 0 if judgement.favourable else 1
        told = voice.way("mannered").format(
            manner=voice.lowered(voice.pick("manner", ways[side])),
        )
        return [told]

    def spirit_told(self) -> str | None:
        """What the manner is taken from, where there is one."""
        matter = self._judgement.inquiry.matter.key
        if matter == "lost" or matter in _WITHOUT_MANNER or self._is_sought_elsewhere:
            return None
        voice, spirit = self._voice, self._spirit
        named = voice.glossed(SPIRITS[spirit])
        return voice.way("acting spirit").format(spirit=named, meaning=voice.words.meanings[spirit])

    @property
    def names_a_place(self) -> bool:
        """Whether the manner is where to look, or a further deed of what is sought."""
        return self._judgement.inquiry.matter.key == "lost" or self._is_sought_elsewhere

    @property
    def _is_sought_elsewhere(self) -> bool:
        return self._thing is not None and self._thing[0].key in _SOUGHT_ELSEWHERE

    def fear(self) -> list[str]:
        """What to do about a fear that the question names, if it names one."""
        fear = fear_told(self.text)
        return [self._voice.way(f"fear {fear}")] if fear else []

    def deadline(self, calendar: Calendar) -> list[str]:
        """What to do until a day that the question names, if it is some days ahead."""
        if calendar.bounds is None or self._judgement.inquiry.asks not in _WITH_DEADLINE:
            return []
        first, last = calendar.bounds
        days = (last - calendar.today).days
        if (last - first).days > _MOST_SPAN or not self._voice.pick("counted", (True, False)):
            return []
        if not 2 <= days <= _MOST_DAYS or self._judgement.inquiry.matter.key in _WITHOUT_DEADLINE:
            return []
        when = When("", Scale.DAY, last, last)
        return [self._voice.way("deadline").format(date=self._voice.civil(when, calendar), days=days)]

    def condition(self, outline: Outline) -> list[str]:
        """What the plate's state asks for, if it does and the reasons told do not say so already."""
        voice, judgement = self._voice, self._judgement
        for term in _CONDITIONS:
            if not judgement.has(term) or (term in _OF_TWO and not judgement.inquiry.matter.two_sided):
                continue
            if outline.told(term):
                continue
            if term is Term.RETREATS and judgement.outcome is not Outcome.FAVOURABLE:
                continue
            if term is Term.CLASHING and not judgement.inquiry.matter.statuses.get(term, -1) < 0:
                continue
            return [voice.pick("condition", voice.words.conditions[term])]
        return []

    def person(self, key: str, line: Place) -> str | None:
        """Whom to turn to (`help`) or to mind (`harm`), by the relation of a line; None if it says nothing."""
        words, inquiry = self._voice.words, self._judgement.inquiry
        matter = inquiry.matter.key
        if key == "help" and line.relation not in _KNOWN_HELP.get(matter, (line.relation,)):
            return None
        tables = words.helpers if key == "help" else words.hinderers
        of = "health" if matter in ("health", "pregnancy") else "love" if matter == "love" else "general"
        lines = tables[of].get(line.relation)
        return self._voice.pick(key, lines) if lines else None

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
