"""Renders a judgement sentence by sentence, for readings and follow-up answers."""

import re
from collections.abc import Collection
from functools import cached_property
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.elements import GENERATION, generates
from liuyao.reading.advising import Adviser
from liuyao.reading.cautions import GRAVE, applying, borne_out, in_order, is_careful, stated
from liuyao.reading.contributions import Aspect, Contribution, Term
from liuyao.reading.dated import AT_ITS_OWN_TIME, Dated
from liuyao.reading.dates import Calendar
from liuyao.reading.detailed import Detailed
from liuyao.reading.judgement import LEVELS, Judgement, Outcome
from liuyao.reading.language import Language
from liuyao.reading.outline import Outline, sureness
from liuyao.reading.plate import Place, Plate
from liuyao.reading.prudent import Prudent
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.periods import compared
from liuyao.reading.question.text import Expression, read
from liuyao.reading.question.told import feels, name_told
from liuyao.reading.question.topic import NEUTRAL
from liuyao.reading.situation import Situation
from liuyao.reading.voice import Voice

_HELPERS: Final = (Term.SOURCE_ACTS, Term.KIN_ACTS)
_HINDERERS: Final = (Term.FOE_ACTS, Term.ENEMY_FEEDS_FOE, Term.ENEMY_HURTS_SOURCE)
_GROUPS: Final = {
    **dict.fromkeys(("career", "general"), "work"),
    **dict.fromkeys(("partner", "permit", "documents", "wealth", "debt", "lawsuit"), "money"),
    **dict.fromkeys(("health", "children", "pets"), "care"),
    "pregnancy": "hope",
    **dict.fromkeys(("love", "kin"), "love"),
    "study": "study",
    "lost": "lost",
    "return": "return",
}
"""The kindness of each matter that has one."""
_OF_PEOPLE: Final = ("love", "kin", "partner", "general")
"""Matters whose other side may be called by a name."""
_OTHER: Final = {True: re.compile(r"[Tt]he other (?:person|side)\b"), False: re.compile("对方|對方")}
"""What a text calls the other person, in English or not."""
_DEALS: Final = (Form.HOW, Form.WHY, Form.MIND)
"""Forms that are of dealing with somebody."""
_NO_PEOPLE: Final = ("rain", "fair")
"""Matters in which no one helps or hinders."""
_PEOPLE_IF_ASKED: Final = ("naming", "date", "dream", "contest", "dwelling")
"""Matters that no one is expected to help or hinder."""
_NO_RESISTANCE: Final = ("lost", "pets", "pregnancy")
"""Matters in which somebody may help, but no one is against it."""
OWN_VERDICT: Final = (
    *("health", "kin", "contest", "dwelling", "lawsuit", "children"),
    *("rain", "fair", "naming", "date", "dream", "pregnancy", "return", "lost", "pets"),
)
"""Topics whose verdict is said in its own words alone."""
_STATES: Final = ("best", "good", "poor", "bad")

_NOT_IN_ILLNESS: Final = (("help", "官鬼"), ("harm", "子孙"))
"""In a question of health the illness helps no one, and remedies hinder no one."""


_OWNER: Final = r"\b((?!How|What|Where|Who|When|Why|That|It|There)[A-Z]\w+'s|his|her|their|the) (?:\w+ )?"
"""Whose somebody is, in English, if not the asker's."""


SEVERAL: Final = Expression(r"(?<![sui])s$|\bchildren$|\band\b")
"""Names several people in English."""


class Narrator(Dated, Detailed, Prudent):
    """Renders one judgement with one voice. Methods return whole sentences, not yet glossed, unless stated
    otherwise.
    """

    def __init__(
        self,
        voice: Voice,
        plate: Plate,
        judgement: Judgement,
        divination: Divination,
        cautions: Collection[Caution | None] = frozenset(),
    ) -> None:
        self.voice = voice
        self.plate = plate
        self.judgement = judgement
        self.divination = divination
        self.calendar = Calendar(divination, judgement.inquiry)
        found = applying(cautions, judgement.inquiry, read(divination.question))
        self.cautions = in_order(found)
        self.heeded = borne_out(self.cautions, judgement.inquiry, read(divination.question))
        self.careful = is_careful(
            judgement.inquiry, found.intersection(cautions).intersection(self.heeded), read(divination.question)
        )
        lawful = Caution.ILLEGAL not in self.cautions
        self.situation = Situation(plate, judgement, read(divination.question))
        self.adviser = Adviser(
            voice, plate, judgement, divination, self.situation, careful=self.careful, lawful=lawful, until=self.limit
        )

    def action(self) -> str:
        """What to do, with what the asker should mind first."""
        return self._action

    @cached_property
    def _action(self) -> str:
        voice, judgement = self.voice, self.judgement
        if judgement.inquiry.asks is Asks.SEX_OF_CHILD:
            return voice.sentence(voice.words.actions[judgement.inquiry.matter.key][0])
        if self.careful and judgement.favourable:
            phrases = [voice.varied("considered", who=self.adviser_named)]
        elif self._told_to_wait and self.adviser.topic != NEUTRAL:
            phrases = [voice.varied("in its time", action=voice.lowered(self.adviser.deed()))]
        else:
            phrases = [self.adviser.deed()]
        return voice.sentences([*phrases, *(self._beside if voice.varies else [])])

    @property
    def _beside(self) -> list[str]:
        """What a fear that the asker names asks for, and a grave matter."""
        if self.situation.form is Form.WORRY and not self.careful:
            return []
        if not self.careful:
            return [] if self.adviser.watches else self.adviser.fear()
        if Caution.ILLEGAL in self.cautions:
            return []
        return self.adviser.fear() or [self.voice.way("prepare for a doctor" if self.of_health else "prepare")]

    @cached_property
    def outline(self) -> Outline:
        """The reasons that are told in plain words; in a question of health the illness is no helper."""
        found = self.situation.outline
        if not self.of_health:
            return found
        carries, against = (
            None if reason and self.is_of_illness(reason) else reason for reason in (found.carries, found.against)
        )
        return Outline(carries, against, found.sign)

    def is_of_illness(self, reason: Contribution) -> bool:
        """Whether an illness would be told of as a helper."""
        return self.of_health and reason.term in _HELPERS and self.plate.lines[reason.lines[0] - 1].relation == "官鬼"

    @property
    def person(self) -> str | None:
        """The person asked about, as a text calls them: "your sister", 「你妈」."""
        party = self.voice.own_words(self.judgement.inquiry.party)
        if party is None:
            return None
        text = self.adviser.text
        if self.voice.language is not Language.ENGLISH:
            mine = len(party) == 1 or re.search(f"我(?:家|的|们|們)?{re.escape(party)}", text.written)
            return f"你{party}" if mine else party
        owner = re.search(
            rf"{_OWNER}{re.escape(party)}\b",
            text.written,
        )
        return f"{owner[1]} {party}" if owner else self.voice.phrase("party", party=party)

    def candour(self) -> list[str]:
        """How sure the answer is."""
        inquiry = self.judgement.inquiry
        if self.is_guarded or inquiry.asks is Asks.SEX_OF_CHILD:
            return []
        if inquiry.asks is Asks.WHICH:
            if compared(self.adviser.text):
                return []
            key = "which well" if self.judgement.favourable else "which ill"
            return [self.voice.sentence(self.voice.way(key))] if len(inquiry.options) == 2 else []
        return [self.voice.sentence(self.voice.way(f"sure {sureness(self.judgement)}"))]

    def reserve(self) -> list[str]:
        """That most signs point the other way, where they do."""
        asks = self.judgement.inquiry.asks
        return self.candour() if asks is Asks.WHICH or sureness(self.judgement) == "mixed" else []

    def kindness(self) -> list[str]:
        """A word to an asker who shows a feeling, or whose matter is grave."""
        inquiry, felt = self.judgement.inquiry, feels(self.adviser.text)
        if inquiry.asks in (Asks.WHICH, Asks.SEX_OF_CHILD) and not self.careful:
            return []
        if self.careful and not self.of_health:
            return [self.voice.sentence(self.voice.way("kind grave"))] if felt or self._is_heavy else []
        if not felt or (self.adviser.fear() and not self.careful):
            return []
        group = _GROUPS.get(self.adviser.topic)
        if inquiry.person:
            # Who asks for somebody else is met as one who cares for them.
            group = {"love": "work", "study": "support"}.get(self.adviser.topic, group)
        state = "good" if self.judgement.favourable else "poor"
        if self.judgement.favourable and self._delayed:
            state = "later"
        ways = self.voice.words.roles.get(f"kind {group} {state}")
        return [self.voice.sentence(self.voice.pick("kind", ways))] if ways else []

    @property
    def _is_heavy(self) -> bool:
        """Whether a matter is grave to anybody, said or not."""
        return not {Caution.HEALTH, Caution.PREGNANCY, Caution.ILLEGAL}.isdisjoint(self.heeded)

    @cached_property
    def _name(self) -> str | None:
        inquiry = self.judgement.inquiry
        if inquiry.person or inquiry.matter.key not in _OF_PEOPLE:
            return None
        return self.voice.own_words(name_told(self.adviser.text))

    def named(self, sentence: str) -> str:
        """A sentence with the name of the other person, where the question tells it."""
        if self._name is None:
            return self._of_person(sentence)
        return _OTHER[self.voice.language is Language.ENGLISH].sub(self._name, sentence)

    def _of_person(self, sentence: str) -> str:
        """A sentence with the word for the one who is to be dealt with: "your son" for "the other side"."""
        situation, person = self.situation, self.person
        if situation.form not in _DEALS or situation.agent is not Agent.OTHER or person is None:
            return sentence
        english = self.voice.language is Language.ENGLISH
        if english and SEVERAL.search(person):
            return sentence
        told = _OTHER[english].sub(person, sentence)
        return told[:1].upper() + told[1:]

    @property
    def _told_to_wait(self) -> bool:
        """Whether the answer is yes, but not yet."""
        inquiry = self.judgement.inquiry
        return (
            inquiry.asks is Asks.SHOULD
            and inquiry.matter.key not in AT_ITS_OWN_TIME
            and self.judgement.outcome is Outcome.DELAYED
        )

    def verdict(self, level: str) -> str:
        """What the grade means for the matter, as a phrase; nothing where it must not be taken for advice."""
        if self.careful or self.withholds:
            return self.leaning()
        voice, matter, at = self.voice, self.adviser.topic, LEVELS.index(level)
        told = voice.words.verdicts[matter][at]
        if not voice.varies or matter in OWN_VERDICT:
            return told
        others = voice.words.outlooks["general verdicts" if matter == NEUTRAL else "verdicts"][_STATES[at]]
        return voice.pick("verdict", (told, *others)).format(noun=voice.words.nouns[matter])

    def people(self, *, asked: bool = False) -> list[str]:
        """Who helps and who hinders, as a sentence each; empty when no line does either.

        Unless it is `asked`, nothing is said of it where nobody would expect it.
        """
        matter = self.judgement.inquiry.matter.key
        if matter in _NO_PEOPLE or (matter in _PEOPLE_IF_ASKED and not asked):
            return []
        reasons = self.judgement.about(Aspect.OTHERS)
        sentences = []
        for key, terms in (("help", _HELPERS), ("harm", _HINDERERS)):
            acting = [reason for reason in reasons if reason.term in terms]
            if key == "harm" and matter in _NO_RESISTANCE and not asked:
                continue
            if not acting or (key == "help" and self.judgement.has(Term.ROOTLESS)):
                continue
            strongest = self.plate.lines[max(acting, key=lambda reason: reason.prominence).lines[0] - 1]
            if self.of_health and (key, strongest.relation) in _NOT_IN_ILLNESS:
                continue
            sentences.append(self.voice.sentence(self._person(key, strongest)))
        if not self.judgement.favourable:
            sentences.reverse()
        return sentences

    @property
    def is_helped(self) -> bool:
        """Whether `people` names somebody who helps."""
        return self.helper() is not None and not self.judgement.has(Term.ROOTLESS)

    @property
    def who_helps(self) -> str:
        """Who helps in such a matter, whatever the cast."""
        voice, matter = self.voice, self.adviser.topic
        caution = stated(self.heeded, self.judgement.inquiry.matter)
        keys = (f"who {caution}" if caution in GRAVE else "", f"who {matter}", "who general")
        return next(voice.phrase(key) for key in keys if key in voice.words.sentences)

    def helper(self) -> str | None:
        """Whom the strongest helping line stands for, in plain words."""
        relation = self.helping_relation
        return None if relation is None or (self.of_health and relation == "官鬼") else self._stands_for(relation)

    @property
    def helping_relation(self) -> str | None:
        """The relation (六亲) of the strongest helping line."""
        acting = [reason for reason in self.judgement.about(Aspect.OTHERS) if reason.term in _HELPERS]
        if not acting:
            return None
        return self.plate.lines[max(acting, key=lambda reason: reason.prominence).lines[0] - 1].relation

    def source(self) -> str:
        """Whom the relation that feeds the 用神 stands for, in plain words."""
        element = self.judgement.focus.at.element
        source = next(item for item in GENERATION if generates(item, element))
        line = next((item for item in (*self.plate.lines, *self.plate.hidden) if item.element == source), None)
        return self._stands_for(line.relation if line else "父母")

    def _stands_for(self, relation: str) -> str:
        return (self.voice.words.in_illness if self.of_health else self.voice.words.people)[relation]

    def direction_of(self, at: Place) -> str:
        """Return the direction of a line's branch."""
        return self.voice.words.directions[at.branch]

    def binary(self, position: int, *, changed: bool) -> str:
        """A line of the hexagram, `1` for yang; `changed` as it becomes."""
        code = self.divination.changed_binary_code if changed else self.divination.binary_code
        return code[position - 1]

    def _person(self, key: str, line: Place) -> str:
        return self.voice.phrase(self.key(key), people=self._stands_for(line.relation))
