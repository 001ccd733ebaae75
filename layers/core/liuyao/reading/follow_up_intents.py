"""Answers of follow-ups that ask of a changed plan, of the odds, of the lines, or of who is against the asker.

Source of the person's line: 《增删卜易》 用神章; of the thief: its 失物章 (官鬼 moves).
"""

import re
from typing import Final

from liuyao.divination import Element, Relation
from liuyao.elements import generates, overcomes
from liuyao.reading.answering.reasons import other_reason
from liuyao.reading.answering.replies import of_weather, state
from liuyao.reading.contributions import Aspect
from liuyao.reading.conversing.comparing import another_way
from liuyao.reading.conversing.lines_told import weighty_line
from liuyao.reading.conversing.retold import verdict
from liuyao.reading.conversing.turn import Turn
from liuyao.reading.judgement import judge
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import Place
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.follow_up import FollowUp
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.people.mentions import mentions
from liuyao.reading.question.people.roles import FOCUS
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Text, read

_AGAINST: Final = re.compile(
    "作梗|捣乱|搞鬼|搞搞震|使坏|小人|对手|拦|挡|阻|反对|妨碍|拖后腿|扯后腿|坏话|背脊|搅|截胡|卡着|提防|要防|该防|"
    r"\b(?:against|in (?:my|our|the) way|block\w*|behind (?:this|it|my back)|trouble\w*|sabotag\w*|rivals?|enem\w+|"
    r"slow\w* it down|hold\w* it up|interfer\w*|beware|watch out|compet\w+)\b"
)
"""What asks who hinders, not who helps."""
_TAKEN: Final = re.compile(
    r"偷|拿走|拿了|捡走|顺走|盗|"
    r"\b(?:tak(?:e|en)|took|stolen|stole|steal|thief|pick(?:ed)? (?:it )?up|pinch\w*|nick(?:ed)?)\b"
)
_PLACED: Final = (
    (6, r"最上|最顶|上爻|第六|六爻|\btop line|\bline (?:6|six)|\bsixth"),
    (1, r"最下|最底|初爻|第一|\bbottom line|\bline (?:1|one)\b|\bfirst line|\blowest"),
    (2, r"第二|二爻|\bline (?:2|two)|\bsecond line"),
    (3, r"第三|三爻|\bline (?:3|three)|\bthird"),
    (4, r"第四|四爻|\bline (?:4|four)|\bfourth"),
    (5, r"第五|五爻|\bline (?:5|five)|\bfifth"),
)
_WINS: Final = re.compile(
    r"抢|拿到|选上|得到|中标|升|录取|\b(?:get|gets|win|wins|beat|take|chosen|picked|hired|promoted)\b"
)
_DECIDES: Final = re.compile(r"关键|要紧|决定|说了算|作主|\b(?:decid\w+|matters? most|key|important|tips)\b")
_THINGS: Final[tuple[tuple[Relation, re.Pattern[str]], ...]] = (
    ("妻财", re.compile(r"[财钱]|\bmoney\b|\bwealth\b|\bcash\b")),
    ("父母", re.compile(r"房|屋|楼|合同|文书|证|车|\b(?:house|flat|home|contract|papers?|car|visa)\b")),
    ("官鬼", re.compile(r"工作|职|官|病|\b(?:job|office|illness|work)\b")),
)
"""Things by the relation that they are read from."""


def instead(narrator: Narrator, told: FollowUp, turn: Turn, grounds: list[str]) -> list[str]:
    """What the cast says of another way than the one it was made for; of somebody who would do it, by their line."""
    voice = narrator.voice
    if narrator.is_guarded:
        return [voice.sentence(voice.phrase("held", who=narrator.adviser_named)), narrator.action()]
    if told.whom and told.inquiry.person and told.asks is Asks.WHETHER and _WINS.search(turn.text.folded):
        # Whether a rival gets it is no other way to it.
        stays = voice.phrase("rival told", told=voice.lowered(verdict(turn.retold)))
        return [*_person(narrator, told.whom, turn.asked, grounds), voice.sentence(stays)]
    if told.whom and told.inquiry.person:
        return [*_person(narrator, told.whom, turn.asked, grounds), voice.sentence(voice.phrase("instead itself"))]
    return another_way(narrator, turn.text)


def _person(narrator: Narrator, whom: str, asked: Inquiry, grounds: list[str]) -> list[str]:
    voice, theirs = narrator.voice, narrator.judgement.focus.at
    first = judge(narrator.plate, asked).focus.at
    fields = {"whom": voice.own_words(whom) or voice.phrase("somebody else")}
    grounds.append(
        voice.sentence(voice.phrase("person ground", **fields, line=voice.line(theirs), focus=voice.line(first)))
    )
    sentences = [voice.sentence(voice.phrase(f"person {_bearing(theirs.element, first.element)}", **fields))]
    if theirs.time.void or theirs.time.month_broken:
        sentences.append(voice.sentence(voice.phrase("person weak", **fields)))
    return sentences


def _bearing(theirs: Element, matter: Element) -> str:
    """What the element of somebody's line does to that of the matter."""
    if generates(theirs, matter):
        return "feeds"
    if overcomes(theirs, matter):
        return "overcomes"
    if generates(matter, theirs):
        return "drained"
    return "overcome" if overcomes(matter, theirs) else "same"


def likely(narrator: Narrator) -> list[str]:
    """How likely it goes well for the asker, in words."""
    voice, how = narrator.voice, state(narrator.judgement)
    figure = voice.sentence(voice.phrase("likely figure"))
    if narrator.careful or narrator.withholds:
        return [voice.sentence(narrator.leaning()), figure]
    if of_weather(narrator):
        return [voice.sentence(voice.phrase(f"outcome {how}")), figure]
    sentences = [voice.sentence(voice.phrase(f"likely {how}"))]
    if narrator.judgement.inquiry.stance.polarity is Polarity.UNWANTED:
        sentences.append(voice.sentence(voice.phrase(narrator.key(f"feared {how}"))))
    elif (reason := other_reason(narrator)) and not narrator.of_health:
        key = "likely because" if narrator.judgement.favourable else "likely because against"
        sentences.append(voice.sentence(voice.phrase(key, reason=reason)))
    return [*sentences, figure]


def named_lines(narrator: Narrator, question: str) -> list[str]:
    """Which line stands for whom or what; the line of the place, the person or the thing that a question names."""
    voice, text = narrator.voice, read(question)
    named = _of_named(narrator, text)
    if named:
        return [voice.sentence(sentence) for sentence in named]
    if weighty := weighty_line(narrator, text):
        return [voice.sentence(sentence) for sentence in weighty]
    sentences = _placed(narrator, text)
    if _DECIDES.search(text.folded):
        decisive = narrator.judgement.decided_by or max(
            narrator.judgement.reasons, key=lambda reason: reason.prominence, default=None
        )
        lines = decisive.lines if decisive else ()
        at = narrator.plate.lines[lines[0] - 1] if lines else narrator.judgement.focus.at
        sentences.append(voice.phrase("line decides", line=voice.line(at)))
    return [*(voice.sentence(sentence) for sentence in sentences), voice.sentence(_roles(narrator))]


def _roles(narrator: Narrator) -> str:
    voice, plate, at = narrator.voice, narrator.plate, narrator.judgement.focus.at
    fields = {"world": voice.line(plate.world), "response": voice.line(plate.response), "focus": voice.line(at)}
    key = "line roles self" if at == plate.world else "line roles other" if at == plate.response else "line roles"
    return voice.phrase(key, **{name: fields[name] for name in voice.fields(key)})


def _placed(narrator: Narrator, text: Text) -> list[str]:
    voice, plate = narrator.voice, narrator.plate
    position = next((position for position, words in _PLACED if re.search(words, text.folded)), None)
    if position is None:
        return []
    at = plate.lines[position - 1]
    own = (("self", plate.world), ("other", plate.response), ("focus", narrator.judgement.focus.at))
    key = next((f"line placed {name}" for name, place in own if place == at), "line placed")
    return [voice.phrase(key, line=voice.line(at))]


def _of_named(narrator: Narrator, text: Text) -> list[str]:
    """The lines of persons and things that a question names."""
    voice = narrator.voice
    named: dict[str, Relation] = {}
    sentences: list[tuple[str, list[Place]]] = []
    for mention in mentions(text):
        line = FOCUS[mention.role]
        words = text.words(mention.start, mention.end).removeprefix("我")
        if line == "应爻":
            sentences.append((words if text.chinese else f"the {words}", [narrator.plate.response]))
        elif line != "世爻":
            named[f"你{words}" if text.chinese else f"your {words}"] = line
    for relation, things in _THINGS:
        if found := things.search(text.folded):
            named[text.words(*found.span())] = relation
    sentences += [(words, _bearing_lines(narrator, relation)) for words, relation in named.items()]
    return [
        voice.phrase("line named", what=what, lines=voice.lines(places))
        for words, places in sentences
        if places and (what := voice.own_words(words))
    ]


def _bearing_lines(narrator: Narrator, relation: Relation) -> list[Place]:
    plate = narrator.plate
    return [*plate.bearing(relation)] or [hidden for hidden in plate.hidden if hidden.relation == relation][:1]


def against(narrator: Narrator, question: str) -> list[str] | None:
    """Who hinders, or whether a lost thing was taken, where a follow-up asks that; None where it does not."""
    voice, text = narrator.voice, read(question).folded
    inquiry = narrator.judgement.inquiry
    if _TAKEN.search(text) and (inquiry.matter.key == "lost" or inquiry.asks is Asks.WHERE):
        stirs = any(line.relation == "官鬼" and line.acts for line in narrator.plate.lines)
        return [voice.sentence(voice.phrase("taken" if stirs else "taken not"))]
    if not _AGAINST.search(text) or narrator.is_guarded:
        return None
    harms = [reason for reason in narrator.judgement.about(Aspect.OTHERS) if reason.weight < 0 and reason.lines]
    if harms:
        line = narrator.plate.lines[min(harms, key=lambda reason: reason.weight).lines[0] - 1]
        told = voice.phrase("harm", people=voice.words.people[line.relation])
    else:
        other = narrator.situation.mind in ("cold", "pressing", "wary")
        told = voice.phrase("who against other" if other else "who against nobody")
    return [voice.sentence(voice.phrase("who against", told=voice.lowered(told)))]
