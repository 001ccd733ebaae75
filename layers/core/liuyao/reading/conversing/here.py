"""What a term that a follow-up asks about amounts to in its own cast: whether a reason of the judgement is of it."""

import re
from typing import Final

from liuyao.reading.answering.reasons import plain_reasons
from liuyao.reading.contributions import Contribution
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.text import Text

_MARKS: Final = (
    (re.compile(r"空|\bvoid\b|\bempty\b"), "空"),
    (re.compile(r"冲|\bclash"), "冲"),
    (re.compile(r"合|\bcombin"), "合"),
    (re.compile(r"持世"), "持世"),
    (re.compile(r"破|\bbroken?\b"), "破"),
    (re.compile(r"墓|\btomb"), "墓"),
    (re.compile(r"绝|\bextinct"), "绝"),
    (re.compile(r"退|\bretreat"), "退"),
    (re.compile(r"进|\badvanc"), "进"),
    (re.compile(r"克|\bovercom"), "克"),
    (re.compile(r"生|\bfeed|\bfed\b"), "生"),
    (re.compile(r"伏|\bhidden"), "伏"),
    (re.compile(r"元神|\bsource line"), "元神"),
    (re.compile(r"忌神|\bopposing line"), "忌神"),
    (re.compile(r"世爻|\basker's line|\bself line"), "世"),
    (re.compile(r"应爻|\bother side's line"), "应"),
    (re.compile(r"月|\bmonth"), "月"),
    (re.compile(r"日辰|\bday ruler"), "日"),
)
"""What a follow-up calls a term by, and what the reason's term has of it."""


def terms_here(narrator: Narrator, text: Text) -> list[str]:
    """Say what the term does in this cast: the reason that is of it, else that nothing turns on it here."""
    voice = narrator.voice
    if narrator.withholds or narrator.of_health:
        return []
    mark = next((mark for words, mark in _MARKS if words.search(text.folded)), None)
    if mark is None:
        return []
    found = [reason for reason in narrator.judgement.reasons if mark in reason.term and reason.weight]
    if not found:
        return [voice.sentence(voice.phrase("term not here"))]
    best = max(found, key=lambda reason: reason.prominence)
    return [voice.sentence(voice.phrase("term here", reason=_plain(narrator, best)))]


def _plain(narrator: Narrator, reason: Contribution) -> str:
    return plain_reasons(narrator, [reason], 1 if reason.weight > 0 else -1)
