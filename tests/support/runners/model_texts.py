"""Texts that a model might write of known casts: hostile ones, none of which may be shown, and ordinary ones.

A line is `cast kind: text` or `cast: text`, in `follow_up/` `cast kind question: text`. In a hostile text, what comes
before `||` may be shown.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up, read
from tests.support.example_cast import EXAMPLE
from yarrow_agents.divination import brief
from yarrow_agents.divination.review import Review, sentences_of

FOLDER: Final = Path(__file__).parents[2] / "unit/yarrow_agents/divination/model_texts"
_LANGUAGES: Final = {"zh": Language.SIMPLIFIED, "hant": Language.TRADITIONAL, "en": Language.ENGLISH}


@dataclass(frozen=True, slots=True)
class ModelText:
    """`harmless` is the part of a hostile text that may be shown, `text` the rest, or the whole of an ordinary one.

    `question` is the follow-up that it answers, if it is no reading.
    """

    cast: str
    kind: str
    harmless: str
    text: str
    question: str = ""
    is_hostile: bool = False

    @property
    def shown(self) -> list[bool]:
        """Whether each sentence is shown; of a hostile text those of its hostile part, also as a follow-up."""
        if self.question:
            return self._shown(_brief_of_answer(self.cast, self.question))
        shown = self._shown(briefs()[self.cast])
        if not self.is_hostile:
            return shown
        question = "When?" if casts()[self.cast][1] is Language.ENGLISH else "什么时候有结果?"
        return [*shown, *self._shown(_brief_of_answer(self.cast, question))]

    def _shown(self, output: brief.Brief) -> list[bool]:
        reviewed, end, shown = Review(output).text(sentences_of(self.harmless + self.text)), 0, []
        for sentence in reviewed.sentences:
            end += len(sentence.text)
            if sentence.text.strip() and end > len(self.harmless):
                shown.append(reviewed.is_trusted and not sentence.objections)
        return shown


@cache
def casts() -> dict[str, tuple[Divination, Language]]:
    """Return the casts by name."""
    found = {}
    for load in json.loads((FOLDER / "casts.json").read_text(encoding="utf-8")):
        members = {name: load[name] for name in ("question", "questionType", "yaoLines")}
        payload = DivinationPayload.model_validate(EXAMPLE | members)
        found[load["name"]] = (derive(payload), _LANGUAGES[load["language"]])
    return found


@cache
def briefs() -> dict[str, brief.Brief]:
    return {
        name: brief.of_cast(divination, read(divination, language=language), language)
        for name, (divination, language) in casts().items()
    }


def _brief_of_answer(cast: str, question: str) -> brief.Brief:
    divination, language = casts()[cast]
    answer = answer_follow_up(divination, question, language=language)
    return brief.of_follow_up(divination, question, answer, language)


def texts(name: str) -> list[ModelText]:
    found = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        head, _, text = line.partition(": ")
        cast, _, about = head.partition(" ")
        kind, _, question = about.partition(" ") if name.startswith("follow_up/") else (about, "", "")
        harmless, _, rest = text.rpartition("||")
        found.append(ModelText(cast, kind, harmless, rest, question, name.endswith("hostile")))
    return found
