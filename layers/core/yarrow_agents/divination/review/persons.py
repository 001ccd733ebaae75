"""Whether a sentence says as a fact what a person does, did or will do (CARE-09).

A cast shows the state of things; what somebody does is at most inferred from it. Such a clause must therefore be hedged
(多半, "may") or drawn from the plate (说明, 表示). What the asker will do is limited to what anybody may feel or need.
"""

import re
from collections.abc import Iterator
from typing import Final

from liuyao.care.folding import CLAUSE
from liuyao.reading import Language
from yarrow_agents.divination.review.folds import fold
from yarrow_agents.divination.review.lexicon import is_anchored

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
"""Statements about the asker's nature, which a cast does not show."""
_FIRST: Final = re.compile(
    "[问找听信跟向]我|我(?!们|身|者)(?:的|这|给|帮|替|为|会|再|就|可|能|也|只|是|来|教|告诉|保证|看[你您])"
)
_FIRST_IN_ENGLISH: Final = re.compile(
    r" (?:my|me|mine|myself|us|our|ours|we|im|ill|ive|id|i(?! (?:find|would|see|read|think))) "
)
"""Statements by the writer, who has no part in the matter."""
_TEXT: Final = re.compile(
    "(?:不|没|难以?)(?:方?便|能|好|敢|必|用)?(?:在这里?|这里)?(?:写|明说|细说|多说|直说|点破)|写得|写着|这里(?:写|说|放|装|讲)不"
    "|另有|还有一[层些](?:话|意|事)?|来问|才能说|不[便能]说"
)
_TEXT_IN_ENGLISH: Final = re.compile(
    r" (?:(?:fits?|fit|say|said|write|written|put|shown|told|room|more) here|than (?:fits|i|we|this)"
    r"|ask for (?:it|more|the rest)|the rest of it|between the lines|in person|in private"
    r"|(?:cannot|cant|may not|must not) (?:say|write|tell|put)) "
)
"""Statements about the text itself, or what it leaves out."""
_PAST: Final = re.compile(
    "(?<!以)从小(?!规模|处|事)|自小|早在|当初|当年|那年|从前|以往|多年|一开始就|从一开始|历来|(?<!偏)向来|原来就"
)
_PAST_IN_ENGLISH: Final = re.compile(
    r" (?:long before|ever since|all along|from the (?:first|very) (?:day|moment)|years? ago"
    r"|always (?:been|was|were)) "
)
"""Statements about the past or fate, which a cast does not show."""
_PERSON: Final = re.compile("[你您她他](?!这|那|自己(?:这|那|的)爻)|对方|有人|别人|双方|彼此|两个?人")
_CARES: Final = re.compile(
    _SOFT.pattern
    + "|可以|不妨|建议|需要|不必|不用|不宜|[别先最]|不要|看看|意思|提醒|看出|能够|有些|难以|不会太|慢|稳|守|留意|注意"
    "|耐心|等|宜|[听问](?!我)|适合|为好|合适|休息|倾向|趋势|偏|[尚还](?!有一?些?[话人])|暂|像|[仿彷]|难"
    "|与其|给.{0,5}(?:时间|空间|余地)"
)
"""What hedges a clause about a person, or counsels care."""
_FORCES: Final = re.compile(
    "气势|力量|力气|意见|立场|条件|地位|阻力|压力|支持|帮助|帮忙|助力|扶持|敌意|恶意|善意|靠近|沟通|掌握|主动|余地|关系|态度|想法|心意"
    "|犹豫|准备|付出|底气|实力|愿意|伸|[形局]势|有利|不利|缘分|筹码|理由|[在不]动|上风"
)
"""What a cast's forces may say of persons."""
_ALL_DONE: Final = re.compile("[一全]切|都会?(?:把|给|替)|好给|[没不]有[你您]")
_LIKE_YOU: Final = re.compile(
    "[以凭靠][你您]的|[你您]自己(?:的(?:感觉|直觉|心)|知道|清楚)|[你您]本来|你也该|[照只管][你您]|[你您][照只]管?"
    "|[^,]{1,8}的人(?:早|都|才|就|不会|只会)"
)
"""Flattery of the asker, or of others in their place."""
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


_ANYBODY: Final = re.compile(
    r" (?:those|people|anyone|anybody|everyone|everybody|the one|the ones|somebody|someone|person) who | whoever "
    r"| (?:some|most|many|such|all|no|few) people (?:are|have|do|will|never|always)| one of (?:them|those) "
)
_THEY: Final = re.compile(r" (?:they|theyre|theyll|theyve|them|their) ")
_SEVERAL: Final = re.compile(
    r" (?:lines|sides|changes|signs|forces|ties|keys|things|combinations|clashes|steps|branches|elements|both|two|three"
    r"|four|months|days|parts|ways|roots|people|places|seasons|talks|words|others|terms|plans|conditions|moves|friends"
    r"|who) "
)
_YOU: Final = re.compile(
    r" you (?:may|might|can|cannot|cant|could|would|should|need|have|had|are|were|do|dont|did|didnt|still|want|wish"
    r"|feel|hold|expect|find|see|look|wait|know|think|ask|asked|move|act|go|start|begin|begun|decide|choose|keep|stand"
    r"|carry|meet|reach|give|take|put|notice|hear|will|ll|and|is|to|or|with|must|who|on|in|at|from|as|for|not|yourself"
    r"|picture|imagine|bear|face|lean|rely|rest|hope|like|turn|come|let|make|set|use|try|then|now|first|that|than|more|a|the|both|also|where"
    r"|when|if|how|what|either|rather|before|after|while|until|through|toward|towards|away|without|so|here|there|again"
    r"|back|most|along|was|has|bring|stay|share|walk|step|build|lose|gain|get|got|pull|push|say|said|tell|own|trust"
    r"|, ?|$)|you$"
)
_OF_YOU: Final = re.compile(r" you ")
_TOO: Final = re.compile(r" you (?:\w+ ){0,3}too (?:much|little|many|few|often|rarely)\b")
_YOU_DID: Final = re.compile(
    r" you (?:(?:have |had |ve )?(?:waited|went|did|said|told|made|chose|lost|failed|missed|let|refused|ignored|trusted"
    r"|gave|pushed|talked|spent)"
    r"|(?:are|were|re) (?:\w+ )?(?:stronger|better|smarter|wiser|above|beyond|worth|made|meant|born|special|destined"
    r"|different|enough|right|wrong|the (?:reason|cause|problem|kind))"
    r"|(?:have to|must|need to|only need to|just need to) (?:ask|pay|come|call|write|say|leave|go|give|act|believe"
    r"|trust)) "
)
_UNLESS: Final = re.compile(r" (?:if|unless|not|never|may|might|perhaps) ")


def claims(text: str, language: Language) -> Iterator[str]:
    """Yield the words of a sentence that say what a person does; none of a clause with a term of the plate."""
    if language is Language.ENGLISH:
        english = fold(text).english
        for clause in english.split(f" {CLAUSE} "):
            yield from _in_english(f" {clause.strip()} ")
        if (match := _THEY.search(english)) and not _SEVERAL.search(english[: match.start() + 1]):
            yield match[0].strip()
        return
    chinese = fold(text).chinese
    before = ""
    for clause in chinese.split(CLAUSE):
        for pattern in (_FIRST, _TEXT, _PAST, _LIKE_YOU):
            if match := pattern.search(clause):
                yield match[0]
        match = _PERSON.search(clause)
        if (
            match
            and not is_anchored(clause, language)
            and not _CARES.search(before + clause)
            and not _of_forces(clause)
        ):
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


def _of_forces(clause: str) -> bool:
    """Whether a clause says how strong or willing somebody is, which the plate shows, and not that all is done."""
    return _FORCES.search(clause) is not None and not _ALL_DONE.search(clause)


def _in_english(clause: str) -> Iterator[str]:
    for pattern in (_FIRST_IN_ENGLISH, _TEXT_IN_ENGLISH, _PAST_IN_ENGLISH, _JUDGED_IN_ENGLISH, _ANYBODY):
        if match := pattern.search(clause):
            yield match[0].strip()
    for pattern in (_TOO, _YOU_DID):
        if (match := pattern.search(clause)) and not _UNLESS.search(clause[: match.start() + 1]):
            yield match[0].strip()
    if len(_OF_YOU.findall(clause)) > len(_YOU.findall(f"{clause.rstrip()} , ")):
        yield "you"
    if _SOFT_IN_ENGLISH.search(clause):
        return
    if match := _THIRD_IN_ENGLISH.search(clause):
        yield match[0].strip()
    if (match := _SECOND_IN_ENGLISH.search(clause)) and not _MAY_DO_IN_ENGLISH.match(match[1]):
        yield match[0].strip()
