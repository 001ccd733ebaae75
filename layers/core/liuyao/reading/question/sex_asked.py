"""Whether somebody not known yet is a man or a woman, where a question asks that."""

from typing import Final, Literal

from liuyao.reading.question.text import Expression, Text

_BORN: Final = (
    r"(?:个|位|一个|一位)*(?P<sex>男|女)(?:的|生|人|士|性|孩子?|同[事学]|老师|主管|上司|经理|医生|司机|房客|租客|室友|客户|老板|教练)?"
    r"(?:吗|么|嘛|不|$)"
)
_ASKED_ZH: Final = Expression(rf"(?:是|来|进|换|派|招|遇到|碰到){_BORN}")
_ASKED_EN: Final = Expression(
    r"^(?:is|was|will|would|could|can) .{1,60}?\b(?:an? |the )?(?:\w+ )?(?P<sex>man|woman|male|female|guy|lady|bloke)\b"
    r"(?! (?:who|that|which|from|next|at|in|of|i|we)\b)"
)
_DOES: Final = Expression(r"\b(?:marry|love|leave|meet|date|want|see|find|with)\b")
"""What is done to a man or a woman who is only mentioned."""
_MEN: Final = ("男", "man", "male", "guy", "bloke")


def sex_asked(text: Text) -> Literal["man", "woman"] | None:
    """Return the sex that a question asks whether somebody is of."""
    folded = text.folded.rstrip(" ?？!！。.~")
    if not text.chinese and _DOES.search(folded):
        return None
    found = _ASKED_ZH.search(folded) if text.chinese else _ASKED_EN.match(folded)
    if found is None:
        return None
    return "man" if found["sex"] in _MEN else "woman"
