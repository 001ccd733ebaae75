"""What a narrator says beside a caution, and what it must not say."""

from collections.abc import Sequence
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.reading.advising import Adviser
from liuyao.reading.cautions import DECISIONS, stated
from liuyao.reading.judgement import Judgement, Outcome
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.periods import compared
from liuyao.reading.question.text import Expression
from liuyao.reading.voice import Voice

_TREATMENT: Final = Expression(
    "手术|手術|开刀|開刀|化疗|化療|放疗|放療|治疗|治療|疗程|療程|疫苗|[吃停换換减減加服用]药|[吃停換减減加服用]藥|打针|打針|"
    "移植|试管|試管|剖腹|剖宫|剖宮|顺产|順產|引产|引產|流产|流產|保胎|住院|出院|透析|激素|植牙|拔牙|"
    r"\b(?:operat\w+|surg\w+|chemo\w*|radio\w*|treat\w*|therap\w*|medic\w*|pills?|tablets?|vaccin\w*|jabs?|drugs?|"
    r"ivf|transplant\w*|caesarean|c-section|epidural|induc\w+|abort\w+|terminat\w+|hospital|dialysis|insulin|"
    r"antidepress\w*|antibiotics?|statins?|steroids?|hrt|implants?|procedure|scan|biopsy|dose|extract\w*|tooth)\b"
)
"""What has, stops or changes a treatment."""


class Prudent:
    """Keeps to what may be said beside the cautions of one judgement."""

    voice: Voice
    judgement: Judgement
    adviser: Adviser
    careful: bool
    cautions: Sequence[Caution]
    heeded: Sequence[Caution]
    """Those that are borne out, by which the answer goes."""

    def cautioned(self, *, short: bool = False) -> list[str]:
        """The sentence of the caution that fits best, if there is any; `short` where it was said before."""
        caution = stated(self.cautions, self.judgement.inquiry.matter)
        return [] if caution is None else [self.voice.caution(caution, short=short)]

    @property
    def adviser_named(self) -> str:
        """Whom the caution sends the asker to."""
        caution = stated(self.heeded, self.judgement.inquiry.matter)
        return self.voice.phrase(f"who decides {caution}") if caution else self.voice.phrase("who general")

    def leaning(self) -> str:
        """How the cast leans, for the asker's good, beside a grave caution; that alone where no cast may lean."""
        voice, inquiry = self.voice, self.judgement.inquiry
        if not self.may_lean:
            key = "held" if inquiry.asks in DECISIONS else "held outlook"
            return voice.varied(key, who=self.adviser_named)
        ends = "decision" if inquiry.asks in DECISIONS else "outlook"
        end = voice.varied(f"lean {ends}", who=self.adviser_named)
        return voice.varied(f"lean {self._leans}", end=end)

    def leaning_unnamed(self) -> str:
        """How the cast leans in general terms, where a decision is asked about that the question does not name."""
        return self.voice.varied(f"unnamed {self._leans}")

    @property
    def _leans(self) -> str:
        return "ill" if not self.judgement.favourable else "later" if self._delayed else "well"

    @property
    def may_lean(self) -> bool:
        """Whether a reading may lean: not on a crime, all savings, or a treatment to have, stop or change (CARE-04)."""
        if not {Caution.ILLEGAL, Caution.STAKES}.isdisjoint(self.cautions):
            return False
        asks = self.judgement.inquiry.asks
        if compared(self.adviser.text):
            return True  # when, not whether
        if self.of_health and asks in (Asks.SHOULD, Asks.WHICH):
            return False
        ill = self.of_health or not {Caution.HEALTH, Caution.PREGNANCY}.isdisjoint(self.cautions)
        return not (ill and asks in DECISIONS and _TREATMENT.search(self.adviser.text.folded))

    @property
    def is_guarded(self) -> bool:
        """Whether an answer keeps to what may be said beside a grave caution or of an illness."""
        return self.careful or self.of_health

    @property
    def withholds(self) -> bool:
        """Whether the answer neither leans nor gives a reason or a time."""
        return self.is_guarded and not self.may_lean

    @property
    def _delayed(self) -> bool:
        return self.judgement.outcome is Outcome.DELAYED

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
