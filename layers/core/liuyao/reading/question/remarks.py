"""Remarks in a conversation that ask nothing of the plate: thanks, a wish for another cast, and "so it is a no?"."""

from enum import StrEnum
from typing import Final

from liuyao.reading.question.text import Expression, Text


class Remark(StrEnum):
    """What a remark is."""

    THANKS = "thanks"
    NEW_CAST = "new cast"
    """Whether one may cast again."""
    DENIES = "denies"
    """Puts the answer as a no, to have it confirmed."""


_WORDS: Final = (
    (
        Remark.THANKS,
        Expression(
            r"^(?:好的?|嗯+|哦+|明白了?|知道了|了解了?|收到|原来如此|太好了|懂了)?[，,。！! ]*"
            r"(?:谢谢|多谢|感谢|感恩|辛苦|唔该)[^？?吗呢怎什何谁哪几]{0,14}$|"
            r"^(?:(?:oh|ok(?:ay)?|great|good|lovely|all ?right|right|i see|got it|understood|makes sense|wow)[,.! ]*)*"
            r"(?:(?:many )?thanks|thank you|cheers|much appreciated)\b[^?]{0,40}$"
        ),
    ),
    (
        Remark.NEW_CAST,
        Expression(
            r"(?:再|另|重新?|多)(?:起|占|算|摇|卜|测|抽)(?:一?[卦次遍]|(?:吗|可以|行|好|$))|换一卦|重摇|"
            r"\b(?:cast|draw|throw|toss|ask|do it) (?:it |this |the coins |them )?(?:again|once more|anew)\b|"
            r"\b(?:a new|another|a second|a fresh|one more) (?:cast|reading|hexagram|throw)\b"
        ),
    ),
    (
        Remark.DENIES,
        Expression(
            r"^(?:那|所以|也)?么?(?:就)?(?:是|等于)?说?(?:不行|不会|没戏|没希望|不成|没机会|没门)"
            r"(?:的|了|嘛|吗|吧|啦|咯|呗|是吧|对吧)*[？?。！! ]*$|"
            r"^(?:and |ok(?:ay)? )?(?:so|then)?[, ]*(?:(?:it|that)(?:'s| is| means)|basically|you mean)? ?"
            r"(?:a )?(?:no|not happening|not possible|hopeless|out of the question)(?: then)?"
            r"[,? ]*(?:right|then|is it|yes)?[?.! ]*$"
        ),
    ),
)


def remark(text: Text) -> Remark | None:
    """The remark that a text is, if it is one."""
    return next((kind for kind, words in _WORDS if words.search(text.folded.strip())), None)
