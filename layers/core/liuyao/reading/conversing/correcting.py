"""A correction: the first question is read again as it was meant, from the same cast."""

from collections.abc import Callable

from liuyao.divination import Divination
from liuyao.reading.answering.direct_answer import direct_answer
from liuyao.reading.conversing.retold import bare, verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.corrected import corrected
from liuyao.reading.question.inquiry import Inquiry, inquire

NarratorOf = Callable[[Divination, Inquiry], Narrator]
"""Makes the narrator of an inquiry and of a divination with its question."""


def put_right(narrator: Narrator, told: str, again: NarratorOf, grounds: list[str]) -> list[str]:
    """Answer the first question as a correction has it; else say that what is read stays the same."""
    divination, voice = narrator.divination, narrator.voice
    meant_as = corrected(divination.question, told)
    first = narrator.judgement.focus.at
    if meant_as is None:
        line = voice.line(first)
        grounds.append(voice.sentence(voice.phrase("corrected line same", line=line)))
        return [voice.sentence(voice.phrase("corrected same", told=voice.lowered(verdict(narrator))))]
    question, right = meant_as
    meant = again(divination.model_copy(update={"question": question}), inquire(divination.question_type, question))
    opening, *rest = direct_answer(meant, restating=False)
    line = voice.line(meant.judgement.focus.at)
    key = "corrected line same" if meant.judgement.focus.at == first else "corrected line"
    grounds.append(voice.sentence(voice.phrase(key, line=line)))
    named, told = voice.own_words(right), voice.lowered(bare(opening))
    put = voice.phrase("corrected", right=named, told=told) if named else voice.phrase("corrected unnamed", told=told)
    return [voice.sentence(put), *rest]
