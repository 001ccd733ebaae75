"""The plain answer to what is asked, which opens a reading: no terms, no line named.

The predicate is answered in its own words: 能 or 不能, 该 or 不该, when, where, which, how much, a boy or a girl. A
question after something unwanted (会不会离婚) is answered the other way round, and one whose stance is not plain in
terms of the asker's good (CARE-08).
"""

import re
from functools import partial
from typing import Final

from liuyao.care.kinds import Caution
from liuyao.reading.answering.best_period import best_period
from liuyao.reading.answering.comparison import options
from liuyao.reading.answering.echoed import echoed, echoed_course, echoed_deed
from liuyao.reading.answering.likely_time import is_far, likely_time, stretch
from liuyao.reading.answering.reasons import why
from liuyao.reading.answering.replies import (
    asked_for_quality,
    mind,
    of_anger,
    of_weather,
    sex_of_child,
    state,
    unwanted,
    when,
    when_best,
    where_from,
    who,
)
from liuyao.reading.language import Language
from liuyao.reading.narrative import OWN_VERDICT, SEVERAL, Narrator
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.polarity import Polarity, is_leaving
from liuyao.reading.question.sex_asked import sex_asked
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
_BETWEEN: Final = Expression(
    r"\bbetween (?:me|us)\b|\b(?:with|on with) me and my\b|\bmy \w+(?: \w+)? and (?:i|me)\b|\bme and my\b|"
    r"[我跟和与同][^，。]{0,12}(?:关系|闹|吵|矛盾|心结|隔阂|处得|相处)|我[跟和与同].{1,6}(?:怎么了|怎么样|如何|怎样)"
)
"""Asks how the asker stands with somebody."""
_IS: Final = Expression(r"是不是|是否|[真就]?是.{1,20}[吗么]|\b[a-z]")
"""Asks what may be answered with 是, or is in English."""
_TIME_IN_A_SENTENCE: Final = Expression(
    r"(?:by|before|in|on|at|within|during|over|this|next|today|tonight|tomorrow|until|till|soon|now)\b"
)
"""Opens a time that stands in a sentence as it is; "Christmas" alone does not."""
_A_QUESTION: Final = Expression(
    r"(?:am|is|are|was|were|do|does|did|will|would|can|could|should|shall|has|have) "
    r"(?:i|you|he|she|it|we|they|the|my|your)\b|"
    "(?:是不是|会不会|能不能|要不要|有没有|系不系)"
)
"""What is asked in a clause of its own, and names no thing to choose."""
_EITHER_CLAUSE: Final = Expression(
    r"\bor (?:just )?(?:am|is|are|was|were|do|does|did|will|would|can|could|has|have) "
    r"(?:i|you|he|she|it|we|they|the|my|your)\b(?! not\b)"
)
"""Asks in two clauses which of two it is, which neither yes nor no answers: am I ill or am I tired."""
_WHETHER_IT_IS: Final = Expression(r"是不是|是否|[系係]咪")
"""Asks in Chinese whether something is so, which 会 and 不会 do not answer."""
_WHETHER_THERE_IS: Final = Expression(
    "有没有(?!人|可能|机会|谁)|(?<![会要没])有[^会能，,]{1,8}(?:吗|么)[?？]?$|"
    "^(?:and |so |but )?(?:is there|are there|any) "
)
"""Asks whether there is something, which 有 and 没有 answer."""


def direct_answer(narrator: Narrator, *, restating: bool = True) -> list[str]:
    """The answer, why in plain words, and when if that matters; `restating` what was asked, if it is not quoted."""
    told = [_answer(narrator, restating=restating)]
    if narrator.withholds or narrator.situation.is_unnamed:
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
    form = narrator.situation.form
    if (narrator.careful or narrator.withholds) and not (form is Form.WHY and narrator.may_lean):
        return voice.sentence(narrator.leaning())
    if narrator.situation.is_unnamed:
        return voice.sentence(narrator.leaning_unnamed())
    if form in _ANSWERED_BY_ADVICE:
        return narrator.action()
    reply = _reply(narrator)
    if asked_for_quality(narrator) or (of_weather(narrator) and _mixed(narrator)):
        reply = None
    if reply is None:
        return voice.sentence(narrator.verdict(narrator.judgement.sign_level))
    restated = voice.own_words(inquiry.restated) if restating else None
    if restated is None or _tells(reply, inquiry):
        return voice.sentence(reply)
    return voice.sentence(voice.phrase("as to", restated=restated, reply=_within(reply)))


def _tells(reply: str, inquiry: Inquiry) -> bool:
    """Whether an answer has what was asked in it: you will very likely get the job."""
    deed = inquiry.predicate or ""
    if not deed.isascii():
        return len(deed) > 1 and deed in reply
    return bool(deed) and re.search(rf"\b{re.escape(deed)}\b", reply) is not None


def _within(reply: str) -> str:
    """An answer as the rest of a sentence."""
    return reply if re.match(r"I\b", reply) else reply[:1].lower() + reply[1:]


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
        case Form.OBJECTION:
            return voice.varied(f"leave {how}") if narrator.adviser.leaves() else voice.reply(f"objection {how}")
        case Form.WHEN:
            return when(narrator, narrator.divination.question)
        case Form.WHEN_BEST:
            return when_best(narrator)
        case Form.WHERE | Form.WHICH | Form.WHICH_UNNAMED:
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
            return voice.varied(f"harm {_is_so(narrator)}{how}")
        case Form.STATE if (of := _of_person(narrator)) is not None:
            return of
    return voice.reply(f"{form} {how}")


def _where(narrator: Narrator) -> str:
    lost = narrator.judgement.inquiry.matter.key in ("lost", "pets")
    key = f"where lost {state(narrator.judgement)}" if lost else "where"
    return narrator.voice.phrase(key, direction=narrator.direction_of(narrator.judgement.focus.at))


def _which(narrator: Narrator) -> str:
    voice = narrator.voice
    if part := best_period(narrator, narrator.adviser.text):
        return part
    named = [voice.own_words(option) for option in narrator.situation.options]
    if not named or not all(named) or any(_A_QUESTION.match(option or "") for option in named):
        return voice.reply(f"{Form.WHICH_UNNAMED} {state(narrator.judgement)}")
    return voice.phrase(f"which {options(narrator)}", first=named[0] or "", second=named[1] or "")


def _of_person(narrator: Narrator) -> str | None:
    """How the person asked about is."""
    if narrator.person is None:
        return None
    told = narrator.voice.reply(f"state of {state(narrator.judgement)}")
    if SEVERAL.search(narrator.person):
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
    if judgement.inquiry.matter.key == "general" and (words := stretch(narrator)):
        return voice.varied(f"stretch {how}", words=words)
    told = voice.reply(f"course {how}")
    if _BETWEEN.search(narrator.adviser.text.folded) and (judgement.inquiry.person or judgement.inquiry.party):
        return f"{told}{voice.words.sentences['separator']}{mind(narrator)}"
    return told


def _cause(narrator: Narrator) -> str:
    """The likeliest cause: how the other stands to the asker, else what acts most against the matter."""
    voice, situation = narrator.voice, narrator.situation
    causes = voice.words.causes
    if situation.is_of_past:
        told = voice.words.because[f"result ill {situation.cause}"]
        return voice.reply("why").format(cause=voice.pick("cause", told))
    key = f"other {situation.mind}" if situation.agent is Agent.OTHER else situation.cause
    if Caution.HEALTH in narrator.cautions and situation.agent is not Agent.OTHER:
        # Others are no cause of an ache.
        key = "time" if situation.cause in ("time", "course") else "self"
    if situation.agent is Agent.THING:
        key = f"thing {key}"
    elif situation.agent is Agent.OTHER and situation.is_near:
        key = key.replace("other", "near")
    elif situation.is_of_making:
        key = f"made {key}"
    told = causes.get(f"{narrator.adviser.topic} {key}") or causes[key]
    return voice.reply("why").format(cause=voice.pick("cause", told))


def _yes_or_no(narrator: Narrator, asks: Asks) -> str | None:
    """A yes or no where the stance is plain, else how the matter goes for the asker; None for the verdict (CARE-08)."""
    voice, stance, how = narrator.voice, narrator.judgement.inquiry.stance, state(narrator.judgement)
    if of_weather(narrator) and not stance.plain:
        return None
    if asks is Asks.WHETHER and _EITHER_CLAUSE.search(narrator.adviser.text.folded):
        return None
    if asks is Asks.WHETHER and (sex := _sex(narrator)):
        return sex
    mood = _mood(narrator, asks)
    if mood is not None:
        told = voice.varied(narrator.key(f"{mood} {how}"))
        if mood == "feared" and stance.plain and not narrator.of_health:
            # What it was taken for stands beside the word, as it is not sure.
            return voice.phrase(f"word {mood} {_is_so(narrator)}{how}", told=voice.lowered(told))
        return told
    way = _way(narrator, asks)
    key = narrator.key(f"{way} {how}")
    if way == "harm" and not narrator.of_health:
        key = f"harm {_is_so(narrator)}{how}"
    in_its_words = None if narrator.of_health or not voice.varies else partial(echoed, narrator, way, how)
    if way in ("harm", "leave"):
        return (way == "harm" and in_its_words and in_its_words()) or voice.varied(key)
    if how in ("best", "good", "later") and narrator.named_time_passed_over():
        passed_over = narrator.named_time_passed_over() or ""
        named_alone = voice.language is Language.ENGLISH and not _TIME_IN_A_SENTENCE.match(passed_over)
        if asks is Asks.WHETHER and is_far(narrator) and not named_alone:
            return voice.phrase("not within", words=passed_over)
        return voice.varied("later than asked" if asks is Asks.WHETHER else "should later")
    if how == "later" and narrator.calendar.scale is Scale.HOUR and asks is Asks.WHETHER:
        return voice.varied("will later today")
    if way == "should" and in_its_words:
        return echoed_deed(narrator, how) or voice.varied(key)
    return (in_its_words and in_its_words()) or voice.varied(key)


def _is_so(narrator: Narrator) -> str:
    """The part of a key by which a question whether something is so is answered with 是, or 有, and not with 会."""
    text = narrator.adviser.text.folded
    return "is " if _WHETHER_IT_IS.search(text) else "has " if _WHETHER_THERE_IS.search(text) else ""


def _sex(narrator: Narrator) -> str | None:
    """Whether somebody is the man or the woman that is asked about, by the line that stands for them."""
    asked = sex_asked(narrator.adviser.text)
    if asked is None or narrator.judgement.inquiry.stance.sure:
        return None
    is_man = sex_of_child(narrator)[1] == "yang"
    return narrator.voice.phrase(f"sex {'yes' if is_man == (asked == 'man') else 'no'} {asked}")


def _mood(narrator: Narrator, asks: Asks) -> str | None:
    """`open`, `feared` or `hoped` where no yes or no may be said."""
    inquiry = narrator.judgement.inquiry
    stance = inquiry.stance
    if of_weather(narrator) or (asks is Asks.SHOULD and (stance.plain or asks is not inquiry.asks)):
        return None
    if stance.polarity is Polarity.UNKNOWN or asks is Asks.SHOULD:
        return "open"
    if stance.plain and stance.sure:
        return None
    return "feared" if stance.polarity is Polarity.UNWANTED else "hoped"


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


_ANSWERED_BY_ADVICE: Final = (Form.HOW, Form.HEED)
