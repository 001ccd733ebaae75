"""Why the answer is as it is, and what stands in the way: the reasons of the judgement, in plain words and in terms."""

import re
from typing import Final

from liuyao.reading.answering.reasons import other_reason, plain_reasons, why
from liuyao.reading.conversing.further import more_told
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.polarity import Polarity

_MOST_OBSTACLES: Final = 3
_WHY_NOT: Final = re.compile(r"不|没|唔|\bnot\b|n't\b|\bno\b")
"""Takes the answer for a no."""


def obstacles_told(narrator: Narrator, grounds: list[str]) -> list[str]:
    """What is against it, the weightiest first."""
    voice = narrator.voice
    against = [reason for reason in narrator.judgement.reasons if reason.weight < 0]
    if not against:
        return [voice.sentence(voice.phrase("obstacles none"))]
    worst = sorted(against, key=lambda reason: reason.weight)[:_MOST_OBSTACLES]
    grounds.append(narrator.told(worst[:1]))
    return [voice.sentence(voice.phrase("obstacles", reasons=plain_reasons(narrator, worst, -1)))]


def why_told(narrator: Narrator, told: FollowUp, turn: Turn, grounds: list[str]) -> list[str]:
    """What decides the answer, and what else bears it out."""
    voice, judgement = narrator.voice, narrator.judgement
    sign = 1 if judgement.favourable else -1
    deciding = [reason for reason in judgement.reasons if reason.weight * sign > 0]
    if not deciding:
        return more_told(narrator, grounds)
    deciding.sort(key=lambda reason: (reason is not judgement.decided_by, -reason.prominence))
    grounds += [narrator.choice(), narrator.told(deciding[:1])]
    key = _key(told, turn, favourable=sign > 0)
    reasons = why(narrator, bare=True) or plain_reasons(narrator, deciding[:1], sign)
    answer = [voice.sentence(voice.phrase(key, reasons=reasons))]
    further = other_reason(narrator)
    if further and not narrator.of_health and further not in answer[0]:
        answer.append(voice.sentence(voice.phrase("also for" if sign > 0 else "also against", reason=further)))
    return answer


def _key(told: FollowUp, turn: Turn, *, favourable: bool) -> str:
    """How the reasons are introduced: of what is feared, of a good that is asked why not, of the rest."""
    if turn.asked.stance.polarity is Polarity.UNWANTED and not told.turned:
        return "why feared well" if favourable else "why feared ill"
    if favourable and _WHY_NOT.search(turn.text.folded):
        return "why well after all"
    return "why well" if favourable else "why ill"
