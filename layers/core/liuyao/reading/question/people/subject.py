"""Whom a question is about: the asker, or one of the people it names, and in what part."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.roles import CARED_FOR, Role
from liuyao.reading.question.people.words_zh import HE, SHE
from liuyao.reading.question.text import Expression, Text


class Part(Enum):
    """What somebody has to do with the question."""

    TOPIC = auto()
    """It is about them: 我儿子能考上吗."""
    ACTING = auto()
    """They do something to the asker: 老板会给我加薪吗."""
    JOINT = auto()
    """The asker and they: 我和女朋友能结婚吗."""
    OBJECT = auto()
    """The asker does something with them: 该不该跟朋友借钱."""
    BACKGROUND = auto()
    """They are only told of, and the asker asks of themselves: 我妈生病了，我能请到假吗."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the question is about; `mention` is None for the asker alone, or for a pronoun that nobody was named for.

    `pronoun` is the sex that he and she tell, `of_them` whether it is about several others for whom nobody was named
    (他们俩), `asks_of_self` whether the asker is the subject of what is asked, `others` are all people named.
    """

    mention: Mention | None = None
    part: Part = Part.TOPIC
    pronoun: Role | None = None
    pronoun_is_subject: bool = False
    asks_of_self: bool = False
    of_them: bool = False
    others: tuple[Mention, ...] = ()


_WITH_BEFORE_ZH: Final = Expression(
    r"(?:我们|咱们|我|咱|自己|^|[，,。？！])?(?:和|跟|与|同|及|以及)(?:我们?的?|他的?|她的?|自己的?|家里的?|"
    r"[这那]个|现在的?|现任)?$"
)
_WE_ZH: Final = Expression(r"(?:我们|咱们|我俩|咱俩)(?:两)?$")
_WITH_AFTER_ZH: Final = Expression(r"(?:[她他]?(?:和|跟|与|同))(?:我|咱)(?!们?[的家]?[爸妈儿女老弟哥姐妹])")
_FOR_ZH: Final = Expression(r"(?:替|帮|代|给|为|问|占|测|算|求|关于|有关)(?:我们?的?|我家的?|自己的?|一下)?$")
_DONE_FOR_ZH: Final = Expression(
    r"[^，。]{0,6}?(?:问|占|测|算|看看|取|起|改|报|选|找|治|买|换|办|申请|请|安排|求|介绍|相亲|做手术|转学|"
    r"择校)"
)
_OBJECT_ZH: Final = Expression(
    r"(?:嫁给|嫁|娶|追求|追|向|对|找|求|请|被|把|将|陪|见|等|送|让|叫|带|接|借给|借|给|替|帮|为|代|照顾|照看|"
    r"教|联系|拜访|拜见|谒见|遇到|遇见|碰到|认识|招到|招|聘请|聘|雇|换|"
    r"跟随|随|拒绝|原谅|收养|养|告|起诉|举报|有|是|欠|当|迎接|信任|相信|比|像|因为|因|跟|和|与|离开|爱|喜欢|"
    r"讨厌|恨|管|劝|逼|打|骂|骗|瞒|买)"
    r"(?:到|着|了|过)?(?:我们?的?|我家的?|自己的?|一?[个位只条名]|[这那][个位只条名]?|新的?|前|我)?$"
)
_BY_OFFICE: Final = frozenset({Role.SUPERIOR, Role.HEALER, Role.STRANGER})
_OFFICE: Final = Expression(r"老师|教练|教授|班主任|导师|teacher|coach|professor")
_EFFECT: Final = Expression(
    r"(?:的?[病症伤痛]\w{0,3})?(?:会|能|到底|会不会)?(?:有|没|起|管|见|奏)[^，。]{0,4}?[效用帮]"
)
_TOWARDS: Final = Expression(r"[对和跟与同]|\b(?:and|of|about|to|with)\b")
_ME_ZH: Final = Expression(r"我")
_SELF_ZH: Final = Expression(r"(?:我自己|我本人|本人|自己|我们|我|咱们|咱|俺|在下)")
_DREAM_ZH: Final = Expression(r"(?:梦见|梦到|梦里|梦中|做梦|托梦)")

_GAVE_ZH: Final = Expression(
    r"(?:前几?[天年月]|去年|以前|生前|当年|昨天)?(?:留下?|送|寄|借|还|传|转)?(?:给我?|我)?"
    r"(?:留下|留给|送|寄|借给|还给|传下?|介绍|推荐|说|提|转让?|许诺|答应|承诺)(?:来|了|过|给|我|我们)*的(?!话)"
)
"""Somebody who gave or named the thing that is asked about: 爷爷留下的铜钱, 三姨介绍的亲事."""
_GAVE_EN: Final = Expression(
    r" (?:(?:has|had) )?(?:left|gave|given|sent|bought|lent|promised|recommended|introduced|bequeathed|passed down)"
    r"(?: to)? (?:me|us)\b(?! with)"
)

_WITH_BEFORE_EN: Final = Expression(
    r"\b(?:with|and|me and|i and|between me and|alongside)(?: (?:my|our|the|this|that|a|his|"
    r"her))?(?: [a-z-]+)?(?: [a-z-]+)? $"
)
_AND_AFTER_EN: Final = Expression(r" (?:and (?:i|me)\b|with me\b)")
_ABOUT_EN: Final = Expression(
    r"\b(?:about|of|for|regarding|concerning|on behalf of)(?: (?:my|our|the))?(?: [a-z-]+)? $"
)
_I_EN: Final = Expression(r"\b(?:i|we|i'm|i'll|i've|we're|we'll)\b")
_TO_ME_EN: Final = Expression(r"\b(?:me|us)\b")
_DREAM_EN: Final = Expression(r"\b(?:dream(?:t|ed|ing|s)?|nightmare)\b")
_HE_EN: Final = Expression(r"\b(?:he|him|his|he's|he'll)\b")
_SHE_EN: Final = Expression(r"\b(?:she|her|hers|she's|she'll)\b")
_HE_ZH: Final = Expression(HE)
_SHE_ZH: Final = Expression(SHE)
_THEY_ZH: Final = Expression("[他她]们")
_HIM_ZH: Final = Expression("[他她](?!们|的|人|家)")
_HIM_EN: Final = Expression(r"\b(?:him|her)\b(?! [a-z]+ (?:will|is|does)\b)")
_BOTH_ZH: Final = Expression("(?:我|咱)们?[俩两]|我们之间|咱们")
_BOTH_EN: Final = Expression(r"\b(?:the two of us|between us|both of us)\b")
_SUBJECT_HE: Final = Expression(
    r"(?:[这那]个?|现在|目前|今[年天晚]|明[年天]|后[年天]|昨[天晚]|[这下上]?个?(?:周|月|年|次|辈子)|以后|将来|"
    r"最近|什么时候|何时|几时|为什么|到底|究竟|"
    r"会不会|能不能|是不是|是否|会|能|还|不知道|如果|假如|要是|那|请问|近期|[一二三四五六七八九十]+月|"
    r"不晓得)*(?<!其)[他她它](?!们|人|妈的)"
)
_SUBJECT_HE_EN: Final = Expression(r"(?:[a-z']+ ){0,4}?(?:he|she|he's|she's|he'll|she'll|they|they're|they'll|it)\b")


def subject(text: Text, asked: Asking, named: list[Mention]) -> Subject:
    """Whom the question is about, of the people it names."""
    folded, words = text.folded, _CHINESE if text.chinese else _ENGLISH
    start, end = asked.clause if text.chinese else asked.sentence
    first = max(start, asked.clause[0])
    parts = {item: words.part(folded, item, named) for item in named}
    dreamt = words.dream.search(folded)
    seen = [item for item in named if not dreamt or item.start < dreamt.start() or item.start >= start > dreamt.end()]
    inside = [item for item in seen if start <= item.start < end]
    self_at = _self_at(text, words, first, end, named)
    about = Subject(None, Part.TOPIC, _pronoun(text, words), asks_of_self=self_at is not None, others=tuple(named))
    apart = replace(about, asks_of_self=False)

    topics = [item for item in inside if parts[item] in (Part.TOPIC, Part.ACTING)]
    if topics and _THEY_ZH.match(folded, topics[0].start):
        named_before = [item for item in seen if item.start < topics[0].start and item.role is not Role.STRANGER]
        of_them = parts[topics[0]] is Part.TOPIC and self_at is None
        apart = replace(apart, of_them=of_them and not named_before)
        if named_before and of_them:
            return _with(apart, named_before[0], parts)
    if topics and (self_at is None or topics[0].start < self_at):
        acted_on = _acted_on(text, topics[0], seen, (start, end), words)
        return replace(apart, mention=acted_on) if acted_on else _with(apart, topics[0], parts)
    he = words.subject.match(folded, first, end)
    if he and (self_at is None or he.end() <= self_at):
        before = [item for item in seen if item.start < he.end()]
        before = [item for item in before if parts[item] is not Part.OBJECT] or before
        is_person = not he[0].endswith("it")
        if is_person or before:
            part = Part.ACTING if words.me.search(folded, he.end(), end) else Part.TOPIC
            mention = before[-1] if before else None
            of_them = mention is None and part is Part.TOPIC and re.search("they(?:'(?:re|ll))?$", he[0]) is not None
            apart = replace(apart, of_them=of_them)
            return replace(apart, mention=mention, part=part, pronoun_is_subject=is_person)
    earlier = [item for item in seen if item.start < first and parts[item] in (Part.TOPIC, Part.ACTING)]
    if self_at is None and not inside and earlier:
        return _with(apart, earlier[0], parts)
    for part in (Part.JOINT, Part.OBJECT, Part.ACTING, Part.TOPIC):
        found = next((item for item in inside or seen if parts[item] is part), None)
        if found and self_at is None:
            return replace(about, mention=found, part=part)
        if found and inside:
            return replace(about, mention=found, part=part if part is Part.JOINT else Part.OBJECT)
        if found:
            return replace(about, mention=found, part=_spoken_of(text, words, (first, end), named))
    return about


def _spoken_of(text: Text, words: "_Words", clause: tuple[int, int], named: list[Mention]) -> Part:
    """What the one who is named before the asking clause has to do with it: 我争得过他吗, 我俩还能和好吗."""
    if len(named) != 1:
        return Part.BACKGROUND
    if words.both.search(text.folded, *clause):
        return Part.JOINT
    return Part.OBJECT if words.him.search(text.folded, *clause) else Part.BACKGROUND


def _with(about: Subject, mention: Mention, parts: dict[Mention, Part]) -> Subject:
    return replace(about, mention=mention, part=parts[mention])


def _pronoun(text: Text, words: "_Words") -> Role | None:
    if not text.verbatim:
        # 佢 tells no sex.
        return None
    folded = text.folded
    he, she = words.he.search(folded) is not None, words.she.search(folded) is not None
    return None if he == she else Role.BOY if he else Role.GIRL


def _self_at(text: Text, words: "_Words", start: int, end: int, named: list[Mention]) -> int | None:
    """Where the asker is named, but not as the owner of somebody."""
    places = words.self.finditer(text.folded, start, end)
    if text.chinese:
        return next((place.start() for place in places if not _owns(place.end(), text.folded, named)), None)
    return next((place.start() for place in places), None)


def _acted_on(
    text: Text, actor: Mention, seen: list[Mention], clause: tuple[int, int], words: "_Words"
) -> Mention | None:
    """The relative to whom somebody by office does something: 老师会不会让我女儿及格, 儿子怕考不上，老师看得上他吗."""
    if (actor.through and actor.role is not Role.STRANGER) or not (
        actor.role in _BY_OFFICE or _OFFICE.search(text.folded, actor.start, actor.end)
    ):
        return None
    start, end = clause
    relatives = [item for item in seen if item.role in CARED_FOR]
    after = (item for item in relatives if actor.end < item.start < end)
    named = next((item for item in after if _is_done_to(text.folded, actor.end, item)), None)
    if named:
        return named
    spoken_of = words.him.search(text.folded, actor.end, end)
    earlier = [item for item in relatives if item.start < start]
    fitting = [item for item in earlier if spoken_of and _may_be(item, he=words.he.search(spoken_of[0]) is not None)]
    return fitting[0] if fitting else None


def _is_done_to(folded: str, start: int, relative: Mention) -> bool:
    # 对我妈有没有效 is of her, 对我妈好吗 of the one who acts.
    towards = _TOWARDS.search(folded, start, relative.start)
    return towards is None or (towards[0] == "对" and _EFFECT.match(folded, relative.end) is not None)


def _may_be(relative: Mention, *, he: bool) -> bool:
    """Whether a pronoun may stand for a relative."""
    return relative.role not in ((Role.WIFE, Role.SISTER) if he else (Role.HUSBAND,))


def _owns(at: int, folded: str, named: list[Mention]) -> bool:
    # 我儿子, 我的儿子, 我家儿子, 我那个儿子; 我先生 is named with its 我.
    return any(
        item.start < at <= item.end
        or (item.start - 4 <= at <= item.start and not re.search("[和跟与同]", folded[at : item.start]))
        for item in named
    )


def _part_zh(folded: str, each: Mention, named: list[Mention]) -> Part:
    if _GAVE_ZH.match(folded, each.end):
        return Part.BACKGROUND
    before, after = folded[max(0, each.start - 8) : each.start], folded[each.end : each.end + 24]
    before = re.split("[，,。！？!?；]", before)[-1]
    after = re.split("[，,。！？!?；]", after)[0]
    if _FOR_ZH.search(before) and (_DONE_FOR_ZH.match(after) or re.search(r"(?:问|占|测|算|求|关于|有关)", before)):
        return Part.TOPIC
    if _WITH_AFTER_ZH.match(after) or _WE_ZH.search(before):
        return Part.JOINT
    with_them = _WITH_BEFORE_ZH.search(before)
    if with_them:
        owner = next((other for other in named if other.end == each.start - len(with_them[0])), None)
        return Part.OBJECT if owner else Part.JOINT
    if _OBJECT_ZH.search(before):
        return Part.OBJECT
    me = _ME_ZH.search(after)
    if me and not any(other.start - 3 <= each.end + me.end() <= other.start + 1 for other in named):
        return Part.ACTING
    return Part.TOPIC


def _part_en(folded: str, each: Mention, named: list[Mention]) -> Part:
    if _GAVE_EN.match(folded, each.end):
        return Part.BACKGROUND
    before, after = folded[max(0, each.start - 30) : each.start], folded[each.end : each.end + 60]
    before = re.split("[,.;!?]", before)[-1]
    after = re.split("[,.;!?]", after)[0]
    if _AND_AFTER_EN.match(after):
        return Part.JOINT
    with_them = _WITH_BEFORE_EN.search(before)
    if with_them and (with_them.start() or not with_them[0].startswith("and")):
        owner = any(
            other.end <= each.start and each.start - other.end < 12 and " and" in folded[other.end : each.start]
            for other in named
        )
        return Part.TOPIC if owner else Part.JOINT
    if _ABOUT_EN.search(before):
        return Part.TOPIC
    if _TO_ME_EN.search(after):
        return Part.ACTING
    return Part.TOPIC


@dataclass(frozen=True, slots=True)
class _Words:
    """What tells the parts in one language; `subject` is a pronoun that begins a clause."""

    part: Callable[[str, Mention, list[Mention]], Part]
    self: Expression
    me: Expression
    he: Expression
    she: Expression
    him: Expression
    """A pronoun to which something is done."""
    both: Expression
    """The asker and the one who was named."""
    subject: Expression
    dream: Expression


_CHINESE: Final = _Words(_part_zh, _SELF_ZH, _ME_ZH, _HE_ZH, _SHE_ZH, _HIM_ZH, _BOTH_ZH, _SUBJECT_HE, _DREAM_ZH)
_ENGLISH: Final = _Words(_part_en, _I_EN, _TO_ME_EN, _HE_EN, _SHE_EN, _HIM_EN, _BOTH_EN, _SUBJECT_HE_EN, _DREAM_EN)
