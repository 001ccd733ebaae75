"""Whether two questions are one, asked again."""

import re
from typing import Final

from liuyao.reading.question.text import read

_POLITE: Final = re.compile(
    r"^(?:请问|想问一?下?|问一?下|我想[问知]道?|再问一[次遍下]|老师|大师|您好|你好|hi|hello|hey|please|"
    r"(?:can|could) you tell me|tell me|again)+|(?:谢谢|拜托|please|thanks|thank you)+$"
)
_PARTICLES: Final = re.compile("[呢呀啊吗么嘛吧啦]+$")
_NO_WORD: Final = re.compile(r"[\W_]+")


def as_compared(question: str) -> str:
    """Return a question in simplified lower case, without signs, blanks, polite words and final particles."""
    plain = _NO_WORD.sub("", read(question).folded)
    return _PARTICLES.sub("", _POLITE.sub("", plain)) or plain
