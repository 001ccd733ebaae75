"""What a follow-up asks of the same cast: of the same matter and person, or of another, who has a 用神 of their own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from liuyao.divination import Relation
from liuyao.reading.question.asking import Asking, asking
from liuyao.reading.question.asks import Asks, Horizon, Intent, Scale
from liuyao.reading.question.hearing import OF_THE_CAST, FollowUpPart, asks_something, parts_of, turns, wanted
from liuyao.reading.question.inquiry import Inquiry, asked_in, inquiry_of
from liuyao.reading.question.later_times import later_time
from liuyao.reading.question.likely import AGAINST, ENOUGH, LINE_OF_PEOPLE, TURN, Guess, likely_matter
from liuyao.reading.question.matters import BY_KEY, GENERAL, Matter
from liuyao.reading.question.named_matter import matter_told, matter_turned_to
from liuyao.reading.question.people.mentions import Mention, mentions
from liuyao.reading.question.people.roles import FOCUS, PARTNERS, Role, of
from liuyao.reading.question.people.subject import Part, Subject, subject
from liuyao.reading.question.polarity import UNKNOWN, Stance, event_in, likeliest, stance_of
from liuyao.reading.question.polarity.governing import governed
from liuyao.reading.question.text import Expression, Text, read
from liuyao.reading.question.times import scale
from liuyao.reading.question.vocabulary.things import ATTITUDE, TRUSTED, WHAT_ABOUT
from liuyao.reading.question.whose import party, says


@dataclass(frozen=True, slots=True)
class Third:
    """Somebody beside the one asked about, in the user's words with "I" and "you" exchanged, and their line."""

    whom: str
    focus: Relation
    role: Role


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a follow-up asks. `inquiry` is that of the cast unless it `turned` to another matter or person.

    `intents` are in the order in which they are answered, empty if none is recognised; `whom` is the person it turned
    to, in the user's words with "I" and "you" exchanged; the other members are the follow-up's own, as in `Inquiry`.
    `own` is the inquiry of a yes-or-no question that it asks about the cast's matter and person, in its own words.
    """

    inquiry: Inquiry
    turned: bool = False
    intents: tuple[Intent, ...] = ()
    asks: Asks = Asks.HOW_IS
    predicate: str | None = None
    restated: str | None = None
    options: tuple[str, ...] = ()
    scale: Scale | None = None
    horizon: Horizon | None = None
    party: str | None = None
    whom: str | None = None
    stance: Stance = UNKNOWN
    own: Inquiry | None = None
    third: Third | None = None
    """Whose mind it asks after, if not that of the one asked about."""
    elsewhere: bool = False
    """Whether it turns to another matter that has no line of its own in the tables."""


_OWNER_ZH: Final = Expression(r"[他她]们?的?$")
_OWNER_EN: Final = Expression(r"\b(?:his|her|their) (?:[a-z]+ )?$")
_MYSELF: Final = Expression(
    r"^[ ]*(?:那么?|至于)?我(?:自己|本人)?(?:呢|又?怎么样|如何)[？?。！! ]*$|"
    r"^[ ]*(?:那么?|至于)?我(?:自己|本人)(?:的|身体|健康|工作|运气|财运|感情)|"
    r"^(?:and |so |but )?what does (?:it|this|that) (?:say|mean) for (?:me|myself)\b|"
    r"^(?:and |so )?(?:what|how) about (?:me|myself)\b|^(?:and|as for) (?:me|myself)\b"
)
_ASIDE: Final = frozenset({Role.STRANGER, Role.GIRL, Role.BOY, Role.HEALER, Role.BELOVED})
"""Who is no relation of the asker, or may be the one whom the cast is about."""
_NO_SUBSTITUTE: Final = Expression(
    r"的|公司|家里|店|那边|那里|建议|说|觉得|认为|劝|'s\b|s'|'? (?:thinks?|says?|suggests?|suggested|said|told|"
    r"recommends?|feels?)\b"
)
"""What follows somebody who is not the one to do it: 我朋友建议换一家."""
_WHAT: Final = r"什么|啥|怎|哪|谁|几|\b(?:what|how|who|when|where|which)\b"
"""Asks what to do, not whether."""
_MEANS_FOR: Final = r"对我?.{1,8}(?:意味|影响)|\b(?:mean|means) for\b"
"""What it means for somebody or something is how that goes."""
_FAVOURS: Final = r"帮我|\blike (?:me|us)\b"
"""What somebody does for the asker is asked of that one, too."""
_SHORT: Final = 12
_SUGGESTED: Final = (
    r"(?:不会|不是|不至于|别是|没|不).*吧[?？]?$|^(?:and |but |so )?(?:any|no) |"
    r",? (?:\w+(?:n't)?) (?:i|we|you|he|she|it|they|there)[?？]$"
)
"""Asks for a yes or no without its grammar: 他们不会赖账吧, "any hidden fees?"."""
_SURELY_AN_EVENT: Final = 4.0
"""The margin of a polarity from which what the classifier of intents hears is doubted: 会好些吗 asks of another way."""
_WHETHER_SO: Final = "是不是|会不会|有没有"
_OTHER_WAY: Final = (
    r"换|改|如果|要是|假如|万一|若|呢[?？。]?$|不如|另|别的|转|一个人|自己|一半|一部分|少一?点|先|直接|干脆|减|加|"
    r"[更较会]好|好[些点一]|\b(?:instead|rather|if|what about|how about|suppose|another|others?|else|alone|half|"
    r"different|difference|both|myself|part of|better|worth|easier|help)\b"
)
"""Names another way to do it."""
_CLOCK: Final = r"几点|几时|什么时候|哪一?天|多久|\b(?:when|what time|how long|how soon|which day)\b"
_BRINGING: Final = (
    r"怎么?样?(?:才能)?(?:跟|和|对|向)?[^，。卦]{0,4}(?:劝|哄|安慰|说服|开口|安抚|陪)|"
    r"\bhow (?:do|can|should|could) (?:i|we) (?:talk|comfort|calm|persuade|convince|reassure|tell|bring)\b"
)
"""How to bring somebody to something, which is no question of how a cast is made."""
_CHANGES: Final = r"^(?:那|那么|如果|要是)?(?:换|改|转)(?!天|日)"
_TOLD_BY: Final[dict[Intent, str]] = {
    Intent.WHERE: (
        r"哪|何处|方[向位]|地方|[东西南北]|远近?|近|找|丢|掉|附近|往|"
        r"\b(?:where\w*|way|direction|look\w*|search\w*|far|near\w*|close|inside|outside|place|area|room|lost)\b"
    ),
    Intent.METHOD: (
        r"[卦爻占卜算签籤]|原理|依据|根据|道理|怎么[看得来知]|如何[看得]|凭什么|规则|神|准|电脑|随机|机器|程序|"
        r"\b(?:cast\w*|read\w*|coins?|lines?|hexagrams?|method|works?|you|this|it|know|figure|rules?|"
        r"calculat\w+|tell|random\w*|computer|app)\b"
    ),
    Intent.BEYOND: (
        r"\d|几|多少|[号數数]|名字?|姓|叫什么|地址|电话|确切|具体|哪|什么|谁|照片|"
        r"\b(?:how (?:much|many)|numbers?|names?|called|address|phone|exact\w*|percent\w*|odds|lottery|price|"
        r"what|which|who|where|when|initials?|letter|surname)\b"
    ),
    Intent.WHOM_TO_ASK: r"谁|哪|找|换|请教|推荐|医院|\b(?:who\w*|which|recommend|find|turn to|ask|see)\b",
    Intent.WAIT: (
        r"等|缓|拖|耗|熬|先不|晚[点些]|迟|暂|观望|不动|忍|耐|放一放|"
        r"\b(?:wait\w*|hold|later|delay\w*|postpone\w*|yet|still|sit tight|do nothing|patien\w+|"
        r"sleep on|longer|give it)\b"
    ),
}
"""The words of which a follow-up has one if it asks after what is a kind of its own; else its grammar decides."""
_PLAIN_KIND: Final = {
    Asks.WHETHER: Intent.OUTCOME,
    Asks.SHOULD: Intent.ACTION,
    Asks.HOW: Intent.ACTION,
}
_LINE: Final = (
    r"[初二三四五六上]爻|第[一二三四五六]爻|\bline (?:[1-6]|one|two|three|four|five|six)\b|"
    r"\b(?:first|second|third|fourth|fifth|sixth|top|bottom) line\b"
)
_WHICH_LINE: Final = (
    r"(?:哪|第几)[一个条根]*爻.{0,8}[阻拖慢拦挡难帮利]|[阻拖慢拦挡难帮].{0,8}(?:哪|第几)[一个条根]*爻|"
    r"\bwhich lines? (?:is |are )?(?:\w+ ){0,2}(?:delay|obstacle|block|problem|trouble|against|slow|hold|help|support|"
    r"hinder|favou?r)"
)
_STILL_WAIT: Final = "等不等|还等吗|还要等|要不要等|还该等"
_BESIDE_AN_EVENT: Final = frozenset(
    {
        *(Intent.INSTEAD, Intent.METHOD, Intent.NONE, Intent.DOUBT, Intent.OBSTACLES, Intent.WHO, Intent.LET_GO),
        *(Intent.BEYOND, Intent.FEELING, Intent.PEOPLE, Intent.NEW_CAST, Intent.OTHERS_MIND),
    }
)
"""What a yes-or-no question about somebody else in the matter is heard as by mistake."""
_OF_THE_READING: Final = (
    r"[卦爻签籤算偷]|起卦|拿走|捡|[帮助撑]|有用|贵人|小人|有人|别人|换|改|另|放|等|再|重新|如果|要是|假如|\b(?:help|support|difference|anyone|anybody|someone|"
    r"somebody|instead|another|other|else|if|cast|coins?|lines?|hexagram|reading|you|again|wait|give up|let go|quit|"
    r"stop|against|in my way|instead|rather)\b"
)
"""What the intents of `_BESIDE_AN_EVENT` are of indeed."""
_THEM: Final = r"[他她]|\b(?:him|her|them|he|she|they)\b"
_TO_ASKER: Final = r"[我咱]|\b(?:me|us)\b"
_MARKED: Final = "(?:吗|(?<![什怎那这])么)[?？]?$"
"""Makes a question with 什么 one of whether: 有什么猫腻吗."""
_OF_KIND: Final = {
    Asks.WHETHER: Intent.OUTCOME,
    Asks.WHICH: Intent.WHICH,
    Asks.WHEN: Intent.WHEN,
    Asks.WHERE: Intent.WHERE,
}
_PERSONAL: Final = frozenset({Intent.PEOPLE, Intent.OTHERS_MIND})


def inquire_again(question: str, asked: Inquiry) -> Inquiry:
    """What a follow-up asks: another matter or person it names, else what was asked at first."""
    return follow_up(question, asked).inquiry


def follow_up(question: str, asked: Inquiry) -> FollowUp:
    """What a follow-up wants to hear about the same cast."""
    heard = _heard(question, asked)
    text, about = heard.text, heard.about
    how = asked_in(text, heard.place, about)
    named = later_time(text)
    is_event = _is_event(heard, how.asks)
    inquiry = _again(heard, asked)
    is_theirs = inquiry.person is not None and inquiry.person != asked.person and _does_well(heard)
    if is_event and not is_theirs:
        return FollowUp(
            asked,
            intents=(Intent.OUTCOME,),
            asks=Asks.WHETHER,
            predicate=how.predicate,
            restated=how.restated,
            scale=scale(text, named),
            horizon=named,
            party=party(text, about.mention),
            stance=stance_of(text, heard.place),
            own=_of_the_cast(
                replace(_inquiry(asked.matter, heard), asks=Asks.WHETHER, stance=stance_of(text, heard.place)), asked
            ),
        )
    turned = inquiry is not asked
    of_another = turned and inquiry.person is not None and about.mention is not None
    intents = wanted(heard.parts, turned=turned)
    if _PERSONAL.issuperset(intents) and (of_another or (turned and says(WHAT_ABOUT, text))):
        # Whether her parents consent, or how his health is, does not ask who helps.
        intents = (Intent.OUTCOME,)
    if turned and inquiry.matter is not asked.matter and inquiry.person is None and intents == (Intent.INSTEAD,):
        # 换个问，我的财运: another matter is no other way to the first.
        intents = (Intent.OUTCOME,)
    if turned and (intents == (Intent.PERIOD,) or (intents == (Intent.MEANING,) and says(_MEANS_FOR, text))):
        # 那我老公今年怎么样: how that one is, in that time.
        intents = (Intent.OUTCOME,)
    if intents == (Intent.INSTEAD,) and not turned:
        intents = _by_its_kind(text, how.asks)
    if is_event:
        intents = (Intent.OUTCOME,)
    if intents == (Intent.METHOD,) and says(_BRINGING, text):
        intents = (Intent.ACTION,)
    if intents == (Intent.WAIT,) and says(_CHANGES, text):
        intents = (Intent.INSTEAD,)
    if len(intents) > 1:
        intents = tuple([item for item in intents if not _is_untold(item, text, asked)]) or intents
    elif intents and _is_untold(intents[0], text, asked):
        # 新公司会不会倒 asks for no direction, "should I get a lawyer" not for whom.
        intents = (_PLAIN_KIND.get(how.asks, intents[0]),)
    if (intents == (Intent.WHO,) and says(_LINE, text)) or says(_WHICH_LINE, text):
        intents = (Intent.LINE,)
    if intents == (Intent.CONFIRM,) and says(_STILL_WAIT, text):
        intents = (Intent.WAIT,)
    if intents == (Intent.CERTAINTY,) and (turned or about.mention or says(_THEM, text)) and says(TRUSTED, text):
        # 介绍人靠谱吗: of that one, and not of the reading.
        intents = (Intent.OUTCOME,)
    named_one = about.mention if of_another or (turned and says(WHAT_ABOUT, text)) else None
    if turned and Intent.INSTEAD in intents:
        named_one = _substitute(heard)
    return FollowUp(
        inquiry,
        turned=turned,
        intents=intents,
        asks=how.asks,
        predicate=how.predicate,
        restated=how.restated,
        options=how.options,
        scale=scale(text, named),
        horizon=named,
        party=party(text, about.mention),
        whom=_whom(text, named_one) if turned else None,
        stance=stance_of(text, heard.place),
        own=None if turned else _own(heard, asked),
        third=_third(heard, asked) if Intent.OTHERS_MIND in intents and not turned else None,
        elsewhere=not turned and heard.likely.label == TURN,
    )


@dataclass(frozen=True, slots=True)
class _Heard:
    text: Text
    place: Asking
    people: Sequence[Mention]
    about: Subject
    parts: Sequence[FollowUpPart]
    likely: Guess


def _heard(question: str, asked: Inquiry) -> _Heard:
    text = read(question)
    place = asking(text)
    people = [_through(mention, text, asked) for mention in mentions(text)]
    parts = parts_of(text, people)
    return _Heard(text, place, people, subject(text, place, people), parts, turns(parts))


def _is_untold(intent: Intent, text: Text, asked: Inquiry) -> bool:
    """Whether an intent that has words of its own was heard without one; where something is, is asked in any words."""
    if intent not in _TOLD_BY or says(_TOLD_BY[intent], text):
        return False
    return intent is not Intent.WHERE or (
        asked.asks is not Asks.WHERE and asked.matter.key not in ("lost", "return", "pets")
    )


def _does_well(heard: _Heard) -> bool:
    """Whether it asks if somebody does something good, which is read from their own line: 我老公愿意一起干吗."""
    found = governed(heard.text, heard.place)
    return found is not None and not found.is_ill


def _by_its_kind(text: Text, asks: Asks) -> tuple[Intent, ...]:
    """The intent of what is heard as another way to do it, but names none: 几点去找比较好."""
    if says(_CLOCK, text):
        return (Intent.WHEN,)
    if says(_OTHER_WAY, text):
        return (Intent.INSTEAD,)
    return (_OF_KIND.get(asks, Intent.INSTEAD),)


def _is_event(heard: _Heard, asks: Asks) -> bool:
    """Whether it asks if something happens within the matter, good or bad for the asker: 她爸妈会嫌我穷吗.

    Whoever does it, it is answered by yes or no, and not by who helps or how the other feels.
    """
    text = heard.text
    if len(heard.parts) > 1 or asks not in (Asks.WHETHER, Asks.HOW_IS, Asks.OTHERS_MIND, Asks.SHOULD):
        return False
    if asks is Asks.SHOULD and not says(_WHETHER_SO, text):
        return False
    if says(_WHAT, text) and not says(_MARKED, text):
        return False
    if not says(_SUGGESTED, text) and (asks is Asks.HOW_IS or not asks_something(text)):
        return False
    found = governed(text, heard.place)
    if asks in (Asks.OTHERS_MIND, Asks.SHOULD):
        return found is not None and found.is_ill
    return found is not None or (asks is Asks.WHETHER and _is_misheard(heard))


def _is_misheard(heard: _Heard) -> bool:
    """Whether the classifier hears something else in a yes-or-no question whose polarity is sure."""
    text = heard.text
    intents = wanted(heard.parts, turned=False)
    if not intents or not _BESIDE_AN_EVENT.issuperset(intents) or says(_OF_THE_READING, text):
        return False
    if Intent.OTHERS_MIND in intents and (heard.about.mention is not None or says(_TO_ASKER, text)):
        # Whether he is hurt is no feeling; whether he is cross with me, or her parents agree, is.
        return False
    stance, event = stance_of(text, heard.place), event_in(text, heard.place)
    is_event = event.told == stance.polarity or likeliest(event)[1] >= _SURELY_AN_EVENT
    return heard.likely.label != TURN and stance.sure and is_event


def _own(heard: _Heard, asked: Inquiry) -> Inquiry | None:
    """The yes-or-no question that a follow-up asks in words of its own: 他会先开口吗."""
    own = _inquiry(asked.matter, heard)
    if own.asks not in (Asks.WHETHER, Asks.SHOULD) or not asks_something(heard.text):
        return None
    if own.asks is Asks.SHOULD and says(_WHAT, heard.text):
        return None
    return _of_the_cast(own, asked)


def _of_the_cast(own: Inquiry, asked: Inquiry) -> Inquiry:
    """The inquiry with the matter and the person of the cast's."""
    return replace(
        own,
        matter=asked.matter,
        focus=asked.focus,
        person=asked.person,
        role=asked.role,
        recent=asked.recent,
        topic=asked.topic,
        likely=asked.likely,
        everyday=asked.everyday,
    )


def _third(heard: _Heard, asked: Inquiry) -> Third | None:
    """Whom it asks about who is not the one asked about first: 佢阿媽鍾唔鍾意我, "what do her friends think of me"."""
    for mention in heard.people:
        focus = FOCUS[mention.role]
        if focus == "世爻" or focus == "应爻" or mention.role is asked.role:
            continue
        partner = mention.role in PARTNERS and asked.matter is BY_KEY["love"]
        if not partner and (whom := _whom(heard.text, mention)):
            return Third(whom, focus, mention.role)
    return None


def _through(each: Mention, text: Text, asked: Inquiry) -> Mention:
    """Somebody named through the one the cast is about: her parents, his girlfriend."""
    owner = (_OWNER_ZH if text.chinese else _OWNER_EN).search(text.folded[max(0, each.start - 16) : each.start])
    if owner is None or each.through or asked.role is None:
        return each
    return replace(each, role=of(asked.role, each.role), through=True)


def _again(heard: _Heard, asked: Inquiry) -> Inquiry:
    """What is asked now, in the words of the cast's topic unless another matter is named."""
    found = _turned(heard, asked)
    if found is asked:
        return asked
    same = found.matter is asked.matter
    return replace(
        found,
        topic=asked.topic if same else found.matter.key,
        likely=asked.likely if same else found.matter.key,
        everyday=same and asked.everyday,
    )


def _turned(heard: _Heard, asked: Inquiry) -> Inquiry:
    text, about = heard.text, heard.about
    intents = wanted(heard.parts, turned=False)
    if Intent.SAY in intents:
        return asked  # whoever it is said to
    if Intent.INSTEAD in intents and (heard.likely.label != TURN or len(heard.parts) > 1):
        return _by_another(heard, asked)
    if heard.likely.label != TURN and intents and OF_THE_CAST.issuperset(intents):
        return asked
    told = matter_told(text, heard.place, heard.people)
    turned = matter_turned_to(text) or (told if _bare(heard) and not heard.people else None)
    if another := _of_another(heard, turned, told, asked):
        return another
    if asked.person and about.mention is None and _MYSELF.match(text.folded):
        return _inquiry(turned or asked.matter, heard)
    if turned is None and heard.likely.label == TURN and heard.likely.margin >= ENOUGH:
        turned = _likely_turn(heard, told)
    if turned is None or turned is asked.matter:
        return asked
    inquiry = _inquiry(turned, heard)
    if asked.person and about.mention is None and not about.asks_of_self and turned.of_person:
        # Of the same person: 那他的健康呢.
        return replace(inquiry, focus=asked.focus, person=asked.person, party=asked.party, role=asked.role)
    return asked if (inquiry.matter, inquiry.focus) == (asked.matter, asked.focus) else inquiry


def _by_another(heard: _Heard, asked: Inquiry) -> Inquiry:
    """The inquiry after whom the asker would have do it instead: 找我哥帮忙呢; the cast's if that is nobody's kin."""
    mention = _substitute(heard)
    focus = FOCUS[mention.role] if mention else "世爻"
    if mention is None or focus == "世爻" or focus == "应爻" or focus == asked.focus:
        return asked
    words = party(heard.text, mention)
    return replace(asked, focus=focus, person=focus, role=mention.role, party=words, assumed=False)


def _substitute(heard: _Heard) -> Mention | None:
    """Whom a changed plan names."""
    rest = heard.text.folded
    people = (item for item in heard.people if item.role not in _ASIDE and not item.through)
    return next((item for item in people if not _NO_SUBSTITUTE.match(rest, item.end)), None)


def _likely_turn(heard: _Heard, told: Matter | None) -> Matter | None:
    """The matter that a follow-up of another matter is likely to be about."""
    likely = likely_matter(heard.text, heard.people, told.key if told else None, heard.about)
    if likely.margin < AGAINST or likely.label in LINE_OF_PEOPLE or BY_KEY[likely.label] is GENERAL:
        return None
    return BY_KEY[likely.label]


def _of_another(heard: _Heard, turned: Matter | None, told: Matter | None, asked: Inquiry) -> Inquiry | None:
    """The inquiry after somebody the cast was not about; None if it is about no one else."""
    text, about = heard.text, heard.about
    mention = about.mention
    if mention is None or about.part not in (Part.TOPIC, Part.ACTING):
        return None
    if about.part is Part.TOPIC and mention.role is Role.STRANGER and says(TRUSTED, text):
        # 合伙人可靠吗: of that one.
        inquiry = _inquiry(BY_KEY["partner"], heard)
        return None if inquiry.focus == asked.focus else inquiry
    named = about.part is Part.TOPIC and says(WHAT_ABOUT, text)
    turns = named or (about.part is Part.TOPIC and heard.likely.label == TURN)
    matter = turned or asked.matter
    if not named:
        if mention.role in _ASIDE or (about.part is Part.ACTING and not says(f"{ATTITUDE}|{_FAVOURS}", text)):
            return None
        matter = turned or (told if told is not None and told.of_person else asked.matter)
    if not matter.of_person and matter is not BY_KEY["love"]:
        # The house or the child has a line of its own: what about her is read from hers.
        matter = GENERAL
    inquiry = _inquiry(matter, heard)
    if (inquiry.matter, inquiry.focus) == (asked.matter, asked.focus) and (not turns or inquiry.party == asked.party):
        return None
    return inquiry if inquiry.person is not None or named else None


def _inquiry(matter: Matter, heard: _Heard) -> Inquiry:
    return inquiry_of(matter, heard.text, heard.place, list(heard.people), "")


def _bare(heard: _Heard) -> bool:
    """Whether it only names what it turns to: 那搬家呢."""
    text = heard.text
    return says(WHAT_ABOUT, text) and len(text.folded) <= (_SHORT if text.chinese else 4 * _SHORT)


def _whom(text: Text, mention: Mention | None) -> str | None:
    """「你老婆」, "your wife", "his girlfriend", the asker; None where only the matter is another."""
    if mention is None:
        itself = "你自己" if text.chinese else "you yourself"
        return itself if _MYSELF.match(text.folded) else None
    words, before = text.words(mention.start, mention.end), text.folded[: mention.start]
    if text.chinese:
        owner = re.search("([他她])们?的?$", before)
        if owner is None and mention.role is Role.STRANGER and not words.startswith("我") and not before.endswith("我"):
            return words
        return (text.words(*owner.span(1)) if owner else "你") + words.removeprefix("我")
    determiner = re.search(r"\b(my|our|his|her|their|the) (?:[a-z]+ )?$", before)
    if determiner is None:
        return words
    return {"my": "your", "our": "your"}.get(determiner[1], determiner[1]) + before[determiner.end(1) :] + words
