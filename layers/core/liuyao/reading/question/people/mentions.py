"""Finds the people a text names, with the kinship of one through another (儿子的女朋友, "my wife's sister")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from liuyao.reading.question.people import words_en, words_zh
from liuyao.reading.question.people.roles import Role, of
from liuyao.reading.question.text import Expression, Text, pattern

_OWNED_ZH: Final = Expression(r"(?:家里?|自己|亲|[他她])?的?(?:那个|这个|现在的?|新)?$")
_OWNED_EN: Final = Expression(r"(?:'s?) (?:[a-z]+ )?$")
_PLAIN: Final = Expression(r"[\w' -]+$")
_JOBS: Final = Expression(r"[当做考招聘雇选]$|应聘$|成为$|像$")
_ONESELF: Final = Expression(r"(?:我是|本人|我一?个|(?:as|i am|i'm) an? (?:\w+ )?)[一个位名的]{0,2}$")
_ROLES_OF_JOBS: Final = frozenset({Role.SERVANT, Role.SUPERIOR, Role.HEALER})
_PARTS_OF_WORDS_EN: Final = Expression(
    r" (?:food|bites?|doctorate|degree|shower|care|sitter|sitting|insurance|fund|account|transfer|loan|"
    r"statement|visa|night|line)\b"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody named at a place of the folded text."""

    role: Role
    start: int
    end: int
    through: bool = False
    """Named through somebody else: 儿子的女朋友."""


def mentions(text: Text) -> list[Mention]:
    """The people named, in order. A pronoun is none."""
    return _joined(_found(text), text)


def _found(text: Text) -> list[Mention]:
    found: list[Mention] = []
    if text.chinese:
        for role, expression in _expressions():
            found += [Mention(role, *match.span()) for match in expression.finditer(text.folded)]
    found += _spelled(text)
    # Of those that overlap, the first and longest; of equals, a relation told by what stands around (请的阿姨).
    found.sort(key=lambda item: (item.start, -item.end, item.role is Role.STRANGER))
    apart: list[Mention] = []
    for item in found:
        if (not apart or item.start >= apart[-1].end) and not _is_other(item, text):
            owned = apart and text.folded[apart[-1].end : item.start] in ("", "的")
            apart.append(replace(item, role=Role.STRANGER) if not owned and _is_unrelated(item, text) else item)
    return apart


def _spelled(text: Text) -> Iterator[Mention]:
    words, roles = _words(text.chinese)
    for match in words.finditer(text.folded):
        word = match[0]
        role = roles.get(word) or roles.get(word[:-1]) or roles[word[:-2]]
        yield Mention(role, *match.span())


def _is_other(each: Mention, text: Text) -> bool:
    """Whether the word names a job or is part of another word."""
    if each.role in (Role.GIRL, Role.BOY) and _ONESELF.search(text.folded[max(0, each.start - 12) : each.start]):
        return True
    if text.chinese:
        return (
            each.role in _ROLES_OF_JOBS and _JOBS.search(text.folded[max(0, each.start - 3) : each.start]) is not None
        )
    return _PARTS_OF_WORDS_EN.match(text.folded[each.end : each.end + 16]) is not None


_UNRELATED: Final = Expression(
    r"(?:那[个位]|这[个位]|[^我你他她们家爸妈公婆哥弟姐妹叔]的|[卖开收送扫修跳唱做]\w{1,4}的?)(?:那[个位]|这[个位])?$"
)
_HONORIFIC: Final = Expression(
    r"(?:大[姐哥叔妈爷娘伯]|阿姨|叔叔|小[弟妹]|老人家?|老太太|老爷爷|老奶奶|伯伯|婆婆|爷爷|奶奶)$"
)


def _is_unrelated(each: Mention, text: Text) -> bool:
    """Whether a word of kin is a form of address: 卖鸡蛋的大姐, 那位叔叔."""
    return (
        text.chinese
        and each.role in (Role.ELDER, Role.SIBLING, Role.SISTER)
        and _HONORIFIC.search(text.folded, each.start, each.end) is not None
        and _UNRELATED.search(text.folded[max(0, each.start - 8) : each.start]) is not None
    )


def _joined(found: list[Mention], text: Text) -> list[Mention]:
    owned = _OWNED_ZH if text.chinese else _OWNED_EN
    joined: list[Mention] = []
    for item in found:
        last = joined[-1] if joined else None
        between = text.folded[last.end : item.start] if last else ""
        if last and len(between) <= 12 and owned.match(between) and (between or _may_adjoin(last, item)):
            # 二叔家的堂弟 is the asker's own cousin.
            own = text.folded.startswith(("堂", "表", "cousin"), item.start)
            role = item.role if own else of(last.role, item.role)
            joined[-1] = Mention(role, last.start, item.end, through=True)
        else:
            joined.append(item)
    return joined


def _may_adjoin(owner: Mention, each: Mention) -> bool:
    # 爸爸妈妈, 老婆孩子 are two, 我妈妹妹 and 儿子女朋友 are one.
    return owner.role is not each.role and (owner.role, each.role) not in {
        (Role.WIFE, Role.CHILD),
        (Role.HUSBAND, Role.CHILD),
        (Role.SIBLING, Role.SISTER),
        (Role.SISTER, Role.SIBLING),
        (Role.CHILD, Role.ELDER),
    }


@cache
def _words(chinese: bool) -> tuple[re.Pattern[str], dict[str, Role]]:
    kin = words_zh.KIN if chinese else words_en.KIN
    roles = {word: role for role, words in kin.items() for word in words if _PLAIN.match(word)}
    if chinese:
        return pattern(tuple(roles)), roles
    return re.compile(rf"\b(?:{pattern(tuple(roles)).pattern})(?:e?s)?\b"), roles


@cache
def _expressions() -> tuple[tuple[Role, re.Pattern[str]], ...]:
    kin = words_zh.KIN.items()
    return tuple((role, re.compile(word)) for role, words in kin for word in words if not _PLAIN.match(word))
