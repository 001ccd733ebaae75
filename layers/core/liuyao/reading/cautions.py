"""Cautions of a reading (CARE-04): which are stated, and when the grade is no advice."""

from collections.abc import Collection
from typing import Final

from liuyao.care.assessment import table_cautions
from liuyao.care.kinds import Caution
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.matters import Matter
from liuyao.reading.question.text import Expression, Text
from liuyao.reading.question.topic import BELONGINGS

GRAVE: Final = frozenset({Caution.HEALTH, Caution.PREGNANCY, Caution.ILLEGAL, Caution.LEGAL, Caution.STAKES})
"""With these, a grade never means "go ahead"."""

DECISIONS: Final = (Asks.SHOULD, Asks.WHICH, Asks.HOW)
"""What is asked by who is about to decide."""

_OWN_WORDS: Final = frozenset({"health", "children", "pregnancy"})
"""Matters whose own texts refer the asker to a doctor, whatever the grade."""


_TOPICS: Final[dict[Caution, tuple[str, ...]]] = {
    Caution.HEALTH: ("health", "pregnancy"),
    Caution.PREGNANCY: ("health", "pregnancy"),
    Caution.LEGAL: ("lawsuit",),
}
"""Topics that bear a caution out."""
_STAKED: Final = Expression(
    r"投资|炒股|股票|基金|理财|比特币|加密|期货|黄金|加仓|加码|抄底|入股|加盟|创业|开店|合伙|贷款|房贷|抵押|担保|借钱给|积蓄|存款|"
    r"本金|首付|身家|彩票|博彩|赌|六合彩|乐透|生意|买房|买楼|"
    r"\b(?:invest\w*|stocks?|shares?|bonds?|fund|crypto\w*|bitcoin|ether|gold|franchise|venture|start-?up|loan|"
    r"mortgage|pledge|surety|guarantor|collateral|savings|nest egg|pension pot|lend (?:\w+ ){0,3}money|lottery|"
    r"gambl\w*|bet|betting|"
    r"casino|open (?:a|the|my|our) (?:\w+ )?(?:shop|business|restaurant|cafe|branch)|business)\b"
)
"""What is at stake, or lent or borrowed in earnest."""
_PROBATION: Final = Expression(r"\bprobation(?:ary)?\b")
_WORK: Final = Expression(r"\b(?:work|job|company|employer|boss|manager|office|team|hired|role|contract)\b")
_SENTENCED: Final = Expression(
    r"\b(?:court|judge|jail|prison|officer|arrest\w*|sentenc\w+|convict\w*|parole|police|crime)\b"
)
_BEATEN: Final = Expression(
    r"\b(?:thrash|hammer|smash|crush|batter|slaughter|murder|destroy|annihilate|massacre|kill|trounce)(?:ed|es|ing|s)?\b"
)
"""What a side does to another in a game."""
_SETTLED_BY_OTHERS: Final = Expression(
    r"卖[得不]?[掉出]|卖得[甩成]|脱手|成交|批(?:得|不|准|下|给|吗)|核准|(?:贷款?|按揭)[^我]{0,6}(?:审|过|下来|放款|拒|驳)|"
    r"退.{0,6}(?:回|还|给|到)|还.{0,3}我|[要拿收]得回|"
    r"\b(?:sell|sells|sold|find a buyer|approved?|approval|granted?|refused?|rejected?|declined?|denied|"
    r"turn(?:ed)? (?:me |us )?down|come through|comes through|(?:loan|mortgage) (?:go|goes|going|fall|falls) through|"
    r"(?:bank|lender) (?:\w+ )?(?:say|says|lend|lends|refuse)|"
    r"get (?:the|a|our|my) (?:\w+ )?(?:loan|mortgage|deposit back)|refund\w*|return\w* (?:my|our|the)|"
    r"(?:pay|pays|paid) (?:me |us )?back|give (?:me |us )?back)\b"
)
"""What a buyer, a bank or a debtor settles: a house sold, a loan granted, a deposit returned."""
_WAGERED: Final = Expression(
    r"投|炒|币|赌|博|押(?!金)|梭哈|积蓄|存款|全部|所有|身家|老本|杠杆|[买加抄]|创业|开店|"
    r"\b(?:invest\w*|bet|betting|bets|gambl\w*|crypto\w*|bitcoin|stocks?|shares?|savings|everything|"
    r"all (?:of )?(?:my|our)|every (?:penny|cent|dollar)|buy|leverage\w*|start-?up|business|pension|retirement)\b"
)
"""What makes it a stake after all."""


def applying(cautions: Collection[Caution | None], inquiry: Inquiry, question: Text) -> set[Caution | None]:
    """Return those of a question and of its matter; of a lent thing alone, that of a crime.

    A matter's own caution needs more than its line: that it is the likeliest topic, and for money, that some is staked.
    """
    cautions = {*cautions} - _misplaced(inquiry, question)
    if inquiry.topic == BELONGINGS:
        return cautions & {Caution.ILLEGAL}
    own = inquiry.matter.caution
    likely = inquiry.matter.key in (inquiry.topic, inquiry.likely)
    if own is Caution.FINANCE:
        likely = _is_staked(inquiry, question)
    return {*cautions, own if likely else None}


def _misplaced(inquiry: Inquiry, question: Text) -> set[Caution]:
    """The cautions of words that are of another kind of matter: a probation at work, a side "murdered" in a game.

    What a table names beside those words stays.
    """
    asked, matter = question.folded, inquiry.matter.key
    if matter == "contest" and _BEATEN.search(asked):
        return {Caution.LEGAL, Caution.ILLEGAL} - table_cautions(asked)
    if matter == "permit" and not _STAKED.search(asked):
        return {Caution.FINANCE, Caution.STAKES} - table_cautions(asked)
    if _PROBATION.search(asked) and (matter == "career" or _WORK.search(asked)) and not _SENTENCED.search(asked):
        return {Caution.LEGAL} - table_cautions(_PROBATION.sub(" ", asked))
    return set()


def borne_out(cautions: Collection[Caution], inquiry: Inquiry, question: Text) -> list[Caution]:
    """Return those that the matter, its likely topic or a phrase bears out: these change the answer itself.

    What only the classifier finds is stated at the end of a reading, where it costs nothing if it is wrong.
    """
    told = {inquiry.matter.key, inquiry.topic, inquiry.likely}
    doubtful = [item for item in cautions if item in _TOPICS and told.isdisjoint(_TOPICS[item])]
    doubtful = [item for item in doubtful if item is not inquiry.matter.caution]
    if not doubtful:
        return list(cautions)
    found = table_cautions(question.folded)
    return [item for item in cautions if item not in doubtful or item in found]


def _is_staked(inquiry: Inquiry, question: Text) -> bool:
    """Whether money is staked, or a type of money names no more than that."""
    return _STAKED.search(question.folded) is not None or (inquiry.topic == "wealth" and inquiry.stated is None)


def in_order(cautions: Collection[Caution | None]) -> list[Caution]:
    """The cautions to state, in order; that of all savings covers that of money, that of a crime
    that of law."""
    covered = {Caution.FINANCE} if Caution.STAKES in cautions else set()
    if Caution.ILLEGAL in cautions:
        covered.add(Caution.LEGAL)
    return [item for item in Caution if item in cautions and item not in covered]


_RANKED: Final = (
    *(Caution.ILLEGAL, Caution.PREGNANCY, Caution.STAKES, Caution.LEGAL, Caution.HEALTH, Caution.FINANCE),
)


def stated(cautions: Collection[Caution | None], matter: Matter) -> Caution | None:
    """The one caution that a text states: of a crime, else that of the matter itself, else the gravest."""
    own = matter.caution
    if own in GRAVE and own in cautions and Caution.ILLEGAL not in cautions:
        return own
    return next((item for item in _RANKED if item in cautions), None)


def is_careful(inquiry: Inquiry, cautions: Collection[Caution | None], question: Text) -> bool:
    """Whether verdict and action are replaced because of the question's cautions.

    What a court, an office or another party decides may be foretold beside the caution; what the asker decides may not,
    nor what all of somebody's money hangs on.
    """
    grave = GRAVE.intersection(cautions)
    if inquiry.matter.key in _OWN_WORDS:
        grave -= {Caution.HEALTH, Caution.PREGNANCY}
    if inquiry.asks not in DECISIONS:
        grave -= {Caution.LEGAL}
        if _SETTLED_BY_OTHERS.search(question.folded) and not _WAGERED.search(question.folded):
            grave -= {Caution.STAKES}
    return bool(grave)
