"""Whether a sentence names a time that is not among the facts (CARE-09): the dates of a reading are the rules' alone.

A promise lives on its date (今晚, 年底前, "before the week is over"); an explanation of the cast needs none. Advice may
need some ("give her a few days", 考前一天): what is no deadline is weighed beside all else that a sentence says.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE
from yarrow_agents.divination.review.folds import fold

_CHINESE: Final = re.compile(
    "[今明昨]晚|今夜|今[早日]|今天|明[天日早]|大?[后前]天|昨[天日夜]|隔天|当[周晚]|当天[就便]|明年|[后来去前]年|年[底初前末中内]|岁末"
    "|月[底初末中]|开春|入[春夏秋冬]|[过到等][了到]?[春夏秋冬]|[春夏秋冬]天?[之以]?[前后里]|周末|[周星期礼拜]{1,2}[一二三四五六日天]"
    "|[上下]个?(?:周|月(?![令建支破])|星期|礼拜|季)|本[周月]|春节|过年|除夕|元旦|中秋|国庆|端午|圣诞|早上|上午|中午|下午|傍晚|晚上|半夜|夜里"
    "|凌晨|天[亮黑]|(?<!这)[二两三四五六七八九十百几数半多][来几]?个?(?:天|周|星期|礼拜|月|年|小时|钟头|分钟|季)(?![干令建破柱支])"
    "|一个?(?:周|星期|礼拜|月|年|小时|季度)|一[天日]之?内|天之内"
)
_ENGLISH: Final = re.compile(
    r" (?:tonight|tomorrow|yesterday|weekend|(?:next|this|last|coming|every) "
    r"(?:week|morning|afternoon|evening|night|autumn|spring|summer|winter|fall)|next (?:month|year|day|time)"
    r"|(?:the|a|one|of) week|(?:by|before|until|within) the (?:day is|year|end of|week|night|morning|holidays)"
    r"|(?<! at the )end of the \w+"
    r"|(?:within|in|after|inside) (?:a|an|one) (?:hour|day|week|month|year)"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten) (?:hour|day|week|month|year)s?"
    r"|by (?:autumn|spring|summer|winter|fall|christmas|then you|noon|dawn)|midnight|last (?:month|year))(?= )"
)
_NOT: Final = re.compile("不|别|未|没")
_OF_THE_DAY: Final = re.compile("今[天日].{0,6}(?:[压克冲合旺弱]|日辰|底气|助力|阻力|使力|出力)")
"""How the forces of the day of the cast are."""

_DEADLINE: Final = re.compile(
    "[底初末前内]|春|夏|秋|冬|岁末|[今明当].*[晚夜]|年|[一二三四五六七八九十]月|[周期拜][一二三四五六日天]|节|除夕|元旦|中秋|国庆|端午|圣诞"
    "|^(?:by|before|until|within|in|after|inside|end|midnight|tonight|tomorrow|next|coming) ?"
)
"""A time by which something may be said to happen."""


def deadlines(text: str, known: str) -> Iterator[str]:
    """Yield the deadlines among the times of a sentence that the folded facts lack."""
    return (time for time in strange(text, known) if _DEADLINE.search(time))


def strange(text: str, known: str) -> Iterator[str]:
    """Yield times of a sentence that the folded facts lack, except one that its clause denies (不是几天就能…)."""
    folded = fold(text)
    for clause in folded.chinese.split(CLAUSE) if folded.chinese else ():
        for match in _CHINESE.finditer(clause):
            denied = _NOT.search(clause[: match.start()]) or _OF_THE_DAY.match(clause, match.start())
            if match[0] not in known and not denied:
                yield match[0]
    for match in _ENGLISH.finditer(folded.english):
        if match[0].strip() not in known:
            yield match[0].strip()
