"""The plain answer to what is asked, which opens a reading: no terms, no line named.

The predicate is answered in its own words: 能 or 不能, 该 or 不该, when, where, which, how much, a boy or a girl. A
question after something unwanted (会不会离婚) is answered the other way round, and one whose stance is not plain in
terms of the asker's good (CARE-08).
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final

from liuyao.reading.answering.comparison import options, plainly, which_why
from liuyao.reading.answering.echoed import echoed, echoed_course, echoed_deed
from liuyao.reading.answering.replies import (
    mind,
    of_anger,
    of_weather,
    period,
    sex_of_child,
    state,
    unwanted,
    when,
    where_from,
    who,
)
from liuyao.reading.contributions import Contribution
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import OF_FOCUS, outline, sureness
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.polarity import Polarity, is_leaving
from liuyao.reading.question.text import Expression

_MODALS: Final = (
    ("can", re.compile("^(?:能|可以|可能|can|could|able)")),
    ("will", re.compile("^(?:会|會|肯|愿|願|will|would|shall|may|might)")),
    ("should", re.compile("^(?:该|該|应|應|要|值|适|適|需|should|must)")),
)
_POTENTIAL: Final = re.compile("^[^我你他她]得[^，,]{1,6}$")
"""找得回来, 打得贏: a verb that asks whether one can."""
_COURSE: Final = re.compile("^(?:顺利|順利|平安|成功|幸福)$")
"""顺利吗: a quality that asks how it will go."""
_JUDGED: Final = ("naming", "date", "dwelling")
_QUALITY: Final = re.compile(r"(?:好不好|好|吉不吉利|吉利)$|\bgood (?:name|day|date|house|home|flat)\b")
"""Asks how good a thing is, which its verdict says."""


def asked_for_quality(narrator: Narrator) -> bool:
    """Whether the question is how good a name, a day or a house is."""
    inquiry = narrator.judgement.inquiry
    if inquiry.asks is Asks.WHEN:
        return False
    if inquiry.restated is None:
        # The verdict is the answer then, of a house as it is.
        return inquiry.matter.key == "dwelling" and inquiry.asks in (Asks.WHETHER, Asks.SHOULD, Asks.HOW_IS)
    return inquiry.matter.key in _JUDGED and _QUALITY.search(inquiry.restated) is not None


def direct_answer(narrator: Narrator, *, restating: bool = True) -> list[str]:
    """The answer, why in plain words, and when if that matters; `restating` what was asked, if it is not quoted."""
    told = [_answer(narrator, restating=restating)]
    if narrator.withholds:
        return told
    if narrator.judgement.inquiry.asks is Asks.SEX_OF_CHILD and not narrator.careful:
        return [*told, narrator.voice.sentence(narrator.voice.phrase("sex caution"))]
    if because := why(narrator):
        told.append(narrator.voice.sentence(because))
    when = likely_time(narrator)
    return [*told, when] if when else told


def restated(narrator: Narrator) -> str:
    """The answer with what was asked."""
    return _answer(narrator, restating=True)


def ground(narrator: Narrator) -> list[str]:
    """What a direct answer rests on, in terms, where no reason of the judgement says it."""
    voice, plate = narrator.voice, narrator.plate
    sides = {"world": voice.line(plate.world), "response": voice.line(plate.response)}
    match narrator.judgement.inquiry.asks:
        case Asks.WHICH if len(narrator.judgement.inquiry.options) == 2:
            return [voice.sentence(voice.phrase("which ground", **sides))]
        case Asks.WHERE:
            return [where_from(narrator)]
        case Asks.OTHERS_MIND:
            return [voice.sentence(voice.phrase("mind ground", **sides))]
        case Asks.SEX_OF_CHILD:
            polarity = voice.phrase(sex_of_child(narrator)[1])
            line = voice.line(narrator.judgement.focus.at)
            return [voice.sentence(voice.phrase("sex ground", line=line, polarity=polarity))]
    return []


def _answer(narrator: Narrator, *, restating: bool) -> str:
    voice, inquiry = narrator.voice, narrator.judgement.inquiry
    if narrator.careful or narrator.withholds:
        return voice.sentence(narrator.leaning())
    if inquiry.asks is Asks.HOW:
        return narrator.action()
    reply = _reply(narrator, inquiry.asks)
    if asked_for_quality(narrator) or (of_weather(narrator) and _mixed(narrator)):
        reply = None
    if reply is None:
        return voice.sentence(narrator.verdict(narrator.judgement.sign_level))
    restated = voice.own_words(inquiry.restated) if restating else None
    if restated is None:
        return voice.sentence(reply)
    return voice.sentence(voice.phrase("as to", restated=restated, reply=reply))


def _mixed(narrator: Narrator) -> bool:
    """Of the weather: whether it comes, but not much of it."""
    return narrator.judgement.inquiry.asks is Asks.WHETHER and state(narrator.judgement) == "good"


def _reply(narrator: Narrator, asks: Asks) -> str | None:
    voice, judgement = narrator.voice, narrator.judgement
    how = state(judgement)
    if of_anger(narrator):
        return voice.varied(f"anger {how}")
    match asks:
        case Asks.WHETHER | Asks.SHOULD:
            return _yes_or_no(narrator, asks)
        case Asks.WHEN:
            return when(narrator, narrator.divination.question)
        case Asks.WHERE:
            key = f"where lost {how}" if judgement.inquiry.matter.key in ("lost", "pets") else "where"
            return voice.phrase(key, direction=narrator.direction_of(judgement.focus.at))
        case Asks.WHICH:
            named = [voice.own_words(each) for each in judgement.inquiry.options]
            if len(named) != 2 or not all(named):
                return voice.phrase("which unnamed")
            return voice.phrase(f"which {options(narrator)}", first=named[0] or "", second=named[1] or "")
        case Asks.WHO:
            return who(narrator)
        case Asks.SEX_OF_CHILD:
            return voice.phrase(sex_of_child(narrator)[0])
        case Asks.HOW_MUCH:
            return voice.varied(f"much {how}")
        case Asks.OTHERS_MIND:
            return mind(narrator)
        case Asks.WHY:
            return _cause(narrator)
        case Asks.HOW_IS if unwanted(narrator) and (
            judgement.inquiry.matter.key == "general" or not judgement.inquiry.stance.plain
        ):
            return voice.varied(narrator.key(f"feared {how}"))
        case Asks.HOW_IS if voice.varies and not narrator.of_health and (told := echoed_course(narrator, how)):
            return told
        case Asks.HOW_IS if judgement.inquiry.matter.key == "general" and (words := _stretch(narrator)):
            return voice.varied(f"stretch {how}", words=words)
    return None


def _cause(narrator: Narrator) -> str | None:
    """What the cast shows as the cause: the weightiest reason against the matter, else for it."""
    reasons = [reason for reason in narrator.judgement.reasons if reason.weight and not narrator.is_of_illness(reason)]
    if not reasons:
        return None
    cause = min(reasons, key=lambda each: each.weight)
    return narrator.voice.phrase("cause", reason=plain_reasons(narrator, [cause], 1 if cause.weight > 0 else -1))


def _yes_or_no(narrator: Narrator, asks: Asks) -> str | None:
    """A yes or no where the stance is plain, else how the matter goes for the asker; None for the verdict (CARE-08)."""
    voice, stance, how = narrator.voice, narrator.judgement.inquiry.stance, state(narrator.judgement)
    if of_weather(narrator) and not stance.plain:
        return None
    mood = _mood(narrator, asks)
    if mood is not None:
        return voice.varied(narrator.key(f"{mood} {how}"))
    way = _way(narrator, asks)
    key = narrator.key(f"{way} {how}")
    in_its_words = None if narrator.of_health or not voice.varies else partial(echoed, narrator, way, how)
    if way in ("harm", "leave"):
        return (way == "harm" and in_its_words and in_its_words()) or voice.varied(key)
    if how in ("best", "good", "later") and narrator.named_time_passed_over():
        if asks is Asks.WHETHER and _is_far(narrator):
            return voice.phrase("not within", words=narrator.named_time_passed_over() or "")
        return voice.varied("later than asked" if asks is Asks.WHETHER else "should later")
    if how == "later" and narrator.calendar.scale is Scale.HOUR and asks is Asks.WHETHER:
        return voice.varied("will later today")
    if way == "should" and in_its_words:
        return echoed_deed(narrator, how) or voice.varied(key)
    return (in_its_words and in_its_words()) or voice.varied(key)


def _mood(narrator: Narrator, asks: Asks) -> str | None:
    """`open`, `feared` or `hoped` where no yes or no may be said."""
    stance = narrator.judgement.inquiry.stance
    if of_weather(narrator) or (asks is Asks.SHOULD and stance.plain):
        return None
    if stance.polarity is Polarity.UNKNOWN or asks is Asks.SHOULD:
        return "open"
    if stance.plain:
        return None
    return "feared" if stance.polarity is Polarity.UNWANTED else "hoped"


def _stretch(narrator: Narrator) -> str | None:
    """The user's words for a time of months that is asked about."""
    return narrator.named_time if narrator.calendar.scale is Scale.MONTH else None


def _way(narrator: Narrator, asks: Asks) -> str:
    inquiry = narrator.judgement.inquiry
    if asks is Asks.SHOULD:
        leaving = is_leaving(f"{inquiry.predicate or ''} {inquiry.restated or ''}")
        return "leave" if leaving else "should"
    if unwanted(narrator):
        return "harm"
    modal = (inquiry.modal or inquiry.stance.modal or "").lower()
    if not modal and _POTENTIAL.search(narrator.judgement.inquiry.predicate or ""):
        return "can"
    if not modal and _COURSE.search(narrator.judgement.inquiry.predicate or ""):
        return "will"
    return next((way for way, words in _MODALS if words.match(modal)), "is")


def why(narrator: Narrator, *, bare: bool = False) -> str | None:
    """The reason that carries the verdict and the one against it, as a phrase in plain words; `bare` within another."""
    voice, judgement = narrator.voice, narrator.judgement
    if judgement.inquiry.asks is Asks.WHICH and not narrator.careful:
        named = [name for each in judgement.inquiry.options if (name := voice.own_words(each))]
        return which_why(narrator, *named) if len(named) == 2 else None
    if of_weather(narrator) or judgement.inquiry.asks in _WITHOUT_WHY:
        return None
    carries, against = narrator.outline.carries, narrator.outline.against
    if sureness(judgement) in _PLAIN:
        against = None
    if not judgement.favourable and (judgement.inquiry.asks is Asks.OTHERS_MIND or of_anger(narrator)):
        # What speaks for the asker's side would be heard as the other's.
        against = None
    if carries is None:
        return None
    way = "well" if judgement.favourable else "ill"
    if not bare and judgement.inquiry.asks is not Asks.SHOULD and unwanted(narrator):
        way = "calm" if judgement.favourable else "wary"
    if not bare and (narrator.careful or narrator.of_health):
        way = "seen"
    return _reasoned(narrator, way, carries, against)


def other_reason(narrator: Narrator) -> str | None:
    """A reason of the verdict that the reading has not told in plain words, as a phrase."""
    judgement, first = narrator.judgement, narrator.outline.carries
    told = () if first is None else (first.term.aspect,)
    found = outline(judgement, without=told).carries
    if found is None or found is judgement.decided_by or narrator.withholds or narrator.is_of_illness(found):
        others = [each for each in judgement.reasons if each.weight * narrator.outline.sign > 0 and each is not first]
        others = [each for each in others if not narrator.is_of_illness(each)]
        found = max(others, key=lambda each: each.prominence, default=None)
    if found is None or narrator.withholds:
        return None
    return plain_reasons(narrator, [found], narrator.outline.sign)


def plain_reasons(narrator: Narrator, reasons: Sequence[Contribution], sign: int) -> str:
    """Return the reasons of one sign in a row, in plain words."""
    voice, told = narrator.voice, dict[str, None]()
    for reason in reasons:
        words = plainly(voice, narrator.plate, narrator.judgement, reason, sign)
        if reason.term.aspect in OF_FOCUS:
            words = voice.phrase("of focus again", told=words) if told else narrator.of_focus(words)
        told[words] = None
    return voice.words.sentences["separator"].join(told)


def _reasoned(narrator: Narrator, way: str, carries: Contribution, against: Contribution | None) -> str:
    """A frame filled with the reasons; the line they are of is named where it comes first."""
    voice, sign = narrator.voice, narrator.outline.sign
    frame = voice.way(f"because {way} but" if against else f"because {way}")
    reasons = [("main", carries, sign), *([("but", against, -sign)] if against else [])]
    fields: dict[str, str] = {}
    named = False
    for name, reason, of_sign in sorted(reasons, key=lambda each: frame.index(f"{{{each[0]}}}")):
        told = plainly(voice, narrator.plate, narrator.judgement, reason, of_sign)
        if reason.term.aspect in OF_FOCUS:
            told = voice.phrase("of focus again", told=told) if named else narrator.of_focus(told)
            named = True
        fields[name] = told
    return frame.format(**fields)


_WITHOUT_WHY: Final = (Asks.SEX_OF_CHILD, Asks.WHICH, Asks.WHY)
_PLAIN: Final = ("clear", "leaning")
"""How sure a cast is of which one reason is told; of a close one, the other side's as well."""


_DATELESS: Final = (
    *(Asks.WHEN, Asks.SEX_OF_CHILD, Asks.WHICH, Asks.HOW, Asks.WHO, Asks.WHERE, Asks.HOW_MUCH, Asks.OTHERS_MIND),
    Asks.WHY,
)
"""Kinds of answers that name their time themselves, or have none."""
_TIMELESS_TOPICS: Final = ("naming", "dream", "date")
_FARTHEST: Final = timedelta(days=200)
"""From today; what is farther is told only where the question is when."""
_COMES: Final = Expression(
    "来|到|回|修|还(?!是|有|能|会|要)|完|发|寄|停|好起来|恢复|结束|卖|找|开门|批|通过|录取|录用|升|联系|签|怀|"
    r"\b(?:come|comes|arriv\w*|deliver\w*|repl\w+|answer|call|ring|write|return|back|turn up|show up|fix\w*|repair\w*|"
    r"finish\w*|done|over|end|stop|ready|sell|sold|found|find|get|open|reopen|approved?|granted|hear|pay|paid|bloom|"
    r"recover|pass|promot\w*|hired?|meet|marry|pregnant|move)\b"
)
"""What comes about on some day."""
_SOON_AFTER: Final = timedelta(days=30)
"""From the end of the time asked about; what is later is not told."""


def likely_time(narrator: Narrator) -> str | None:
    """The likely time, in one sentence, where the answer is that something comes or is to be done."""
    voice, judgement, asks = narrator.voice, narrator.judgement, narrator.judgement.inquiry.asks
    if asks is Asks.WHEN and narrator.careful and (date := narrator.main_time()):
        return voice.sentence(voice.phrase("time", date=date))
    if asks in _DATELESS or narrator.adviser.topic in _TIMELESS_TOPICS or of_anger(narrator):
        return None
    if asks is Asks.HOW_IS and _stretch(narrator):
        return voice.sentence(period(narrator))
    if not judgement.favourable or not narrator.times or narrator.calendar.scale is Scale.HOUR:
        return None
    if judgement.inquiry.matter.key == "dwelling" and asked_for_quality(narrator):
        return None
    if words := narrator.named_time_passed_over():
        far = unwanted(narrator) or _is_far(narrator)
        return (
            None if far else voice.sentence(voice.varied("time beyond", words=words, date=narrator.main_time() or ""))
        )
    date, delayed = narrator.main_time(within=True), judgement.outcome is Outcome.DELAYED
    if date is None or narrator.times[0].first - narrator.calendar.today > _FARTHEST:
        return None
    if unwanted(narrator):
        if not delayed:
            return None
        date = voice.end_of(narrator.times[0], narrator.calendar)
        return voice.sentence(voice.varied(narrator.key("time later harm"), date=date))
    if delayed:
        return voice.sentence(voice.varied(narrator.key("time later"), date=date))
    if asks is Asks.WHETHER and not narrator.at_its_own_time and _COMES.search(narrator.adviser.text.folded):
        return voice.sentence(voice.varied("time", date=date))
    return None


def _is_far(narrator: Narrator) -> bool:
    """Whether the deciding time is long after the time asked about."""
    bounds = narrator.calendar.bounds
    return bounds is not None and bool(narrator.times) and narrator.times[0].first - bounds[1] > _SOON_AFTER
