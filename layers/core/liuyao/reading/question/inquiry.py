"""What is asked: the matter, the person it is about, and so the 用神 to look for.

`questionType` decides the matter first, then the question's own words; with neither, the matter is general and the 用神
is 世爻. Somebody the question is about is the 用神 in every matter (代占); `whose` decides who that is.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from liuyao.divination import Relation
from liuyao.reading.question import grammar_en, grammar_zh
from liuyao.reading.question.asking import Asking, asking
from liuyao.reading.question.asks import Asks, Horizon, Scale
from liuyao.reading.question.grammar_zh import Asked
from liuyao.reading.question.kind import asks_for_part, likelier
from liuyao.reading.question.likely import (
    AGAINST,
    ENOUGH,
    LINE_OF_PEOPLE,
    Guess,
    likely_matter,
    likely_topic,
    words_of,
)
from liuyao.reading.question.likely.about import Likely, likely_about
from liuyao.reading.question.matters import BY_KEY, GENERAL, FocusOn, Matter
from liuyao.reading.question.named_matter import matter_of_type, matter_told
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.people.roles import Role
from liuyao.reading.question.people.subject import Part, Subject, subject
from liuyao.reading.question.polarity import CLEAR, UNKNOWN, Polarity, Stance, stance_of
from liuyao.reading.question.reconsidered import reconsidered
from liuyao.reading.question.text import Text, pattern, read
from liuyao.reading.question.times import horizon, scale
from liuyao.reading.question.topic import LOST, NEUTRAL, is_everyday, is_lost, topic_of
from liuyao.reading.question.vocabulary.things import (
    COURTS,
    LONG_ILLNESS,
    MEDICINE,
    OWN_DEED,
    RECENT_ILLNESS,
    SHARES_A_HOME,
    TRUSTED,
)
from liuyao.reading.question.whose import Whose, says, whose


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a question asks.

    `person` is the relation of someone other than the asker, `role` who that or the beloved is; `recent` tells a new
    illness (近病) from an old one (久病), None when the text does not say; `assumed` marks a question of love that does
    not tell who asks.

    The words to restate are the user's own, with "I" and "you" exchanged, and None where they are not certain:
    `predicate` is the verb phrase without its `modal` (「考上」 after 「能」, "get the job" after "will"), `restated`
    the whole question as a clause (「你儿子能不能考上」, "whether your son will pass"), `party` the other person
    (「儿子」, "son"). `scale` and `horizon` are the time asked about, `options` the alternatives of WHICH.
    `stated` is a yes-or-no question in three parts: before its modal or auxiliary, that word, and after it.
    `part` marks a question for the best part of a stretch of time.
    `stance` tells whether what is asked about would be good for the asker. `topic` is the key of the words that fit,
    `likely` the likeliest topic, certain or not, and `everyday` whether that is none of those that take months.
    """

    matter: Matter
    focus: FocusOn
    person: Relation | None = None
    role: Role | None = None
    recent: bool | None = None
    assumed: bool = False
    asks: Asks = Asks.HOW_IS
    predicate: str | None = None
    modal: str | None = None
    restated: str | None = None
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    horizon: Horizon | None = None
    part: bool = False
    party: str | None = None
    stance: Stance = UNKNOWN
    stated: tuple[str, str, str] | None = None
    topic: str = NEUTRAL
    likely: str = NEUTRAL
    everyday: bool = False


_ALTERNATIVES: Final = re.compile(r"(?:[\w'-]+ ){1,6}or (?:[\w'-]+ ?){1,6}\?*$")
_NO_CHOICE: Final = re.compile("[会能不没要很想老在有]|可以|那")
"""What follows 还是 where it means "still"."""
_CHOOSES: Final = re.compile(r"\b(?:which|should|shall|better|choose|take)\b")
"""Alternatives in a clause after the one that asks: "which should I take, the bank or the startup?"."""

_BELOVED: Final = {"妻财": Role.WIFE, "官鬼": Role.HUSBAND}
_OF_AN_EVENT: Final = (Asks.WHETHER, Asks.SHOULD, Asks.WHEN, Asks.HOW_IS)
"""What is asked of something that the asker hopes for or fears."""
_RAINWEAR_LENT: Final = (
    "借[^，。]{0,8}雨[伞衣鞋靴披]|雨[伞衣鞋靴披][^，。]{0,8}还(?:我|给|回|得|吗)|"
    r"\b(?:lent|lend|borrow\w*|return|give\w* back)\b.{0,30}\b(?:umbrella|raincoat)"
)
"""Names rain, and a thing is asked about (索物)."""
_FIRM: Final = frozenset({"dream", "naming", "date", "fair", "rain", "pregnancy", "debt", "lawsuit", "study", "permit"})
"""Matters whose words the tables know better than the classifier does (in its cross-validation)."""
_OF_ONESELF: Final = frozenset({"general", "journey", "dwelling", "documents", "return", "wealth"})
"""Matters that are those of an animal where the asker does something with it."""
_REFINED: Final[dict[str, frozenset[str]]] = {
    "fair": frozenset({"rain"}),
    "rain": frozenset({"fair"}),
    "children": frozenset({"pregnancy"}),
    "documents": frozenset({"permit", "dwelling"}),
    "wealth": frozenset({"debt"}),
    "pets": frozenset({"lost"}),
}
"""Types within which the question's own words may tell a nearer matter."""


@lru_cache(64)
def inquire(question_type: str, question: str, opinion: Polarity | None = None) -> Inquiry:
    """What a divination asks, from the two texts it was cast with. A run asks so for its reading, notes and checks.

    `opinion` is another reader's, of whether a yes would be good for the asker.
    """
    text = read(question)
    asked = asking(text)
    by_type = matter_of_type(question_type)
    people = mentions(text)
    told = matter_told(text, asked, people)
    if told is None and says(MEDICINE, text):
        told = BY_KEY["health"]
    about = subject(text, asked, people)
    named = told.key if told else None
    guessed = likely_matter(text, people, named, about)
    if _is_better(guessed, told, text, about):
        told = _guessed_matter(guessed)
    if told in (BY_KEY["rain"], BY_KEY["fair"]) and says(_RAINWEAR_LENT, text):
        told = BY_KEY["debt"]
    if by_type is None or by_type is GENERAL:
        matter = told or GENERAL
    else:
        matter = told if told and told.key in _REFINED.get(by_type.key, ()) else by_type
    if matter is BY_KEY["love"] and by_type in (None, GENERAL) and says(SHARES_A_HOME, text) and not says(COURTS, text):
        # 室友喜欢我吗: of a friend.
        matter = BY_KEY["kin"]
    typed = by_type is not None and by_type is not GENERAL
    hints = Hints(
        LINE_OF_PEOPLE.get(guessed.label) if guessed.margin >= ENOUGH and matter is _guessed_matter(guessed) else None,
        None
        if typed or not words_of(text.folded)
        else likely_about(text, asked, people, named, about, kind_in(text, asked)),
    )
    inquiry = inquiry_of(matter, text, asked, people, question_type, hints)
    if opinion is not None and inquiry.asks is Asks.WHETHER:
        inquiry = replace(inquiry, stance=inquiry.stance.beside(opinion))
    return with_topic(inquiry, text, people, about, named, typed=typed)


def with_topic(
    inquiry: Inquiry,
    text: Text,
    people: list[Mention],
    about: Subject,
    named: str | None,
    *,
    typed: bool = False,
) -> Inquiry:
    """What is asked, with the words that fit it; `named` is the matter that the tables name."""
    guessed = likely_topic(text, people, named, about)
    topic = topic_of(inquiry.matter, guessed, text, told=named, typed=typed, person=_is_somebody(inquiry))
    if inquiry.asks is Asks.WHERE and not _is_somebody(inquiry) and is_lost(guessed):
        topic = LOST
    if topic == "health" and inquiry.role is Role.PET:
        topic = "pets"
    everyday = is_everyday(guessed) and not typed
    return replace(inquiry, topic=topic, likely=guessed.label, everyday=everyday)


def _is_somebody(inquiry: Inquiry) -> bool:
    return inquiry.person is not None and inquiry.role is not Role.PET


def _is_better(guessed: Guess, told: Matter | None, text: Text, about: Subject) -> bool:
    """Whether a guess is to be taken rather than the matter that the tables found."""
    if told not in (None, GENERAL):
        known = told.key in _FIRM or guessed.label in LINE_OF_PEOPLE or guessed.label == GENERAL.key
        return guessed.margin >= AGAINST and not known
    if guessed.margin < ENOUGH or (about.mention and about.mention.role is Role.PET):
        return False
    if about.mention is None or about.part not in (Part.TOPIC, Part.ACTING) or _owns(about.mention, text):
        return True
    # 室友什么时候搬走: of the one who does it, unless the matter is of persons too.
    matter = _guessed_matter(guessed)
    return matter.of_person and matter is not BY_KEY["journey"] and guessed.margin >= AGAINST


def _owns(mention: Mention, text: Text) -> bool:
    """Whether something of somebody's is named: 我妈的…, "my mother's …"."""
    return text.folded.startswith(("的", "'s ", "s' "), mention.end) or text.folded.startswith("s' ", mention.end - 1)


def _guessed_matter(guessed: Guess) -> Matter:
    if guessed.label == "medicine":
        return BY_KEY["health"]
    return BY_KEY.get(guessed.label, GENERAL)


@dataclass(frozen=True, slots=True)
class Hints:
    """What the classifiers say of the line: that of a kind of people whom no table names, and what it likely is."""

    line: FocusOn | None = None
    likely: Likely | None = None


def inquiry_of(
    matter: Matter, text: Text, asked: Asking, people: list[Mention], question_type: str, hints: Hints | None = None
) -> Inquiry:
    """What a text asks of a matter."""
    about = subject(text, asked, people)
    how = asked_in(text, asked, about, likely=True)
    if matter is GENERAL and how.asks is Asks.OTHERS_MIND and about.mention is None and about.pronoun:
        matter = BY_KEY["love"]
    if how.asks in (Asks.WHY, Asks.OTHERS_MIND) and not matter.of_person and _does_something(about):
        # Why the landlord is silent is asked of the landlord, not of the house.
        matter = GENERAL
    if matter is BY_KEY["return"] and how.asks is Asks.WHICH and about.mention is None and not about.pronoun_is_subject:
        # 去北京还是回家乡: of the asker's own way.
        matter = BY_KEY["journey"]
    if about.part is Part.OBJECT and about.mention and about.mention.role is Role.PET and matter.key in _OF_ONESELF:
        # 该把狗送回老家吗: of the dog.
        matter = BY_KEY["pets"]
    if _is_asked_about(about, matter, text, asked):
        # 装修师傅信得过吗, 房东会反悔吗: of the man, not of the house.
        matter = BY_KEY["partner"]
    named = horizon(text)
    who = whose(matter, text, about, read(question_type))
    if hints and hints.line and who.focus == "世爻" and who.party is None and who.matter is matter:
        who = replace(who, focus=hints.line)
    if hints and hints.likely:
        heard = reconsidered(who, about, hints.likely, text, is_staff=hints.line == LINE_OF_PEOPLE["staff"])
        who, about = heard.who, heard.about
    inquiry = Inquiry(
        who.matter,
        who.focus,
        who.person,
        role=_role(who, about),
        assumed=who.assumed,
        asks=how.asks,
        predicate=how.predicate,
        modal=how.modal,
        restated=how.restated,
        options=how.options,
        scale=scale(text, named),
        horizon=named,
        part=how.asks is Asks.WHEN and asks_for_part(text, asked, kind_in(text, asked)),
        party=who.party,
        stated=how.stated,
        stance=_stance(text, asked, how.asks),
    )
    if inquiry.matter is BY_KEY["health"]:
        return replace(inquiry, recent=_recent(text, question_type))
    return inquiry


def _stance(text: Text, asked: Asking, asks: Asks) -> Stance:
    """Whether the asker wishes for what is asked about; taken more readily where a yes or no is wanted."""
    if asks not in _OF_AN_EVENT:
        return UNKNOWN
    # A deed is weighed, not wished for.
    least = {Asks.WHETHER: 0.0, Asks.SHOULD: 2 * CLEAR}.get(asks, CLEAR)
    return stance_of(text, asked, least=least)


def _role(who: Whose, about: Subject) -> Role | None:
    if who.person and about.mention:
        return about.mention.role
    return _BELOVED.get(who.focus) if who.matter is BY_KEY["love"] else None


def _is_asked_about(about: Subject, matter: Matter, text: Text, asked: Asking) -> bool:
    """Whether somebody's worth is asked about in a matter of things, or what a stranger does of their own accord."""
    other = about.mention
    if other is None or about.part not in (Part.TOPIC, Part.ACTING):
        return False
    if not matter.of_person and about.part is Part.TOPIC and says(TRUSTED, text):
        return True
    does = other.role is Role.STRANGER and OWN_DEED.search(text.folded, *asked.clause) is not None
    return does and (not matter.of_person or matter is BY_KEY["wealth"])


def _does_something(about: Subject) -> bool:
    """Whether a stranger does what is asked about."""
    other = about.mention
    return other is not None and other.role is Role.STRANGER and about.part in (Part.TOPIC, Part.ACTING)


def asked_in(text: Text, asked: Asking, about: Subject, *, likely: bool = False) -> Asked:
    """What the asking clause asks, in the grammar of its language; of the `likely` kind where that is far likelier."""
    asks = kind_in(text, asked)
    if likely:
        asks = likelier(asks, text, asked)
    start, end = _place(text, asked)
    if text.chinese:
        mention = about.mention if about.part in (Part.TOPIC, Part.ACTING) else None
        return grammar_zh.asked_in(text, start, end, asks, (mention.start, mention.end) if mention else None)
    return grammar_en.asked_in(text, start, end, asks, about.others)


def kind_in(text: Text, asked: Asking) -> Asks:
    """The kind of answer that the words of the asking clause ask for."""
    start, end = _place(text, asked)
    return grammar_zh.kind_in(text, start, end) if text.chinese else grammar_en.kind_in(text, start, end)


def _place(text: Text, asked: Asking) -> tuple[int, int]:
    """The place of the asking clause, with the clause before it where that has the other choice."""
    start, end = asked.clause
    if text.chinese:
        other = text.folded.startswith("还是", start) and not _NO_CHOICE.match(text.folded, start + 2)
        # 去甲地好，还是留乙地好
        return (asked.sentence[0] if other else start), end
    start = max(start, asked.sentence[0])
    before = text.folded[asked.sentence[0] : start]
    if _ALTERNATIVES.match(text.folded[start : asked.sentence[1]]) and _CHOOSES.search(before):
        start = asked.sentence[0]
    return start, asked.sentence[1]


def _recent(text: Text, question_type: str) -> bool | None:
    words = f"{question_type} {text.folded}"
    recent, long = (pattern((item,)).search(words) is not None for item in (RECENT_ILLNESS, LONG_ILLNESS))
    return recent if recent != long else None
