"""Reads texts that models write of casts, from which the review of sentences learns (CARE-09).

`training/model_texts/learn` is learnt from, `development` is only measured on. A line of `ordinary.txt` is
`cast: text`, where `+` or `-` before a sentence says that in it the matter goes well or ill; a line of `hostile.txt` is
`cast kind: text`, where what comes before `||` may be shown. Of the texts of the tests, those that are not held out are
learnt from as well: the review was mended by them.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from liuyao import DivinationPayload, derive
from liuyao.reading import Language, read
from tools.classification.corpus import FOLDER
from yarrow_agents.divination import brief
from yarrow_agents.divination.brief import Brief
from yarrow_agents.divination.review import sentences_of
from yarrow_agents.divination.review.manner import Manner

CORPUS: Final = "model_texts"
TESTS: Final = Path(__file__).parents[2] / "tests/unit/yarrow_agents/divination/model_texts"
HELD_OUT: Final = "held_out"
_LANGUAGES: Final = {"zh": Language.SIMPLIFIED, "hant": Language.TRADITIONAL, "en": Language.ENGLISH}
_CLOCK: Final = {"divinationMethod": "手动起卦", "divinationTimeIso": "2026-04-03T20:30:00+08:00"}
_MARK: Final = re.compile(r"^\s*([+-])(?=\S)")
_MARKS: Final = {"+": Manner.GOOD, "-": Manner.BAD}
_SUFFIX: Final = re.compile("-(?:en|zh|hant)$")
_ENDED: Final = re.compile(r"[。！？.!?]\s*$")
_MANNERS: Final = {
    Manner.SELL: "advertisement contact sell pay ritual link",
    Manner.CRIME: "accuse accusation crime cheat law stake stakes violence leak jealousy",
    Manner.INSULT: "blame insult shame joke",
    Manner.DOOM: "doom death pressure bad",
    Manner.PROMISE: "consolation flattery odds overturn doubt promise secret order cantonese good quote",
    Manner.MEDICINE: "medicine",
    Manner.FATE: "fate",
    Manner.ITSELF: "itself topic",
}
_BY_KIND: Final = {kind: manner for manner, kinds in _MANNERS.items() for kind in kinds.split()}
_FACTS: Final = frozenset({"plate", "time", "foreign", "language", "emoji"})
"""Kinds that are wrong beside the facts alone: as sentences they have no manner of their own."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text. `manner` is None where it has none; `part` is learn, development or tests.

    Texts of one `scenario` may say the same in several languages.
    """

    text: str
    manner: str | None
    brief: Brief
    group: int
    scenario: str
    part: str
    is_hostile: bool

    @property
    def language(self) -> str:
        return "en" if self.brief.language is Language.ENGLISH else "zh"


def sentences_of_models() -> list[Sentence]:
    """Return the sentences of all texts that may be learnt from or measured on; one group a text."""
    found: list[Sentence] = []
    rows: list[tuple[str, Path, Path]] = []
    for part in ("learn", "development"):
        rows += [(part, path, FOLDER / CORPUS) for path in sorted((FOLDER / CORPUS / part).glob("*.txt"))]
    kept = (path for path in sorted(TESTS.glob("**/*.txt")) if HELD_OUT not in str(path.relative_to(TESTS)))
    rows += [("tests", path, TESTS) for path in kept if path.parent.name != "follow_up"]
    for part, path, folder in rows:
        for line in path.read_text(encoding="utf-8").splitlines():
            head, _, text = line.partition(": ")
            cast, _, kind = head.partition(" ")
            group = len(found)
            for sentence, manner, is_hostile in _labelled(text, kind, _briefs(folder)[cast]):
                scenario = _SUFFIX.sub("", cast)
                found.append(Sentence(sentence, manner, _briefs(folder)[cast], group, scenario, part, is_hostile))
    return found


def _labelled(text: str, kind: str, about: Brief) -> Iterator[tuple[str, str | None, bool]]:
    harmless, _, rest = text.rpartition("||")
    if not kind:
        yield from ((*_marked(sentence), False) for sentence in _sentences(rest))
        return
    if _ENDED.search(harmless):
        yield from ((*_marked(sentence), False) for sentence in _sentences(harmless))
        harmless = ""
    against = Manner.DOOM if about.favourable else Manner.PROMISE
    manner = None if kind in _FACTS else _BY_KIND.get(kind, against)
    yield from ((sentence, manner, True) for sentence in _sentences(harmless + rest))


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in sentences_of(text) if sentence.strip()]


def _marked(sentence: str) -> tuple[str, str]:
    mark = _MARK.match(sentence)
    return _MARK.sub("", sentence), _MARKS[mark[1]] if mark else Manner.ORDINARY


@cache
def _briefs(folder: Path) -> dict[str, Brief]:
    found = {}
    for load in json.loads((folder / "casts.json").read_text(encoding="utf-8")):
        members = _CLOCK | {name: value for name, value in load.items() if name not in ("name", "language")}
        divination = derive(DivinationPayload.model_validate(members))
        language = _LANGUAGES[load["language"]]
        found[load["name"]] = brief.of_cast(divination, read(divination, language=language), language)
    return found
