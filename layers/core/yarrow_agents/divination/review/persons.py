"""Whether a sentence says as a fact what a person does, did or will do (CARE-09).

A cast shows how things stand; what somebody does is at most inferred from it. Such a clause must therefore be hedged
(多半, "may") or drawn from the plate (说明, 表示). What the asker will do is limited to what anybody may feel or need.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.review.plain import is_anchored

_SOFT: Final = re.compile(
    "多半|可能|也许|或许|恐怕|大概|未必|不一定|似乎|好像|像是|看来|看上去|应该|容易|难免|说明|表示|代表|显示|意味|可见|反映|提示|暗示"
    "|如果|要是|若|倘|假如|即使|就算|只要|除非|是否|能否|会不会|能不能|愿不愿|有没有|想不想"
)
_WHO: Final = (
    "(?:(?<!其)[她他]们?|人家|老板|领导|主管|法官|法院|考官|评委|面试官|前任|情敌|客人|顾客|客户|房东|同事|家长|公司(?!里)|对手|警察|邻居"
    "|(?:父母|朋友)(?=会|就|要|已))"
)
_DOES: Final = (
    "(?:就会|便会|都会|将会|会(?!面|支持|帮|愿意|配合|理解|体谅|给[你您]支持)|将|就要|已经|已(?!有)|早就|早已|正在|正[跟和与]|就是|根本|从来|一直"
    "|只不过|不过是|翻篇|就(?=不)|在想|都在|每天|天天|只等|正等|等着[你您]|爱[你您]|想[你您])"
)
_THIRD: Final = re.compile(f"{_WHO}[^爻]{{0,6}}?{_DOES}")
_SECOND: Final = re.compile(
    "[你您]们?(?:俩|两人)?[^爻]{0,6}?(?:就会|便会|都会|将会|会(?!面)|就能|就可以|便能|即将|就要)(.{0,4})"
)
_MAY_DO: Final = re.compile(
    "觉得|感到|感觉|发现|需要|比较|更|慢慢|轻松|有|看|明白|知道|遇|碰|吃|辛苦|累|受|难|显得|不会|用心|想|顺"
)
_JUDGED: Final = re.compile(
    "(?<!不)(?:(?:就|都|全|还)是|怪)[你您](?!自己|这|们?的|手|那|身|先)"
    "|[你您]们?(?:就是|根本|太(?!急|着急)|不够|总是?|老是?|从来|一向|生来|才是)|(?<![到在])[你您]身上"
)
_NOT_JUDGED: Final = re.compile("不是|并非|不怪|如果|要是|别|不必|不用|若")
_JUDGED_IN_ENGLISH: Final = re.compile(
    r" you (?:are|re|were) (?:\w+ly |just )?"
    r"(?:(?:not|never|no) (?!alone|to blame|late|at fault|wrong|behind|the cause)|too )"
    r"| you (?:never|always|lack|only ever|keep failing) "
)
"""What is said of the asker's nature; a cast shows none."""
_FIRST: Final = re.compile(
    "[问找听信跟向]我|我(?!们|身|者)(?:的|这|给|帮|替|为|会|再|就|可|能|也|只|是|来|教|告诉|保证|看[你您])"
)
_FIRST_IN_ENGLISH: Final = re.compile(
    r" (?:my|me|mine|myself|i (?:will|ll|can|know|have|am|m|promise|offer|teach|wake)) "
)
"""The writer has no part in the matter."""
_SOFT_IN_ENGLISH: Final = re.compile(
    r" (?:may|might|could|perhaps|maybe|probably|likely|unlikely|seems?|appears?|suggests?|shows?|means?|tends?|if"
    r"|unless|whether|would|should|not|hardly) "
)
_THIRD_IN_ENGLISH: Final = re.compile(
    r" (?:(?:she|he|her|his (?:heart|mind)|her (?:heart|mind)"
    r"|the (?:judge|manager|examiner|boss|landlord|interviewer|panel|court|company|owner|buyer|employer))(?: \w+)? "
    r"(?:will|ll|has|have|had|is going to|did|picked|chose|closed|never|already|wants|loves|hates|left|met|took|lied"
    r"|knows)"
    r"|(?:they|people|customers|somebody|someone|everybody|everyone)(?: \w+)? "
    r"(?:will|ll|picked|chose|decided|hired|already|are going to)"
    r"|(?:they|people|somebody|someone) (?:have|had|ve|want|only want)(?: \w+ly)?"
    r" (?:kept|chosen|made|left|found|sent|told|saved|picked|decided|given|hidden|taken)) "
)
_SECOND_IN_ENGLISH: Final = re.compile(
    r" (?:you|you and \w+|the two of you)(?: \w+)? ?(?:will|ll|are going to|shall) (\w+(?: \w+)?)"
)
_MAY_DO_IN_ENGLISH: Final = re.compile(
    r"(?:\w+ly )?(?:need|feel|find|see|notice|have (?:to|more|less|a|some|time|room)|still|want|hear|know|not|meet|face"
    r"|be (?:able|glad|better|fine|tired|on)|do|get (?:there|a|some|tired|further)|spend|save|lose|gain)\b"
)


def claims(text: str, language: Language) -> Iterator[str]:
    """The words of a sentence that say what a person does; none in a clause that names something of the plate."""
    if language is Language.ENGLISH:
        for clause in fold(text).english.split(f" {CLAUSE} "):
            yield from _in_english(f" {clause.strip()} ")
        return
    chinese = fold(text).chinese
    before = ""
    for clause in chinese.split(CLAUSE):
        if match := _FIRST.search(clause):
            yield match[0]
        if (match := _JUDGED.search(clause)) and not _NOT_JUDGED.search(clause):
            yield match[0]
        soft = _SOFT.search(before + clause)
        for pattern in (_THIRD, _SECOND):
            match = pattern.search(clause)
            if match is None or soft or is_anchored(clause, language):
                continue
            if pattern is _THIRD or not _MAY_DO.search(match[1]):
                yield match[0]
        before = clause


def _in_english(clause: str) -> Iterator[str]:
    for pattern in (_FIRST_IN_ENGLISH, _JUDGED_IN_ENGLISH):
        if match := pattern.search(clause):
            yield match[0].strip()
    if _SOFT_IN_ENGLISH.search(clause):
        return
    if match := _THIRD_IN_ENGLISH.search(clause):
        yield match[0].strip()
    if (match := _SECOND_IN_ENGLISH.search(clause)) and not _MAY_DO_IN_ENGLISH.match(match[1]):
        yield match[0].strip()
