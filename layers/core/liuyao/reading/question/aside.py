"""What a follow-up asks that is no question of the cast's matter: a fact, a fault, words of the reading, a new cast."""

import re
from typing import Final

from liuyao.reading.question.text import Expression, Text

_FACT: Final = Expression(
    r"\bwh(?:at|ich)(?:'s| is| are| was| were) (?:the )?(?:[a-z-]+ ){1,3}(?:of|in|for|between) \w|"
    r"\bwho (?:is the [a-z ]+ of|won|wrote|invented|discovered|painted|built|composed|sang|directed|founded)\b|"
    r"\bhow (?:tall|high|deep|old|far|big|hot|cold|heavy|fast|many [a-z]+) "
    r"(?:is|are|was|does|do|did|has|have) (?!it|this)|"
    r"\bwhere (?:is|are|was) (?:the )?[a-z]+\?*$|\bwhat(?:'s| is) (?:\d|the (?:weather|temperature|time)\b)|"
    r"首都|人口|总统|首相|面积|海拔|气温|几[多]?度|多少度|汇率|最[高大长深快小]的(?:山|河|国|城|海|湖|楼|动物)|"
    r"谁(?:写|发明|赢|发现|画|唱|演|建|导演|创立)了?|(?:现在)?几点[了钟]?[吗呢?？]*$|等于(?:几|多少)|"
    r"英[文语](?:怎么|是)|哪一?年(?:成立|建|发明|出生)"
)
"""Asks for what is known, and may be looked up."""
_OF_SOMEBODY: Final = Expression(
    r"\b(?:i|me|my|mine|we|us|our|you|your|he|him|his|she|her|they|them|their|it|this|that|these|those|will|would|"
    r"should|casts?|readings?|lines?|hexagrams?|chances?|odds|answer|meaning|outcome|reason|matter|trend|direction)\b|"
    r"[我你您他她它咱这卦爻签]|对方|会|该|要不要|机会|结果"
)
"""What is of the asker, of the reading or yet to come, and no fact."""
_CONTENT: Final = re.compile(r"[a-z]{4,}")
_FAULT: Final = Expression(
    r"\b(?:my|our) (?:own )?fault\b|\b(?:am i|are we|is it me) (?:to blame|the problem)\b|\bblame me\b|"
    r"\bdid i (?:do (?:something|anything) wrong|cause (?:it|this)|mess (?:it|this) up)\b|"
    r"我的?(?:错|过错|责任)|怪我(?!的?家)|我做错|我不好(?=[吗么]|$)|我害的|因为我(?=[吗么]|$)"
)
_ASKS_AGAIN: Final = Expression(r"再(?:来)?(?:问|占|卜|起|算)(?:多?一[次遍卦]|多次|同样|同一|一样|这)")
_CONFRONTS: Final = Expression(
    r"\b(?:confront|ask|talk to|speak to|face) (?:him|her|them|my \w+)\b|\bbring it up\b|\bhave it out\b|"
    r"摊牌|对质|当面|问清楚|直接问|问(?:一?问)?(?:他|她|对方|老公|老婆)|[跟和][他她对老][^，]{0,4}(?:谈|说清|讲清)"
)
_SPIES: Final = Expression(
    r"[看查翻偷](?:看|查)?[他她老对][^，]{0,4}(?:手机|电话|聊天|微信|信息|行踪)|跟踪|"
    r"\b(?:check|read|go through|look (?:at|through)) (?:his|her|their) (?:phone|messages|texts|emails?|mail)\b|"
    r"\b(?:spy on|follow|track) (?:him|her|them)\b"
)
_OTHER_ONE: Final = Expression(
    r"\bthe other (?:one|option|offer|choice|thing|way)\b|另一[个边家份条]|另外一[个边家份条]|第二个|后一[个种]"
)
_QUOTED: Final = re.compile(r"[“\"「『‘]([^”\"」』’]{2,30})[”\"」』’]")
_RECALLED: Final = Expression(
    r"\byou (?:said|say|wrote|mentioned|told me)(?: that| it was)? (?P<said>[^,.?!]{4,60}?)[,.;]? (?:but |and |so )?"
    r"(?:what|how) (?:do|does|did|is|are|exactly)\b[^?]*\bmean|"
    r"\bwhat (?:do|did|does) (?:you|it|the reading) mean (?:by|with) (?P<by>[^,.?!]{3,60})|"
    r"你(?:们)?(?:刚才?|刚刚|前面|之前|上面)?(?:说|讲|写)的?(?P<zh>[^，,。？?]{2,18}?)[，,]?(?:这句)?(?:到底|究竟|具体)?(?:就?是|指)?(?:的是)?"
    r"(?:什么|啥|几个)(?:意思|(?=[？?]|$))"
)
"""Words of the reading that are recalled without quotes."""
_MEANS: Final = Expression(r"\bmean\w*\b|意思|指的|什么叫|怎么理解")
_NOT: Final = Expression(r"\b(?:not|never|fails?)\b|n't\b|不|没|错过")


def asks_fact(text: Text, question: Text) -> bool:
    """Whether a follow-up asks for a fact that has nothing to do with the first question."""
    asked = text.folded.strip()
    if not _FACT.search(asked) or _OF_SOMEBODY.search(asked):
        return False
    if text.chinese:
        names = (asked[at : at + 2] for at in range(len(asked) - 1))
        return not any(
            name in question.folded for name in names if not re.search("[的是了吗呢谁么什哪里多少几?？]", name)
        )
    return not {*_CONTENT.findall(asked)} & {*_CONTENT.findall(question.folded)} - {"what", "where", "does", "have"}


def asks_whose_fault(text: Text) -> bool:
    """Whether a follow-up asks if the asker is to blame."""
    return _FAULT.search(text.folded) is not None


def asks_to_ask_again(text: Text) -> bool:
    """Whether it asks to put the same question once more."""
    return _ASKS_AGAIN.search(text.folded) is not None


def confronts(text: Text) -> bool:
    """Whether it asks about speaking to the one who is suspected."""
    return _CONFRONTS.search(text.folded) is not None


def spies(text: Text) -> bool:
    """Whether it asks about looking into somebody's things behind their back."""
    return _SPIES.search(text.folded) is not None


def names_other_one(text: Text) -> bool:
    """Whether it means the other of two options without naming it."""
    return _OTHER_ONE.search(text.folded) is not None


def words_asked_about(text: Text) -> str | None:
    """Return the words of the reading that it quotes to ask what they mean."""
    quoted = _QUOTED.search(text.written)
    if quoted:
        return quoted[1].strip() if _MEANS.search(text.folded) else None
    recalled = _RECALLED.search(text.folded)
    if recalled is None:
        return None
    group = next(name for name, words in recalled.groupdict().items() if words)
    return text.words(*recalled.span(group)).strip()


def excludes(text: Text) -> bool:
    """Whether the time that it names is the one in which it does not come: "if not this month, when?"."""
    return _NOT.search(text.folded) is not None
