"""Whether a question is of a decision that it does not name: "should I do it?", 要不要做.

Its object is at most a pronoun, and no other word of the text tells what that stands for
(`liuyao.classification.naming`). What is not named can be anything, so no cast says "go ahead" to it.
"""

from typing import Final

from liuyao.classification.naming import naming
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.inquiry import Inquiry, inquire
from liuyao.reading.question.text import Expression, Text, read

LEAST: Final = 0.7
"""What the clauses beside the decision must tell together to stand for its pronoun."""
_GENERAL: Final = "general"
_ADVERB_EN: Final = (
    "just|really|finally|simply|actually|ever|maybe|please|truly|even|now|tonight|today|tomorrow|soon|already|alone|"
    "anyway|instead|first|at (?:all|last|once)|after all|right (?:now|away)|for good|on my own|any ?(?:way|more)|"
    "(?:this|next) (?:time|week|weekend|month|year)|then|still|also|too|not|a (?:bit|little|while)|longer"
)
_PARTICLE_EN: Final = (
    "up|off|out|on|in|over|down|away|ahead|along|back|through|for|with|to|about|at|into|of|by|go|going"
)
_PRONOUN_EN: Final = "it|this|that|so|everything|it all|all of (?:it|this)"
_DEED_EN: Final = Expression(
    rf"^(?:(?:{_ADVERB_EN})\b ?)*(?:"
    rf"[a-z']+(?: (?:{_PARTICLE_EN}))*(?: (?:{_PRONOUN_EN}))(?: (?:{_PARTICLE_EN}|done|there|here|end|happen|be))*|"
    r"(?:do|go|act|start|begin|stop|wait|continue|proceed|try|end|finish|carry|hold|give|let|keep|leave|quit)"
    rf"(?: (?:{_PARTICLE_EN}|going|trying))*|take the (?:leap|plunge|step|chance|risk|jump)|"
    rf")(?: (?:{_ADVERB_EN}))*\W*$"
)
"""What is to be done, without an object or with a pronoun for one."""
_IS_EN: Final = Expression(
    rf"^(?:(?:{_ADVERB_EN}) )*(?:worth (?:it|a (?:try|shot|go)|doing|the (?:risk|wait|trouble))|time|wise|right|"
    r"a good (?:idea|time)|(?:the )?right (?:time|moment|thing|choice|decision|step))"
    rf"(?: to (?:do|try|start|go|end) it)?(?: (?:{_ADVERB_EN}))*\W*$"
)
_SUBJECT_EN: Final = Expression(r"^(?:it|this|that|now|tonight|today|tomorrow)$")
_MOMENT: Final = Expression(
    r"^(?:so |and |then )?(?:is|was) (?:it|this|now|tonight|today|tomorrow|this (?:week|weekend|month|year)) "
    r"(?:finally |really )?(?:the |my |our )?(?:right |good |last |big )?(?:time|night|day|moment|hour|end)\W*$|"
    r"^(?:今晚|今夜|今天|今日|明天|听日|现在|而家|这次|这)?就?(?:是不是|系咪|系唔系|是|系|算不算)?(?:那个|最后的?)?(?:到)?"
    r"(?:时候|时间|时机|那天|那一天|那一刻)(?:到|来)?(?:了|咗)?(?:没有|没|吗|么|呢|吧|啊)*$"
)
"""Whether the time has come, of nothing: "is tonight the night", 今晚是时候了吗."""
_CLAUSE: Final = Expression(r"[^,.;:!?，。；：！？\n]+")
_ADVERB_ZH: Final = (
    "(?:到底|究竟|干脆|索性|真的|现在|今天|今晚|明天|这次|就|再|先|快点|马上|这样|我|去|来|把它|把这事)*"
)
_THIS_ZH: Final = "(?:它|这|那|这个|那个|此|这样|这么|那样|这件|那件|这桩)(?:事情?|步|一步|做)?|一步"
_VERB_ZH: Final = (
    "做|干|办|动手|行动|开始|继续|放手|放手一搏|放弃|结束|了结|了断|停|停下|等|走|去|上|试|试试|试一下|试试看|出手|搞|弄|"
    "算了|坚持|收手|搏|搏一搏|拼|拼一把|冒险|认|认了|完结|执行|进行|这样|这么做"
)
_AFTER_ZH: Final = "(?:下去|下来|了|好|吧|呢|掉|好了|一次|看看)?"
_DEED_ZH: Final = Expression(
    rf"^{_ADVERB_ZH}(?:(?:{_VERB_ZH})|[做干办试搞弄接要迈走结束放弃继续完成]{{1,2}}[完掉出下]?(?:{_THIS_ZH})|"
    rf"(?:{_THIS_ZH})[做走办试]?){_AFTER_ZH}$"
)
_OR_NOT_ZH: Final = Expression(rf"^{_ADVERB_ZH}({_VERB_ZH})(?:还是|或者|或)?[不没]\1{_AFTER_ZH}(?:呢|啊|吗)?$")


def is_unnamed(text: Text, inquiry: Inquiry) -> bool:
    """Whether a question is of a decision that it names by a pronoun at most, and of no matter that was chosen."""
    if inquiry.asks not in (Asks.SHOULD, Asks.WHETHER, Asks.WHICH):
        return False
    clauses = [match[0].strip() for match in _CLAUSE.finditer(text.folded)]
    deeds = [part for part in clauses if _decides(text, inquiry, part)][-1:]
    beside = ",".join(part for part in clauses if part not in deeds)
    if not deeds or naming(beside) >= LEAST:
        return False
    if inquiry.matter.key == _GENERAL:
        return True
    # Another matter is that of the type that the asker chose or of what stands beside, unless the deed alone gives it.
    return not beside and inquire("", ",".join(deeds)).matter.key == inquiry.matter.key


def _decides(text: Text, inquiry: Inquiry, clause: str) -> bool:
    """Whether a clause asks for the decision, with a pronoun at most."""
    if _MOMENT.search(clause) or (text.chinese and _OR_NOT_ZH.search(clause)):
        return True
    if inquiry.stated is None:
        return False
    subject, modal, tail = (read(part.strip()).folded for part in inquiry.stated)
    if tail not in clause:
        return False
    if text.chinese:
        return inquiry.asks is Asks.SHOULD and _DEED_ZH.search(tail) is not None
    if _SUBJECT_EN.search(subject):
        return inquiry.asks is Asks.SHOULD and _IS_EN.search(tail) is not None
    asked = subject in ("you", "i", "we") and modal in ("should", "shall", "must", "do", "ought", "can")
    return asked and all(_DEED_EN.search(part) for part in tail.split(" or "))
