"""The answer to a doubt: the judgement read again, what carries it and what speaks against it, and the user's fact."""

from typing import Final

from liuyao.reading.answering.reasons import plain_reasons
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import sureness
from liuyao.reading.question.mentioned import of_another_reading
from liuyao.reading.question.plans import fact_told
from liuyao.reading.question.text import Expression, Text

_WHICH: Final = Expression(r"[信听]哪|以哪|哪[一]?(?:个|次|卦)(?:准|对|算)|\bwhich (?:one )?(?:is|should|do|to|of)\b")
"""Asks which of two casts to go by."""
_LONGEST: Final = 110
"""Characters of an answer that are quoted."""


def doubted(narrator: Narrator, first: Narrator, text: Text) -> list[str]:
    """Answer a doubt; `first` words the answer as the reading did, for it to be quoted."""
    voice = narrator.voice
    if of_another_reading(text):
        told = voice.sentence(voice.phrase("doubt other reading"))
        if narrator.is_guarded:
            return [told]
        if _WHICH.search(text.folded):
            told = f"{voice.sentence(voice.phrase('doubt first cast'))}"
        stands = voice.phrase("doubt stands", told=voice.lowered(verdict(narrator)))
        return [told, voice.sentence(stands), *_weighed(narrator)[:1]]
    fact = voice.own_words(fact_told(text))
    if narrator.is_guarded:
        own = voice.phrase("doubt fact", fact=fact) if fact else voice.phrase("doubt no proof")
        return [voice.sentence(own), voice.sentence(voice.phrase("doubt adviser", who=narrator.adviser_named))]
    said = voice.own_words(verdict(first))
    how = sureness(narrator.judgement)
    quoted = said if said and len(said) <= _LONGEST else None
    opening = voice.phrase(f"doubt {how}", said=quoted) if quoted else voice.phrase(f"doubt {how} unquoted")
    sentences = [voice.sentence(opening)]
    if fact:
        sentences.insert(0, voice.sentence(voice.phrase("doubt fact", fact=fact)))
    return [*sentences, *_weighed(narrator)]


def _weighed(narrator: Narrator) -> list[str]:
    """The weightiest reason of the verdict, and the one against it or that there is none."""
    voice, judgement = narrator.voice, narrator.judgement
    sign = 1 if judgement.favourable else -1
    told = []
    for side, key in ((sign, "doubt because"), (-sign, "doubt against")):
        reasons = [reason for reason in judgement.reasons if reason.weight * side > 0]
        reasons = [reason for reason in reasons if not narrator.is_of_illness(reason)]
        if not reasons:
            told.append(voice.sentence(voice.phrase(f"{key} nothing")))
            continue
        best = max(reasons, key=lambda reason: (reason is judgement.decided_by, reason.prominence))
        told.append(voice.sentence(voice.phrase(key, reason=plain_reasons(narrator, [best], side))))
    return told
