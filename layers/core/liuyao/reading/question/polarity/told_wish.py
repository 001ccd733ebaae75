"""What the asker says beside a question of wanting what it asks about.

"I am against it. Will the extension be approved?" and 我们都反对，会批下来吗 hope for a no, whatever an approval is to
others. Only whether a plan goes ahead or is stopped is told so: of a plan of the asker's own the classifier decides.
What is granted to others, of whom the text says no more, is nobody's guess: "Will my rival get the licence?"
"""

from typing import Final

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.polarity.governing import Governed
from liuyao.reading.question.text import Expression, Text

_AGAINST: Final = Expression(
    r"\b(?:i|we|i'm|we're|i've|we've|everyone|everybody|neighbou?rs|residents|"
    r"the (?:whole )?(?:street|village|block))\b"
    r"(?: (?!up|play|run)\w+){0,5}? (?:(?<!up )(?<!playing )(?<!race )(?<!run )against (?!the clock|the odds|all odds)|"
    r"against$|against[.,;!?]|object(?:s|ed|ing)?\b|oppos(?:e|es|ed|ing)\b|protest\w*|petition\w*|"
    r"(?:(?:don't|do not|didn't|never) want|would hate|hate|dread) (?:it|this|that|them|the idea|to see|any)\b)|"
    r"\b(?:i|we) hope not\b|"
    "(?:我|我们|咱们?|业主|居民|里民|村民|住户|街坊|邻居|大家|全[家楼村镇]|[整成]栋楼?|成座楼|社区)[^，。？！?!]{0,8}"
    "(?:反对|不同意|不赞成|(?:不希望|不想|不愿意?)(?=[，。！?？]|$|[^，。]{0,4}[建盖批起])|抗议|陈情|抗争|[联连]署|抵制|投诉)"
)
"""The asker, or those whom the asker counts with, would not have it."""
_IN_FAVOUR: Final = Expression(
    r"\b(?:i|we|i'm|we're)(?: \w+){0,2} (?:support|back|for it|in favou?r)\b|\b(?:i|we)(?: \w+)? hope so\b|"
    "fingers crossed|"
    "(?:我|我们|咱们?|大家)[^，。？！?!不]{0,4}(?:支持|赞成)"
)
_HAPPENS: Final = Expression(
    r"\b(?:approv\w+|grant\w*|permission|permitted|licen[cs]e\w*|allow\w*|(?:go|goes|going|gone) (?:ahead|through)|"
    r"pass(?:es|ed)?|built|open(?:s|ed)?|happen\w*|get (?:their|his|her) way|go-ahead|the nod)\b|"
    "批(?!评)|核准|核发|准(?=[吗么嘛呢没?？]|许|予|$)|通过|过(?:得?[了关])?(?=[吗么嘛呢没?？]|$)|[建盖起开搞办装设做][^，]{0,3}(?:成|起来|下去|下来)|"
    "落成|[动开]工|开[张业]|成(?:功|真|立)|得逞|上马"
)
_STOPPED: Final = Expression(
    r"\b(?:reject\w*|refus\w*|turned? (?:it |them )?down|thrown? (?:it )?out|block\w*|stopp?\w*|scrap\w*|cancel\w*|"
    r"withdr\w+|shelv\w*|overturn\w*|den(?:y|ied)|halt\w*|abandon\w*)\b|"
    "驳回|否决|打回|不[批准过获予]|批不|取消|撤[销回]|叫停|停[工建]|作废|搁置|告吹|失败"
)
_OWN: Final = Expression(
    r"\b(?:my|our) (?:application|permit|appeal|objection|petition|protest|visa|claim|case|complaint|plans?|"
    r"proposal|loan|mortgage|planning)\b|^(?:will|would|can|could|is|are|does|do|has|have) (?:my|our) "
    r"(?!neighbou?r|rival|competitor|landlord|ex\b|council|boss|street|village|town|city|employer)|"
    r"\b(?:grant|give|allow|let) (?:me|us)\b|"
    "(?:我|我们|咱们?)的?(?:申请|反对|抗议|陈情|上诉|投诉|连署|签证|案子|贷款|提案)|^(?:我们?|咱们?)(?:的|家|这|那|间|[新老])|[给让准]我"
)
_OTHERS: Final = Expression(
    r"\b(?:neighbou?rs?'?s?|next door|developers?|rivals?|competitors?|(?:a|the) chain|another (?:shop|firm|company)|"
    r"landlord|my ex)\b|"
    "隔壁|邻居|对[面门](?=[的要想开那])|楼[上下](?=[的要想那])|建商|开发商|财团|对手|同行|[别人]家(?=[的要想])|[另第][一二]家"
)
_GRANTED: Final = Expression(
    r"\b(?:approv\w+|grant\w*|permission|permitted|licen[cs]e\w*|allow(?:ed)?|go-ahead|the nod)\b|"
    "批(?!评)|核准|核发|准(?=[吗么嘛呢没?？]|许|予|$)|执照|建照|牌照"
)
_MINE: Final = Expression(r"\b(?:i|me|us|we)\b|我|咱")
_EITHER: Final = Expression(r"(\w)[不没]\1(?=\w)")


def told_wish(text: Text, asked: Asking) -> Governed | None:
    """What the clause that asks is to an asker who says to be for or against it; None if nothing says so."""
    clause = _EITHER.sub(lambda match: match[1], text.folded[slice(*asked.clause)])
    against = _AGAINST.search(text.folded) is not None
    if not (against or _IN_FAVOUR.search(text.folded)) or _OWN.search(clause):
        return None
    stopped = _STOPPED.search(clause) is not None
    if not stopped and not _HAPPENS.search(clause):
        return None
    return Governed(is_ill=against != stopped, denied=False)


def of_others(text: Text, asked: Asking) -> bool:
    """Whether something is granted to somebody from whom the asker need have no good."""
    clause = text.folded[slice(*asked.clause)]
    if _MINE.search(clause) or not _GRANTED.search(clause) or _OWN.search(text.folded):
        return False
    return _OTHERS.search(text.folded) is not None
