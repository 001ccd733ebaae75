"""The reasons of a judgement in the terms of the art, as a narrator tells them."""

from collections.abc import Sequence

from liuyao.analysis_terms import PlateStatus
from liuyao.reading.advising import Adviser
from liuyao.reading.contributions import Aspect, Contribution, Term
from liuyao.reading.focus import Choice
from liuyao.reading.judgement import Judgement
from liuyao.reading.plate import Place, Plate
from liuyao.reading.voice import Voice


class Detailed:
    """Tells the reasons of one judgement in terms."""

    voice: Voice
    plate: Plate
    judgement: Judgement
    adviser: Adviser

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
