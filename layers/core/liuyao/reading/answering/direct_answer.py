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
    when_best,
    where_from,
    who,
)
from liuyao.reading.contributions import Contribution
from liuyao.reading.judgement import Outcome
from liuyao.reading.narrative import OWN_VERDICT, Narrator
from liuyao.reading.outline import outline, sureness
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.form import Agent, Form
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
_IS: Final = Expression(r"是不是|是否|[真就]?是.{1,20}[吗么]|\b[a-z]")
"""Asks what may be answered with 是, or is in English."""
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
    form = narrator.situation.form
    if form in _ANSWERED_BY_ADVICE:
        return narrator.action()
    reply = _reply(narrator)
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


def _reply(narrator: Narrator) -> str | None:
    """What answers the form of the question; None where the verdict does."""
    voice, judgement, form = narrator.voice, narrator.judgement, narrator.situation.form
    how = state(judgement)
    if of_anger(narrator):
        return voice.varied(f"anger {how}")
    match form:
        case Form.WHETHER:
            return _yes_or_no(narrator, Asks.WHETHER)
        case Form.SHOULD:
            return _yes_or_no(narrator, Asks.SHOULD)
        case Form.WHEN:
            return when(narrator, narrator.divination.question)
        case Form.WHEN_BEST:
            return when_best(narrator)
        case Form.WHERE | Form.WHICH:
            return _where(narrator) if form is Form.WHERE else _which(narrator)
        case Form.WHO_DID | Form.WHO_HELPS | Form.WHO:
            return who(narrator, form)
        case Form.SEX_OF_CHILD:
            return voice.phrase(sex_of_child(narrator)[0])
        case Form.MIND:
            return mind(narrator)
        case Form.WHY:
            return _cause(narrator)
        case Form.COURSE:
            return _course(narrator)
        case Form.TRUST if judgement.inquiry.stance.plain and unwanted(narrator):
            return voice.varied(f"harm {how}")
        case Form.STATE if (of := _of_person(narrator)) is not None:
            return of
    return voice.reply(f"{form} {how}")


def _where(narrator: Narrator) -> str:
    lost = narrator.judgement.inquiry.matter.key in ("lost", "pets")
    key = f"where lost {state(narrator.judgement)}" if lost else "where"
    return narrator.voice.phrase(key, direction=narrator.direction_of(narrator.judgement.focus.at))


def _which(narrator: Narrator) -> str:
    voice = narrator.voice
    named = [voice.own_words(each) for each in narrator.judgement.inquiry.options]
    if not all(named):
        return voice.reply(f"{Form.WHICH_UNNAMED} {state(narrator.judgement)}")
    return voice.phrase(f"which {options(narrator)}", first=named[0] or "", second=named[1] or "")


def _of_person(narrator: Narrator) -> str | None:
    """How the person asked about is."""
    if narrator.person is None:
        return None
    told = narrator.voice.reply(f"state of {state(narrator.judgement)}")
    if _SEVERAL.search(narrator.person):
        told = told.replace("{who} is ", "{who} are ")
    return told.format(who=narrator.person)


def _course(narrator: Narrator) -> str | None:
    """How something will go; None where the verdict of the matter says it."""
    voice, judgement, how = narrator.voice, narrator.judgement, state(narrator.judgement)
    if unwanted(narrator) and (judgement.inquiry.matter.key == "general" or not judgement.inquiry.stance.plain):
        return voice.varied(narrator.key(f"feared {how}"))
    if narrator.of_health or narrator.adviser.topic in OWN_VERDICT:
        return None
    if voice.varies and (told := echoed_course(narrator, how)):
        return told
    if judgement.inquiry.matter.key == "general" and (words := _stretch(narrator)):
        return voice.varied(f"stretch {how}", words=words)
    return voice.reply(f"course {how}")


def _cause(narrator: Narrator) -> str:
    """The likeliest cause: how the other stands to the asker, else what acts most against the matter."""
    voice, situation = narrator.voice, narrator.situation
    causes = voice.words.causes
    key = f"other {situation.mind}" if situation.agent is Agent.OTHER else situation.cause
    told = causes.get(f"{narrator.judgement.inquiry.matter.key} {key}") or causes[key]
    return voice.reply("why").format(cause=voice.pick("cause", told))


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
    inquiry = narrator.judgement.inquiry
    stance = inquiry.stance
    if of_weather(narrator) or (asks is Asks.SHOULD and (stance.plain or asks is not inquiry.asks)):
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
    otherwise = "is" if _IS.search(narrator.adviser.text.folded) else "wish"
    return next((way for way, words in _MODALS if words.match(modal)), otherwise)


def why(narrator: Narrator, *, bare: bool = False) -> str | None:
    """The reason that carries the verdict and the one against it, as a phrase in plain words; `bare` within another."""
    voice, judgement = narrator.voice, narrator.judgement
    if judgement.inquiry.asks is Asks.WHICH and not narrator.careful:
        named = [name for each in judgement.inquiry.options if (name := voice.own_words(each))]
        return which_why(narrator, *named) if len(named) == 2 else None
    if of_weather(narrator) or judgement.inquiry.asks in _WITHOUT_WHY:
        return None
    if narrator.situation.form in _WITHOUT_REASON and not bare:
        return None
    if narrator.situation.form in _BY_MIND and narrator.situation.agent is Agent.OTHER and not bare:
        return voice.pick("mind", voice.words.minds[f"other {narrator.situation.mind}"])
    if narrator.adviser.topic == "pregnancy" and not (bare or narrator.careful):
        return None
    if not (bare or narrator.careful or narrator.of_health) and (told := _of_form(narrator)):
        return told
    carries, against = narrator.outline.carries, narrator.outline.against
    if sureness(judgement) in _PLAIN:
        against = None
    if not judgement.favourable and (judgement.inquiry.asks is Asks.OTHERS_MIND or of_anger(narrator)):
        # What speaks for the asker's side would be heard as the other's.
        against = None
    if carries is None or (narrator.situation.group == "time" and narrator.named_time_passed_over()):
        return None
    way = "well" if judgement.favourable else "ill"
    return _reasoned(narrator, way, carries, against)


def _of_form(narrator: Narrator) -> str | None:
    """The reason in the words of the question's form, if it has any."""
    situation, words = narrator.situation, narrator.voice.words.because
    form = str(_LIKE.get(situation.form, situation.form))
    if situation.unwanted or (situation.is_open and not of_weather(narrator)):
        form = "harm" if situation.unwanted else "open"
    keys = (f"{form} {situation.side} {group}" for group in (situation.group, "course"))
    found = next((words[key] for key in keys if key in words), None)
    return narrator.voice.pick("because", found) if found else None


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
    told = dict.fromkeys(plainly(narrator.voice, narrator.plate, narrator.judgement, each, sign) for each in reasons)
    return narrator.voice.words.sentences["separator"].join(told)


def _reasoned(narrator: Narrator, way: str, carries: Contribution, against: Contribution | None) -> str:
    """A frame filled with the reasons."""
    voice, sign = narrator.voice, narrator.outline.sign
    main = plainly(voice, narrator.plate, narrator.judgement, carries, sign)
    if against is None:
        return voice.way(f"because {way}").format(main=main)
    but = plainly(voice, narrator.plate, narrator.judgement, against, -sign)
    return voice.way(f"because {way} but").format(main=main, but=but)


_ANSWERED_BY_ADVICE: Final = (Form.HOW, Form.HEED)
_BY_MIND: Final = (Form.HOW, Form.HEED)
_LIKE: Final = {Form.CHANCE: Form.WHEN}
"""Forms that have the reasons of another."""
_WITHOUT_REASON: Final = (
    *(Form.WHY, Form.WHERE, Form.WHO_DID, Form.WHO_HELPS, Form.WHO, Form.WHICH_UNNAMED, Form.MIND, Form.SEX_OF_CHILD),
)
"""Forms whose answer is the reason, or has none."""
_SEVERAL: Final = Expression(r"(?<![sui])s$|parents$|children$|\band\b")
_WITHOUT_WHY: Final = (Asks.SEX_OF_CHILD, Asks.WHICH, Asks.WHY)
_PLAIN: Final = ("clear", "leaning")
"""How sure a cast is of which one reason is told; of a close one, the other side's as well."""


_DATELESS: Final = (
    *(Asks.WHEN, Asks.SEX_OF_CHILD, Asks.WHICH, Asks.HOW, Asks.WHO, Asks.WHERE, Asks.HOW_MUCH, Asks.OTHERS_MIND),
    Asks.WHY,
)
"""Kinds of answers that name their time themselves, or have none."""
_DATED: Final = (Form.WHETHER, Form.SHOULD, Form.COURSE)
"""Forms whose answer has a date."""
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
    if (
        asks in _DATELESS
        or narrator.situation.form not in _DATED
        or narrator.adviser.topic in _TIMELESS_TOPICS
        or of_anger(narrator)
    ):
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
