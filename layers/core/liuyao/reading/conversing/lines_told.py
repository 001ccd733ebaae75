"""What a follow-up says of a line by its term: whether 财爻 is weak, which line holds the matter up."""

from typing import Final

from liuyao.divination import Relation
from liuyao.elements import overcomes
from liuyao.reading.acting import role
from liuyao.reading.answering.reasons import plain_reasons
from liuyao.reading.contributions import Contribution
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import Place
from liuyao.reading.question.text import Expression, Text, parts
from liuyao.reading.strength import vigour

_RELATIONS: Final[tuple[tuple[Relation, Expression], ...]] = (
    ("妻财", Expression(r"妻财|财爻|财(?=太?[旺弱衰强])|\b(?:wealth|money) (?:line|is (?:weak|strong))\b")),
    ("官鬼", Expression(r"官鬼|[官鬼]爻|官(?=太?[旺弱衰强])|\bofficer(?: line)?\b")),
    ("父母", Expression(r"父母?爻|父母(?=太?[旺弱衰强])|\bparents? line\b")),
    ("子孙", Expression(r"子孙|\boffspring(?: line)?\b")),
    ("兄弟", Expression(r"兄弟?爻|兄弟(?=太?[旺弱衰强])|\bsiblings? line\b")),
)
_WORLD: Final = Expression(r"世爻|\b(?:asker's|my|self) line\b")
_RESPONSE: Final = Expression(r"应爻|\bother side's line\b")
_FOCUS: Final = Expression(r"用神|\bfocus line\b")
_STRENGTH: Final = Expression(
    r"[弱旺衰强囚]|有力|无力|没力|受克|受伤|\b(?:weak\w*|strong\w*|strength|powerless|low|confined|resting|in season)\b"
)
_MOST_SHARED: Final = 0.4
"""The share of the words above which they come from a reason."""
_HINDERS: Final = Expression(
    r"[阻拖慢拦挡难]|不利|风险|麻烦|坏|\b(?:delay\w*|obstacles?|block\w*|against|problems?|trouble|slow\w*|hold\w*|bad|risks?|"
    r"hinder\w*)\b"
)
_HELPS: Final = Expression(r"[帮助利好]|贵人|\b(?:help\w*|support\w*|good|favou?r\w*|for me)\b")


def strength_told(narrator: Narrator, text: Text) -> list[str] | None:
    """How strong a line is that a follow-up calls weak or strong by its term; None if it calls none so.

    Then what the line is for the question, and that the answer rests on the whole.
    """
    if not _STRENGTH.search(text.folded):
        return None
    at = _named(narrator, text)
    if at is None:
        return None
    voice, plate = narrator.voice, narrator.plate
    is_strong = vigour(at, plate) > 0
    element, month = voice.element(at.element), voice.month(plate.month)
    season = voice.phrase(f"season {at.time.month_status}", element=element, month=month)
    told = [
        voice.sentence(voice.phrase(f"strength {'high' if is_strong else 'low'}", line=voice.line(at))),
        voice.sentence(season, *_by_day(narrator, at)),
    ]
    focus = narrator.judgement.focus.at
    role = "focus" if at == focus else "self" if at == plate.world else "other" if at == plate.response else "aside"
    told.append(voice.sentence(voice.phrase(f"strength of {role}")))
    if not narrator.is_guarded:
        told.append(voice.sentence(voice.phrase("strength whole", told=voice.lowered(verdict(narrator)))))
    return told


def _by_day(narrator: Narrator, at: Place) -> list[str]:
    """What the day does to a line, as a phrase."""
    plate, day = narrator.plate, narrator.voice.day(narrator.plate.day)
    if plate.supported_by_day(at):
        return [narrator.voice.phrase("season day for", day=day)]
    if overcomes(plate.day_element, at.element) or at.time.clashes_with_day:
        return [narrator.voice.phrase("season day against", day=day)]
    return []


def _named(narrator: Narrator, text: Text) -> Place | None:
    """The line that a term names: of several of a relation, the one asked about, else one that moves."""
    plate, focus = narrator.plate, narrator.judgement.focus.at
    for words, at in ((_WORLD, plate.world), (_RESPONSE, plate.response), (_FOCUS, focus)):
        if words.search(text.folded):
            return at
    relation = next((relation for relation, words in _RELATIONS if words.search(text.folded)), None)
    if relation is None:
        return None
    if focus.relation == relation:
        return focus
    lines = [*plate.bearing(relation)] or [hidden for hidden in plate.hidden if hidden.relation == relation]
    return max(lines, key=lambda line: (line.acts, vigour(line, plate)), default=None)


def weighty_line(narrator: Narrator, text: Text) -> list[str]:
    """The line that hinders most, or helps most, where a follow-up asks which does; empty if it asks neither."""
    sign = -1 if _HINDERS.search(text.folded) else 1 if _HELPS.search(text.folded) else 0
    if not sign:
        return []
    voice = narrator.voice
    key = "hinders" if sign < 0 else "helps"
    found = [reason for reason in narrator.judgement.reasons if reason.weight * sign > 0 and reason.lines]
    if not found:
        return [voice.phrase(f"line {key} none")]
    best = max(found, key=lambda reason: abs(reason.weight))
    line = voice.line(narrator.plate.lines[best.lines[0] - 1])
    return [voice.phrase(f"line {key}", line=line, reason=plain_reasons(narrator, [best], sign))]


def source_of(narrator: Narrator, words: str) -> Contribution | None:
    """The reason of the judgement that words of the reading come from, by what they share with how it is told."""
    asked = parts(words.lower())
    if not asked:
        return None
    best, most = None, _MOST_SHARED
    for reason in narrator.judgement.reasons:
        if not reason.weight:
            continue
        sign = 1 if reason.weight > 0 else -1
        named, tables = role(reason, narrator.plate, sign), narrator.voice.words
        own = tables.people_plain.get(narrator.judgement.inquiry.topic, {})
        ways = (*own.get(named, ()), *tables.plain.get(named, ()))
        shared = max((len(asked & parts(way.lower())) / len(asked) for way in ways), default=0.0)
        if shared > most:
            best, most = reason, shared
    return best
