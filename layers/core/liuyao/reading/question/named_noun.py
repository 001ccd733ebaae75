"""What the asker calls the thing or person a question is about: "the plasterer", 「抹灰的师傅」.

Only what can be cut out safely; a text has words of its own for the rest.
"""

from typing import Final

from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.text import Expression, Text

_TOLD_OF_ZH: Final = Expression(
    r"^(?:我家?的?|我们的?)?([^，。？！?!、 我你他她它0-9a-z]{2,8}?)"
    r"(?=说|答应|一直|总是?|最近|明天|今天|今晚|后天|下周|这周|周末|周[一二三四五六日]|什么时候|几时|会|能|到底|真的|还|怎么)"
)
_TOLD_OF_EN: Final = Expression(
    r"^(?:the|my|our) (?:[a-z-]+ ){0,2}?[a-z-]+(?= (?:said|says|told|promised|has|is|was|wants|keeps|will|won't|hasn't|"
    r"didn't|doesn't|never|borrowed|left|asked|agreed)\b)"
)
"""A sentence that tells of somebody or something begins with it."""
_NO_NOUN_ZH: Final = Expression(
    r"^(?:[要该能会想去跟和给把被在对从向与同为因如不没有是让怎什哪谁何几]|今年|明年|现在|目前|最近|到底|这次|下|上个|请|听|看|可)|"
    r"[了着过的得地吗呢吧不没是在有要]$"
)
_NOUN_EN: Final = Expression(r"^(?:your|the|his|her|their|our) [a-z'-]+(?: (?:of |for |from )?[a-z'-]+){0,2}$")
_SELF_EN: Final = Expression(r"\b(?:way|time|best|one|thing|matter|question|chance|other|own)$")


def noun_of(text: Text, inquiry: Inquiry) -> str | None:
    """The asker's own noun phrase, with "my" as "your"."""
    if text.chinese:
        return _chinese(text)
    subject = inquiry.stated[0] if inquiry.stated else ""
    if _NOUN_EN.search(subject.lower()) and not _SELF_EN.search(subject.lower()):
        return f"{subject[:1].lower()}{subject[1:]}"
    told = _TOLD_OF_EN.match(text.folded)
    if told is None:
        return None
    first, _, rest = text.words(*told.span()).partition(" ")
    return f"{'the' if first.lower() == 'the' else 'your'} {rest}"


def _chinese(text: Text) -> str | None:
    told = _TOLD_OF_ZH.match(text.folded)
    if told is None or not text.verbatim or _NO_NOUN_ZH.search(told[1]):
        return None
    return text.words(*told.span(1))
