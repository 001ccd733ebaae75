"""What a sentence does to the verdict, or to the asker's care, in the vocabulary of a reading alone (CARE-09).

`stance` finds words of success and failure; here are the ways to say so without them: doubting the verdict, making up
for it, pressing for haste, talking somebody out of waiting. Most hold for clauses that name nothing of the plate.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.review.lexicon import is_anchored

_NOT: Final = re.compile("不|没|未|无|非|别|难|莫|勿|免|少|若|如果|要是|谈不上|还早|[^A-Za-z]想")
_NOT_IN_ENGLISH: Final = re.compile(
    r" (?:not|no|never|nothing|nobody|none|neither|nor|without|cannot|hard|difficult|if|unless|until|\w+nt) "
)

_DOUBT: Final = re.compile(
    "(?:卦|断语?|结论|说法|规[则矩]|上面|这些话?|书|签)[^,]{0,6}?"
    "(?:不准|不[算作]数|[别莫]信|不可信|难看|过时|[旧老]的|凑|没话|[别莫]?当真|另一回事|两回事"
    "|不[用必]理|[不别]?[用必]?在意|放一边|忘|[说看断]错|有误|反了|照本)"
    "|[懂会看]的人|明眼人|内行|只是(?:[一这]种|个|句)?(?:说法|话|形式|表面|名字)|说的不算|说了不算|反过来[看读]"
    "|(?:阻力|难处|压力|困难|克|弱|破|空|动)[^,]{0,8}?"
    "(?:不算什么|没什么|不要紧|不碍|算什么|不用怕|无所谓|没关系|也不怕)"
)
_DOUBT_IN_ENGLISH: Final = re.compile(
    r" (?:(?:readings?|casts?|lines?|verdicts?|grades?|books?|hexagrams?|plates?|rules?|signs?)(?: \w+){0,3} "
    r"(?:wrong|mistaken|old|nonsense|only says?|always says?|not (?:matter|count|apply|bind)|no weight|technicality"
    r"|aside|outdated|exaggerat\w*)"
    r"|(?:ignore|forget|overrule|overlook|see past|look past|disregard)(?: \w+){0,2} "
    r"(?:readings?|casts?|lines?|verdicts?|grades?)"
    r"|(?:knows?|sees?) (?:better|further)|(?:read|seen|taken) (?:\w+ )?the other way"
    r"|only (?:a )?(?:words?|term|name|label)) "
)

_COMFORT: Final = re.compile(
    "(?:反而|反倒|其实|都会?|自然就?会?|越来越|越.|只会|就会?|才是|更|真)(?:是|会|能)?(?:更加?|越来?越?)?"
    "(?:顺(?!其|势)|好(?![好在像似比])|旺|成(?![本为绩果])|高|亮|赢|值|轻松|容易(?!先|反|被|[累出乱受])|有利|开心|如意|自由)"
)
_COMFORT_IN_ENGLISH: Final = re.compile(
    r" (?:(?:something|things?|everything|it|all|one|way|what)(?: \w+){0,2} "
    r"(?:bigger|better|greater|brighter|finer|freer)(?! to| if)"
    r"|for the (?:best|better)|blessing|in disguise|greater things|better things|bigger things) "
)
"""What makes up for a bad verdict; the cast says so of a line at most."""
_GLOOM: Final = re.compile(
    "(?:只会|终究|终归|到头来|迟早|其实|就是|越来越|越.)(?:是|会|要)?(?:更加?|越来?越?)?"
    "(?:散|难(?!得|怪|免)|差|糟|远|空(?!间|档)|冷|晚|少|坏|败|没用|白)"
)
"""What takes from a good verdict."""
_IF: Final = re.compile(
    "等|才(?!是)|先|再(?!也)|若|如果|要是|只要|除非|的时候|之后|以后|与其|不如|比较|[更会]好(?:一?些|一点)?[说谈看走做办]"
    "|何时|能否|是否"
)

_WAITING: Final = re.compile(
    r" (?:is|are|stands?|lies|sits?)(?: \w+){0,2} (?:waiting|reserved|printed|set aside|on (?:its|the|their) way)"
    r"(?! for (?:a|the|its|something|what|that)) "
)
"""A thing that is as good as there."""
_DONE: Final = re.compile(
    r" (?:(?:answer|reply|outcome|result|verdict)(?: \w+){0,2} (?:is|will be|becomes) (?:a )?(?:yes|no|certain|settled)"
    r"|nothing (?:left|will|can|could|remains)|(?:stays?|remains?|is|are) (?:gone|over|finished|lost)"
    r"|where (?:it|you|they) (?:wants?|belongs?)|only one of them) "
)
"""How it ends, as a fact."""

_SURE: Final = re.compile(
    "(?<!不)(?:一定|肯定|必定|必然|绝对)"
    "(?!的|不|程度|空间|机会|压力|阻力|难度|助力|帮助|优势|基础|时间|要)"
    r"| (?:certainly|surely|undoubtedly|no doubt|of course) "
)
"""Words of somebody who is sure of something."""
_HASTE: Final = re.compile(
    "来不及|错过|过时不|机不可失|最后一?[次个]?机会|再不[^,]{0,6}就|[一再]晚就|过了[这此][^,]{0,4}就[没不]"
    r"| (?:before it (?:is too late|sets|closes|ends|goes|passes)|now or never|(?:last|only) chance"
    r"|miss (?:it|this|your|the)|while it lasts|before (?:the|this) (?:window|chance|moment)|too late) "
)
_NOW: Final = re.compile("现在|今天|(?<!不是)马上|以后|这次|这一步|这一趟|从此|往后")
_CARE: Final = re.compile(
    "可以|不妨|建议|需要|不必|不用|不宜|[别先]|不要|看看|难|慢|稳|守|留意|注意|耐心|等|宜|适合|合适|为好|较|更|[尚还](?!有)|暂"
    "|多半|可能|或许|未必|不一定|如果|若"
)
_FORCES: Final = re.compile("[压克冲旺]|底气|不太|不够|不足|弱|阻|缺|急|太|看|处|偏|力|条件|局面|环境")
"""What a clause about now or later may say: care, also in the clause before, or how the forces are."""
_CARELESS: Final = re.compile(
    "(?:不[用必要]|别|甭)(?:再|去)?(?:准备|等(?!同|到)|听|看(?!重|轻)|努力|学|复习|问|管|理(?!会)|信|怕|商量|考虑|休息|留意|小心)"
    "|[也都还](?:可以|行|没事|没问题)的?$|^(?:可以|没事|没问题)的?$|就(?:对|行|成|可以|够|得|好)了?$"
)
_CARELESS_IN_ENGLISH: Final = re.compile(
    r" (?:do not|dont|no need to|without|stop) "
    r"(?:wait|waiting|prepar\w+|listen\w*|ask\w*|check\w*|think\w*|worry about) "
)
"""Words that talk somebody out of care."""
_DIAGNOSIS: Final = re.compile("[这那](?:不是|就是)|[这那]?(?:没什么|没有什么|没事|才是)")
"""Words that say what something is, where a cast does not decide."""

_BODY: Final = re.compile("身体|体内|身子|病|症|官司|案子|法[院官庭]|孩子|胎")
"""Matters that a cast decides least: such a clause must be hedged or counsel care."""
_BODY_IN_ENGLISH: Final = re.compile(
    r" (?:legs?|arms?|foot|feet|hips?|lungs?|liver|kidneys?|stomach|bones?|joints?|spine|brain|blood|eyes?|skin|womb"
    r"|tumou?rs?|body|illness|disease|case|court|baby|child) "
)
_HEDGED_IN_ENGLISH: Final = re.compile(
    r" (?:may|might|could|can|cannot|perhaps|probably|likely|unlikely|seems?|appears?|suggests?|if|whether|should|not"
    r"|doctor|lawyer|better|slowly|slow|gently|patience|time|rest|line|lines) "
)
_GIVES: Final = re.compile("把[^,]{1,6}?(?:都|全部?|一起)?[放投拿交押加卖给掏砸][^,]{0,2}?(?:进|出|去|上|掉)")
"""Words that tell somebody to invest something, or to hand it over."""


def faults(text: str, language: Language, *, favourable: bool, careful: bool) -> Iterator[str]:
    """Yield the words of a sentence that doubt the verdict, make up for it, or press for haste."""
    folded = fold(text)
    for pattern in (_DOUBT, _DOUBT_IN_ENGLISH, _SURE, _HASTE):
        if match := pattern.search(folded.english if pattern is _DOUBT_IN_ENGLISH else folded.chinese + folded.english):
            yield match[0].strip()
    before = ""
    for clause in folded.chinese.split(CLAUSE) if folded.chinese else ():
        if not is_anchored(clause, language):
            yield from _of_clause(clause, before, favourable=favourable, careful=careful)
        before = clause
    if careful:
        for clause in folded.english.split(f" {CLAUSE} "):
            padded = f" {clause.strip()} "
            if (match := _BODY_IN_ENGLISH.search(padded)) and not _HEDGED_IN_ENGLISH.search(padded):
                yield match[0].strip()
    for pattern in (_CARELESS_IN_ENGLISH, _DONE, _WAITING, *(() if favourable else (_COMFORT_IN_ENGLISH,))):
        match = pattern.search(folded.english)
        if match and not _NOT_IN_ENGLISH.search(folded.english[: match.start() + 1]):
            yield match[0].strip()


def _of_clause(clause: str, before: str, *, favourable: bool, careful: bool) -> Iterator[str]:
    match = (_GLOOM if favourable else _COMFORT).search(clause)
    if match and not _NOT.search(clause) and not _IF.search(before + clause):
        yield match[0]
    if (match := _CARELESS.search(clause)) and not (favourable and match[0][0] in "也都还就可"):
        yield match[0]
    is_said = _CARE.search(before + clause) or _FORCES.search(clause)
    if (match := _NOW.search(clause)) and not is_said:
        yield match[0]
    if match := _GIVES.search(clause):
        yield match[0]
    if careful and (match := _DIAGNOSIS.search(clause)):
        yield match[0]
    if careful and (match := _BODY.search(clause)) and not is_said:
        yield match[0]
