"""The line and the matter by the classifiers of `likely.about`, where they are surer than the tables.

The tables read what they list, and every word of it alike: a coach is a teacher, a notebook nothing. The classifiers
read whole questions, and are asked where no type names the matter.
"""

from dataclasses import dataclass, replace
from math import inf, log
from types import MappingProxyType
from typing import Final

from liuyao.reading.question.likely.about import LINES, Likely
from liuyao.reading.question.matters import BY_KEY, GENERAL, FocusOn, Matter
from liuyao.reading.question.people.mentions import Mention
from liuyao.reading.question.people.roles import CARED_FOR, FOCUS, IN_LOVE, Role
from liuyao.reading.question.people.subject import Part, Subject
from liuyao.reading.question.text import Text
from liuyao.reading.question.vocabulary.things import HARMS_ME
from liuyao.reading.question.whose import Whose, beloved, party, relation, says

SURE: Final = 0.4
"""By how much (in log-odds) another line must be likelier than that of the tables."""
SURE_OF_PEOPLE: Final = 2.0
"""The same against the line of somebody whom the question is about by its grammar."""
SURE_OF_RELATIVES: Final = 5.0
"""The same against a relative or pet whose fate is asked about (代占), where it would be of a thing or of an office."""
SURE_OF_LIFE: Final = 0.4
"""By how much another part of life must be likelier than those of the matter that the tables found."""
SURE_OF_FINER: Final = 2.0
"""The same where the tables named somebody's fate, or where it would be none of the named parts of life."""

PERSONS: Final = frozenset(
    {"partner", "parent", "elder", "child", "sibling", "friend", "boss", "rival", "other_person", "animal"}
)
_KIN: Final = frozenset({"partner", "parent", "elder", "child", "sibling", "friend", "animal"})
_KNOWN_BY_TABLES: Final = frozenset({"naming", "dream", "date", "pregnancy"})
"""Matters whose words the tables know better."""

LIFE_OF: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("career", "partner"), ("work",)),
    "love": ("love",),
    "wealth": ("money", "work"),
    "debt": ("money",),
    "study": ("exam",),
    "health": ("health",),
    "lost": ("lost",),
    "journey": ("travel",),
    "permit": ("travel", "work", "house"),
    "return": ("travel", "family", "love", "friends"),
    "documents": ("house", "work"),
    "dwelling": ("house",),
    "lawsuit": ("law",),
    **dict.fromkeys(("children", "pregnancy"), ("family", "health")),
    "kin": ("friends", "family", "work"),
    **dict.fromkeys(("pets", "contest", "rain", "fair"), ("other", "travel")),
    "general": ("family", "friends", "other"),
}
"""The parts of life that a matter is of."""

_OF_LIFE: Final = {
    "love": "love",
    "money": "wealth",
    "exam": "study",
    "health": "health",
    "travel": "journey",
    "law": "lawsuit",
    "lost": "lost",
}
"""The matter of a part of life, whatever it is about; else that of the next table."""
_OF_THING: Final = {
    **dict.fromkeys(("job", "boss"), MappingProxyType({"": "career"})),
    **dict.fromkeys(("money", "business"), MappingProxyType({"": "wealth"})),
    "exam": {"": "study"},
    "document": {"work": "career", "travel": "permit", "": "documents"},
    "house": {"": "documents"},
    "thing": {"house": "dwelling"},
    "self": {"work": "career", "house": "documents", "lost": "general"},
    **dict.fromkeys(("illness", "medicine_doctor"), MappingProxyType({"": "health"})),
    "court": {"": "lawsuit"},
    "journey": {"": "journey"},
    "weather": {"": "rain"},
    "team_game": {"": "contest"},
    "news": {"work": "career", "house": "documents"},
    "animal": {"": "pets"},
    "friend": {"work": "career", "friends": "kin"},
    **dict.fromkeys(
        ("other_person", "rival"), MappingProxyType({"house": "documents", "work": "partner", "money": "partner"})
    ),
    **dict.fromkeys(("partner", "parent", "child", "sibling"), MappingProxyType({"work": "career"})),
}
"""The matter by what a question is about and the part of life; under no name, where neither table has the part."""
_ALWAYS: Final = frozenset(
    {"illness", "medicine_doctor", "court", "journey", "weather", "business", "money", "job", "exam", "house"}
)
"""What a question may be about that tells the matter, whatever part of life it is of."""
_LIVES: Final = {
    "vehicle": ("travel", "lost", "other"),
    "thing": ("lost", "house", "money", "other"),
    "team_game": ("other", "money"),
    "animal": ("other", "lost", "health"),
    "document": ("work", "travel", "house", "exam", "lost", "law"),
}
"""The parts of life of what is of few."""

_FINER: Final = {
    "wealth": ("debt",),
    "documents": ("permit", "dwelling"),
    "career": ("permit",),
    "lost": ("return",),
    "pets": ("return", "lost"),
    "journey": ("return",),
    "rain": ("fair",),
    "love": ("kin",),
    "general": ("lost",),
}
"""Matters within one that the tables tell apart."""
_NO_PART: Final = "other"


@dataclass(frozen=True, slots=True)
class Heard:
    """Whose line, and whom the question is about after all."""

    who: Whose
    about: Subject


def reconsidered(who: Whose, about: Subject, likely: Likely, text: Text, *, is_staff: bool = False) -> Heard:
    """The line and the matter, those of the tables where the classifiers are not surer.

    `is_staff`: by the classifier of matters, which has a class for it, the question is of somebody whom one employs.
    """
    if who.matter.key in _KNOWN_BY_TABLES or (who.focus == "世爻" and says(HARMS_ME, text)):
        return Heard(who, about)
    topic = likely.nearest()
    other_line = likely.above(who.focus) >= _least(who, about, topic) and not _is_known(who, about, topic, is_staff)
    life = _life(likely, who)
    if not other_line and life is None:
        return Heard(who, about)
    if not other_line:
        topic = _likeliest_of(likely, who.focus)
        if topic == "news" and who.matter is not GENERAL:
            return Heard(who, about)  # news is of the matter that is named
        matter = _matter(topic, likely, life)
        less = matter is GENERAL and (who.person is not None or who.focus == who.matter.focus)
        return Heard(who if less or _is_finer(who.matter, matter) else replace(who, matter=matter), about)
    matter = _matter(topic, likely, life)
    fits = life is None and who.matter.focus == LINES[topic][0]
    return _of(topic, who.matter if fits or _is_finer(who.matter, matter) else matter, who, about, text)


def _least(who: Whose, about: Subject, topic: str) -> float:
    """By how much another line must be likelier: by more if the grammar has somebody, or the asker, for its subject."""
    mention = about.mention
    named = mention is not None and about.part is Part.TOPIC and FOCUS[mention.role] == who.focus
    he = mention is None and about.pronoun_is_subject and who.focus == "应爻"
    told_of = topic in PERSONS and about.part is Part.BACKGROUND
    if who.person is not None and mention is not None and mention.role in CARED_FOR:
        if topic == "medicine_doctor":
            return inf  # a medicine for a relative is that one's illness
        if topic not in _KIN:
            return SURE_OF_RELATIVES
    own = topic == "self" and who.matter is not GENERAL
    beside = topic in PERSONS and about.part is Part.OBJECT and about.asks_of_self
    return SURE_OF_PEOPLE if who.person is not None or named or he or told_of or own or beside else SURE


def _is_known(who: Whose, about: Subject, topic: str, is_staff: bool) -> bool:
    """Whether the tables know the line better: that of an employee, and of something lost, by its kind."""
    of_staff = about.mention is not None and about.mention.role is Role.SERVANT
    if (of_staff or (is_staff and topic == "other_person")) and who.focus == FOCUS[Role.SERVANT]:
        return True  # the classifiers here have no class for those whom one employs
    return who.matter is BY_KEY["lost"] and who.focus != who.matter.focus and topic not in PERSONS


def _life(likely: Likely, who: Whose) -> str | None:
    """The likeliest part of life, if the matter is of none that is nearly as likely."""
    named = LIFE_OF.get(who.matter.key, ())
    best = _likeliest_life(likely)
    own = max((likely.life.get(name, 0.0) for name in named), default=0.0)
    if who.person is not None and best == "love":
        return None  # the tables tell a bond from what becomes of one of the two
    of_asker = who.matter is GENERAL and who.focus == "世爻"
    least = SURE_OF_FINER if who.person is not None or of_asker or best == _NO_PART else SURE_OF_LIFE
    return best if best not in named and log(likely.life[best] / max(own, 1e-9)) >= least else None


def _likeliest_life(likely: Likely) -> str:
    return max(likely.life, key=likely.life.__getitem__)


def _likeliest_of(likely: Likely, focus: FocusOn) -> str:
    return max((label for label in likely.about if focus in LINES[label]), key=likely.about.__getitem__)


def _matter(topic: str, likely: Likely, life: str | None) -> Matter:
    """The matter of what a question is about, in the part of life that is given, or else is likeliest for it."""
    if topic in _LIVES or life is None:
        life = max(_LIVES.get(topic, tuple(likely.life)), key=lambda name: likely.life.get(name, 0.0))
    of_topic = _OF_THING.get(topic, {})
    if topic in _ALWAYS:
        return BY_KEY[of_topic[""]]
    return BY_KEY[of_topic.get(life) or _OF_LIFE.get(life) or of_topic.get("", GENERAL.key)]


def _is_finer(told: Matter, matter: Matter) -> bool:
    """Whether the tables tell a nearer matter within another one."""
    return told.key in _FINER.get(matter.key, ())


def _of(topic: str, matter: Matter, who: Whose, about: Subject, text: Text) -> Heard:
    """The line of what the question likely is about; somebody named is the `person` only if that is their line."""
    if topic not in PERSONS:
        focus = _line(topic, matter)
        return Heard(Whose(matter, focus, party=None if matter is GENERAL else who.party), about)
    named = next((item for item in (about.mention, *about.others) if item and _bears(item, topic)), None)
    if topic == "partner":
        focus, assumed = (IN_LOVE[named.role], False) if named and named.role in IN_LOVE else beloved(text, about)
        return Heard(Whose(matter, focus, None, assumed, party(text, named)), _with(about, named))
    focus = LINES[topic][0]
    if named is None:
        return Heard(Whose(matter, focus), about)
    return Heard(Whose(matter, focus, relation(focus), party=party(text, named)), _with(about, named))


def _line(topic: str, matter: Matter) -> FocusOn:
    if topic == "team_game" and matter is BY_KEY["wealth"]:
        return "妻财"
    if topic == "weather":
        return matter.focus if matter.key in ("rain", "fair") else "父母"
    return LINES[topic][0]


def _bears(mention: Mention, topic: str) -> bool:
    if topic == "partner":
        return mention.role in IN_LOVE or mention.role is Role.BELOVED
    return FOCUS[mention.role] == LINES[topic][0] and (topic == "animal") == (mention.role is Role.PET)


def _with(about: Subject, mention: Mention | None) -> Subject:
    return about if mention is None else replace(about, mention=mention)
