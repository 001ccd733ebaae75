"""A yes or no in the words of the question: "Will he turn up?", "He probably will not turn up".

Only of questions that the grammar took apart (`Inquiry.stated`) and whose words read well in a statement.
"""

from typing import Final

from liuyao.reading.answering.replies import of_weather
from liuyao.reading.language import Language
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.grammar_en import third_person
from liuyao.reading.question.text import Expression
from liuyao.reading.question.well_formed import is_whole, names_time_twice

_LEADING: Final = Expression(r"^(?:(?:actually|really|ever|finally|truly|just|please) )+")
_STILL: Final = Expression(r"\bstill ")
_UNSTATED: Final = Expression(
    r"\b(?:any|anyone|anybody|anything|anywhere|ever|either|yet|or|not|never|at all|what|who|why|because|if|but)\b"
)
"""What a question may say and a statement says otherwise."""
_DANGLES: Final = Expression(r"\b(?:to|in|on|at|by|for|of|with|the|a|my|your|until|before|after)$")
"""What cannot end a statement from which a time was taken."""
_COURSE: Final = Expression(r"^(?:go|turn out|work out|be received|go down|[a-z]+ing(?: in| on| along| with \w+)?)$")
"""How something goes, without more."""
_NO_SUBJECT: Final = Expression(r"^(?:there|anyone|anybody|anything|any |things|everything)\b")
_BASE: Final = frozenset(
    {"will", "would", "can", "could", "is", "are", "am", "was", "were", "has", "have", "do", "does"}
)
_OF_YOU: Final = {"am": "are", "was": "were", "has": "have"}
_LONGEST_EN, _LONGEST_ZH = 60, 16
_MODALS_ZH: Final = frozenset(["会", "能", "可以", "肯", "愿意", "能够", "會", "願意", "能夠"])
_ABLE_ZH: Final = ("能", "可以", "能够", "能夠")
_POTENTIAL_ZH: Final = Expression(
    r"^([\u4e00-\u9fff])((?:活|到|好|完|上|掉|起|住|开|開|动|動|着|著|成|赢|贏|下|过|過|回|出)[来來去]?)$"
)
"""A verb with its complement: 养活, 养不活."""
_FILLERS_ZH: Final = Expression(r"(?:真的?|到底|究竟|有没有可能|有可能|也许|大概|还|還)+$")
_UNSTATED_ZH: Final = Expression(
    r"[，,。；;:：！!？?]|还是|還是|什么|什麼|怎|哪|谁|誰|几|幾|吗|嗎|如果|要是|的话|的話|不$|没$|^[不没冇沒]"
)
_NO_ADVICE_ZH: Final = Expression(r"^(?:紧|緊|不|钱|錢|命|好)|[吗嗎呢]$")
_AS_TOLD: Final = str.maketrans({"你": "我", "咱": "我", "俺": "我"})
_NO_SUBJECT_ZH: Final = Expression("^(?:[件樁桩宗][事]|個事|个事)")
"""What names a matter without saying which: 件事会顺利吗."""
_PAUSE_ZH: Final = Expression("[ ]*[，,。；;：:]")
_THINKS_ZH: Final = Expression("(?:反对|反對|同意|赞成|贊成|支持|抗议|抗議|不想|唔想|不愿|不願)[^，,]*[，,]")
_FIRST: Final = Expression(
    r"^(?:(?:现在|現在|今天|目前|最近|到底|究竟)*[你咱]?(?:们|們)?(?:现在|現在|今天|最近|到底|究竟)*)$"
)


def echoed(narrator: Narrator, way: str, state: str) -> str | None:
    """The answer of a `way` (will, can, is, harm) and state as a statement, as a phrase; None if none can be made."""
    kind = "weather" if of_weather(narrator) else "harm" if way == "harm" else "hope"
    key = f"echo {kind} {state}"
    voice = narrator.voice
    if key not in voice.words.roles:
        return None
    phrase = voice.pick("echo", voice.words.roles[key])
    statement = _statement(narrator, negative="{no}" in phrase, later=state == "later")
    if statement is None or (voice.language is Language.ENGLISH and not is_whole(statement)):
        return None
    return phrase.format(yes=statement, no=statement, you=statement)


def echoed_deed(narrator: Narrator, state: str) -> str | None:
    """The answer to "should I" with the deed in the asker's words, as a phrase; None if it cannot be made."""
    voice, stated = narrator.voice, narrator.judgement.inquiry.stated
    key = f"echo should {state}"
    if stated is None or key not in voice.words.roles:
        return None
    subject, modal, deed = stated
    if voice.language is Language.ENGLISH:
        deed = _LEADING.sub("", deed)
        fits = subject.lower() == "you" and modal in ("should", "shall") and len(deed) <= _LONGEST_EN
        fits = fits and not _UNSTATED.search(deed.lower())
    else:
        fits = _FIRST.match(subject) is not None and 2 <= len(deed) <= _LONGEST_ZH
        fits = fits and not _UNSTATED_ZH.search(deed) and not _NO_ADVICE_ZH.search(deed)
    own = voice.own_words(deed) if fits else None
    if own is None:
        return None
    frames = tuple([frame for frame in voice.words.roles[key] if not names_time_twice(frame, own)])
    return voice.pick("echo", frames).format(deed=own) if frames else None


def echoed_course(narrator: Narrator, state: str) -> str | None:
    """The answer to how something will go, as a statement in English; None if it cannot be made."""
    voice, stated = narrator.voice, narrator.judgement.inquiry.stated
    if stated is None or voice.language is not Language.ENGLISH:
        return None
    subject, aux, tail = stated
    if not _COURSE.search(tail.lower()) or len(subject) + len(tail) > _LONGEST_EN or _NO_SUBJECT.match(subject.lower()):
        return None
    if aux not in ("will", "would", "is", "are"):
        return None
    course = voice.pick("course", voice.words.roles[f"course {state}"])
    told = f"{subject} {aux} {tail} {course}" if aux in ("is", "are") else f"{subject} {aux} probably {tail} {course}"
    return voice.own_words(told)


def stated(narrator: Narrator, *, negative: bool) -> str | None:
    """What was asked as a statement, said to be so or, if `negative`, not to be so; None if none can be made."""
    return _statement(narrator, negative=negative, later=False)


def _statement(narrator: Narrator, *, negative: bool, later: bool) -> str | None:
    voice, inquiry = narrator.voice, narrator.judgement.inquiry
    if inquiry.stated is None:
        return None
    subject, modal, tail = inquiry.stated
    named = inquiry.horizon.words if inquiry.horizon else ""
    if later and named:
        # It comes, but not within that time.
        if named not in f"{subject}{tail}":
            return None
        subject, tail = (part.replace(named, "").strip() for part in (subject, tail))
        if not tail or _DANGLES.search(tail):
            return None
    sure = voice.pick("surely", voice.words.roles["surely"])
    if voice.language is Language.ENGLISH:
        made = _in_english(subject, modal, tail, sure, negative)
    else:
        made = _in_chinese(narrator.adviser.text.written.replace(named, ""), subject, modal, tail, sure, negative)
    return voice.own_words(made) if made else None


def _in_english(subject: str, aux: str, tail: str, sure: str, negative: bool) -> str | None:
    tail = _LEADING.sub("", tail)
    if tail.lower().startswith("any good"):
        tail = tail if negative else tail[4:]
    elif _UNSTATED.search(tail.lower()):
        return None
    if aux not in _BASE or not tail or len(subject) + len(tail) > _LONGEST_EN:
        return None
    if _NO_SUBJECT.match(subject.lower()) or _UNSTATED.search(subject.lower()):
        return None
    if subject.lower() == "you":
        aux = _OF_YOU.get(aux, aux)
    if negative:
        if _STILL.search(tail):
            return None
        refused = "cannot" if aux == "can" else f"{aux} not"
        return f"{subject} {sure} {refused} {tail}"
    if aux in ("do", "does"):
        return f"{subject} {sure} {third_person(tail) if aux == 'does' else tail}"
    return f"{subject} {aux} {sure} {tail}"


def _is_apart(written: str, subject: str, tail: str) -> bool:
    """Whether a subject is a clause before the one that asks, or of one that tells what others think of it.

    隔壁想开店，会批吗; 业主都不同意，会建吗. Of 猫走失了，还找得回来吗 it is the subject.
    """
    if not subject:
        return False
    told = written.translate(_AS_TOLD)
    end = told.rfind(subject.translate(_AS_TOLD)) + len(subject)
    at = max(told.find(tail.translate(_AS_TOLD), end), end)
    return _PAUSE_ZH.match(written[end:]) is not None or _THINKS_ZH.search(written[end:at]) is not None


def _in_chinese(written: str, subject: str, modal: str, tail: str, sure: str, negative: bool) -> str | None:
    subject = _FILLERS_ZH.sub("", subject)
    if subject.translate(_AS_TOLD) not in written.translate(_AS_TOLD):
        # Put together from two clauses.
        return None
    if _NO_SUBJECT_ZH.match(subject) or _is_apart(written, subject, tail):
        return None
    if not tail or len(subject) + len(tail) > _LONGEST_ZH or _UNSTATED_ZH.search(subject + tail):
        return None
    if modal == "得":
        # 找得回来, 找不回来
        return f"{subject}{sure}{tail.replace('得', '不', 1) if negative else tail}"
    if modal not in _MODALS_ZH and not (modal == "" and len(tail) > 1):
        return None
    if negative and modal in _ABLE_ZH and (verb := _POTENTIAL_ZH.match(tail)):
        return f"{subject.removesuffix('还').removesuffix('還')}{sure}{verb[1]}不{verb[2]}"
    if negative and modal in _ABLE_ZH:
        # 不能 forbids as well: 不行 answers alone.
        return None
    return f"{subject}{sure}{'不' if negative else ''}{modal}{tail}"
