"""Whose line is looked at: the asker's (世), somebody's by kinship, the other side (应), or the thing itself.

Source: 《增删卜易》 用神章 and the chapters of the matters: one who asks for another takes that one's line (代占).
"""

from dataclasses import dataclass, replace
from typing import Final

from liuyao.divination import Relation
from liuyao.reading.question.matters import BY_KEY, GENERAL, FocusOn, Matter
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.roles import FAMILY, FOCUS, IN_LOVE, PARTNERS, Role
from liuyao.reading.question.people.subject import Part, Subject
from liuyao.reading.question.text import Text, pattern
from liuyao.reading.question.vocabulary import things


@dataclass(frozen=True, slots=True)
class Whose:
    """The line to look at; `matter` may be nearer than the one that was named, `person` is set for another's fate."""

    matter: Matter
    focus: FocusOn
    person: Relation | None = None
    assumed: bool = False
    party: str | None = None


_CARED_FOR: Final = frozenset({"health", "study", "permit", "naming", "pregnancy"})
"""Matters of somebody for whom the asker does it: 该不该送儿子去留学."""

_NO_LOVE: Final = FAMILY - {Role.WIFE, Role.HUSBAND} | {Role.FRIEND}
"""Those with whom the asker has a bond that is none of love."""

_OF_ANYBODY: Final = frozenset({"health", "lawsuit", "journey", "contest"})
"""Matters that may be those of the other side itself."""

_MATTER_OF: Final = {
    Role.CHILD: "children",
    Role.PET: "pets",
    Role.SIBLING: "kin",
    Role.SISTER: "kin",
    Role.FRIEND: "kin",
}
"""A question that names somebody and no matter."""


def whose(matter: Matter, text: Text, about: Subject, typed: Text) -> Whose:
    """Return the line for a matter and the people of a question, of a type."""
    brought = about.mention if about.part is Part.OBJECT else None
    if brought and brought.role in FAMILY and things.BRINGS.search(text.folded[: brought.start]):
        return _of(matter, text, brought, about)
    if matter is GENERAL:
        return _general(text, about, typed)
    if matter is BY_KEY["love"]:
        return _love(text, about, typed)
    return _DECIDED.get(matter.key, _own)(matter, text, about)


def says(expression: str, text: Text) -> bool:
    """Whether an expression of `things` occurs."""
    return pattern((expression,)).search(text.folded) is not None


def party(text: Text, mention: Mention | None) -> str | None:
    """Return the user's word for somebody."""
    return text.words(mention.start, mention.end).removeprefix("我") if mention else None


def _of(matter: Matter, text: Text, mention: Mention, about: Subject) -> Whose:
    """Somebody is the 用神."""
    focus = FOCUS[mention.role]
    assumed = False
    if mention.role is Role.BELOVED:
        focus, assumed = beloved(text, about)
    return Whose(matter, focus, relation(focus), assumed, party(text, mention))


def beloved(text: Text, about: Subject) -> tuple[FocusOn, bool]:
    """Return the line of the one whom the asker loves, and whether the asker's sex is only assumed for it."""
    woman = text.asker == "woman" or says(things.WOMAN_ASKS, text) or about.pronoun is Role.BOY
    man = text.asker == "man" or says(things.MAN_ASKS, text) or about.pronoun is Role.GIRL
    if woman == man:
        woman, man = says(things.HER_MAN, text), says(things.HIS_WOMAN, text)
    return ("官鬼" if woman and not man else "妻财"), woman == man


def _own(matter: Matter, text: Text, about: Subject) -> Whose:
    """A matter of the asker's own, or of the one it is about."""
    mention = about.mention
    if mention is None:
        if about.pronoun_is_subject and about.part is Part.TOPIC and matter.of_person:
            return Whose(matter, "应爻")
        return Whose(matter, matter.focus)
    if not matter.of_person:
        return Whose(matter, matter.focus, party=party(text, mention))
    if mention.role in (Role.STRANGER, Role.HEALER) and matter.key not in _OF_ANYBODY:
        return Whose(matter, matter.focus, party=party(text, mention))
    if matter is BY_KEY["lawsuit"] and things.COURT.match(text.folded, mention.start):
        return Whose(matter, matter.focus)
    if about.part is Part.TOPIC or (about.part is Part.ACTING and says(things.ATTITUDE, text)):
        return _of(matter, text, mention, about)
    if about.part is Part.OBJECT and matter.key in _CARED_FOR and mention.role in FAMILY | {Role.PET}:
        return _of(matter, text, mention, about)
    return Whose(matter, matter.focus, party=party(text, mention))


def _general(text: Text, about: Subject, typed: Text) -> Whose:
    matter = GENERAL
    mention = about.mention
    if mention is None:
        if about.pronoun_is_subject and not says(things.HARMS_ME, text):
            return Whose(matter, "应爻")
        return Whose(matter, matter.focus)
    if says(things.HARMS_ME, text):
        return Whose(matter, matter.focus, party=party(text, mention))
    named = Whose(matter, matter.focus)
    if about.part is not Part.BACKGROUND:
        named = _of(matter, text, mention, about)
    key = _MATTER_OF.get(mention.role)
    return named if key is None or typed.folded else Whose(BY_KEY[key], named.focus, named.person, party=named.party)


def _love(text: Text, about: Subject, typed: Text) -> Whose:
    matter = BY_KEY["love"]
    mention = about.mention
    partner = next(
        (other for other in about.others if other.role in (Role.WIFE, Role.HUSBAND) and not other.through), None
    )
    if mention and mention.role not in PARTNERS and mention.role is not Role.STRANGER:
        # A relative that likes or allows is no beloved.
        if about.part is Part.TOPIC or (about.part is Part.ACTING and mention.role in FAMILY):
            return _of(matter, text, mention, about)
        beside = about.part is Part.JOINT or (about.part is Part.OBJECT and not says(things.COURTS, text))
        if beside and mention.role in _NO_LOVE and partner is None:
            return _of(matter, text, mention, about)
    if mention and mention.role is Role.STRANGER and partner is None and says(things.MAKES_PEACE, text):
        return Whose(matter, "应爻", party=party(text, mention))
    if mention and mention.role in IN_LOVE:
        partner = mention
    if mention and mention.role is Role.STRANGER and mention.through and about.part is Part.TOPIC:
        # 先生的前妻会不会来闹: of her.
        return Whose(matter, "应爻", party=party(text, mention))
    if partner is not None:
        return Whose(matter, IN_LOVE[partner.role], party=party(text, partner))
    if about.of_them and partner is None:
        return Whose(matter, "应爻", party=party(text, mention))
    spoken = replace(text, folded=f"{typed.folded} {text.folded}")
    focus, assumed = beloved(spoken, about)
    return Whose(matter, focus, None, assumed, party(text, mention))


def _return(matter: Matter, text: Text, about: Subject) -> Whose:
    for mention in (about.mention, *about.others):
        if mention is None:
            continue
        if mention.role in IN_LOVE:
            return Whose(matter, IN_LOVE[mention.role], relation(IN_LOVE[mention.role]), party=party(text, mention))
        return _of(matter, text, mention, about)
    return Whose(matter, matter.focus)


def relation(focus: FocusOn) -> Relation | None:
    """Return the kinship that a line stands for; None for 世 and 应."""
    if focus == "世爻" or focus == "应爻":
        return None
    return focus


def _lost(matter: Matter, text: Text, about: Subject) -> Whose:
    gone = next((other for other in about.others if _is_gone(text, other)), None)
    if gone and gone.role is not Role.PET:
        return _return(BY_KEY["return"], text, Subject(gone, others=(gone,)))
    if gone:
        return Whose(matter, "子孙", party=party(text, gone))
    plain = pattern((things.KEYS,)).sub("", text.folded)
    focus = next((relation for relation, words in things.LOST if pattern((words,)).search(plain)), matter.focus)
    return Whose(matter, focus)


def _is_gone(text: Text, each: Mention) -> bool:
    return pattern((things.GONE,)).match(text.folded, each.end) is not None


def _pregnancy(matter: Matter, text: Text, about: Subject) -> Whose:
    # 占产: the mother's safety is her own line, the child 子孙.
    mention = about.mention
    if mention and mention.role is not Role.CHILD and says(things.BIRTH, text) and about.part is not Part.ACTING:
        return _of(matter, text, mention, about)
    return Whose(matter, matter.focus, party=party(text, mention))


def _date(matter: Matter, text: Text, about: Subject) -> Whose:
    purpose = next((key for key, words in things.PURPOSE if says(words, text)), None)
    if purpose == "love":
        partner = next((item for item in (about.mention, *about.others) if item and item.role in IN_LOVE), None)
        focus, assumed = (IN_LOVE[partner.role], False) if partner else beloved(text, about)
        return Whose(matter, focus, assumed=assumed)
    return Whose(matter, BY_KEY[purpose].focus if purpose else matter.focus)


def _partner(matter: Matter, text: Text, about: Subject) -> Whose:
    mention = about.mention
    met = mention is not None and mention.role in FAMILY | {Role.FRIEND, Role.SUPERIOR, Role.SERVANT}
    if mention and met and (about.part is Part.TOPIC or not says(things.BUSINESS, text)):
        return _of(matter, text, mention, about)
    return Whose(matter, matter.focus, party=party(text, mention))


def _kin(matter: Matter, text: Text, about: Subject) -> Whose:
    mention = about.mention
    if mention and mention.role in FAMILY and about.part is not Part.OBJECT:
        return _of(matter, text, mention, about)
    return Whose(matter, matter.focus, party=party(text, mention))


def _study(matter: Matter, text: Text, about: Subject) -> Whose:
    if says(things.TEACHER_HIRED, text):
        return Whose(matter, "应爻")
    return _own(matter, text, about)


def _health(matter: Matter, text: Text, about: Subject) -> Whose:
    other = about.mention if about.mention and about.mention.role is not Role.HEALER else None
    if says(things.MEDICINE, text) and (other is None or about.part is Part.OBJECT):
        return Whose(matter, "子孙", party=party(text, other))
    return _own(matter, text, about)


def _career(matter: Matter, text: Text, about: Subject) -> Whose:
    if says(things.HIRES, text):
        return Whose(matter, "妻财", party=party(text, about.mention))
    employee = about.mention if about.mention and about.mention.role is Role.SERVANT else None
    if employee and about.part is not Part.BACKGROUND and not things.OWNS.match(text.folded, employee.end):
        return _of(matter, text, employee, about)
    return _own(matter, text, about)


def _wealth(matter: Matter, text: Text, about: Subject) -> Whose:
    payer = about.mention
    if payer and not payer.through and payer.role in _PAYERS and says(things.PAYS, text):
        return Whose(matter, matter.focus, party=party(text, payer))
    return _own(matter, text, about)


_PAYERS: Final = frozenset({Role.SUPERIOR, Role.STRANGER})
_DECIDED: Final = {
    "health": _health,
    "career": _career,
    "wealth": _wealth,
    "debt": _wealth,
    "return": _return,
    "lost": _lost,
    "pregnancy": _pregnancy,
    "date": _date,
    "partner": _partner,
    "kin": _kin,
    "study": _study,
}
