"""Renders a judgement sentence by sentence, for readings and follow-up answers."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from liuyao.analysis_terms import PlateStatus
from liuyao.care.kinds import Caution
from liuyao.divination import Divination
from liuyao.elements import GENERATION, generates
from liuyao.reading.advising import Adviser
from liuyao.reading.cautions import GRAVE, applying, in_order, is_careful, stated
from liuyao.reading.contributions import Aspect, Contribution, Term
from liuyao.reading.dates import Calendar, When
from liuyao.reading.focus import Choice
from liuyao.reading.judgement import LEVELS, Judgement, Outcome
from liuyao.reading.language import Language
from liuyao.reading.outline import Outline, sureness
from liuyao.reading.plate import Place, Plate
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.text import Expression, read
from liuyao.reading.question.told import feels, name_told
from liuyao.reading.question.topic import NEUTRAL
from liuyao.reading.situation import Situation
from liuyao.reading.timing import Timing, Wait, timings
from liuyao.reading.voice import Voice

_HELPERS: Final = (Term.SOURCE_ACTS, Term.KIN_ACTS)
_HINDERERS: Final = (Term.FOE_ACTS, Term.ENEMY_FEEDS_FOE, Term.ENEMY_HURTS_SOURCE)
_MOST_DATES: Final = 3
_MOST_CLAUSES: Final = 2
"""Dates and clauses of a timing."""
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
_NO_PEOPLE: Final = ("rain", "fair")
"""Matters in which no one helps or hinders."""
_PEOPLE_IF_ASKED: Final = ("naming", "date", "dream", "contest", "dwelling")
"""Matters that no one is expected to help or hinder."""
_NO_RESISTANCE: Final = ("lost", "pets", "pregnancy")
"""Matters in which somebody may help, but no one is against it."""
_AT_ITS_OWN_TIME: Final = ("contest", "rain", "fair", "study", "journey", "date", "dream", "naming", "dwelling")
"""Matters whose own time is fixed, whatever time the cast points to."""
OWN_VERDICT: Final = (
    *("health", "kin", "contest", "dwelling", "lawsuit", "children"),
    *("rain", "fair", "naming", "date", "dream", "pregnancy", "return", "lost", "pets"),
)
"""Topics whose verdict is said in its own words alone."""
_STATES: Final = ("best", "good", "poor", "bad")
_PREPOSITION: Final = re.compile(r"^(?:in|over|during|within|for|by|at|on) ")

_NOT_IN_ILLNESS: Final = (("help", "官鬼"), ("harm", "子孙"))
"""In a question of health the illness helps no one, and remedies hinder no one."""


_DECISIONS: Final = (Asks.SHOULD, Asks.WHICH, Asks.HOW)
_TREATMENT: Final = Expression(
    "手术|手術|开刀|開刀|化疗|化療|放疗|放療|治疗|治療|疗程|療程|疫苗|[吃停换換减減加服用]药|[吃停換减減加服用]藥|打针|打針|"
    "移植|试管|試管|剖腹|剖宫|剖宮|顺产|順產|引产|引產|流产|流產|保胎|住院|出院|透析|激素|植牙|拔牙|"
    r"\b(?:operat\w+|surg\w+|chemo\w*|radio\w*|treat\w*|therap\w*|medic\w*|pills?|tablets?|vaccin\w*|jabs?|drugs?|"
    r"ivf|transplant\w*|caesarean|c-section|epidural|induc\w+|abort\w+|terminat\w+|hospital|dialysis|insulin|"
    r"antidepress\w*|antibiotics?|statins?|steroids?|hrt|implants?|procedure|scan|biopsy|dose|extract\w*|tooth)\b"
)
"""What has, stops or changes a treatment."""


class Narrator:
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
        self.careful = is_careful(judgement.inquiry.matter, found.intersection(cautions))
        lawful = Caution.ILLEGAL not in self.cautions
        self.situation = Situation(plate, judgement, read(divination.question))
        self.adviser = Adviser(
            voice, plate, judgement, divination, self.situation, careful=self.careful, lawful=lawful, until=self.limit
        )

    def told(self, reasons: Sequence[Contribution]) -> str:
        """Return the reasons as one sentence."""
        return self.voice.sentence(*self._reasons(reasons))

    def joined(self, reasons: Sequence[Contribution]) -> str:
        """Return the reasons as a phrase within a sentence."""
        return self.voice.words.sentences["separator"].join(self._reasons(reasons))

    def _reasons(self, reasons: Sequence[Contribution]) -> list[str]:
        """The reasons as phrases; of two with the same term, the second says only which line it is as well."""
        told: list[str] = []
        before: Contribution | None = None
        for reason in reasons:
            again = before is not None and reason.term is before.term and "actor" in self.voice.fields(reason.term)
            told.append(
                self.voice.phrase("likewise", actor=self._field("actor", reason)) if again else self._reason(reason)
            )
            before = reason
        return told

    def choice(self) -> str:
        """Which line is the 用神, what it stands for, and why."""
        voice, focus, inquiry = self.voice, self.judgement.focus, self.judgement.inquiry
        relation = voice.relation(focus.at.relation)
        fields = {"relation": relation, "line": voice.line(focus.at)}
        if "intro" in voice.fields(focus.choice):
            meaning = voice.words.stands_for.get(f"{self.adviser.topic} {focus.at.relation}")
            meaning = meaning or voice.words.stands_for[focus.at.relation]
            if inquiry.person and (party := voice.own_words(inquiry.party)):
                meaning = voice.phrase("party", party=party)
            noun = voice.words.nouns[inquiry.matter.key]
            fields["intro"] = voice.varied("focus intro", relation=relation, meaning=meaning, noun=noun)
        phrases = [voice.phrase(focus.choice, **fields)]
        if inquiry.assumed:
            phrases.append(voice.phrase("assumed"))
        return voice.sentences(phrases)

    def itself(self, reasons: Sequence[Contribution]) -> str:
        """Void and change of the 用神; of a hidden one, whether it comes out."""
        phrases = self._reasons(reasons)
        if self.judgement.focus.choice is Choice.HIDDEN:
            phrases.append(self.voice.phrase("emerges" if self.judgement.emerges else "stays under"))
        return self.voice.sentence(*phrases)

    def others(self, *, without: Contribution | None = None) -> str:
        """What the other lines do to the 用神, but for one reason."""
        voice, statuses = self.voice, self.plate.facts.statuses
        reasons = [reason for reason in self.judgement.about(Aspect.OTHERS) if reason is not without]
        phrases = self._reasons(reasons)
        if not phrases:
            return voice.sentence(self._unmoved())
        if PlateStatus.ONE_MOVES in statuses:
            mover = next(line for line in self.plate.lines if line.changes)
            phrases.append(voice.phrase("alone", actor=voice.line(mover)))
        return voice.sentence(*phrases)

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
        owner = re.search(rf"\b([A-Z]\w+'s|his|her|their|the) (?:\w+ )?{re.escape(party)}\b", text.written)
        return f"{owner[1]} {party}" if owner else self.voice.phrase("party", party=party)

    def candour(self) -> list[str]:
        """How sure the answer is."""
        inquiry = self.judgement.inquiry
        if self.careful or self.of_health or inquiry.asks is Asks.SEX_OF_CHILD:
            return []
        if inquiry.asks is Asks.WHICH:
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
        return not {Caution.HEALTH, Caution.PREGNANCY, Caution.ILLEGAL}.isdisjoint(self.cautions)

    @cached_property
    def _name(self) -> str | None:
        inquiry = self.judgement.inquiry
        if inquiry.person or inquiry.matter.key not in _OF_PEOPLE:
            return None
        return self.voice.own_words(name_told(self.adviser.text))

    def named(self, sentence: str) -> str:
        """A sentence with the name of the other person, where the question tells it."""
        if self._name is None:
            return sentence
        return _OTHER[self.voice.language is Language.ENGLISH].sub(self._name, sentence)

    @property
    def _told_to_wait(self) -> bool:
        """Whether the answer is yes, but not yet."""
        inquiry = self.judgement.inquiry
        return (
            inquiry.asks is Asks.SHOULD
            and inquiry.matter.key not in _AT_ITS_OWN_TIME
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

    def cautioned(self, *, short: bool = False) -> list[str]:
        """The sentence of the caution that fits best, if there is any; `short` where it was said before."""
        caution = stated(self.cautions, self.judgement.inquiry.matter)
        return [] if caution is None else [self.voice.caution(caution, short=short)]

    @property
    def adviser_named(self) -> str:
        """Whom the caution sends the asker to."""
        caution = stated(self.cautions, self.judgement.inquiry.matter)
        return self.voice.phrase(f"who decides {caution}") if caution else self.voice.phrase("who general")

    def leaning(self) -> str:
        """How the cast leans, for the asker's good, beside a grave caution; that alone where no cast may lean."""
        voice, inquiry = self.voice, self.judgement.inquiry
        if not self.may_lean:
            key = "held" if inquiry.asks in _DECISIONS else "held outlook"
            return voice.varied(key, who=self.adviser_named)
        way = "ill" if not self.judgement.favourable else "later" if self._delayed else "well"
        ends = "decision" if inquiry.asks in _DECISIONS else "outlook"
        end = voice.varied(f"lean {ends}", who=self.adviser_named)
        return voice.varied(f"lean {way}", end=end)

    @property
    def may_lean(self) -> bool:
        """Whether a reading may lean: not on a crime, all savings, or a treatment to have, stop or change (CARE-04)."""
        if not {Caution.ILLEGAL, Caution.STAKES}.isdisjoint(self.cautions):
            return False
        asks = self.judgement.inquiry.asks
        if self.of_health and asks in (Asks.SHOULD, Asks.WHICH):
            return False
        ill = self.of_health or not {Caution.HEALTH, Caution.PREGNANCY}.isdisjoint(self.cautions)
        return not (ill and asks in _DECISIONS and _TREATMENT.search(self.adviser.text.folded))

    @property
    def withholds(self) -> bool:
        """Whether the answer neither leans nor gives a reason or a time."""
        return (self.careful or self.of_health) and not self.may_lean

    @property
    def _delayed(self) -> bool:
        return self.judgement.outcome is Outcome.DELAYED

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
        caution = stated(self.cautions, self.judgement.inquiry.matter)
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
        source = next(each for each in GENERATION if generates(each, element))
        line = next((each for each in (*self.plate.lines, *self.plate.hidden) if each.element == source), None)
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

    @cached_property
    def times(self) -> list[When]:
        """The times that the timing names, the deciding one first; those in the time asked about before others."""
        branches = dict.fromkeys(branch for timing in self._timings for branch in timing.branches)
        found = [when for branch in branches if (when := self.calendar.when(branch))]
        return sorted(found[:_MOST_DATES], key=lambda when: not when.within)

    def main_time(self, *, within: bool = False) -> str | None:
        """The civil date of the deciding time; with `within`, only if it lies in the time asked about."""
        times = self.times
        if not times or (not times[0].within and (within or self.calendar.scale is Scale.HOUR)):
            return None
        return self.voice.civil(times[0], self.calendar)

    def main_and_spare_time(self) -> str | None:
        """The civil date of the deciding time, and another day that may be it."""
        main, times = self.main_time(), self.times
        if main is None or self.calendar.scale is not Scale.DAY:
            return main
        others = (self.voice.civil(time, self.calendar) for time in times[1:] if time.within == times[0].within)
        spare = next((date for date in others if date != main), None)
        return self.voice.phrase("or else", date=main, spare=spare) if spare else main

    @property
    def at_its_own_time(self) -> bool:
        """Whether the matter's own time is fixed."""
        return self.judgement.inquiry.matter.key in _AT_ITS_OWN_TIME

    @property
    def outlasts_question(self) -> bool:
        """Whether the deciding time ends after the time asked about, or that is the matter's own and is not told."""
        if self.calendar.bounds is None:
            inquiry = self.judgement.inquiry
            return inquiry.matter.key in _AT_ITS_OWN_TIME and inquiry.asks is not Asks.WHEN
        return not self.times or self.times[0].last > self.calendar.bounds[1]

    @property
    def named_time(self) -> str | None:
        """The user's words for the time asked about, without an English preposition."""
        horizon = self.judgement.inquiry.horizon
        return self.voice.own_words(_PREPOSITION.sub("", horizon.words)) if horizon else None

    def named_time_passed_over(self) -> str | None:
        """The user's words for the time asked about, where the cast points to a later one."""
        if self.judgement.inquiry.matter.key in _AT_ITS_OWN_TIME or not self.times or self.times[0].within:
            return None
        return self.named_time if self.main_time() else None

    def limit(self) -> str | None:
        """The last day of the deciding time, where that is a month."""
        if not self.times or self.times[0].scale is not Scale.MONTH:
            return self.main_time()
        last = self.times[0].last
        return self.voice.civil(replace(self.times[0], scale=Scale.DAY, first=last), self.calendar)

    @cached_property
    def timing(self) -> str:
        """When it answers (应期): branches with their next civil dates."""
        times = self.times
        dated = {when.branch for when in times if when.within}
        if not dated and self.calendar.scale is not Scale.HOUR:
            dated = {when.branch for when in times[:1]}
        return self.voice.sentences([self._timing(timing, dated) for timing in self._timings])

    @cached_property
    def _timings(self) -> tuple[Timing, ...]:
        return timings(self.judgement, self.plate)[:_MOST_CLAUSES]

    def _unmoved(self) -> str:
        moving = [line for line in self.plate.lines if line.acts]
        if not moving:
            return self.voice.phrase("at rest")
        decided_by = self.judgement.decided_by
        if decided_by and decided_by.term is Term.GHOST_RELIEVED and len(decided_by.lines) > 1:
            # What acts on the 用神, 世 as 官鬼, is 子孙, which the relief tells of.
            return self.voice.phrase("ghost in hand")
        only_itself = moving == [self.judgement.focus.at]
        if PlateStatus.ALL_REST in self.plate.facts.statuses:
            if only_itself:
                return self.voice.phrase("only itself stirred")
            return self.voice.phrase("only stirred", lines=self.voice.lines(moving))
        return self.voice.phrase("only itself" if only_itself else "untouched")

    @property
    def of_health(self) -> bool:
        """Whether an illness is asked about: its line alone does not tell."""
        inquiry = self.judgement.inquiry
        ill = inquiry.matter.caution is Caution.HEALTH and Caution.HEALTH in self.cautions
        return ill and inquiry.topic != "pets"

    def key(self, key: str) -> str:
        """Return the key of a sentence, or of its own words in a question of health."""
        in_illness = f"{key} in illness"
        return in_illness if self.of_health and in_illness in self.voice.words.sentences else key

    def _person(self, key: str, line: Place) -> str:
        return self.voice.phrase(self.key(key), people=self._stands_for(line.relation))

    def _timing(self, timing: Timing, undated: set[str]) -> str:
        voice, times = self.voice, []
        for branch in timing.branches:
            times.append(voice.time(branch, self.calendar, dated=branch in undated))
            undated.discard(branch)
        alike = timing.wait is Wait.CLEAR_CHANGE and timing.branches[0] == timing.branches[1]
        return voice.varied(
            f"{timing.wait} once" if alike else timing.wait,
            subject=voice.line(timing.at) if timing.at else voice.phrase("subject"),
            first=times[0],
            second=times[-1],
            all=voice.words.sentences["comma"].join(times),
            branch=voice.branch(timing.branches[0]),
        )

    def _reason(self, reason: Contribution) -> str:
        fields = {name: self._field(name, reason) for name in self.voice.fields(reason.term)}
        return self.voice.phrase(reason.term, **fields)

    def _field(self, name: str, reason: Contribution) -> str:
        voice, plate, at = self.voice, self.plate, self.judgement.focus.at
        match name:
            case "use":
                return voice.phrase("focus")
            case "month":
                return voice.month(plate.month)
            case "day":
                return voice.day(plate.day)
            case "changed":
                return voice.branch(at.line.changed_branch) if at.line and at.line.changed_branch else ""
            case "actor":
                return voice.line(plate.lines[reason.lines[0] - 1])
            case "other":
                return voice.line(plate.lines[reason.lines[-1] - 1])
            case "motion":
                return voice.phrase("moves" if plate.lines[reason.lines[0] - 1].changes else "stirs")
            case "note":
                return voice.note(reason.note)
            case "rescue":
                return voice.phrase("rescue moves" if at.changes else "rescue day")
            case "helper":
                return voice.term("日辰" if plate.supported_by_day(at) else "月建")
            case "flying":
                return voice.line(plate.lines[at.position - 1])
            case _:
                return voice.term(_fault(plate.lines[at.position - 1]))


def _fault(flying: Place) -> str:
    if flying.time.void:
        return "旬空"
    return "月破" if flying.time.month_broken else "日冲"
