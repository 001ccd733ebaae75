"""The first question with what a follow-up puts right: 我儿子能考上吗, 说错了，是我女儿."""

import re
from typing import Final

from liuyao.reading.question.later_times import later_time
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.text import Expression, Text, read

_PAIRS: Final = (
    Expression(
        r"(?:不是|并非)(?:我?问|我?要)?(?P<old>[^，,。！!]{1,12}?)(?:[，,。！! ]|啦|呀)+(?:而|而且|我?问的|"
        r"我?要|其实|应该)?是?(?P<new>[^，,。！!是不]{1,12})"
    ),
    Expression(
        r"(?:是|问的是|指的是|说的是|是要)(?:问)?(?P<new>[^，,。！!是不]{1,12})[，,]?(?:而|"
        r"并)?不是(?:要)?(?P<old>[^，,。！!]{1,12})"
    ),
    Expression(
        r"\bnot (?:for |about |an? |the )?(?P<old>[^,.;!?]{2,30}?)[,;.]? (?:but|it's|it is|i meant|i mean|"
        r"its) (?:for |about )?(?P<new>[^,.;!?]{2,40})"
    ),
    Expression(
        r"\b(?:meant|mean|it's|it is|i'm|we're|asking|asked|this is|that's)(?: to say)? (?:for |about |"
        r"on )?(?P<new>[^,.;!?]{2,40}?),? (?:and )?not (?:for |about |an? )?(?P<old>[^,.;!?]{2,30})"
    ),
    Expression(
        r"\b(?:isn't|it's not|is not|wasn't) (?:for |about |an? |the )?(?P<old>[^,.;!?]{2,30}?),? (?:it's|"
        r"it is|but) (?:for |about )?(?P<new>[^,.;!?]{2,40})"
    ),
)
_ONES: Final = (
    Expression(
        r"(?:其实是|应该是|我问的是|问的是|指的是|说的是|我是说|我是问|的意思是|是帮|是替|"
        r"更正一?下?[，,：:]?是?|(?<!不)是)(?P<new>[^，,。！!是不]{1,14})"
    ),
    Expression(
        r"\b(?:i meant?|it's|it is|about|this is|asking for|correction:?|applying is|make that|"
        r"oops,?) (?:about |for |actually )?(?P<new>[^,.;!?]{2,40})"
    ),
)
_LONGEST_NAME: Final = 4
_SELVES: Final = "我你他她会能要考去"
_PREPOSITION: Final = re.compile(r"^(?:in|on|at|over|during|within|for|by|until|till) ", re.IGNORECASE)
_TAIL: Final = Expression(r"(?:才对|哦|喔|啦|的事|的|问的|要去|呢|啊)$| (?:instead|please|actually|who .*|that .*)$")
_LEAD: Final = Expression(r"^(?:要|问|我要|我问|我想问|actually |really |about )")
_SELF_ZH: Final = Expression(r"^我(?!们|和|跟|与|的)")
_SELF_EN: Final = Expression(r"\b(?:will|can|could|should|would) i\b")
_NAME: Final = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*\b(?!')")
"""A name in English, of a place or a person."""
_ARTICLE: Final = re.compile(r"^(?:an? |the |my |our )", re.IGNORECASE)
_DETERMINED: Final = re.compile(r"\b(?:an?|the|my|our) $", re.IGNORECASE)
_EVENT: Final = Expression(
    r"试|面试|合同|合约|签|官司|贷款|买|卖|租|手术|工作|生意|旅|搬|店|\b(?:interview|exam|test|audition|"
    r"contract|loan|trial|trip|move|sale|purchase|operation|job|shop|application|match)\b"
)


def corrected(question: str, told: str) -> tuple[str, str] | None:
    """Return the first question as it was meant, and what was put right, in the user's words; None if it stays."""
    first, text = read(question), read(told)
    if not (first.verbatim and text.verbatim) or first.chinese is not text.chinese:
        return _of_standard(first, text)
    if dated := _dated(question, first, text):
        return dated
    old, new = _told(text)
    if new is None:
        return None
    return _with(_replaced(question, first, old, new), new)


def _dated(question: str, first: Text, text: Text) -> tuple[str, str] | None:
    """The first question with another time, where both name one: 五一去西藏好吗, 改成十一去了."""
    then, now = later_time(first), later_time(text)
    if then is None or now is None or not then.words or not now.words or mentions(text):
        return None
    old, new = (_PREPOSITION.sub("", time.words) for time in (then, now))
    at = question.lower().find(old.lower())
    if at < 0 or old.lower() == new.lower():
        return None
    return question[:at] + new + question[at + len(old) :], new


def _with(question: str | None, new: str) -> tuple[str, str] | None:
    return None if question is None else (question, new)


def _of_standard(first: Text, text: Text) -> tuple[str, str] | None:
    """The same of a Cantonese text, in standard Chinese."""
    if first.chinese is not text.chinese:
        return None
    old, new = _told(text)
    return None if new is None else _with(_replaced(first.folded, read(first.folded), old, new), new)


def _told(text: Text) -> tuple[str | None, str | None]:
    """What was wrong, if it is told, and what is right."""
    for expression in (*_PAIRS, *_ONES):
        if match := expression.search(text.folded):
            groups = match.groupdict()
            right = _trimmed(text.words(*match.span("new")) if text.verbatim else match["new"])
            wrong = _trimmed(text.words(*match.span("old"))) if groups.get("old") else None
            return wrong, right or None
    people = mentions(text)
    return (None, _named(text, people[0])) if people else (None, None)


def _trimmed(words: str) -> str:
    words = _LEAD.sub("", words.strip())
    return _TAIL.sub("", words).strip()


def _replaced(question: str, first: Text, old: str | None, new: str) -> str | None:
    if old and (at := question.lower().find(old.lower())) >= 0:
        if _DETERMINED.search(question[:at]):
            new = _ARTICLE.sub("", new)
        return question[:at] + new + question[at + len(old) :]
    people, named = mentions(first), mentions(read(new))
    if named:
        if people:
            start, end = _span(first, people[0])
            return question[:start] + _without_thing(new, question[end:]) + question[end:]
        if first.chinese and _SELF_ZH.search(first.folded):
            return new + question[1:]
        if not first.chinese and (match := _SELF_EN.search(first.folded)):
            return question[: match.end() - 1] + new + question[match.end() :]
        return None
    if not first.chinese and _NAME.match(new) and (names := list(_NAME.finditer(question[1:]))):
        at, end = names[-1].start() + 1, names[-1].end() + 1
        return question[:at] + new + question[end:]
    if first.chinese and (alike := _alike(question, new)):
        return question.replace(alike, new, 1)
    if not _EVENT.search(new.lower()):
        return None
    if first.chinese:
        return f"{new}顺利吗"
    return f"Will the {_ARTICLE.sub('', new)} go well?"


def _alike(question: str, new: str) -> str | None:
    """What of the question ends as what is put right does: 一中 for 二中."""
    size = len(new)
    if not 2 <= size <= _LONGEST_NAME:
        return None
    parts = (question[at : at + size] for at in range(len(question) - size + 1))
    return next((part for part in parts if part[-1] == new[-1] and part != new and part[0] not in _SELVES), None)


def _without_thing(new: str, rest: str) -> str:
    """我弟弟的工作 before 的工作稳吗 is 我弟弟."""
    owner, of, thing = new.rpartition("的")
    return owner if of and rest.startswith(f"的{thing}") else new


def _span(text: Text, mention: Mention) -> tuple[int, int]:
    """The place of a person with the word for whose they are."""
    before = text.folded[: mention.start]
    owner = re.search(r"我(?:的|家)?$|\b(?:my|our|the) (?:[a-z]+ )?$", before)
    return (owner.start() if owner else mention.start), mention.end


def _named(text: Text, mention: Mention) -> str:
    start, end = _span(text, mention)
    return text.words(start, end) if text.verbatim else text.folded[start:end]
