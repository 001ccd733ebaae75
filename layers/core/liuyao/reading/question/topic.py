"""Which words fit a question: those of a topic, only if that is certain, else words that fit any.

The matter decides line, verdict and dates, and is always chosen. Its words are used only if the classifier of topics,
which knows "none of these", agrees with it by a margin; docs/decisions/one-question-many-words.md has the figures.
"""

from typing import Final

from liuyao.reading.question.likely import NO_TOPIC, Guess
from liuyao.reading.question.matters import Matter
from liuyao.reading.question.text import Expression, Text

NEUTRAL: Final = "general"
"""The key of the words that fit any question."""
LOST: Final = "lost"
BELONGINGS: Final = "belongings"
"""Of a debt: a thing that was lent or borrowed, no money."""
PARCEL: Final = "parcel"
"""What is on its way to the asker."""
_OF_MATTER: Final = {
    BELONGINGS: ("debt", "return", "lost"),
    PARCEL: ("documents", "lost", "return", "general", "wealth"),
}
"""The matters that a topic which is none may be chosen for."""
_LENDING: Final = (BELONGINGS, "debt", LOST)
AGREED: Final = 1.5
"""The margin above which a topic is certain that the tables name as well."""
NEARER: Final = 1.0
"""The same of a topic that is no matter."""
PLAIN: Final = 0.5
"""The same of what is named in words that are seldom said of anything else."""
_PLAINLY_NAMED: Final = frozenset({"rain", "fair", "date", "naming", "dream", "pregnancy", "lawsuit", "debt"})
ALONE: Final = 3.0
"""The same where no table names it."""
AGAINST_TYPE: Final = 3.0
"""The margin above which a question is of another topic, whatever its type says."""

_MORE_THAN_A_THING: Final = Expression(
    r"律师|律師|法院|法庭|起诉|起訴|报警|報警|警察|官司|合同|合约|合約|护照|護照|身份证|身份證|房产|房產|药|藥|病|孕|"
    r"\b(?:lawyers?|courts?|sue[ds]?|suing|police|legal\w*|contracts?|passports?|medic\w+|pills?|ill|sick|pregnan\w+|"
    r"car|deeds?|documents?)\b|"
    r"[钱錢款债債账帳薪贷貸元块塊万萬千百]|工资|工資|利息|押金|定金|首付|信用卡|彩礼|彩禮|[0-9$£€¥]|"
    r"\b(?:money|loans?|lender|debts?|pa(?:y|id|ys|ying|yment\w*|yback)|repa\w+|owe[sd]?|owing|cash|invoices?|deposit|mortgage|"
    r"refund\w*|instal\w+|interest|dollars?|pounds?|euros?|yuan|rent|wages?|salary|credit|funds?|savings)\b"
)
_LENT: Final = Expression(
    r"借|[归歸]还|[归歸]還|还回|還回|还给|還給|[还還]我|"
    r"\b(?:lent|lend\w*|borrow\w*|give\w* (?:it |them )?back|return\w*|get\w* back|(?:my|the) \w+ back)\b"
)
PUBLIC_PLACE: Final = Expression(
    r"地铁|地鐵|捷运|捷運|港铁|港鐵|公交|公车|公車|巴士|的士|出租车|计程车|計程車|网约车|高铁|高鐵|火车|火車|车站|車站|机场|機場|"
    r"飞机上|飛機上|商场|商場|餐厅|餐廳|饭店|飯店|超市|公园|公園|学校|學校|酒店|路上|街上|健身房|图书馆|圖書館|医院|醫院|电影院|電影院|咖啡|"
    r"\b(?:underground|tube|metro|subway|bus|train|tram|taxi|cab|uber|ferry|plane|flight|station|airport|shop|"
    r"supermarket|mall|restaurant|cafe|pub|bar|park|school|library|gym|hotel|street|beach|cinema|theatre|hospital)\b"
)
"""Where what is lost is handed in."""


def topic_of(matter: Matter, guessed: Guess, text: Text, *, told: str | None, typed: bool, person: bool) -> str:
    """The key of the words of a question: its topic's if that is certain, else `NEUTRAL`.

    `told` is the matter that the tables name, `typed` whether the question's type names its matter.
    """
    key = matter.key
    if key == "debt" and _LENT.search(text.folded) and not _MORE_THAN_A_THING.search(text.folded):
        key = BELONGINGS
        if guessed.label in _LENDING:
            return key
    if told == guessed.label and guessed.margin >= AGREED:
        return _fitting(guessed.label, person)
    if typed and (guessed.label in (key, NO_TOPIC) or guessed.margin < AGAINST_TYPE):
        return _fitting(key, person)
    least = (PLAIN if matter.key in _PLAINLY_NAMED else AGREED) if told == matter.key else ALONE
    fits = guessed.label == key or matter.key in _OF_MATTER.get(guessed.label, ())
    if fits and guessed.margin >= (NEARER if guessed.label in _OF_MATTER else least):
        return _fitting(guessed.label, person)
    return NEUTRAL


def _fitting(key: str, person: bool) -> str:
    # Who is lost is no thing.
    return NEUTRAL if key == LOST and person else key


def is_lost(guessed: Guess) -> bool:
    """Whether a question of where something is, is likely to be of a thing that was lost."""
    return guessed.label == LOST and guessed.margin >= AGREED / 2


def is_everyday(guessed: Guess) -> bool:
    """Whether a question is of none of the topics, most of which take months."""
    return guessed.label in (NO_TOPIC, BELONGINGS, PARCEL)
