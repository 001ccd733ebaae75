"""Why a matter stands as it does, in plain words."""

from collections.abc import Sequence
from typing import Final

from liuyao.reading.answering.comparison import plainly, which_why
from liuyao.reading.answering.likely_time import is_beyond
from liuyao.reading.answering.replies import of_anger, of_weather
from liuyao.reading.contributions import Contribution
from liuyao.reading.narrative import Narrator
from liuyao.reading.outline import outline, sureness
from liuyao.reading.question.asks import Asks
from liuyao.reading.question.form import Agent, Form
from liuyao.reading.question.periods import compared
from liuyao.reading.question.sex_asked import sex_asked

_BY_MIND: Final = (Form.HOW, Form.HEED)
_OF_PERIODS: Final = (Form.WHICH, Form.WHEN, Form.WHEN_BEST)
"""Forms that may ask which season is best, whose answer has its reason."""
_LIKE: Final = {Form.OBJECTION: Form.SHOULD}
"""Forms that have the reasons of another."""
_WITHOUT_REASON: Final = (
    *(
        Form.WHY,
        Form.WHERE,
        Form.WHO_DID,
        Form.WHO_HELPS,
        Form.WHO,
        Form.WHICH_UNNAMED,
        Form.MIND,
        Form.CHANCE,
        Form.SEX_OF_CHILD,
    ),
)
"""Forms whose answer is the reason, or has none."""
_WITHOUT_WHY: Final = (Asks.SEX_OF_CHILD, Asks.WHICH, Asks.WHY)
_PLAIN: Final = ("clear", "leaning")
"""How sure a cast is of which one reason is told; of a close one, the other side's as well."""


def why(narrator: Narrator, *, bare: bool = False) -> str | None:
    """The reason that carries the verdict and the one against it, as a phrase in plain words; `bare` within another."""
    voice, judgement = narrator.voice, narrator.judgement
    if narrator.situation.form in _OF_PERIODS and compared(narrator.adviser.text):
        return None
    if narrator.situation.form is Form.WHICH and not narrator.careful:
        named = [name for option in narrator.situation.options if (name := voice.own_words(option))]
        return which_why(narrator, *named) if len(named) == 2 else None
    if of_weather(narrator) or judgement.inquiry.asks in _WITHOUT_WHY:
        return None
    situation = narrator.situation
    if situation.is_open and sex_asked(narrator.adviser.text):
        return None
    if not bare and (situation.form in _WITHOUT_REASON or (situation.form, situation.agent) == (Form.HOW, Agent.THING)):
        return None
    if narrator.situation.form in _BY_MIND and narrator.situation.agent is Agent.OTHER and not bare:
        return voice.pick("mind", voice.words.minds[f"other {narrator.situation.mind}"])
    bodily = judgement.inquiry.matter.key in ("health", "pregnancy") and narrator.situation.form is Form.WHEN
    if (bodily or is_beyond(narrator)) and not (bare or narrator.careful):
        return None
    if not (bare or narrator.is_guarded) and (told := _of_form(narrator)):
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
    if form == Form.SHOULD and narrator.adviser.leaves():
        return None
    if situation.unwanted or (situation.is_open and not of_weather(narrator)):
        form = "open" if situation.is_open else "harm"
    keys = (f"{form} {situation.side} {group}" for group in (situation.group, "course"))
    found = next((words[key] for key in keys if key in words), None)
    return narrator.voice.pick("because", found) if found else None


def other_reason(narrator: Narrator) -> str | None:
    """A reason of the verdict that the reading has not told in plain words, as a phrase."""
    judgement, first = narrator.judgement, narrator.outline.carries
    told = () if first is None else (first.term.aspect,)
    found = outline(judgement, without=told).carries
    if found is None or found is judgement.decided_by or narrator.withholds or narrator.is_of_illness(found):
        others = [
            reason for reason in judgement.reasons if reason.weight * narrator.outline.sign > 0 and reason is not first
        ]
        others = [other for other in others if not narrator.is_of_illness(other)]
        found = max(others, key=lambda item: item.prominence, default=None)
    if found is None or narrator.withholds:
        return None
    return plain_reasons(narrator, [found], narrator.outline.sign)


def plain_reasons(narrator: Narrator, reasons: Sequence[Contribution], sign: int) -> str:
    """Return the reasons of one sign in a row, in plain words."""
    told = dict.fromkeys(
        plainly(narrator.voice, narrator.plate, narrator.judgement, reason, sign) for reason in reasons
    )
    return narrator.voice.words.sentences["separator"].join(told)


def _reasoned(narrator: Narrator, way: str, carries: Contribution, against: Contribution | None) -> str:
    """A frame filled with the reasons."""
    voice, sign = narrator.voice, narrator.outline.sign
    main = plainly(voice, narrator.plate, narrator.judgement, carries, sign)
    if against is None:
        return voice.way(f"because {way}").format(main=main)
    but = plainly(voice, narrator.plate, narrator.judgement, against, -sign)
    return voice.way(f"because {way} but").format(main=main, but=but)
