"""Who somebody is: a kind of person by 六亲 and 六神, never a name.

The line is that of the one asked for: who hinders (or 官鬼, the thief and the ill-wisher), who helps, the 用神 of one
to be met, else 应. Sources: 《增删卜易》 用神章, 盗贼章; the characters of the spirits are those of 《卜筮正宗》 六神.
A line of the lower trigram is near (内卦为近), a yang line is a man.
"""

import re
from dataclasses import dataclass
from typing import Final

from liuyao.reading.contributions import Aspect
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import Place
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.mentioned import person_named
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.roles import FOCUS
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Text

_HELPS: Final = re.compile(r"[帮幫助救]|[贵貴]人|撑|支持|\b(?:help\w*|support\w*|on my side|ally)\b")
_THIRD: Final = re.compile(
    r"外面有|第三者|小三|出轨|劈腿|别的女|别的男|外遇|\b(?:cheat\w*|affair|seeing (?:someone|somebody)|"
    r"another (?:woman|man)|"
    r"other (?:woman|man))\b"
)
_ILL: Final = re.compile(
    r"偷|拿|捡|盗|害|搞|说我|坏话|谣|针对|小人|举报|骗|嫉妒|敌|仇|泄|背后|阻|"
    r"\b(?:stole\w*|stolen|steal|took|take|taken|thief|theft|rumou?r\w*|gossip\w*|sabotag\w*|lie|lying|lied|report\w*|"
    r"against|behind|enem\w+|jealous|blame|culprit|rival|did (?:it|this))\b"
)
_MEETS: Final = re.compile(
    r"对象|正缘|真爱|另一半|桃花|脱单|姻缘|未来|缘分|\b(?:meet|future|soulmate|true love|find love|boyfriend|"
    r"girlfriend|partner)\b"
)
_SEX: Final = re.compile(r"男.{0,4}女|女.{0,4}男|\b(?:man or|woman or|male or|female or|men or|boy or|girl or)\b")
_SEX_KNOWN: Final = re.compile(
    r"[她妈爸爷奶叔婶姨舅哥姐弟妹妻夫]|老公|老婆|男|女|先生|太太|\b(?:she|her|he|his|him|husband|wife|man|"
    r"woman|brother|sister|mother|father|"
    r"boyfriend|girlfriend)\b"
)
_PLACE: Final = re.compile(
    r"熟人|认识|身边|陌生|近不近|家里人|公司里|内部|外地|本地|亲戚|\b(?:someone i know|know (?:him|her|them|"
    r"this person)|close to me|stranger|"
    r"at work|in the family|insider|from (?:my|the) (?:office|house|family|outside)|from outside|relative)\b"
)
_THE: Final = re.compile(r"\bthe (?:[a-z]+ )?$")
_SUSPECTED: Final = re.compile(
    r"(?:是不是|会不会是|该不会是|难道是|一定是|肯定是)(?:我们?|那个|隔壁)?的?"
    r"(?P<zh>(?!有|在|要|会|因|想|还|没)[^，。？?吗吧呢是 ]{1,6})|"
    r"\b(?:was|is|could|might|must|it's)(?: it| that)?(?: be)? (?P<en>(?:[a-z]+\.? ){0,4}[a-z]+)\?*$"
)
"""Who is suspected, by no word for a relation."""
_WHO: Final = re.compile(r"谁|什么人|哪个|\bwho(?:'s|se)?\b(?! (?:can|could|will|would|should) (?:i|we|help))")
_DONE: Final = re.compile(
    r"偷|拿走|拿了|捡|盗|坏话|谣|举报|针对|骗|"
    r"\b(?:stole\w*|stolen|steal|took|taken?|thief|theft|rumou?r\w*|gossip\w*|sabotag\w*|lying|lied|report\w*|"
    r"behind my back|"
    r"jealous)\b"
)
"""What somebody did, or does, behind the asker's back."""
_WHETHER: Final = re.compile(
    r"是不是|是.{1,8}[吗吧]|会不会是|该不会|难道|莫非|肯定是|一定是|"
    r"^(?:so |and |but )?(?:was|is|could|might|did|must) (?:it|he|she|that|my|the)\b|\bmust be\b|\bbet it\b|\bit's\b"
)
"""What takes somebody for the one."""
_MANNER: Final = re.compile(
    r"性格|什么样|样子|描述|特征|脾气|长相|类型|\b(?:like|describe|kind of|sort of|type of|looks?)\b"
)


@dataclass(frozen=True, slots=True)
class _Person:
    """The line of somebody, and what they do in the matter: `harm`, `help`, `third`, `meet` or `other`."""

    line: Place
    role: str


def asks_sex(text: Text) -> bool:
    """Whether a follow-up asks if somebody is a man or a woman."""
    return _SEX.search(text.folded) is not None


def is_sought(text: Text, first: Text) -> bool:
    """Whether a follow-up asks who did what the first question is about, and not who helps or hinders."""
    return _WHO.search(text.folded) is not None and _DONE.search(first.folded) is not None


def person_told(narrator: Narrator, text: Text, first: Text, grounds: list[str]) -> list[str]:
    """What kind of person is meant, what is asked of them first, as far as a line shows it."""
    voice = narrator.voice
    if narrator.is_guarded:
        held = voice.phrase("who held", who=narrator.adviser_named)
        return [voice.sentence(voice.phrase("who no name")), voice.sentence(held)]
    person = _person(narrator, text, first)
    grounds.append(voice.sentence(voice.phrase("who ground", line=voice.line(person.line))))
    opening, told = _opening(narrator, person, text)
    sentences = [opening]
    if told != "kind" and person.role not in ("meet", "third"):
        sentences.append(voice.phrase("who kind", kind=_kind(narrator, person)))
    if told != "manner":
        sentences.append(voice.phrase("who manner", manner=_manner(narrator, person)))
    known = told == "sex" or _SEX_KNOWN.search(f"{text.folded} {first.folded}")
    sex = [] if known or person.role == "meet" else [_sex(narrator, person)]
    near = [] if told == "place" else [_place(narrator, person)]
    if person.role == "meet" and near:
        sentences.append(voice.phrase("who met near" if person.line.position <= 3 else "who met far"))
    elif sex and near:
        sentences.append(voice.phrase("who also", told=voice.phrase("who both", sex=sex[0], place=near[0])))
    elif sex or near:
        sentences.append(voice.phrase("who also", told=[*sex, *near][0]))
    spoken = [voice.sentence(item) for item in sentences]
    if not _accuses(narrator, person, text):
        return spoken
    return [*spoken[:2], voice.sentence(voice.phrase("who warned"))]


def suspects(narrator: Narrator, text: Text) -> bool:
    """Whether a follow-up takes somebody for the one who is asked about: 是不是我们组长."""
    return _WHETHER.search(text.folded) is not None and _candidate(narrator, text) is not None


def _accuses(narrator: Narrator, person: _Person, text: Text) -> bool:
    """Whether somebody may be blamed on the answer's word: who did harm, or one whom the follow-up suspects."""
    return person.role in ("harm", "third") or _candidate(narrator, text) is not None


def _opening(narrator: Narrator, person: _Person, text: Text) -> tuple[str, str]:
    """The first sentence, and which trait it tells."""
    voice, kind = narrator.voice, _kind(narrator, person)
    if candidate := _candidate(narrator, text):
        return voice.phrase("who unnamed", whom=candidate, kind=kind), "kind"
    feared = narrator.judgement.inquiry.stance.polarity is Polarity.UNWANTED
    if person.role == "harm" and feared and narrator.judgement.favourable:
        return voice.phrase("who is none", kind=kind), "kind"
    if _SEX.search(text.folded):
        return voice.phrase("who sex", sex=_sex(narrator, person)), "sex"
    if _PLACE.search(text.folded):
        return voice.phrase("who place", place=_place(narrator, person)), "place"
    if person.role in ("meet", "third") or _MANNER.search(text.folded):
        return voice.phrase("who met", manner=_manner(narrator, person)), "manner"
    return voice.phrase("who is", kind=kind), "kind"


def _candidate(narrator: Narrator, text: Text) -> str | None:
    """Somebody whom the follow-up takes for the one, with the user's words."""
    for mention in mentions(text):
        words = text.words(mention.start, mention.end).removeprefix("我")
        the = _THE.search(text.folded[: mention.start])
        named = narrator.voice.own_words(f"你{words}" if text.chinese else f"{'the' if the else 'your'} {words}")
        if named and FOCUS[mention.role] not in ("世爻", "应爻"):
            return named
    match = _SUSPECTED.search(text.folded)
    if match is None or _SEX.search(text.folded):
        return narrator.voice.own_words(person_named(text))
    words = text.words(*match.span("en" if match["en"] else "zh"))
    return narrator.voice.own_words(re.sub(r"\bmy ", "your ", words))


def _kind(narrator: Narrator, person: _Person) -> str:
    words = narrator.voice.words
    return (words.helpers if person.role == "help" else words.kinds)[person.line.relation]


def _sex(narrator: Narrator, person: _Person) -> str:
    yang = narrator.binary(person.line.position, changed=False) == "1"
    return narrator.voice.phrase("who man" if yang else "who woman")


def _place(narrator: Narrator, person: _Person) -> str:
    return narrator.voice.phrase("who is close" if person.line.position <= 3 else "who is far")


def _manner(narrator: Narrator, person: _Person) -> str:
    """How the spirit of a line is, as a person."""
    return narrator.voice.phrase(f"spirit {narrator.divination.yao_info_list[person.line.position - 1].spirit_name}")


def _person(narrator: Narrator, text: Text, first: Text) -> _Person:
    judgement, plate = narrator.judgement, narrator.plate
    words = f"{text.folded} {first.folded}"
    if _THIRD.search(words):
        return _Person(plate.response, "third")
    if _ILL.search(words) or (judgement.inquiry.matter.key == "lost" and judgement.inquiry.asks is not Asks.WHERE):
        return _Person(_harming(narrator), "harm")
    if _HELPS.search(words):
        helps = [item for item in judgement.about(Aspect.OTHERS) if item.weight > 0 and item.lines]
        best = max(helps, key=lambda item: item.weight, default=None)
        return _Person(plate.lines[best.lines[0] - 1] if best else plate.response, "help")
    if judgement.inquiry.matter.key == "love" or _MEETS.search(words):
        at = judgement.focus.at
        return _Person(plate.response if at == plate.world else at, "meet")
    return _Person(plate.response, "other")


def _harming(narrator: Narrator) -> Place:
    """官鬼 if it acts or nothing else harms, else the line that harms most."""
    judgement, plate = narrator.judgement, narrator.plate
    harms = [item for item in judgement.about(Aspect.OTHERS) if item.weight < 0 and item.lines]
    ghosts = [place for place in (*plate.lines, *plate.hidden) if place.relation == "官鬼"]
    ghost = next((place for place in ghosts if place.acts), None)
    if ghost is None and ghosts and not harms:
        ghost = ghosts[0]
    if ghost is not None:
        return ghost
    worst = min(harms, key=lambda item: item.weight, default=None)
    return plate.lines[worst.lines[0] - 1] if worst else plate.response


def trait(narrator: Narrator, place: Place) -> str:
    """How somebody read from a line is, by its spirit."""
    return _manner(narrator, _Person(place, "other"))
