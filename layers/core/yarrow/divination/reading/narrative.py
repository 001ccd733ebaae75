"""Renders a judgement sentence by sentence, for readings and follow-up answers."""

from collections.abc import Collection, Sequence
from typing import Final

from yarrow.divination.care.kinds import Caution
from yarrow.divination.reading.cautions import in_order, is_careful
from yarrow.divination.reading.contributions import Aspect, Contribution, Term
from yarrow.divination.reading.focus import Choice
from yarrow.divination.reading.judgement import LEVELS, Judgement
from yarrow.divination.reading.plate import Place, Plate
from yarrow.divination.reading.timing import Timing, timings
from yarrow.divination.reading.voice import Voice
from yarrow.divination.solar_terms import PlateStatus

_HELPERS: Final = (Term.SOURCE_ACTS, Term.KIN_ACTS)
_HINDERERS: Final = (Term.FOE_ACTS, Term.ENEMY_FEEDS_FOE, Term.ENEMY_HURTS_SOURCE)
_NO_PEOPLE: Final = ("rain", "fair")
"""Matters in which no one helps or hinders."""

_NOT_IN_ILLNESS: Final = (("help", "官鬼"), ("harm", "子孙"))
"""In a question of health the illness helps no one, and remedies hinder no one."""


class Narrator:
    """Renders one judgement with one voice. Methods return whole sentences, not yet glossed, unless stated
    otherwise.
    """

    def __init__(
        self, voice: Voice, plate: Plate, judgement: Judgement, cautions: Collection[Caution | None] = frozenset()
    ) -> None:
        self.voice = voice
        self.plate = plate
        self.judgement = judgement
        self.cautions = in_order({*cautions, judgement.inquiry.matter.caution})
        self.careful = is_careful(judgement.inquiry.matter, cautions)

    def told(self, reasons: Sequence[Contribution]) -> str:
        """Reasons as one sentence."""
        return self.voice.sentence(*[self._reason(reason) for reason in reasons])

    def joined(self, reasons: Sequence[Contribution]) -> str:
        """Reasons as a phrase within a sentence."""
        return self.voice.words.sentences["separator"].join([self._reason(reason) for reason in reasons])

    def choice(self) -> str:
        """Which line is the 用神, and why."""
        voice, focus, inquiry = self.voice, self.judgement.focus, self.judgement.inquiry
        relation = voice.relation(focus.at.relation)
        phrases = [voice.phrase(focus.choice, relation=relation, line=voice.line(focus.at))]
        if inquiry.assumed:
            phrases.append(voice.phrase("assumed"))
        return voice.sentences(phrases)

    def itself(self, reasons: Sequence[Contribution]) -> str:
        """Void and change of the 用神; of a hidden one, whether it comes out."""
        phrases = [self._reason(reason) for reason in reasons]
        if self.judgement.focus.choice is Choice.HIDDEN:
            phrases.append(self.voice.phrase("emerges" if self.judgement.emerges else "stays under"))
        return self.voice.sentence(*phrases)

    def others(self) -> str:
        """What the other lines do to the 用神."""
        voice, statuses = self.voice, self.plate.facts.statuses
        reasons = self.judgement.about(Aspect.OTHERS)
        phrases = [self._reason(reason) for reason in reasons]
        if not phrases:
            return voice.sentence(self._unmoved())
        if PlateStatus.ONE_MOVES in statuses:
            mover = next(line for line in self.plate.lines if line.changes)
            phrases.append(voice.phrase("alone", actor=voice.line(mover)))
        return voice.sentence(*phrases)

    def action(self) -> str:
        """What to do, with what the asker should mind first."""
        voice, judgement = self.voice, self.judgement
        phrases = [voice.words.actions[judgement.inquiry.matter.key][0 if judgement.favourable else 1]]
        if self.careful and judgement.favourable:
            phrases = [voice.phrase("considered")]
        if judgement.has(Term.VOID):
            phrases.append(voice.phrase("use void"))
        elif judgement.has(Term.WORLD_VOID):
            phrases.append(voice.phrase("world void"))
        return voice.sentences(phrases)

    def verdict(self, level: str) -> str:
        """What the grade means for the matter, as a phrase; nothing where it must not be taken for advice."""
        if self.careful:
            return self.voice.phrase("held")
        return self.voice.words.verdicts[self.judgement.inquiry.matter.key][LEVELS.index(level)]

    def cautioned(self) -> list[str]:
        """A sentence for each caution."""
        return [self.voice.sentence(self.voice.phrase(caution)) for caution in self.cautions]

    def people(self) -> list[str]:
        """Who helps and who hinders, as a sentence each; empty when no line does either."""
        if self.judgement.inquiry.matter.key in _NO_PEOPLE:
            return []
        reasons = self.judgement.about(Aspect.OTHERS)
        sentences = []
        for key, terms in (("help", _HELPERS), ("harm", _HINDERERS)):
            acting = [reason for reason in reasons if reason.term in terms]
            if not acting or (key == "help" and self.judgement.has(Term.ROOTLESS)):
                continue
            strongest = self.plate.lines[max(acting, key=lambda reason: reason.prominence).lines[0] - 1]
            if not (self._of_health and (key, strongest.relation) in _NOT_IN_ILLNESS):
                sentences.append(self.voice.sentence(self._person(key, strongest)))
        if not self.judgement.favourable:
            sentences.reverse()
        return sentences

    def timing(self) -> str:
        """When it answers (应期)."""
        voice = self.voice
        clauses = [self._timing(timing) for timing in timings(self.judgement, self.plate)]
        return voice.sentences([*clauses, voice.phrase("scale")])

    def _unmoved(self) -> str:
        moving = [line for line in self.plate.lines if line.acts]
        if not moving:
            return self.voice.phrase("at rest")
        only_itself = moving == [self.judgement.focus.at]
        if PlateStatus.ALL_REST in self.plate.facts.statuses:
            if only_itself:
                return self.voice.phrase("only itself stirred")
            return self.voice.phrase("only stirred", lines=self.voice.lines(moving))
        return self.voice.phrase("only itself" if only_itself else "untouched")

    @property
    def _of_health(self) -> bool:
        return self.judgement.inquiry.matter.caution == "health"

    def _person(self, key: str, line: Place) -> str:
        people = self.voice.words.in_illness if self._of_health else self.voice.words.people
        return self.voice.phrase(key, actor=self.voice.line(line), people=people[line.relation])

    def _timing(self, timing: Timing) -> str:
        days = [self.voice.day(branch) for branch in timing.branches]
        return self.voice.phrase(
            timing.wait,
            first=days[0],
            second=days[-1],
            all=self.voice.words.sentences["comma"].join(days),
            branch=self.voice.branch(timing.branches[0]),
        )

    def _reason(self, reason: Contribution) -> str:
        fields = {name: self._field(name, reason) for name in self.voice.fields(reason.term)}
        return self.voice.phrase(reason.term, **fields)

    def _field(self, name: str, reason: Contribution) -> str:
        voice, plate, at = self.voice, self.plate, self.judgement.focus.at
        match name:
            case "use":
                return voice.use(at)
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
