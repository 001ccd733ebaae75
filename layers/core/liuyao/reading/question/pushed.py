"""How a follow-up puts the answer that it wants confirmed: as good for the asker, as ill, or as either."""

from enum import StrEnum
from typing import Final

from liuyao.reading.question.text import Expression, Text


class Push(StrEnum):
    """What a follow-up puts the answer as."""

    GOOD = "good"
    ILL = "ill"
    EITHER = "either"
    """Asks for a yes or a no without putting one."""


_EITHER: Final = Expression(
    r"(?<!不)([会能行好是要该成可有来去买])(?:以)?(?:还是|定|或)?(?:不|没)\1|还是不|到底|究竟|准话|痛快话|"
    r"直接[说讲告跟给]|明确|一句话|一个字|是好是坏|好还是坏|是吉是凶|绕弯|兜圈|"
    r"\b(?:yes or (?:a )?no|or no|or not|good or bad|on or off|or won't|or can't|or shouldn't|or don't|"
    r"straight answer|"
    r"clear (?:answer|yes)|one word|simple question)\b"
)
_SAFE: Final = Expression(
    r"没事|没问题|安全|放心|不用(?:再)?(?:担心|怕)|不必担心|安心|"
    r"\b(?:safe|fine|relax|nothing to worry|(?:stop|don't have to|needn't|no need to) worry\w*|all good|no problem)\b"
)
_ILL: Final = Expression(
    r"没戏|没希望|没机会|没救|没门|没可能|输|失败|完了|完蛋|黄了|泡汤|凉了|落空|落榜|拒绝|死心|"
    r"\b(?:hopeless|no (?:hope|chance)|lose|lost|losing|fail\w*|over|refuse\w*|reject\w*|bad|forget it|"
    r"doomed|turn(?:ed)? (?:me |us )?down|out of the question)\b"
)
_NO: Final = Expression(
    r"[不没](?!过|错|是[吗吧]|对[吗吧])|别|\b(?:no|not|never|can't|cannot|better not)\b|n't\b(?! it| he| she| they| i)"
)
_TAG: Final = Expression(
    r"[，, ]*(?:对不对|是不是|是吧|对吧|对吗|是吗|没错吧|不是吗|(?:is|isn't|does|doesn't|will|won't) (?:it|he|"
    r"she|they)|right|correct)"
    r"(?: then)?[?？!！。. ]*$"
)


def pushed(text: Text, *, unwanted: bool) -> Push:
    """How the answer is put; `unwanted` is whether the first question asks about what the asker fears."""
    words = _TAG.sub("", text.folded.strip())
    if _EITHER.search(words):
        return Push.EITHER
    if _SAFE.search(words):
        return Push.GOOD
    denied = _NO.search(words) is not None
    if _ILL.search(words) and not unwanted:
        return Push.ILL
    return Push.GOOD if denied is unwanted else Push.ILL
