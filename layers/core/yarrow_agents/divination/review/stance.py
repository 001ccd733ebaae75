"""Whether the verdict words of a sentence agree with the verdict (CARE-09).

Any word of success counts as a claim that the matter succeeds, any of failure as one that it fails, unless it is
negated in its clause. Who sounds certain of it promises.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE, Folded
from yarrow_agents.divination.review.concepts import Concept, concepts, english_words
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.review.lexicon import OTHERS

_NOT: Final = re.compile("不|没|未|无|非|别|难|莫|勿|免|少|若|如果|要是|谈不上|还早|[^A-Za-z]想")
_ONCE: Final = re.compile("[等待](?!.*[就必便])")
"""What waits for something claims that it is not there yet, unless it says what then comes."""
_IS_NOW: Final = re.compile(r" (?:is|are|stays?|remains?)(?: \w+){0,2} $")
"""How something is just now is no haste."""
_FINAL: Final = re.compile(
    "(?:眼看|已经|早就|早已|再也|终究|终归|迟早|注定).{0,6}不(?:住|了(?!解)|到|成|回|上|下|起)(?!了?(?:手|台|来去))"
)
"""A failure that is said to be certain."""
_IS_VOID: Final = re.compile("[爻神财官父兄孙木火土金水旺而又也都](?:正|又|却|还)?落空$")
"""A line that is void (旬空), and no failure."""
_NOT_IN_ENGLISH: Final = re.compile(
    r" (?:not|no|never|nothing|nobody|none|neither|nor|without|cannot|hard|difficult|if|unless|until|\w+nt) "
)
_ABSOLUTE: Final = re.compile(
    "百分之百|百分百|十拿九稳|板上钉钉|万无一失|毫无疑问|毫无悬念|包你|保证|保准|稳赢|稳赚|绝对|铁定|一定会|一定能|必定|必将"
    "|as good as|guarantee.*|hundred percent"
    "|rest assured|assured|cannot fail|cant fail|for sure|definitely|bound to|sure to"
)
"""Promises by themselves."""
_CANNOT_FAIL: Final = re.compile(
    "不可能(?:失败|不[成行好会来]|输|出错|出事|落空)|没有?(?:什么|任何人?|谁|人)(?:能|可以)?[拦挡阻](?!力|碍)|不会(?:出|有)(?:任何|一点)"
    "(?:错|差错|问题|事|意外)"
)
_CANNOT_FAIL_IN_ENGLISH: Final = re.compile(
    r" (?:(?:nothing|nobody|no one|no body) (?:can|could|will|is going to) "
    r"(?:go wrong|stop|fail|beat|touch|prevent|harm|hurt)"
    r"|(?:cannot|cant|can not|couldnt|wont|never) (?:possibly )?(?:go wrong|fail|lose)"
    r"|(?:no way|impossible)(?: for| that)? (?:you|it|this|that|he|she|they|to) "
    r"(?:can |could |will |to )?(?:fails?|loses?|go wrong)"
    r"|none of (?:that|this|it|these|those)(?: \w+)? matters?) "
)
"""What promises by denying that it could be otherwise."""
_ORDER: Final = re.compile(
    "(?:所以|那么?|因此|于是|现在|眼下|这时|[你您正先就再多都也快]|直接|干脆|不如|不妨|建议|可以|大可|最好|应[该当]|只管|早点|赶紧|尽快){0,5}"
    "(?:把.{1,6}?)?[去来]?"
    "(?:提告|告[他她上]|起诉|上诉|签[字约下合]|辞职|递交|交上去|搬[走过家](?![的时前后这])|投[下钱]|投入[全更一]|借[他她给钱]|借|贷|押[上出]|买[下进入]|卖[掉出]|抛|赌"
    "|打[他她开]|骂|抢(?!的)|堵(?!住|在)|闯|报警|曝光|公开[他她]|跟踪|翻[他她]|查[他她]|搜|偷|去[他她找]|逼|吓|扣下|摊牌|分手|离婚|表白|求婚"
    "|追回|找人(?!一起|居中|商量|谈|聊|说|帮忙看)|[让叫派].{0,4}(?:[去替陪帮]|来帮)|先下手|约[他她到]|再加[一点笔码])"
    "|.{0,6}把[他她](?!们?当|看)"
)
"""What a clause may tell somebody to do in the world. Every part is bounded: a search takes linear time."""
_PART: Final = re.compile(
    r"[;:]|, (?:so|and|then) | and (?=(?:make|tell|ask|give|call|take|get|put|shake|search|go|bring|send) )"
)
"""Where an English sentence may begin to give an order."""
_FOR_GOOD: Final = re.compile(
    r"(?:(?:so|then|just|now|first|simply|go ahead and|please) )*"
    r"(?:hand in|give notice|walk (?:out|away)|move out|pull out|cash (?:in|out)|sell (?:off|up)|buy up"
    r"|sign (?:up|over|away)|break (?:up|off)|cut (?:off|out|him|her|them)|throw out|kick out|quit|resign"
    r"|turn (?:him|her|them|it) in|take out (?:a|the)|change the locks|borrow against|pack (?:up|your)"
    r"|send (?:him|her|them) away|stop (?:paying|taking|seeing)"
    r"|(?:sit|wait|park|stand|hide|stay)(?: \w+){0,5} "
    r"(?:her|his|their) (?:window|house|door|flat|home|street|office|car)) "
)
"""Orders to do what cannot be undone."""
_DESTROYS: Final = re.compile(
    r"(?:^|[,;:] | and | then )(?:burn|tear up|destroy|smash|slash|shred|flush|throw away) "
    r"(?:the|your|his|her|their|all|every) ",
    re.IGNORECASE,
)
"""Orders to destroy something, in any clause."""
_THIRD_PERSON: Final = re.compile("(?:s|ed|ing|ly)$")
_ADVERB: Final = re.compile("(?:ing|ly|ness|ment|tion|ty)$")


def faults(text: str, *, favourable: bool, careful: bool) -> Iterator[str]:
    """Yield the verdict words of a sentence that contradict the verdict, or promise."""
    folded = fold(text)
    good, bad = list(_claims("good", folded)), list(_claims("bad", folded))
    certain = list(_claims("certain", folded))
    if favourable:
        yield from bad
    else:
        yield from good
    if good and (certain or careful):
        yield from (*good, *certain)
    if bad and certain and not favourable:
        yield from (*bad, *certain)
    yield from promises(text)
    if careful:
        yield from _claims("go", folded)
    yield from (match[0] for match in _FINAL.finditer(folded.chinese))
    yield from _chinese_orders(folded.chinese)
    for part in _PART.split(text):
        if part.lstrip(" \n“\"'‘(")[:1].isascii():
            yield from _orders(fold(part).english)


def promises(text: str) -> Iterator[str]:
    """Yield the words of a sentence that promise or press by themselves, whatever the verdict is.

    So does an order to do what cannot be undone: what to do is the rules' to say.
    """
    folded = fold(text)
    yield from (word for word in _claims("certain", folded) if _ABSOLUTE.fullmatch(word))
    yield from _claims("urge", folded)
    for part in _PART.split(text):
        if match := _FOR_GOOD.match(f"{fold(part).english.strip(' ,')} "):
            yield match[0].strip()
    if match := _DESTROYS.search(text):
        yield match[0].strip(" ,;:")
    for pattern, words in ((_CANNOT_FAIL, folded.chinese), (_CANNOT_FAIL_IN_ENGLISH, f" {folded.english.strip()} ")):
        if match := pattern.search(words):
            yield match[0].strip()


def _claims(name: str, text: Folded) -> Iterator[str]:
    """Yield the words of a concept that no negation precedes in their clause."""
    concept: Concept = concepts()[name]
    for clause in text.chinese.split(CLAUSE) if text.chinese else ():
        for match in concept.chinese.finditer(clause):
            before = clause[: match.start()]
            waits = name == "good" and _ONCE.search(clause) and "等" in before
            if not _NOT.search(before) and not waits and not _IS_VOID.search(clause[: match.end()]):
                yield match[0]
    for clause in text.english.split(f" {CLAUSE} ") if text.english else ():
        for match in concept.english.finditer(f" {clause.strip()} "):
            padded = f" {clause.strip()} "
            is_state = match[0] == "right now" and _IS_NOW.search(padded[: match.start()])
            if not _NOT_IN_ENGLISH.search(padded[: match.start() + 1]) and not is_state:
                yield match[0]


def _chinese_orders(chinese: str) -> Iterator[str]:
    """Yield orders to do something in the world; orders not to do something are not among them."""
    for clause in chinese.split(CLAUSE):
        if match := _ORDER.match(clause):
            yield match[0]


def _orders(english: str) -> Iterator[str]:
    """Yield the first word of a sentence that may be an order, also after an adverb and a comma."""
    words = english.split()
    while len(words) > 1 and words[1] == CLAUSE and (words[0] in english_words("starters") or _ADVERB.search(words[0])):
        words = words[2:]
    if not words or words[0] == CLAUSE or words[0] in english_words("starters") or _ADVERB.search(words[0]):
        return
    if words[0] in english_words("errands") and not OTHERS.search(english):
        return
    if len(words) > 1 and words[1] in english_words("objects") and not _THIRD_PERSON.search(words[0]):
        yield words[0]
