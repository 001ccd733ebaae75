"""What a follow-up objects to, adds or weighs: that it was not answered, the old method, a sum, a fact, an option."""

import re
from collections.abc import Sequence
from typing import Final

from liuyao.reading.question.text import Expression, Text, parts

_NOT_ASKED: Final = Expression(
    r"(?:不是|没有?)(?:在|要|想)?问(?:的)?(?:是)?(?:你)?[这那呢]|问的(?:可|根本|又)?不是[这那]|答非所问|文不对题|没有?(?:真的|正面)?回答(?:到)?我?|"
    r"不是我(?:要|想)?问的|你?(?:没听懂|没听明白|理解错|会错意|误会我)|我是?问(?:东|西)你答|"
    r"\b(?:not|isn't|wasn't) (?:really |actually )?what (?:i|we) (?:asked|meant|was asking|wanted to know)|"
    r"\bnot my question\b|"
    r"\b(?:didn't|did not|haven't|have not|don't|not) (?:really |actually |even )?answer(?:ed|ing)? "
    r"(?:my|the|me|that|what)\b|"
    r"\byou(?:'ve| have)? (?:misread|misunderstood|missed (?:my|the) (?:question|point))\b|"
    r"\bnothing to do with (?:my|what i)\b"
)
_VAGUE: Final = Expression(
    r"模[棱稜]两可|含糊|空泛|套话|打太极|两头说|怎么说都对|谁都(?:适用|能套|合用)|等于没说|废话|"
    r"\b(?:vague|wishy[- ]?washy|both ways|could mean anything|fits? any(?:one|thing|body)|"
    r"apply to any(?:one|body)|generic|horoscope stuff|sitting on the fence|says? nothing)\b"
)
_METHOD_DOUBTED: Final = Expression(
    r"(?:卜卦|占卜|算卦|算命|六爻|占卦|起卦|问卜)(?:真的?|到底|究竟|这东西|这种东西)*(?:会|能)?(?:有用|有效|灵|准|可信|靠谱|科学|是真的)|"
    r"迷信|骗人|瞎(?:说|编|猜|掰)|忽悠|不信(?:这|卜|占|算|命|邪)|[三六几](?:个|枚)(?:铜钱|硬币|铜板).{0,6}(?:能|会|怎么|知道)|"
    r"\bhow (?:can|could|would|do|does) (?:a few |some |three |six |these |the |tossing |throwing )*"
    r"(?:coins?|lines?|hexagrams?|casts?|sticks|a (?:coin|cast|program|machine)) (?:\w+ )?"
    r"(?:know|tell|say|see|predict|understand)|"
    r"\b(?:does|do|is|are) (?:this|divination|fortune[- ]telling|(?:the )?i ching|liu ?yao|casting|these things) "
    r"(?:stuff |thing )?(?:really |actually |even )?"
    r"(?:work|real|useful|true|nonsense|rubbish|superstition|scientific|legit)|"
    r"\b(?:superstiti\w+|mumbo jumbo|hocus pocus|nonsense|rubbish|made[- ]up|bullshit|bs)\b"
)
_AMOUNT: Final = Expression(
    r"(?P<zh>[0-9][0-9,.]*(?:[百千万][块元]?|[块元])|[一二两三四五六七八九十几][百千万](?:[块元])?|"
    r"一半|一部分|[一二两三四五六七八九]成)|"
    r"(?P<en>[£$€]? ?\d[\d,.]*(?:k\b| ?(?:pounds|quid|dollars|euros|bucks|percent|%))?"
    r"(?! ?(?:days?|weeks?|months?|years?|hours?|minutes?|am|pm|th|st|nd|rd))|"
    r"half|part of (?:it|the money)|a (?:third|quarter))"
)
_LESS: Final = Expression(
    r"只|才|先|就(?=[借投给出付])|少|一半|一部分|\b(?:only|just|instead|smaller|less|no more than|at most|half)\b"
)
_STAKE: Final = Expression(
    r"借(?!我|给我)|投|押|买|付|出(?![来去])|垫|"
    r"\b(?:i|we)\b.{0,12}\b(?:lend|invest|bet|put|pay|offer|spend|give|risk|lent|stake)\b|^(?:lend|invest|put|only)\b"
)
_MATTERS: Final = Expression(
    r"\b(?:does|do|would|will|did) (?:that|it|this|which) (?:\w+ )?"
    r"(?:change|matter|make (?:a|any|much|the) difference|affect|count)\b|"
    r"(?:有没有|会不会|会|有|要)(?:有)?(?:什么)?(?:影响|差别|区别|关系|改变)(?:[吗呢？?]|$)|(?:会变|变了|有差|要紧|算数?)吗"
)
_OPPOSES: Final = Expression(
    r"不(?:会)?(?:同意|赞成|支持|答应|肯|愿意|让我|准我|看好)|反对|"
    r"\b(?:against (?:it|this|that|the idea|me)|opposed|oppose[sd]?|disapprove[sd]?|objects?|"
    r"(?:doesn't|don't|won't|does not|do not|will not) (?:\w+ )?"
    r"(?:agree|approve|support|want (?:me|us)|let (?:me|us)|like (?:it|the idea|this)))\b"
)
_WHETHER: Final = Expression(r"[吗么]|会不会|是不是|会反对|^(?:will|would|does|do|is|are|and will|what)\b|谁|who\b")
_WATCHES: Final = Expression(
    r"小心|当心|留意|注意|提防|留神|"
    r"\b(?:watch (?:out )?for|watch out|look out|careful|beware|mind|wary|pay attention|keep an eye)\b"
)
_WHICH_MONTH: Final = Expression(r"(?:哪|几)[一]?个?月|\b(?:which|what) months?\b|\bbest month\b")
_STOP: Final = frozenset(
    ["what", "about", "that", "this", "with", "would", "should", "then", "instead", "offer", "option"]
)
_COMMON: Final = re.compile("[的了吗呢那如果去在是和跟要不会好还]")


def says_not_asked(text: Text) -> bool:
    """Whether it says that the answer was to another question."""
    return _NOT_ASKED.search(text.folded) is not None


def finds_vague(text: Text) -> bool:
    """Whether it finds that the answer says neither."""
    return _VAGUE.search(text.folded) is not None


def doubts_method(text: Text) -> bool:
    """Whether it doubts that casting tells anything at all."""
    return _METHOD_DOUBTED.search(text.folded) is not None


def smaller_sum(text: Text) -> str | None:
    """Return the sum or share of which it asks whether that much less would do: "only lend 500", 只还一半."""
    if not _LESS.search(text.folded):
        return None
    match = _AMOUNT.search(text.folded)
    if match is None or (match["zh"] is None) is text.chinese:
        return None
    return text.words(*match.span()).strip()


def is_stake(text: Text) -> bool:
    """Whether a sum is one that the asker puts in, and not one that comes back."""
    return _STAKE.search(text.folded) is not None


def asks_if_that_matters(text: Text) -> bool:
    """Whether it asks if a fact that it tells changes the answer."""
    return _MATTERS.search(text.folded) is not None


def opposes(text: Text) -> bool:
    """Whether it tells that somebody is against the matter; whether somebody will be is a question of its own."""
    return _OPPOSES.search(text.folded) is not None and not _WHETHER.search(text.folded)


def watches_out(text: Text) -> bool:
    """Whether it asks what to mind, and not only what is against it."""
    return _WATCHES.search(text.folded) is not None


def asks_which_month(text: Text) -> bool:
    """Whether it asks for a month and names none."""
    return _WHICH_MONTH.search(text.folded) is not None


def option_meant(text: Text, options: Sequence[str]) -> str | None:
    """Return the one of the first question's options that it names in words of its own: "what about staying"."""
    words = _words(text.folded)
    shared = [option for option in options if not words.isdisjoint(_words(option.lower()) - _common(options))]
    return shared[0] if len(shared) == 1 else None


def _words(folded: str) -> set[str]:
    return {part for part in parts(folded) - _STOP if not _COMMON.search(part)}


def _common(options: Sequence[str]) -> set[str]:
    """What all options share."""
    return set.intersection(*(_words(option.lower()) for option in options)) if options else set()
