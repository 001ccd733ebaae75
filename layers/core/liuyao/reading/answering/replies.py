"""What a cast replies to one kind of question, as phrases: when, where, who, what another thinks, a boy or a girl."""

import re
from datetime import timedelta
from typing import Final

from liuyao.elements import BRANCHES
from liuyao.reading.answering.best_period import best_period
from liuyao.reading.answering.comparison import best_month
from liuyao.reading.judgement import LEVELS, Judgement, Outcome
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Scale
from liuyao.reading.question.form import Form
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import read
from liuyao.reading.situation import others_mind, well_disposed

_MOST_MONTHS: Final = 2
"""Good and ill stretches of months that are named."""
_BEST_MONTH: Final = re.compile(
    r"[哪那][个個]?月.{0,14}(?:好|合[适適]|[适適]合|旺|[顺順]|吉)|"
    r"\b(?:which|what) month\b.*\b(?:best|better|good|right)\b|\bbest month\b"
)
_SHORTER: Final = re.compile(
    r"[哪那]一?[几幾]?(?:天|日|[个個]?(?:小?[时時]|钟|鐘|[时時]段|礼拜|禮拜|星期|周|週))|日子|[时時]辰|[几幾][点點号號]|"
    r"\b(?:day|date|hour|week|time of day|part of the day|morning|o'clock)s?\b"
)
"""Asks for a part of a month or of a day."""
_FAR: Final = timedelta(days=180)
"""What is later is called a good while yet."""
_ANGER: Final = re.compile(
    "(?:[还還仍在]|是不是|是否|有[没沒]有).{0,5}(?:生气|生.{1,3}气|怪我|恼我|气我)|消不?消?了?气|气消|生我的?气|生气[了不吗]|"
    r"\bstill\b.{0,20}\b(?:angry|mad|upset|furious|cross|annoyed)\b|"
    r"\b(?:is|are)\b.{0,25}\b(?:angry|mad|upset|furious|cross|annoyed)\b (?:at|with)\b"
)
_NO_ANGER: Final = re.compile(
    "(?<!还)会(?:很|因此|对我)?生|我(?:还|仍)?(?:在|很)?生|[让惹]|"
    r"\bam i\b|\bi(?:'m| am| feel| was)\b|\bmake\w* \w+ (?:angry|mad|upset)\b"
)
"""Anger of the asker's own, or such as may yet come."""
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


def state(judgement: Judgement) -> str:
    """Return the state of the matter: best, good, later, poor or bad."""
    if judgement.outcome is Outcome.DELAYED:
        return "later"
    return ("best", "good", "poor", "bad")[LEVELS.index(judgement.sign_level)]


def unwanted(narrator: Narrator) -> bool:
    """Whether what is asked about is something one does not wish for."""
    return polarity_of(narrator) is Polarity.UNWANTED


def polarity_of(narrator: Narrator) -> Polarity:
    """Whether what is asked about is wished for; the weather is."""
    return Polarity.WANTED if of_weather(narrator) else narrator.judgement.inquiry.stance.polarity


def of_weather(narrator: Narrator) -> bool:
    """Whether the grade is of rain or fair weather itself, not of the asker's good."""
    return narrator.judgement.inquiry.matter.key in ("rain", "fair") and narrator.adviser.topic in ("rain", "fair")


def when(narrator: Narrator, question: str, *, polarity: Polarity | None = None) -> str:
    """When it comes, as a phrase; the best month if `question` asks for that.

    `polarity` is that of a follow-up. What one may or may not wish for is dated without saying whether it comes.
    """
    voice, date = narrator.voice, narrator.main_time()
    if part := best_part(narrator, question):
        return part
    if date is None:
        return voice.phrase("when unknown within" if narrator.times else "when unknown")
    how = state(narrator.judgement)
    far = bool(narrator.times) and narrator.times[0].first - narrator.calendar.today > _FAR
    if far and narrator.situation.form is Form.WHEN and polarity_of(narrator) is Polarity.WANTED:
        ill = narrator.judgement.inquiry.matter.key == "health"
        return voice.reply("when far in illness" if ill else "when far").format(date=date)
    match polarity or polarity_of(narrator):
        case Polarity.UNWANTED:
            how = "harm" if narrator.judgement.favourable else "harm likely"
        case Polarity.UNKNOWN:
            how = "open"
        case _ if how == "later" and narrator.calendar.scale is Scale.HOUR:
            how = "good"
    if how in ("best", "good"):
        date = narrator.main_and_spare_time() or date
    return voice.varied(narrator.key(f"when {how}"), date=date)


def best_part(narrator: Narrator, question: str) -> str | None:
    """The best part of the time asked about, or the months of what is unwelcome; None if no part is asked for."""
    asked, inquiry = question.lower(), narrator.judgement.inquiry
    if inquiry.stance.polarity is not Polarity.UNWANTED and (best := best_period(narrator, read(question))):
        return best
    if not (_BEST_MONTH.search(asked) or (inquiry.part and not _SHORTER.search(asked))):
        return None
    if inquiry.part and inquiry.stance.polarity is Polarity.UNWANTED:
        return period(narrator)
    month = best_month(narrator)
    return narrator.voice.phrase("best month", month=month) if month else None


def period(narrator: Narrator) -> str:
    """The months of the time asked about by how their element stands to the 用神, as a phrase."""
    voice, calendar = narrator.voice, narrator.calendar
    good, ill = (
        voice.words.sentences["and"].join([voice.month_span(month, calendar) for month in months[:_MOST_MONTHS]])
        for months in calendar.tendencies(narrator.judgement.focus.at.element)
    )
    key = "period" if good and ill else "period good" if good else "period ill" if ill else "period even"
    fields = {"good": good, "ill": ill}
    return voice.varied(key, **{name: fields[name] for name in voice.fields(key)})


def where_from(narrator: Narrator) -> str:
    """What a direction is taken from."""
    voice, at = narrator.voice, narrator.judgement.focus.at
    told = voice.phrase("where ground", branch=voice.branch(at.branch), direction=narrator.direction_of(at))
    return voice.sentence(told)


def when_best(narrator: Narrator) -> str:
    """When it is a good time to do something, as a phrase; the best month if the question asks for that."""
    voice, date = narrator.voice, narrator.main_time()
    if part := best_part(narrator, narrator.divination.question):
        return part
    if date is None:
        return voice.phrase("when unknown within" if narrator.times else "when unknown")
    return voice.reply(f"when best {state(narrator.judgement)}").format(date=date)


def who(narrator: Narrator, form: Form) -> str:
    """A cast names no one, only a kind of person: of the line that acts."""
    voice, relation = narrator.voice, narrator.adviser.acting_relation
    if form is Form.WHO_HELPS:
        if narrator.is_guarded:
            return voice.phrase("who unnamed", told=helped(narrator))
        return voice.reply("who helps").format(kind=voice.words.helpers[narrator.helping_relation or relation])
    if form is Form.WHO_DID:
        trait = voice.phrase(f"spirit {narrator.adviser.acting_spirit}")
        return voice.reply("who did").format(kind=voice.words.kinds[relation], trait=trait)
    at = narrator.judgement.focus.at
    trait = voice.phrase(f"spirit {narrator.divination.yao_info_list[at.position - 1].spirit_name}")
    if narrator.judgement.inquiry.matter.key == "love":
        # Whom one meets is of the 用神, and its relation says only that it is of love.
        return voice.phrase("who met", manner=trait)
    return voice.reply("who kind").format(kind=voice.phrase(f"met {relation}"), trait=trait)


def helped(narrator: Narrator) -> str:
    """Whether there is anybody to count on where no line helps: 应 if it is well disposed."""
    if not well_disposed(narrator.plate) or narrator.is_guarded:
        return narrator.voice.varied("who nobody", people=narrator.who_helps)
    return narrator.voice.phrase("who other later" if narrator.plate.response.time.void else "who other")


_PRESSING: Final = ("mind cold", "mind pressing", "mind wary")
"""What a grade that is not favourable bears out."""
_AT_ODDS: Final = (*_PRESSING, "mind given", "mind unsettled")
"""What a favourable grade has to be said beside."""


def mind(narrator: Narrator) -> str:
    """What the other side thinks, as a phrase in the words of the matter."""
    key = f"mind {others_mind(narrator.plate)}"
    matter = {"lawsuit": "contest"}.get(narrator.judgement.inquiry.matter.key, narrator.judgement.inquiry.matter.key)
    nearer = f"{key} in {matter}"
    voice, favourable = narrator.voice, narrator.judgement.favourable
    told = voice.phrase(nearer if nearer in voice.words.sentences else key)
    if matter == "contest":
        return told
    if not favourable and key not in _PRESSING:
        # 应 may be kind where the whole is not; the grade is what the asker is told.
        own = f"mind {state(narrator.judgement)}"
        return voice.varied(f"{own} in love" if matter == "love" else own)
    return voice.varied("mind yet", told=told) if voice.varies and favourable and key in _AT_ODDS else told


def of_anger(narrator: Narrator) -> bool:
    """Whether the question is whether somebody else is angry."""
    asked = read(narrator.divination.question).folded
    kind = narrator.judgement.inquiry.asks in (Asks.WHETHER, Asks.HOW_IS, Asks.OTHERS_MIND)
    return kind and _ANGER.search(asked) is not None and _NO_ANGER.search(asked) is None


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
