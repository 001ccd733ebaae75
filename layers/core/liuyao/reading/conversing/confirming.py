"""Yes, no or mixed, where a follow-up wants the answer as one."""

from liuyao.reading.answering.reasons import other_reason
from liuyao.reading.answering.replies import state, unwanted
from liuyao.reading.conversing.retold import statement, verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.pushed import Push, pushed
from liuyao.reading.question.text import Text


def confirmed(narrator: Narrator, plain: Narrator, text: Text) -> list[str]:
    """Yes, no or mixed first; then the answer in other words; `plain` says it in the first way."""
    voice = narrator.voice
    if narrator.careful or narrator.withholds:
        return [voice.sentence(voice.phrase("confirm withheld", told=voice.lowered(narrator.leaning())))]
    push, how = pushed(text, unwanted=unwanted(narrator)), state(narrator.judgement)
    told = statement(narrator) or verdict(narrator)
    if push is Push.EITHER:
        opened = _either(narrator, plain, how)
        return [opened, *_because(narrator)]
    return [voice.sentence(voice.phrase(f"confirm {push} {how}", told=voice.lowered(told))), *_because(narrator)]


def _either(narrator: Narrator, plain: Narrator, how: str) -> str:
    voice, inquiry = narrator.voice, narrator.judgement.inquiry
    decided = inquiry.asks is Asks.SHOULD and inquiry.stance.plain
    clear = inquiry.asks is Asks.WHETHER and inquiry.stance.plain and inquiry.stance.polarity is not Polarity.UNKNOWN
    if not (decided or clear):
        return voice.sentence(voice.phrase(f"either {how}", told=voice.lowered(verdict(plain))))
    told = statement(narrator)
    if told is None and not decided:
        return voice.sentence(verdict(narrator))
    told = told or verdict(narrator)
    key = f"either {'harm' if unwanted(narrator) else 'hope'} {how}"
    return voice.sentence(voice.phrase(key, told=voice.lowered(told)))


def _because(narrator: Narrator) -> list[str]:
    voice, reason = narrator.voice, other_reason(narrator)
    if not reason or narrator.of_health:
        return []
    key = "also for" if narrator.judgement.favourable else "also against"
    return [voice.sentence(voice.phrase(key, reason=reason))]
