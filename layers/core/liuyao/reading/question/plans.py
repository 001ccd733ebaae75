"""What a follow-up names: another way, what it compares with, a fact it holds against the answer."""

import re
from typing import Final

from liuyao.reading.question.text import Expression, Text

_PLANS: Final = (
    Expression(
        r"(?:如果|要是|假如|假设|倘若|万一)(?:我们?)?(?:就|先|干脆)?(?P<plan>[^，,。？?！!]{2,16}?)(?:的话|"
        r"会怎|会不会|能不能|行不行|行吗|好吗|呢|$|[，,。？?！!])"
    ),
    Expression(
        r"(?P<plan>(?:换(?:成|个|家|一)|改(?:成|去|报|坐|搭|为|租|买|走|用)|不如|"
        r"干脆)[^，,。？?！!]{1,14}?)(?:会不会|能不能|会|行|好)?(?:好|快|有用|比较好)?(?:一点|些)?(?:吗|么|呢|"
        r"吧|$|[，,。？?！!])"
    ),
    Expression(
        r"(?:我)?(?:现在)?(?:改主意|改变主意|决定|打算|想)(?:了)?[，,]?(?:我)?(?:想|要)?(?P<plan>[^，,。？?！!]{2,14})"
    ),
    Expression(
        r"^(?:那么?|至于)?(?P<plan>(?:去|搬去|转去?|报|选|买|用|住|做)[^，,。？?！!]{1,10}?)(?:会不会|是不是|是否|会)?(?:更|比较)?"
        r"(?:好|强|合适|稳|划算)(?:一?[点些])?(?:吗|么|呢|[？?]|$)"
    ),
    Expression(
        r"^那么?(?P<plan>[^我你他她这那，,。？?！!][^，,。？?！!]{1,8}?)(?:呢|怎么样|如何|好吗|行吗|可以吗)[？?。]?$"
    ),
    Expression(r"(?P<plan>[^，,。？?！!]{2,14}?)(?:会不会)?(?:有用|有帮助|会好一?点|比较好|会比较好)(?:吗|么|$)"),
    Expression(
        r"\b(?:what if|suppose|supposing|imagine|let's say|say|and if|if)(?: that)? (?P<plan>[^,.?!;]{3,50}?)"
        r"(?: instead)?(?:[,.?!;]|$)"
    ),
    Expression(
        r"\b(?:how about|what about|maybe i should|would it help (?:if|to)|"
        r"would it work if) (?P<plan>[^,.?!;]{3,50}?)(?: instead)?(?:[,.?!;]|$)"
    ),
    Expression(
        r"\b(?:i(?:'ve)? decided|i'd rather|i would rather|i(?:'ll| will)|i want|i think i'll|we should|"
        r"suggests?|says i should|i'm going)"
        r"(?: to)? (?P<plan>[^,.?!;]{3,50}?)(?: instead)?(?: (?:now|then))?(?:[,.?!;]|$)"
    ),
    Expression(r"^(?:would|will|is) (?P<plan>[^,.?!;]{3,40}?) (?:be )?(?:help|work|better|a good idea)\b"),
)
_LEAD_EN: Final = Expression(r"^(?:i|we) (?=\w)(?!am\b|are\b|was\b|were\b|had\b|have\b)|^to ")
_LEAD_ZH: Final = Expression(r"^(?:[我们]{1,2}|就|先|能|去)(?=[\u4e00-\u9fff]{2})")
_OTHERS: Final = (
    Expression(r"比(?!较|如|方|哪|起)(?P<other>[^，,。？?！!]{1,10}?)(?:更|还|要)?(?:好|合适|强|划算|有利|靠谱)"),
    Expression(
        r"(?:和|跟|与|同|比)(?P<other>[^，,。？?！!]{1,10}?)(?:比起来|相比|比较|比|来说)?(?:的话)?(?:，)?(?:起来)?(?:哪|"
        r"谁|怎么样|如何|好|呢)"
    ),
    Expression(
        r"(?:还是|定系|定)(?P<other>[^，,。？?！!]{1,10}?)(?:好|更好|比较好|合适)?(?:一?[点些])?(?:吗|呢|$|"
        r"[，,。？?！!])"
    ),
    Expression(
        r"\b(?:than|as opposed to|compared (?:to|with)|or|versus|vs\.?) (?P<other>[^,.?!;]{2,40}?)(?:[,.?!;]|$)"
    ),
)
_FACTS: Final = (
    Expression(
        r"(?:可是|但是|(?<!不)可(?!能|以|靠|信|惜)|但|(?<![信只])不过|"
        r"明明)(?P<fact>[^，,。？?！!]{3,18})(?:[，,。？?！!啊呀呢]|$)"
    ),
    Expression(
        r"(?:不可能|怎么可能|怎么会|不会吧|"
        r"奇怪)[^，,。？?！!]{0,2}[，,。？?！!](?P<fact>[^，,。？?！!]{4,18})(?:[，,。？?！!啊呀呢]|$)"
    ),
    Expression(
        r"\b(?:but|because|since|when|given that) (?P<fact>(?!i (?:don't|doubt|think|feel|believe|"
        r"read)\b)[^,.?!;]{6,60}?)(?:[,.?!;]|$)"
    ),
    Expression(
        r"(?:wrong|mistaken|impossible|believe that|can't be|be right|strange|weird|doubt it|"
        r"really\?)[,.?! ]+(?P<fact>(?:my|the|he|she|they|we|i) [^,.?!;]{6,60}?)(?:[,.?!;]|$)"
    ),
)
_SOURCES: Final = (
    Expression(r"(?P<fact>[^，,。？?！!你]{1,10}(?:说|答应|告诉我|保证|通知|批了|签了)[^，,。？?！!吗呢]{1,14})"),
    Expression(
        r"(?<!everything )(?<!what )(?<!than )(?<!as )\b(?P<fact>(?:my|our|the|he|she|they|i was|"
        r"i've been) [^,.?!;]{0,30}?\b(?:told|said|says|promised|"
        r"confirmed|signed)\b"
        r"[^,.?!;]{2,45})"
    ),
)
_NO_OTHER: Final = (
    "first",
    "second",
    "not",
    "female",
    "male",
    "other",
    "later",
    "after",
    "no",
    "worse",
    "先",
    "哪个",
    "哪一个",
    "哪边",
    "哪家",
    "那个",
)
_NO_FACT: Final = Expression(
    r"觉得|感觉|认为|不信|相信|怀疑|[吗么呢谁]|为什么|怎么|是不是|听起来|你说|你刚|前面|刚才|"
    r"\b(?:i (?:think|feel|believe|doubt|don't believe)|sounds?|you|why|how|what|feels)\b"
)
_SUPPOSED: Final = (
    Expression(
        r"(?:如果|要是|假如|假设|倘若|若是|万一|等)(?:我们?|[他她它])?(?:真的?)?(?P<event>[^，,。？?！!]{2,14})"
    ),
    Expression(r"(?P<event>[^，,。？?！!]{2,8})(?:了|之?后|以后|的话)(?:[，,]|[^，,。？?！!]{2,10}[吗么]?$)"),
    Expression(r"\b(?:if|once|after|when|suppose|supposing|assuming) (?P<event>[^,.?!;]{3,50})"),
)
_DENIED: Final = Expression(
    r"没|不|未|别|\b(?:not|no|never|without|fails?|doesn'?t|don'?t|won'?t|isn'?t|aren'?t|can'?t|instead)\b"
)
_COMES: Final = Expression(
    r"\b(?:it (?:works? out|happens|comes? (?:true|through))|(?:he|she|they) says? yes|i get it)\b"
)
_CONTENT: Final = re.compile(r"[a-z]{4,}")
_SHARED_BY_ALL: Final = frozenset(
    [
        "will",
        "that",
        "this",
        "with",
        "they",
        "them",
        "what",
        "when",
        "does",
        "have",
        "there",
        "than",
        "then",
        "into",
        "from",
        "before",
        "after",
        "once",
    ]
)


def plan_named(text: Text) -> str | None:
    """Return the other way that a follow-up names, in the user's words, without "what if I"."""
    named = _first(_PLANS, "plan", text)
    if named is None:
        return None
    start, end = named
    lead = (_LEAD_ZH if text.chinese else _LEAD_EN).match(text.folded[start:end])
    return text.words(start + (lead.end() if lead else 0), end).strip() or None


def supposes(text: Text, question: Text) -> bool:
    """Whether a follow-up supposes that what the first question asked about comes true, and asks what follows."""
    events = (match["event"] for expression in _SUPPOSED if (match := expression.search(text.folded)))
    return any(not _DENIED.search(event) and _is_of(event, question, chinese=text.chinese) for event in events)


def _is_of(event: str, question: Text, *, chinese: bool) -> bool:
    if chinese:
        return any(
            event[at : at + 2] in question.folded for at in range(len(event) - 1) if event[at] not in "我你他她的"
        )
    words = {word for word in _CONTENT.findall(event) if word not in _SHARED_BY_ALL}
    return bool(_COMES.search(event)) or not words.isdisjoint(_CONTENT.findall(question.folded))


def other_named(text: Text) -> str | None:
    """Return what a follow-up compares with, in the user's words."""
    named = _first(_OTHERS, "other", text)
    other = text.words(*named).strip() if named else ""
    return other if len(other) > 1 and other.lower() not in _NO_OTHER else None


def fact_told(text: Text) -> str | None:
    """Return the fact that a doubt holds against the answer, in the user's words; no mere feeling."""
    for expression in (*_FACTS, *_SOURCES):
        match = expression.search(text.folded)
        if match and not _NO_FACT.search(match["fact"]):
            return text.words(*match.span("fact")).strip()
    return None


def _first(expressions: tuple[Expression, ...], group: str, text: Text) -> tuple[int, int] | None:
    for expression in expressions:
        if match := expression.search(text.folded):
            return match.span(group)
    return None
