"""What a follow-up brings in that its answer takes up: a place searched already, a time of its own, another reading."""

from typing import Final

from liuyao.reading.question.later_times import later_time, months_named
from liuyao.reading.question.text import Expression, Text, listed

_SEARCHED: Final = Expression(
    r"(?:找|翻|看|搜|查)(?:过|遍|完|了)|没找到|没有找到|不在|也没|都没|没在|[，,。 ]没有?[了啊呢]?$|"
    r"\b(?:looked|searched|checked|turned (?:it )?(?:upside|inside)|been through|not there|isn't there|wasn't there|"
    r"nothing there|not (?:in|on|under|behind) the|tried (?:that|there)|no luck|nowhere)\b"
)
_ELSEWHERE: Final = Expression(
    r"还有(?:哪|别的|其他)|别的地方|其他地方|另外哪|除了|\b(?:where else|somewhere else|anywhere else|other place\w*)\b"
)
_UNPLACED: Final = Expression(
    r"(?P<when>(?:[他她我你]们?的?|妈|爸)?(?:生日|纪念日|周年|婚礼|面试|考试|手术|旅行|发薪日|拿到钱|放榜|放假|假期|"
    r"毕业|退休|开学|过节|过年|春节|元宵|清明|端午|中秋|国庆|元旦|圣诞)(?:那天|当天)?(?:[之以]?[后前]|时|那天|过后|的时候|(?=再)))|"
    r"(?P<other>(?:第二天|隔天|前一天|后一天|那天之后))|"
    r"\b(?P<english>the (?:day|week|weekend|month) (?:after|before)(?! (?:tomorrow|next))|"
    r"(?:after|before|until|till|on) (?:his|her|my|our|their|the) (?:[a-z]+ )?(?:birthday|wedding|anniversary|"
    r"interview|exams?|operation|surgery|trip|holidays?|payday|graduation|retirement|party|funeral|move|meeting|bonus)|"
    r"(?:after|until|till|at|by) (?:the )?(?:christmas|easter|payday|new year|holidays?))\b"
)
_SOONER: Final = Expression(
    r"(?:早|快)(?:一?[点些]|点儿)|提早|提前|加快|等不(?:[了及]|到那)|(?:太|这么|那么)久|"
    r"\b(?:sooner|earlier|faster|speed (?:it )?up|quicker|too long|can't wait)\b"
)
_READERS: Final = Expression(
    r"(?:别|另外?一?|其他)的?(?:个|位)?(?:老师|大师|师父|师傅|人算|算命|占卜|软件|网站|卦)|上[次回].{0,3}(?:算|卦|占|摇|问别)|"
    r"昨天.{0,8}(?:你|算|卦).{0,6}(?:说|讲)|之前.{0,4}(?:你|算|卦).{0,6}(?:说|讲)|塔罗|抽签|签诗|庙里|八字|"
    r"\b(?:another|other|different|last) "
    r"(?:reader|reading|master|fortune|app|site|cast|oracle)\b|"
    r"\byou (?:told|said|gave) (?:my|me|her|him|them)\b.{0,40}\b(?:different|yesterday|before|last|opposite|else)\b|"
    r"\b(?:tarot|horoscope|psychic|astrologer)\b"
)
_ONE_SENTENCE: Final = Expression(
    r"一句话|一句|几个字|一个词|\b(?:one (?:sentence|line|word)|a (?:sentence|word)|in short|short version|tl;?dr)\b"
)
_SAID: Final = Expression(
    r"(?:你|刚才?|前面|上面).{0,4}(?:说|讲|写).{0,10}(?:几|哪|号|月|日)|(?:几号|哪[一]?天|[0-9]+[号日]).{0,8}(?:你|刚).{0,3}(?:说|讲)|"
    r"\b(?:you|u) (?:said|mentioned|told|gave|wrote)\b.*\b(?:date|day|month|th|st|nd|rd|when|week)\b|"
    r"\b\d+(?:th|st|nd|rd)?\b.*\b(?:you|u) (?:said|mentioned|told|gave|wrote)\b|"
    r"\bwh(?:at|ich) (?:date|day|month) did (?:you|u)\b"
)
_AGE: Final = Expression(
    r"我(?:都|已经?|今年|快|要|也)*(?P<zh>[0-9一二三四五六七八九十]{1,3}岁|[三四五六七]十[一二三四五六七八九]?(?=了))|"
    r"\bi(?:'m| am)(?: already| now| only| just| nearly| almost)? (?P<en>\d{2})\b"
    r"(?! (?:minutes|hours|days|weeks|months|percent|km|miles))"
)
_CHANGES: Final = Expression(
    r"有(?:影响|差别|差|区别|关系)|影响|要紧|变吗|算不算|"
    r"\b(?:change|matter|affect|difference|count)\w*\b"
)
_OWN_DEED: Final = Expression(
    r"(?:找|打|写|发|约|告诉|联系|道歉|开口|问|谈|主动|送|去见|见面|说清)|"
    r"\b(?:call|text|write|message|phone|email|tell|ask|visit|talk|apologi[sz]e|meet|invite|send)\b"
)
_NOT_YET: Final = Expression(
    r"(?:说|讲|答应|保证|承诺)[^，。]{0,6}(?:会|一定|要)|还要|还得|要我|只差|等(?:通知|消息|结果)|听到|好像|可能|据说|"
    r"\b(?:swears?|promises?|will|'ll|says|wants?|needs?|asked|asking|waiting|maybe|might|"
    r"apparently|heard|rumou?r|one more)\b"
)
_ALL_IN: Final = Expression(
    r"全押|全部(?:投|买|押|拿|放)|全投|梭哈|身家|所有(?:的)?(?:积蓄|钱|存款)|[借贷].{0,4}(?:来|去)?(?:投|买)|孤注|"
    r"\b(?:all in|everything|all (?:of )?(?:my|our|the) (?:savings|money|cash)|whole (?:savings|lot)|life savings|"
    r"borrow to|take (?:out )?a loan to)\b"
)
_COMPARES: Final = Expression(r"比起|相比|[比较]起来|\b(?:as opposed to|compared (?:to|with)|versus|vs|rather than)\b")
_OF_CASTS: Final = Expression(r"卦|占|卜|算|摇|问|掷|抽|\b(?:casts?|coins?|toss|throw|ask|reading|question)\b")
_BETTER_THEN: Final = Expression(r"好一?[点些]|更好|顺一?[点些]|\b(?:better|easier|worse)\b")
_RIGHT: Final = Expression(
    r"(?:听)?谁(?:说)?的?(?:是)?(?:对|有道理|说得对|的)(?:$|[?？呢啊])|听谁的|"
    r"\bwho(?:'s|se| is)? (?:right|wrong|advice|opinion)\b|"
    r"\bwhich of us is\b"
)
_THEIRS: Final = Expression(
    r"(?:如果|要是|假如|万一|若)(?:是)?(?:[他她]们?|对方|老板|公司|房东|客户|医生|老师|领导|爸|妈)|"
    r"\b(?:if|suppose|what if) (?:he|she|they|it|the [a-z]+|my (?:boss|landlord|parents|mum|mom|dad|husband|wife|"
    r"partner|teacher|doctor|ex))\b"
)
_WHAT_PERSON: Final = Expression(
    r"(?:什么样|怎么?样|哪种|哪一?类|啥样)的?人|\b(?:what (?:kind|sort|type) of (?:a )?(?:person|man|woman|guy|girl)|"
    r"what (?:is|'s|will|would) (?:he|she|they)(?: be)? like)\b"
)
_NAME_ZH: Final = Expression(
    r"(?:^|[，,。 ])(?:那么?|帮我|看看?|再|换成?|如果是|要是|改成|和|跟|与)*"
    r"(?P<name>(?:小(?![时学孩三区米狗猫店组伙便朋])|阿(?![姨公婆爸妈爷嬷])|老(?![板师公婆妈爸人家友]))[\u4e00-\u9fff])(?:呢|怎么样|如何|好吗|可以吗|行吗|行不行|的话|吧)"
)
_NAME_EN: Final = Expression(
    r"^(?:and |but |so |ok |okay )?(?:what|how) about (?P<name>[A-Z][a-z]{2,11})\b(?: (?:then|though|instead))?[?. ]*$|"
    r"^(?:and )?(?:if it's|if it was|instead) (?P<with>[A-Z][a-z]{2,11})[?. ]*$"
)
_SORROW: Final = Expression(
    r"哭(?!死|笑不得)|泪(?!目)|难过|伤心|心碎|崩溃|撑不住|想吐|睡不着|失眠|"
    r"\b(?:cry\w*|cried|tears?|sobb\w*|heartbroken|gutted|devastated|sick|hurts?|can'?t sleep|haven'?t slept|"
    r"not slept|sleepless|alone|lonely|miss (?:him|her|them|you))\b"
)
_NO_NAME: Final = frozenset(
    listed(
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August "
        "September October November December Christmas Easter Spring Summer Autumn Winter"
    )
)


def has_come(text: Text) -> bool:
    """Whether what is told has happened, and is no promise, demand or hearsay."""
    return _NOT_YET.search(text.folded) is None


def is_sad(text: Text) -> bool:
    """Whether who writes is in sorrow, whatever else is told: nobody in tears is congratulated."""
    return _SORROW.search(text.folded) is not None


def compares(text: Text) -> bool:
    """Whether a follow-up holds something against what was asked about."""
    return _COMPARES.search(text.folded) is not None


def is_of_casts(text: Text) -> bool:
    """Whether a follow-up speaks of casting or asking: 再来一次 may be of a message."""
    return _OF_CASTS.search(text.folded) is not None


def asks_if_better_then(text: Text) -> bool:
    """Whether a follow-up asks if it goes better at the time it names."""
    return _BETTER_THEN.search(text.folded) is not None


def asks_who_is_right(text: Text) -> bool:
    """Whether a follow-up asks which of two people is right."""
    return _RIGHT.search(text.folded) is not None


def puts_in_all(text: Text) -> bool:
    """Whether a follow-up asks to stake everything."""
    return _ALL_IN.search(text.folded) is not None


def is_of_another(text: Text) -> bool:
    """Whether a plan is what somebody else may do: "if they ask me to relocate", 如果他不答应."""
    return _THEIRS.search(text.folded) is not None


def asks_what_manner(text: Text) -> bool:
    """Whether a follow-up asks what kind of person somebody is."""
    return _WHAT_PERSON.search(text.folded) is not None


def has_searched(text: Text) -> bool:
    """Whether a lost thing has been looked for where it was said to be, or another place is asked for."""
    return _SEARCHED.search(text.folded) is not None or _ELSEWHERE.search(text.folded) is not None


def time_unplaced(text: Text) -> str | None:
    """Return the words for a time whose date is not told: 他生日之后, "the day after"; None if a date is."""
    if later_time(text) is not None or months_named(text):
        return None
    match = _UNPLACED.search(text.folded)
    if match is None:
        return None
    group = next(name for name, words in match.groupdict().items() if words)
    return text.words(*match.span(group)).strip()


def wants_sooner(text: Text) -> bool:
    """Whether a follow-up asks for an earlier time than the one told."""
    return _SOONER.search(text.folded) is not None


def of_another_reading(text: Text) -> bool:
    """Whether a doubt holds another reader's word, or another cast, against the answer."""
    return _READERS.search(text.folded) is not None


def in_one_sentence(text: Text) -> bool:
    """Whether the answer shall be one sentence."""
    return _ONE_SENTENCE.search(text.folded) is not None


def asks_date_said(text: Text) -> bool:
    """Whether a follow-up asks which date the reading has given."""
    return _SAID.search(text.folded) is not None


def age_told(text: Text) -> str | None:
    """Return the asker's own age, in their words."""
    match = _AGE.search(text.folded)
    if match is None:
        return None
    return text.words(*match.span("zh")) if match["zh"] else match["en"]


def asks_if_it_matters(text: Text) -> bool:
    """Whether a follow-up asks if what it tells makes a difference."""
    return _CHANGES.search(text.folded) is not None


def is_own_deed(text: Text) -> bool:
    """Whether a plan is to speak to somebody, which can be done well or badly."""
    return _OWN_DEED.search(text.folded) is not None


def person_named(text: Text) -> str | None:
    """Return the name of somebody to whom a follow-up turns: 那小王呢, "what about Tom"."""
    words = text.folded if text.chinese else text.written.strip()
    match = (_NAME_ZH if text.chinese else _NAME_EN).search(words)
    if match is None:
        return None
    groups = match.groupdict()
    name = text.words(*match.span("name")) if text.chinese else groups["name"] or groups["with"]
    return None if name in _NO_NAME else name
