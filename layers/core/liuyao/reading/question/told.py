"""What the asker tells beside the question: a fear, and the name of the other person."""

from enum import StrEnum
from typing import Final

from liuyao.reading.question.text import Expression, Text


class Fear(StrEnum):
    """What an asker fears, by the words after 怕, 担心, "afraid", "worried"."""

    NERVES = "nerves"
    REFUSAL = "refusal"
    MONEY = "money"
    REGRET = "regret"
    TIME = "time"
    FAMILY = "family"
    ALONE = "alone"
    FAILING = "failing"
    OTHER = "other"


_FEARS: Final = Expression(
    "(?<![恐哪只])怕(?!是|老婆)|担心|害怕|忧虑|焦虑|发慌|心慌|不敢|没信心|没底|不安|好惊|很惊|紧张|"
    r"\b(?:afraid|scared|fear|fearing|worried|worry|worrying|anxious|nervous|terrified|dread\w*)\b"
)
_KINDS: Final = (
    (
        Fear.NERVES,
        Expression(
            r"紧张|怯场|说不出|讲不出|忘词|发挥不|手抖|脑子一片|\b(?:nerv\w+|freez\w+|blank|stutter\w*|shak\w+)\b"
        ),
    ),
    (
        Fear.REFUSAL,
        Expression(
            r"拒绝|被拒|不理我|尴尬|不要我|不答应|"
            r"\b(?:reject\w*|turn\w* (?:me )?down|say no|refus\w+|awkward|ignore\w*)\b"
        ),
    ),
    (
        Fear.REGRET,
        Expression(r"后悔|选错|做错|走错|错过|\b(?:regret\w*|wrong (?:choice|decision|one)|mistake|miss out)\b"),
    ),
    (Fear.TIME, Expression(r"来不及|赶不|太晚|太迟|\b(?:too late|in time|run\w* out of time|deadline)\b")),
    (
        Fear.FAMILY,
        Expression(
            r"(?:父母|爸妈|家里|家人|爸爸?|妈妈?).{0,4}(?:反对|失望|不同意|不答应|生气)|"
            r"\b(?:disappoint\w*|disapprov\w*|my (?:parents|family|mother|father) (?:will|would|might))\b"
        ),
    ),
    (
        Fear.MONEY,
        Expression(
            r"钱|亏|赔|付不起|负担不|房贷|贷款|欠|太贵|"
            r"\b(?:money|afford|debt|mortgage|savings|lose everything|expensive)\b"
        ),
    ),
    (Fear.ALONE, Expression(r"一个人|孤单|孤独|没人|\b(?:alone|lonely|on my own)\b")),
    (
        Fear.FAILING,
        Expression(
            r"失败|考不|肥佬|不过关|挂科|做不好|不行|不成|\b(?:fail\w*|not (?:good|ready) enough|mess (?:it )?up)\b"
        ),
    ),
)
_AFTER: Final = 40
"""Characters after a word of fear that tell what is feared; as many before it."""
_BESIDE: Final = Expression(
    r"(?:[和跟同与给对向]|^)((?:小(?![时学孩三区米说狗猫店组伙便朋])|阿(?![姨公婆爸妈爷嬷])|老(?![板师公婆妈爸人家友头乡大是]))[\u4e00-\u9fff])(?=[还能会要的之复说表结分吵在对是有爱喜想，,。？?]|$)"
)
_NAMED: Final = Expression(
    r"(?:\b(?:with|tell|ask|marry|date|forgive|call|text|leave|trust|meet|love|loves)\s+|^(?:Will|Does|Is|Did|Has|Can|Would)\s+)"
    r"([A-Z][a-z]{2,11})\b(?! (?:Street|Road|Bank|University|College|School|Airport|Hospital|Company))"
)
_NO_NAMES: Final = frozenset(
    word
    for words in (
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August",
        "September October November December God Mum Mom Dad Mother Father Grandma Grandpa Granny The This That There",
        "They Our Your His Her Its She Who What When Christmas Easter English Chinese French London Paris Leeds",
        "America China Google Apple Amazon Microsoft",
    )
    for word in words.split()
)


def fear_told(text: Text) -> Fear | None:
    """The fear that a text names, if it names one."""
    match = _FEARS.search(text.folded)
    if match is None:
        return None
    near = text.folded[max(0, match.start() - _AFTER) : match.end() + _AFTER]
    return next((kind for kind, words in _KINDS if words.search(near)), Fear.OTHER)


_FEELS: Final = Expression(
    r"难过|伤心|心碎|心痛|心酸|痛苦|难受|委屈|崩溃|绝望|失望|孤独|寂寞|好累|很累|太累|心累|睡不着|失眠|哭|舍不得|放不下|想念|思念|"
    r"烦死|好烦|很烦|郁闷|着急|好急|心急|"
    r"\b(?:sad|heartbroken|broken-hearted|hurts?|lonely|miss (?:him|her|them)|cry|crying|tired of|exhausted|worn out|"
    r"hopeless|desperate|devastated|miserable|upset|stressed|overwhelmed|(?:can't|cannot) sleep|ashamed|grie\w+)\b"
)


def feels(text: Text) -> bool:
    """Whether an asker shows a feeling: fear, grief, weariness."""
    return fear_told(text) is not None or _FEELS.search(text.folded) is not None


def name_told(text: Text) -> str | None:
    """Return the name of the other person, in the user's own words: 小林, "Anna"."""
    match = (_BESIDE if text.chinese else _NAMED).search(text.folded if text.chinese else text.written)
    if match is None:
        return None
    name = text.words(*match.span(1)) if text.chinese else match[1]
    return None if name in _NO_NAMES else name
