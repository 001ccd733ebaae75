"""Short human answers to thanks, goodbyes, feelings and news."""

from typing import Final

from liuyao.reading.conversing.retold import statement, verdict
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.asks import Asks, Intent
from liuyao.reading.question.hearing import asks_something
from liuyao.reading.question.mentioned import has_come, is_sad
from liuyao.reading.question.polarity import Polarity, polarity_told
from liuyao.reading.question.text import Expression, Text

_FEARS: Final = Expression(
    r"怕|担心|紧张|焦虑|慌|不安|没底|压力|惊|\b(?:afraid|scared|frightened|terrified|worried|anxious|nervous|"
    r"nerves|stress\w*|"
    r"panic\w*|shak\w+|racing|worry)\b"
)
_ANGRY: Final = Expression(
    r"气死|生气|愤怒|烦|恨|凭什么|不公平|\b(?:angry|furious|fed up|hate|annoyed|mad|unfair|not fair|frustrat\w+)\b"
)
_BOT: Final = Expression(
    r"真人|机器|人吗|ai|程序|你是[谁什]|名字|几岁|感情|\b(?:robot|bot|human|person|real|ai|machine|who are you|"
    r"what are you|your name|feelings)\b"
)
_HELLO: Final = Expression(
    r"^(?:你好|您好|嗨|哈喽|在吗|在不在|早安|早上好|午安|晚上好|早晨)|^(?:hello|hi|hey|good (?:morning|evening|"
    r"afternoon)|are you (?:still )?there)\b"
)
_GOOD: Final = Expression(
    r"录取|录用|通过|考上|考过|上榜|我上了|选上了|合格|批了|批下来|下来了|答应|同意|和好|复合|找到|搵返|搵到|回来了|返嚟|回了来|赢|怀孕|"
    r"升职|加薪|续签|续了|到账|还了|还清|还给|还一?半|退一?半|"
    r"道歉|二面|二次见工|复试|第二轮|没事|良性|出院|成功|谈成|卖掉了|出价|被留下|留下来|约我|回我|联系我|"
    r"打给我|打电话|发消息|传讯|说准|应验|[发涨中过成录返]了|好多了|"
    r"\b(?:offer|got (?:it|in|the)|passed|approved|accepted|said yes|agreed|made up|back together|found|"
    r"turned up|came (?:home|back|through)|"
    r"won|pregnant|promoted|raise|extended|paid|apologi[sz]ed|second (?:round|interview)|interview|benign|"
    r"clear|discharged|"
    r"went well|sold|invited|texted|called|replied|wrote|emailed|came true|good news|wants? to meet|happened|"
    r"arrived)\b"
)
_ILL: Final = Expression(
    r"拒|没过|没考|没上|未过|肥佬|分手|离婚|裁|辞退|开除|炒|输了|不行|没怀|没批|黄了|反悔|退出|搬走|女朋友了|"
    r"男朋友了|不太好|没成|没应验|没发生|不同意|改[期到]|延[期后迟]|推[迟后]|取消|"
    r"\b(?:reject\w*|refused|turned me down|said no|failed|broke up|broken up|left me|fired|laid off|lost|"
    r"pulled out|fell through|"
    r"dropped out|bad|postponed|rescheduled|delayed|cancell?ed|pushed back|put off|"
    r"girlfriend|boyfriend|another (?:woman|man)|notice|didn't (?:happen|come)|wrong|died)\b"
)
_GONE: Final = Expression(
    r"别人|旁人|没有我|不是我|轮不到|没我|落选|落榜|"
    r"\b(?:some(?:one|body) else|any(?:one|body) else|other (?:candidate|applicant|person|guy|girl)|without me|"
    r"not me|didn't get|no longer|withdrawn|withdrew)\b"
)
"""What was wished for has gone to others."""
_JOY: Final = Expression(
    r"太好了|太棒|开心|高兴|激动|耶|哈哈|万岁|好耶|谢天谢地|松了?一?口气|"
    r"\b(?:yay\w*|yes+|hooray|woo\w*|wow|wonderful|great|amazing|brilliant|fantastic|lovely|happy|glad|thrilled|"
    r"relie\w+|phew|haha\w*|thank god|made my day)\b"
)
"""Words of joy; without them, or good news, nobody is congratulated."""
_EVENT: Final = Expression(
    r"[!！]{2}|[到回成过中]了|[到返成]咗|搵返|得返|\b(?:was|were|got|came|found|did|made|signed|here|home|back|stamped|"
    r"it's in|is in|\w{3,}ed)\b"
)
"""What one is glad about has happened, and is not the reading."""
_CLOSED: Final = Expression(
    r"签了?(?:约|合同|字|单|好)(?!之?前)|成交|敲定|谈妥|谈好了|搞定|"
    r"\b(?:they|we|he|she|both|all)(?:'ve| have| has)? (?:just |already |both )?signed\b|"
    r"\b(?:deal|contract|it)(?:'s| is| was) (?:done|closed|signed|sealed)\b|"
    r"\bwe(?:'ve| have)? (?:got|closed|shook on) (?:the|it|a)\b"
)
"""A bargain is closed."""
_DONE: Final = Expression(
    r"(?:我|已经|已)(?:经)?(?:签|买|辞|提|告诉|说|付|订|交|报)|\bi(?:'ve| have)? (?:already )?(?:signed|bought|"
    r"quit|told|paid|handed|sent|went ahead|booked|asked|talked|decided)\b"
)


def remarked(narrator: Narrator, plain: Narrator, intent: Intent, text: Text) -> list[str]:
    """Answer a remark; `plain` says the first answer in the first way."""
    voice, judgement = narrator.voice, narrator.judgement
    withheld = narrator.is_guarded
    match intent:
        case Intent.NOTED if _BOT.search(text.folded) and asks_something(text):
            return [voice.sentence(voice.phrase("program"))]
        case Intent.THANKS | Intent.BYE | Intent.NOTED | Intent.NEW_CAST:
            return [voice.sentence(voice.phrase(str(intent)))]
        case Intent.GLAD | Intent.NEWS if is_sad(text):
            return _consoled(narrator, text, withheld=withheld)
        case Intent.FEELING if is_good_news(text) and not is_sad(text):
            return [voice.sentence(voice.phrase("news joy"))]
        case Intent.GLAD if _is_ill(text):
            return _heard_news(narrator, text, withheld=withheld)
        case Intent.GLAD if _GOOD.search(text.folded) or (_EVENT.search(text.folded) and _JOY.search(text.folded)):
            return [voice.sentence(voice.phrase("news joy"))]
        case Intent.GLAD if not _JOY.search(text.folded):
            return [voice.sentence(voice.phrase("news"))]
        case Intent.GLAD:
            if withheld or judgement.favourable:
                return [voice.sentence(voice.phrase("glad well"))]
            return [voice.sentence(voice.phrase("glad ill", told=voice.lowered(statement(narrator) or verdict(plain))))]
        case Intent.FEELING:
            return _consoled(narrator, text, withheld=withheld)
        case Intent.NEWS:
            return _heard_news(narrator, text, withheld=withheld)
    key = "hello" if _HELLO.search(text.folded) else "program" if _BOT.search(text.folded) else "none"
    return [voice.sentence(voice.phrase(key))]


def is_good_news(text: Text) -> bool:
    """Whether a follow-up tells that what was wished for has come."""
    return _GOOD.search(text.folded) is not None and not _is_ill(text) and has_come(text)


def _is_ill(text: Text) -> bool:
    return _ILL.search(text.folded) is not None or _GONE.search(text.folded) is not None


def _consoled(narrator: Narrator, text: Text, *, withheld: bool) -> list[str]:
    voice = narrator.voice
    feeling = "fear" if _FEARS.search(text.folded) else "anger" if _ANGRY.search(text.folded) else "grief"
    opening = voice.sentence(voice.phrase(f"feeling {feeling}"))
    if withheld:
        return [opening, voice.sentence(voice.phrase("feeling adviser", who=narrator.adviser_named))]
    if not narrator.judgement.favourable:
        return [opening, voice.sentence(voice.phrase("feeling ill")), narrator.action()]
    told = statement(narrator)
    good = voice.phrase("feeling well", told=told) if told else voice.phrase("feeling well unsaid")
    return [opening, voice.sentence(good), narrator.action()]


def _heard_news(narrator: Narrator, text: Text, *, withheld: bool) -> list[str]:
    voice, favourable = narrator.voice, narrator.judgement.favourable
    told = _tidings(text)
    if _DONE.search(text.folded) and (told is Polarity.UNKNOWN or (told is Polarity.WANTED and not is_good_news(text))):
        # What the asker has done is no good fortune: the lease is signed.
        key = "news done well" if favourable else "news done ill"
        return [voice.sentence(voice.phrase("news done" if withheld else key))]
    if withheld:
        # Good news told by a doctor is shared, whatever the cast may not say.
        glad = told is Polarity.WANTED and narrator.of_health and is_good_news(text)
        return (
            [narrator.voice.said("news joy")]
            if glad
            else [narrator.voice.said("news"), narrator.voice.said("news next")]
        )
    if told is not Polarity.UNWANTED and _is_closed(narrator, text):
        return [voice.sentence(voice.phrase("news joy"))]
    if told is Polarity.UNKNOWN:
        return _taken_in(narrator)
    if told is Polarity.WANTED and (has_come(text) or narrator.judgement.inquiry.matter.key in ("lost", "pets")):
        return [voice.sentence(voice.phrase("news joy"))]
    if told is Polarity.WANTED:
        return _taken_in(narrator)
    key = f"news ill {'unexpected' if favourable else 'expected'}"
    return [voice.sentence(voice.phrase(key)), voice.sentence(voice.phrase("news next"))]


def _is_closed(narrator: Narrator, text: Text) -> bool:
    """Whether a bargain is closed of which the asker asked if it would be; who asked whether to close it may rue it."""
    inquiry = narrator.judgement.inquiry
    hoped = inquiry.asks in (Asks.WHETHER, Asks.WHEN, Asks.HOW_IS) and inquiry.stance.polarity is not Polarity.UNWANTED
    return hoped and has_come(text) and _CLOSED.search(text.folded) is not None


def _taken_in(narrator: Narrator) -> list[str]:
    """What was told leaves open how it ends: it is taken in, and the answer stays until more is known."""
    voice = narrator.voice
    stays = voice.phrase("news stays", told=voice.lowered(statement(narrator) or verdict(narrator)))
    return [voice.sentence(voice.phrase("news")), voice.sentence(stays)]


def _tidings(text: Text) -> Polarity:
    if _is_ill(text):
        return Polarity.UNWANTED
    return Polarity.WANTED if _GOOD.search(text.folded) else polarity_told(text.written)
