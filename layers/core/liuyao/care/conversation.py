"""Whether a cast that is asked for in a conversation gets a reading (CARE-01 … CARE-06).

The conversation itself says what was asked before; nothing is kept of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from liuyao.care.assessment import assess
from liuyao.care.kinds import LASTING, Caution, Kind
from liuyao.reading.question.inquiry import inquire


@dataclass(frozen=True, slots=True)
class Decision:
    """`declined` is the kind that is answered instead of a cast, and `words` the text that has it; `is_new` if it was
    said now. `noted`: the reading ends with help lines.
    """

    declined: Kind | None
    is_new: bool
    noted: bool
    cautions: frozenset[Caution]
    words: str


def decide(question: str, messages: Sequence[str], earlier: Iterable[str]) -> Decision:
    """Decide about a question; `messages` are the user's of now, `earlier` those before."""
    texts = [question, *messages]
    found = assess(texts)
    if found.kind is not None:
        words = next(text for text in texts if assess([text]).kind is found.kind)
        return Decision(found.kind, is_new=True, noted=False, cautions=found.cautions, words=words)
    prior = assess(earlier).kind
    lasts = prior in LASTING
    vague = lasts and inquire("", question).matter.key == "general"
    return Decision(prior if vague else None, False, lasts and not vague, found.cautions, question)
