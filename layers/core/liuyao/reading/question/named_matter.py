"""The matter that a type or a question names."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.matters import BY_KEY, Matter
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.text import Expression, Text, pattern, read
from liuyao.reading.question.vocabulary import matters_en, matters_zh
from liuyao.reading.question.vocabulary.things import SHARES_A_HOME

LABELS: Final = {
    "work": "career",
    "test": "study",
    "home": "documents",
    "missing": "lost",
    "deal": "partner",
    "birth": "pregnancy",
}
"""Words that name a matter when they stand alone, as a question's type does, and may mean anything in a sentence."""


def matter_of_type(question_type: str) -> Matter | None:
    """Return the matter that a question's type names."""
    text = read(question_type.strip())
    key = LABELS.get(text.folded.strip()) or _words(text.chinese).get(text.folded.strip())
    if key is None:
        # Of the names in it the longest; of equals, the first.
        named = max(_names(text.chinese).findall(text.folded), key=len, default="")
        key = _key(named, text.chinese) or _telling(text.folded, chinese=text.chinese)
    return BY_KEY[key] if key else None


def matter_told(text: Text, asked: Asking, people: Sequence[Mention]) -> Matter | None:
    """The matter that a question's own words tell: those of the clause that asks before the others."""
    named = [item for item in people if item.role in (Role.WIFE, Role.HUSBAND, Role.BELOVED)]
    masked = list(text.folded)
    # The words of a house-mate name no house.
    for item in (*named, *(item for item in people if _SHARES_A_HOME.search(text.folded, item.start, item.end))):
        masked[item.start : item.end] = "□" * (item.end - item.start)
    folded = "".join(masked)
    places = (asked.clause, asked.sentence, (0, len(folded)))
    parts = dict.fromkeys(folded[start:end].strip(" ?？。！!.") for start, end in places)
    key = next((key for part in parts if (key := _telling(part, chinese=text.chinese))), None)
    if key is None and any(item.role is Role.BELOVED or _courted(text, item) for item in named):
        key = "love"
    if key is None:
        name = _names(text.chinese).search(folded if any(_SHARES_A_HOME.finditer(text.folded)) else text.folded)
        key = _key(name[0], text.chinese) if name else None
    return BY_KEY[key] if key else None


def _courted(text: Text, each: Mention) -> bool:
    """A partner to whom one is not married."""
    return not each.through and _COURTED.search(text.folded[each.start : each.end]) is not None


_SHARES_A_HOME: Final = Expression(SHARES_A_HOME)
_COURTED: Final = Expression(r"友|朋|对象|前|未婚|friend|fianc|ex\b|[bg]f\b")


def _telling(folded: str, *, chinese: bool) -> str | None:
    table = matters_zh.TELLING if chinese else matters_en.TELLING
    return next((key for key, expression in table if pattern((expression,)).search(folded)), None)


@cache
def _words(chinese: bool) -> dict[str, str]:
    table = matters_zh.WORDS if chinese else matters_en.WORDS
    return {word: key for key, words in table.items() for word in words}


@cache
def _names(chinese: bool) -> re.Pattern[str]:
    words = pattern(tuple(_words(chinese)))
    return words if chinese else re.compile(rf"\b(?:{words.pattern})(?:e?s)?\b")


def _key(word: str, chinese: bool) -> str | None:
    words = _words(chinese)
    return words.get(word) or words.get(word[:-1]) or words.get(word[:-2])


def matter_turned_to(text: Text) -> Matter | None:
    """Return the matter that a follow-up turns to, named plainly: 那财运呢."""
    turns = _TURNS_ZH if text.chinese else _TURNS_EN
    key = next((key for key, words in turns.items() if pattern((words,)).search(text.folded)), None)
    return BY_KEY[key] if key else None


_TURNS_ZH: Final = {
    "pregnancy": "怀孕|怀上|备孕",
    "children": "子女",
    "career": "事业|工作|升职|跳槽",
    "study": "学业|考试|学习",
    "debt": "借款|欠款|债务|借的钱|欠的钱",
    "wealth": "财运|求财|投资|生意|财务|收入|薪[水资酬]|工资|待遇|奖金",
    "love": "感情|婚姻|恋爱|桃花|姻缘",
    "health": "健康|身体",
    "journey": "出行|旅行",
    "lawsuit": "官司|诉讼",
    "permit": "签证|证件",
    "dwelling": "风水|搬家|家宅",
    "documents": "房产|合同|房子|买房|卖房",
    "pets": "宠物",
}
_TURNS_EN: Final = {
    "pregnancy": r"\bpregnan(?:cy|t)\b",
    "love": r"\b(?:love life|love|marriage|relationships?)\b",
    "children": r"\bchildren\b",
    "career": r"\b(?:careers?|jobs?)\b",
    "study": r"\b(?:exams?|studies)\b",
    "debt": r"\b(?:debts?|loans?)\b",
    "wealth": r"\b(?:money|financ\w+|investments?|salary|wages?|bonus|the pay|pay (?:be|go|rise))\b",
    "health": r"\bhealth\b",
    "journey": r"\b(?:journey|trip|travel)\b",
    "lawsuit": r"\blawsuit\b",
    "permit": r"\bvisa\b",
    "dwelling": r"\bfeng ?shui\b",
    "documents": r"\b(?:contract|property)\b",
    "pets": r"\bpets?\b",
}
