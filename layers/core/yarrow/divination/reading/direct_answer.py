"""The plain answer to what is asked, which opens a reading: no terms, no line named.

The predicate is answered in its own words: 能 or 不能, 该 or 不该, when, where, which, how much, a boy or a girl. A
question after something unwanted (会不会离婚) is answered the other way round, and one whose stance is not plain in
terms of the asker's good (CARE-08).
"""

import re
from typing import Final

from yarrow.divination.elements import BRANCHES, combined, generates, opposite, overcomes
from yarrow.divination.reading.comparison import best_month, by_aspect, options, which_why
from yarrow.divination.reading.judgement import LEVELS, Judgement, Outcome
from yarrow.divination.reading.narrative import Narrator
from yarrow.divination.reading.question.asks import Asks, Scale
from yarrow.divination.reading.question.polarity import Polarity, is_leaving

_MODALS: Final = (
    ("can", re.compile("^(?:能|可以|可能|can|could|able)")),
    ("will", re.compile("^(?:会|會|肯|愿|願|will|would|shall|may|might)")),
    ("should", re.compile("^(?:该|該|应|應|要|值|适|適|需|should|must)")),
)
_POTENTIAL: Final = re.compile("^[^我你他她]得[^，,]{1,6}$")
"""找得回来, 打得贏: a verb that asks whether one can."""
_COURSE: Final = re.compile("^(?:顺利|順利|平安|成功|幸福)$")
"""顺利吗: a quality that asks how it will go."""
_MOST_MONTHS: Final = 2
"""Good and ill stretches of months that are named."""
_BEST_MONTH: Final = re.compile(
    r"[哪那][个個]?月.{0,14}(?:好|合[适適]|[适適]合|旺|[顺順]|吉)|"
    r"\b(?:which|what) month\b.*\b(?:best|better|good|right)\b|\bbest month\b"
)
_HELPS: Final = re.compile(
    r"[帮幫助靠救支撑撐]|指望|[贵貴]人|找[谁誰]|[请請][谁誰]|[问問][谁誰]|"
    r"\b(?:help\w*|support|count on|rely on|trust|turn to|ask|on my side|back me)\b"
)
_JUDGED: Final = ("naming", "date", "dwelling")
_QUALITY: Final = re.compile(r"(?:好不好|好|吉不吉利|吉利)$|\bgood (?:name|day|date|house|home|flat)\b")
"""Asks how good a thing is, which its verdict says."""


def state(judgement: Judgement) -> str:
    """The state of the matter: best, good, later, poor or bad."""
    if judgement.outcome is Outcome.DELAYED:
        return "later"
    return ("best", "good", "poor", "bad")[LEVELS.index(judgement.sign_level)]


def unwanted(narrator: Narrator) -> bool:
    """Whether what is asked about is something one does not wish for."""
    return not _of_weather(narrator) and narrator.judgement.inquiry.stance.polarity is Polarity.UNWANTED


def _of_weather(narrator: Narrator) -> bool:
    """Whether the grade is of rain or fair weather itself, not of the asker's good."""
    return narrator.judgement.inquiry.matter.key in ("rain", "fair")


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
    if narrator.judgement.inquiry.asks is Asks.SEX_OF_CHILD and not narrator.careful:
        return [*told, narrator.voice.sentence(narrator.voice.phrase("sex caution"))]
    why = _why(narrator)
    if why:
        told.append(why)
    when = _when(narrator)
    return [*told, when] if when else told


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


def sex_of_child(narrator: Narrator) -> tuple[str, str]:
    """`boy` or `girl`, and `yang` or `yin` of the 子孙 line as it ends; of a hidden one by its branch.

    《增删卜易》 胎孕章: yang is a boy, yin a girl; a moving line counts by what it becomes.
    """
    at = narrator.judgement.focus.at
    if at.line is None:
        yang = BRANCHES.index(at.branch) % 2 == 0
    else:
        yang = narrator.binary(at.position, changed=at.changes) == "1"
    return ("boy", "yang") if yang else ("girl", "yin")


def _who(narrator: Narrator) -> str:
    """A cast names no one: who helps by relation, else how the matter goes."""
    voice = narrator.voice
    if not _HELPS.search(narrator.divination.question.lower()):
        return voice.phrase("who is it", verdict=_lowered(narrator.verdict(narrator.judgement.sign_level)))
    helper = narrator.helper()
    told = voice.phrase("who helps", people=helper) if helper else helped(narrator)
    return voice.phrase("who unnamed", told=told)


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:]


def others_mind(narrator: Narrator) -> str:
    """How 应 stands to 世 (世应章)."""
    world, response = narrator.plate.world, narrator.plate.response
    if response.time.void:
        return "unsettled"
    if well_disposed(narrator):
        return "warm"
    if opposite(response.branch) == world.branch:
        return "cold"
    if overcomes(response.element, world.element):
        return "pressing"
    if generates(world.element, response.element):
        return "given"
    return "wary" if overcomes(world.element, response.element) else "alike"


def mind(narrator: Narrator) -> str:
    """What the other side thinks, as a phrase in the words of the matter."""
    key = f"mind {others_mind(narrator)}"
    matter = {"lawsuit": "contest"}.get(narrator.judgement.inquiry.matter.key, narrator.judgement.inquiry.matter.key)
    nearer = f"{key} in {matter}"
    return narrator.voice.phrase(nearer if nearer in narrator.voice.words.sentences else key)


def when(narrator: Narrator, *, harm: bool | None = None) -> str:
    """When it comes, as a phrase. `harm` tells whether it is unwanted where the first question does not."""
    voice, date = narrator.voice, narrator.main_time()
    if date is None:
        return voice.phrase("when unknown within" if narrator.times else "when unknown")
    how = state(narrator.judgement)
    if unwanted(narrator) if harm is None else harm:
        how = "harm" if narrator.judgement.favourable else "harm likely"
    elif how == "later" and narrator.calendar.scale is Scale.HOUR:
        how = "good"
    return voice.phrase(narrator.key(f"when {how}"), date=date)


def well_disposed(narrator: Narrator) -> bool:
    """应 combines with 世 or feeds it."""
    world, response = narrator.plate.world, narrator.plate.response
    return combined(response.branch) == world.branch or generates(response.element, world.element)


def _answer(narrator: Narrator, *, restating: bool) -> str:
    voice, inquiry = narrator.voice, narrator.judgement.inquiry
    if narrator.careful:
        return voice.sentence(voice.phrase("held"))
    if inquiry.asks is Asks.HOW:
        return narrator.action()
    reply = _reply(narrator, inquiry.asks)
    if asked_for_quality(narrator) or (inquiry.matter.key in ("rain", "fair") and _mixed(narrator)):
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
    match asks:
        case Asks.WHETHER | Asks.SHOULD:
            return _yes_or_no(narrator, asks)
        case Asks.WHEN:
            month = best_month(narrator) if _BEST_MONTH.search(narrator.divination.question.lower()) else None
            return voice.phrase("best month", month=month) if month else when(narrator)
        case Asks.WHERE:
            key = f"where lost {how}" if judgement.inquiry.matter.key in ("lost", "pets") else "where"
            return voice.phrase(key, direction=narrator.direction_of(judgement.focus.at))
        case Asks.WHICH:
            named = [voice.own_words(each) for each in judgement.inquiry.options]
            if len(named) != 2 or not all(named):
                return voice.phrase("which unnamed")
            return voice.phrase(f"which {options(narrator)}", first=named[0] or "", second=named[1] or "")
        case Asks.WHO:
            return _who(narrator)
        case Asks.SEX_OF_CHILD:
            return voice.phrase(sex_of_child(narrator)[0])
        case Asks.HOW_MUCH:
            return voice.phrase(f"much {how}")
        case Asks.OTHERS_MIND:
            return mind(narrator)
        case Asks.HOW_IS if unwanted(narrator) and (
            judgement.inquiry.matter.key == "general" or not judgement.inquiry.stance.plain
        ):
            return voice.phrase(narrator.key(f"feared {how}"))
        case Asks.HOW_IS if judgement.inquiry.matter.key == "general" and (words := _stretch(narrator)):
            return voice.phrase(f"stretch {how}", words=words)
    return None


def _yes_or_no(narrator: Narrator, asks: Asks) -> str | None:
    """A yes or no where the stance is plain, else how the matter goes for the asker; None for the verdict (CARE-08)."""
    voice, stance, how = narrator.voice, narrator.judgement.inquiry.stance, state(narrator.judgement)
    if _of_weather(narrator) and not stance.plain:
        return None
    mood = _mood(narrator, asks)
    if mood is not None:
        return voice.phrase(narrator.key(f"{mood} {how}"))
    way = _way(narrator, asks)
    if way in ("harm", "leave"):
        return voice.phrase(narrator.key(f"{way} {how}"))
    if how in ("best", "good", "later") and narrator.named_time_passed_over():
        return voice.phrase("later than asked" if asks is Asks.WHETHER else "should later")
    if how == "later" and narrator.calendar.scale is Scale.HOUR and asks is Asks.WHETHER:
        return voice.phrase("will later today")
    return voice.phrase(narrator.key(f"{way} {how}"))


def _mood(narrator: Narrator, asks: Asks) -> str | None:
    """`open`, `feared` or `hoped` where no yes or no may be said."""
    stance = narrator.judgement.inquiry.stance
    if _of_weather(narrator) or (asks is Asks.SHOULD and stance.plain):
        return None
    if stance.polarity is Polarity.UNKNOWN or asks is Asks.SHOULD:
        return "open"
    if stance.plain:
        return None
    return "feared" if stance.polarity is Polarity.UNWANTED else "hoped"


def _stretch(narrator: Narrator) -> str | None:
    """The user's words for a time of months that is asked about."""
    return named_time(narrator) if narrator.calendar.scale is Scale.MONTH else None


def named_time(narrator: Narrator) -> str | None:
    """The user's words for the time asked about, without an English preposition."""
    return narrator.named_time


def helped(narrator: Narrator) -> str:
    """Whether there is anybody to count on where no line helps: 应 if it is well disposed."""
    if not well_disposed(narrator):
        return narrator.voice.phrase("who nobody")
    return narrator.voice.phrase("who other later" if narrator.plate.response.time.void else "who other")


def period(narrator: Narrator) -> str:
    """The months of the time asked about by how their element stands to the 用神, as a phrase."""
    voice, calendar = narrator.voice, narrator.calendar
    good, ill = (
        voice.words.sentences["and"].join([voice.month_span(each, calendar) for each in months[:_MOST_MONTHS]])
        for months in calendar.tendencies(narrator.judgement.focus.at.element)
    )
    key = "period" if good and ill else "period good" if good else "period ill" if ill else "period even"
    fields = {"good": good, "ill": ill}
    return voice.phrase(key, **{name: fields[name] for name in voice.fields(key)})


def where_from(narrator: Narrator) -> str:
    """What a direction is taken from."""
    voice, at = narrator.voice, narrator.judgement.focus.at
    told = voice.phrase("where ground", branch=voice.branch(at.branch), direction=narrator.direction_of(at))
    return voice.sentence(told)


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


def _why(narrator: Narrator) -> str | None:
    """The aspect that helps most and the one that hinders most, in plain words."""
    voice, judgement = narrator.voice, narrator.judgement
    if judgement.inquiry.asks is Asks.WHICH and not narrator.careful:
        named = [name for each in judgement.inquiry.options if (name := voice.own_words(each))]
        told = which_why(narrator, *named) if len(named) == 2 else None
        return voice.sentence(told) if told else None
    if judgement.inquiry.matter.key in ("rain", "fair") or judgement.inquiry.asks in _WITHOUT_WHY:
        return None
    sums = by_aspect(judgement)
    best, worst = max(sums, key=lambda each: sums[each]), min(sums, key=lambda each: sums[each])
    good = voice.phrase(f"plain {best.name} for") if sums[best] > 0 else None
    ill = voice.phrase(f"plain {worst.name} against") if sums[worst] < 0 else None
    calming = judgement.inquiry.asks is not Asks.SHOULD and unwanted(narrator)
    if good and ill:
        return voice.sentence(voice.phrase("why calm and wary" if calming else "why both", good=good, ill=ill))
    if good:
        return voice.sentence(voice.phrase("why calm" if calming else "why for", reasons=good))
    return voice.sentence(voice.phrase("why wary" if calming else "why against", reasons=ill)) if ill else None


_WITHOUT_WHY: Final = (Asks.SEX_OF_CHILD, Asks.WHICH)


def _when(narrator: Narrator) -> str | None:
    voice, judgement = narrator.voice, narrator.judgement
    asks = judgement.inquiry.asks
    if asks in (Asks.WHEN, Asks.SEX_OF_CHILD, Asks.WHICH) or judgement.inquiry.matter.key in (
        "naming",
        "dream",
        "date",
    ):
        return None
    if asks is Asks.HOW_IS and _stretch(narrator):
        return voice.sentence(period(narrator))
    if asks is Asks.OTHERS_MIND:
        return None
    date = narrator.main_time(within=True)
    if judgement.outcome is Outcome.DELAYED and date and unwanted(narrator):
        return voice.sentence(voice.phrase(narrator.key("time later harm"), date=date))
    if judgement.inquiry.matter.key == "dwelling" and asked_for_quality(narrator):
        return None
    if judgement.outcome is Outcome.DELAYED and date and narrator.calendar.scale is Scale.HOUR:
        return voice.sentence(voice.phrase("time later today", date=date))
    if judgement.outcome is Outcome.DELAYED and date:
        return voice.sentence(voice.phrase(narrator.key("time later"), date=date))
    words = None if unwanted(narrator) else narrator.named_time_passed_over()
    if words and judgement.favourable:
        return voice.sentence(voice.phrase("time beyond", words=words, date=narrator.main_time() or ""))
    if judgement.inquiry.matter.key == "contest" and narrator.calendar.scale is Scale.HOUR:
        return None
    if date and judgement.favourable and judgement.inquiry.scale and not unwanted(narrator):
        return voice.sentence(voice.phrase("time", date=date))
    return None
