"""What to say to somebody in the matter: to whom, words to begin with, and what the cast says of saying it.

The words follow the matter and whether the cast is for it: where it is, they ask outright; where it is not, they ask
for the other's view, and commit the asker to nothing. Where a step is withheld they are settled with the adviser first.
"""

from typing import Final

from liuyao.reading.conversing.turn import Turn
from liuyao.reading.judgement import Outcome
from liuyao.reading.language import Language
from liuyao.reading.narrative import SEVERAL, Narrator
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.people.roles import FAMILY, PARTNERS, Role
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Expression, Text

_PRONOUN: Final = Expression(
    r"(?<=[跟和对向同问给])[他她]们?(?!的|妈|爸|家)|[他她]们?(?=[，,。？?！!才说讲]|$)|\b(?:him|her|them)\b"
)
_GROUPS: Final = {
    "love": "love",
    "kin": "kin",
    "children": "kin",
    "return": "kin",
    "career": "work",
    "study": "work",
    "partner": "money",
    "wealth": "money",
    "debt": "money",
    "documents": "money",
    "lawsuit": "money",
}
"""Matters by what is said in them."""


def told_to_say(narrator: Narrator, turn: Turn) -> list[str]:
    """What to say, to whom, and what the cast says of saying it."""
    voice, judgement = narrator.voice, narrator.judgement
    whom = _whom(narrator, turn)
    if narrator.is_guarded:
        first = voice.phrase("say guarded", who=narrator.adviser_named)
        return [voice.sentence(first), voice.sentence(voice.phrase("say guarded words"))]
    stand = "well" if judgement.favourable else "ill"
    words = voice.phrase(f"say {_group(narrator, turn)} {stand}")
    opening = voice.phrase("say to", whom=whom, words=words) if whom else voice.phrase("say", words=words)
    later = judgement.favourable and judgement.outcome is Outcome.DELAYED
    return [voice.sentence(opening), voice.sentence(voice.phrase(f"say told {'later' if later else stand}"))]


def _group(narrator: Narrator, turn: Turn) -> str:
    """What kind of words they are."""
    asked = narrator.judgement.inquiry
    named = {mention.role for mention in mentions(turn.text)}
    if narrator.of_health:
        return "health"
    if not named.isdisjoint(FAMILY - PARTNERS) and asked.role not in named and asked.asks is not Asks.SHOULD:
        return "tell"  # of a matter that is not theirs
    if asked.stance.polarity is Polarity.UNWANTED:
        return "feared"
    if asked.asks is Asks.SHOULD:
        return "decision"
    if Role.SUPERIOR in named or (not named and Role.SUPERIOR in {mention.role for mention in mentions(turn.question)}):
        return "work"
    return _GROUPS.get(asked.matter.key, "other")


def _whom(narrator: Narrator, turn: Turn) -> str | None:
    """Who is spoken to: somebody the follow-up names, its pronoun, else the one asked about."""
    voice, text = narrator.voice, turn.text
    for mention in mentions(text):
        if (named := voice.own_words(named_in(text, mention))) is not None:
            return named
    person = narrator.person
    if person and not (voice.language is Language.ENGLISH and SEVERAL.search(person)):
        return person
    if match := _PRONOUN.search(text.folded):
        return voice.own_words(text.words(*match.span()) if text.chinese else match[0])
    return None


def named_in(text: Text, mention: Mention) -> str:
    """What somebody is called to the asker: 你婆婆, her mother, "your wife"."""
    words, before = text.words(mention.start, mention.end), text.folded[: mention.start]
    if text.chinese:
        if before.endswith(("他", "她", "他的", "她的")):
            at = len(before.removesuffix("的"))
            return text.words(at - 1, at) + words
        return "你" + words.removeprefix("我")
    owner = next((word for word in ("his", "her", "their", "the") if before.rstrip().endswith(f" {word}")), "your")
    return f"{owner} {words}"
