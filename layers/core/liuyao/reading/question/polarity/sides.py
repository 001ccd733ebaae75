"""Whom an event is good for, where the asker's good is another's ill.

"Will they be rejected?" is a fear where they are the asker's own and a hope where they are a thief: the verb tells what
becomes of whom it is about (its patient), the words about the patient tell on whose side the asker is. What burdens the
asker is on the other side as well: a fine that is waived, a claim against me that is thrown out, a dog next door that
is taken away. So a polarity is composed of both. It needs neither where the asker tells it: by a wish ("I'm dreading
it", 真不想去), or by what it is to lead to ("so we go top").

A rival's fortune alone is nobody's guess. Where nothing of this is found, nothing is decided here. `sides_en` and
`sides_zh` have the words.
"""

import re
from types import ModuleType
from typing import Final, NamedTuple

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.polarity import sides_en, sides_zh, words_en, words_zh
from liuyao.reading.question.polarity.governing import Governed
from liuyao.reading.question.text import Expression, Text, pattern

_REACH: Final = 40
"""Characters from a verb to its object."""
_WHETHER: Final = Expression(r"(\w)[不没]\1")
"""会不会, 收不收 ask as 会, 收 do."""
_NOBODY: Final = Expression("(?!)")


class _Verbs(NamedTuple):
    """What befalls a subject, and what is done to an object."""

    of_subject: Expression
    of_object: Expression


def taken_sides(text: Text, asked: Asking) -> Governed | None:
    """What the asker's side makes of the clause that asks; None if it is not told."""
    side, words = (sides_zh, words_zh) if text.chinese else (sides_en, words_en)
    start, end = asked.clause
    clause = _WHETHER.sub(r"\1", text.folded[start:end].strip())
    before, after = text.folded[:start], text.folded[end:]
    return (
        _told(clause, before, after, side, words)
        or _befalling(clause, before, after, side)
        or _for_the_asker(clause, side, words)
    )


def _told(clause: str, before: str, after: str, side: ModuleType, words: ModuleType) -> Governed | None:
    """By what the asker says of it.

    What is not wanted is the event where it has the same verb (我不想离, 他会跟我离婚吗), or is told right behind it
    and is nothing that is feared for itself: "I don't want to lose her" behind "will she stay" is of another event.
    """
    feared = pattern((words.FEARED,))
    if side.PURPOSE.search(clause):
        return Governed(is_ill=False, denied=False)
    if side.UNWANTED.search(clause) or any(
        unwanted["deed"] in clause for told in (before, after) for unwanted in side.NOT_WANTED.finditer(told)
    ):
        return Governed(is_ill=True, denied=False)
    dread = side.DREAD.match(after)
    if dread and not feared.search(after, dread.end()):
        return Governed(is_ill=True, denied=False)
    if side.WISH.search(clause) and not feared.search(clause):
        return Governed(is_ill=False, denied=False)
    return None


def _befalling(clause: str, before: str, after: str, side: ModuleType) -> Governed | None:
    """By what befalls whom the asker is against, or by the end of what burdens the asker."""
    people = _Verbs(side.HARMED, side.HARMS), _Verbs(side.FAVOURED, side.FAVOURS)
    for patients, good, bad in (
        (side.FOES, *people),
        (side.BURDENS, _Verbs(side.ENDED, side.ENDS), None),
        (_meant(before, after, side), *people),
    ):
        for patient in patients.finditer(clause):
            if found := _fate(clause, patient.span(), good, bad, side):
                return found
    return None


def _meant(before: str, after: str, side: ModuleType) -> Expression:
    """Whom the clause may mean by what was told beside it."""
    if side.FOES.search(before):
        return side.THEY  # type: ignore[no-any-return] # one of a language's words
    return side.NEIGHBOURS if side.TOLD_HARM.search(before) or side.TOLD_HARM.search(after) else _NOBODY


def _fate(clause: str, patient: tuple[int, int], good: _Verbs, bad: _Verbs | None, side: ModuleType) -> Governed | None:
    """What becomes of what stands at a place; None if nothing does, or it is denied."""
    for is_ill, verbs in ((False, good), (True, bad)):
        done = verbs and _done(clause, patient, verbs, side)
        if done:
            denied = side.NOT.search(clause, 0, done.start())
            return None if denied else Governed(is_ill=is_ill, denied=False)
    return None


def _done(clause: str, patient: tuple[int, int], verbs: _Verbs, side: ModuleType) -> re.Match[str] | None:
    """The verb behind a subject, else the one before an object; none that is done to the asker."""
    start, end = patient
    reaching = (verb for verb in verbs.of_object.finditer(clause) if _reaches(clause, verb.end(), start, side))
    found = (verbs.of_subject.search(clause, end), next(reaching, None))
    return next((verb for verb in found if verb and side.ME.match(clause, verb.end()) is None), None)


def _reaches(clause: str, start: int, end: int, side: ModuleType) -> bool:
    """Whether a verb that ends at `start` has its object at `end`."""
    return 0 <= end - start <= _REACH and side.BETWEEN.search(clause, start, end) is None


def _for_the_asker(clause: str, side: ModuleType, words: ModuleType) -> Governed | None:
    """By what is done to the asker: a duty that falls to them, an ill that leaves them alone."""
    if side.NOT.search(clause):
        return None
    if side.RELEASES.search(clause):
        return Governed(is_ill=False, denied=False)
    if side.DUTY.search(clause) and side.FALLS_TO_ME.search(clause) and not pattern((words.RELIEF,)).search(clause):
        return Governed(is_ill=True, denied=False)
    if side.DONE_TO_ME.search(clause):
        return Governed(is_ill=True, denied=False)
    return None
