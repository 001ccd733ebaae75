"""Whether a sentence is understood only with the one before it: it goes where that one is left out (CARE-09)."""

import re
from typing import Final

from yarrow_agents.divination.review.folds import fold

_CHINESE: Final = re.compile(
    "因此|所以|于是|可见|也就是|换句话|换言之|正因|同理|同样|反过来|其中|[前后]者|它(?!们)|这(?![一张个支次件]?[卦问题事])"
)
_ENGLISH: Final = re.compile(
    r"\s*(?:that|this(?! (?:cast|reading|question|hexagram|month|matter|line))|these|those|it|so|therefore|hence|thus"
    r"|consequently|as a result|in other words|for that reason|because of (?:that|this)|the (?:former|latter|same)) "
)


def depends(sentence: str) -> bool:
    """Whether a sentence begins with a reference to the one before it."""
    folded = fold(sentence.strip(" \n“\"'「『"))
    return bool(_CHINESE.match(folded.chinese.strip()) or _ENGLISH.match(f"{folded.english} "))
