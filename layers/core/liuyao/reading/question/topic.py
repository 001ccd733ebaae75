"""What a text calls the matter of a question: the matter itself, or a nearer topic with words of its own.

A topic changes words alone; line, verdict and dates are the matter's.
"""

from typing import Final

from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.text import Expression, Text

BELONGINGS: Final = "belongings"
"""Of a debt: a thing that was lent or borrowed, no money."""

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
_MOVES: Final = Expression(
    r"搬[走出家离離]|[会會时時候].{0,3}搬|搬[？?]?$|\b(?:mov(?:e|es|ed|ing) out|leave the (?:flat|house))\b"
)
PUBLIC_PLACE: Final = Expression(
    r"地铁|地鐵|捷运|捷運|港铁|港鐵|公交|公车|公車|巴士|的士|出租车|计程车|計程車|网约车|高铁|高鐵|火车|火車|车站|車站|机场|機場|"
    r"飞机上|飛機上|商场|商場|餐厅|餐廳|饭店|飯店|超市|公园|公園|学校|學校|酒店|路上|街上|健身房|图书馆|圖書館|医院|醫院|电影院|電影院|咖啡|"
    r"\b(?:underground|tube|metro|subway|bus|train|tram|taxi|cab|uber|ferry|plane|flight|station|airport|shop|"
    r"supermarket|mall|restaurant|cafe|pub|bar|park|school|library|gym|hotel|street|beach|cinema|theatre|hospital)\b"
)
"""Where what is lost is handed in."""


def topic(inquiry: Inquiry, text: Text) -> str:
    """The key of the words that a text has for its matter."""
    key = inquiry.matter.key
    if key == "debt" and not _MORE_THAN_A_THING.search(text.folded) and _LENT.search(text.folded):
        return BELONGINGS
    if key == "return" and _MOVES.search(text.folded):
        return "general"
    return key
