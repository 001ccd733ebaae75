"""How a question is put, which decides the words of its answer: finer than the kind of answer (`Asks`).

"What's holding my career back?" asks why, 「我该注意些什么」 what to mind, "Can I trust him?" whether he is
honest.
The kind decides what is derived; the form decides nothing but words.
"""

from enum import StrEnum
from typing import Final

from liuyao.reading.question.asks import Asks
from liuyao.reading.question.grammar_en import without_tail
from liuyao.reading.question.inquiry import Inquiry
from liuyao.reading.question.polarity import Polarity
from liuyao.reading.question.text import Expression, Text
from liuyao.reading.question.topic import LOST
from liuyao.reading.question.vocabulary.verbs_en import VERBS


class Form(StrEnum):
    """How a question is put."""

    WHETHER = "whether"
    SHOULD = "should"
    TRUST = "trust"
    """Whether somebody or something is honest, genuine, reliable."""
    WORRY = "worry"
    """Whether something is a cause for worry."""
    OBJECTION = "objection"
    """Whether it would be wrong, silly, too early to do."""
    HOW = "how"
    """What to do about it."""
    HEED = "heed"
    """What to mind, to prepare for, to bring."""
    WHEN = "when"
    WHEN_BEST = "when best"
    """When it is a good time to do something."""
    WHY = "why"
    """The cause, also where it asks what the obstacle is."""
    WHERE = "where"
    WHICH = "which"
    """One of two that are named."""
    WHICH_UNNAMED = "which unnamed"
    AMOUNT = "amount"
    """How much money."""
    COST = "cost"
    """How much something costs the asker."""
    COUNT = "count"
    """How many people or things."""
    CHANCE = "chance"
    """How likely."""
    WHO_DID = "who did"
    """Who does something unwelcome."""
    WHO_HELPS = "who helps"
    WHO = "who"
    STATE = "state"
    """How somebody or something is now."""
    COURSE = "course"
    """How something will go."""
    RESULT = "result"
    """How something went that is over, while its result is not known."""
    MIND = "mind"
    SEX_OF_CHILD = "sex of child"


class Agent(StrEnum):
    """Who acts in what is asked about."""

    SELF = "self"
    OTHER = "other"
    THING = "thing"


_HEED: Final = Expression(
    r"(?:注意|留意|小心|提防|当心|准备|带|避开|避免|忌讳)(?:到|好|一?些|点|一下)*(?:什么(?!时)|啥|哪些|"
    r"哪里|哪方面|哪几)|"
    r"有(?:什么|啥|哪些)(?:要|该|需要)?(?:注意|留意|小心|忌讳|讲究)|(?:什么|啥|哪些)[^，。]{0,4}(?:要|该|"
    r"需要)(?:注意|留意|小心)|"
    r"\bwhat (?:should|do|must|shall) (?:i|we) (?:need to |have to )?(?:watch|look|mind|bring|prepare|avoid|"
    r"be careful|be aware|"
    r"pay attention|keep in mind|expect|bear in mind|know)|"
    r"\bwhat (?:are the|to) (?:pitfalls|watch|look out|avoid|bring)|"
    r"\banything (?:i|we) should (?:watch|know|mind|look out)"
)
_HOW: Final = Expression(
    r"怎么办|咋办|如何是好|怎么做才|该怎么做|怎么劝|什么办法|(?:怎么样|怎样|怎么|如何)才能|怎么才能|(?:该|要|"
    r"应该)(?:怎么|如何|怎样)(?!样)|"
    r"\bwhat now\b|\bwhat (?:should|can|could|do|shall|must|would) (?:i|we|you) (?:do|say|tell|suggest|try|change)\b|"
    r"\bwhat to do\b|\bhow (?:do|can|could|should|might|would) (?:i|we) (?!know\b|tell\b|look\b|stand\b)|\bhow to\b|"
    r"\bhow best to\b|\bwhat(?:'s| is| would be) the best way\b|\bany (?:advice|idea how)\b"
)
_HOW_ZH: Final = Expression(
    r"(?:怎么|怎样|如何)(?:处理|解决|应付|应对|回应|回复|面对|安排|开口|拒绝|提|劝|哄|道歉|说服|谈|跟|和|"
    r"让|帮|改|戒|教|选|做)|"
    r"(?:可以|能|该|要)(?:怎么|怎样|如何)(?!样)"
)
_WORRY: Final = Expression(
    r"\b(?:need|have|should|ought|reason|cause) (?:to |i |we |for )*(?:be )?(?:worr\w+|concern\w*|alarm\w*)|"
    r"(?:要不?要紧|要紧|严重|有事|不要紧)[吗么]?$|(?:需要|用|必|该)(?:不需要|不用|不必|不该)?(?:太|很)?担心"
)
_OBJECTION: Final = Expression(
    r"\b(?:bad idea|silly|stupid|foolish|crazy|wrong|rude|unwise|selfish|a mistake|unfair|mean|"
    r"too (?:early|soon|risky|hasty|much|pushy|forward|late)) (?:of me |for me |if i |to )|"
    r"太(?:不|早|晚|迟|急|冲动|快|过分|冒险|草率|轻率|自私)|很(?:傻|蠢|自私|奇怪|突兀|失礼)|失礼|没礼貌|"
    r"是不是不该|会不会不好"
)
_COUNT: Final = Expression(
    r"(?:会有|会来|来|有|到|剩)(?:几|多少)(?:个|位|只|棵|份|人|桌|样)|"
    r"\bhow many\b(?! (?:days|weeks|months|years|times))"
)
_OR: Final = Expression(r"[^，。]还是(?![会能不没很想老可])[^，。]|\w or \w+.*\b(?:which|better|choose|pick)\b")
_CALLED: Final = Expression(
    r"\bwhat (?:does|do|did) .{1,40} (?:make|think) of (?:me|us|my|our)\b|(?:觉得|认为)我(?:怎么样|如何|"
    r"怎样|不错|好)|"
    r"对我的?(?:印象|评价|感觉|看法|满意|不满)|见了我|怎么看我|怎样看我"
)
_WHY: Final = Expression(
    r"问题(?:出|卡)?(?:到底)?在哪|(?:卡|毛病|症结|根源|原因|障碍|阻力)[^，。]{0,6}(?:在|是)(?:什么|哪|啥)|"
    r"卡在哪|是什么在?(?:阻|拦|卡|拖)|"
    r"出了什么(?:问题|事|毛病)|哪(?:里|儿|一步|个地方).{0,3}(?:做错|错|没做好|出错|失误|不足)|错在哪|"
    r"what went wrong|哪里出了|哪里不对|哪儿不对|怎么回事|"
    r"\bwhat(?:'s| is| was| has been| keeps) (?:holding|keeping|stopping|blocking|wrong|behind|making|causing|"
    r"going wrong|"
    r"dragging|in the way|the (?:problem|matter|trouble|obstacle|reason|cause)|got into|up with)|"
    r"\bwhere (?:am|are|did|do) (?:i|we|things) (?:going|go|went|get|getting) wrong|\bhow come\b"
)
_BEST: Final = Expression(
    r"合适|适合|比较[顺好]|最好|好时机|时机|吉利|吉日|适宜|该|应该|挑|选|"
    r"\bgood (?:time|day|moment|month|date)|\bbest\b|\bright (?:time|moment)\b|\bshould (?:i|we)\b|"
    r"\bbetter (?:time|day)\b|"
    r"\bdo (?:i|we) (?:ask|tell|start|plant|go|move|call)\b"
)
_RESULT: Final = Expression(
    r"(?:昨天|前天|刚才|刚刚|今早|上(?:一?个)?(?:周|星期|礼拜|月|次|回)[一二三四五六日天末]?|那次|已经)"
    r"[^。？]{0,14}(?:考得|考的|表现|满意|反应|喜欢|印象|面得|面试得|答得|讲得|发挥|做得|谈得|演得|打得|结果)|"
    r"(?:考得|表现得|发挥得|面得|答得|讲得)(?:怎么样|如何|怎样|好不好|好吗|还行|不错)|"
    r"^(?:did|have|has) (?:i|we|he|she|they|my [a-z]+|our [a-z]+)\b.{0,40}\b(?:do|go|went|pass\w*|well|make|"
    r"impress\w*|fail\w*|"
    r"perform\w*|like\w*|enjoy\w*|approv\w*|done|ace\w*|blow\w*|blew)\b|^how did\b|\bhow (?:have|"
    r"has) .{1,30} (?:gone|done)\b"
)
_TRUST: Final = Expression(
    r"靠谱|靠得住|可靠|可信|相信(?!自己)|信得过|信任|骗|假货|真货|正品|真品|真假|是真的|是假的|诈骗|老实|诚实|"
    r"有诚意|坑人|"
    r"\b(?:scams?|fakes?|trust\w*|reliable|rely on|honest|dishonest|legit\w*|genuine|rip-?off|cheat\w*|lying|"
    r"counterfeit|fraud\w*|"
    r"the real thing|to be trusted|sincere|telling (?:me )?the truth|too good to be true|decent)\b"
)
_OF_LOVE: Final = Expression(r"真心|对我|爱|\bme\b|\blove")
_STATE: Final = Expression(
    r"过得|心情|近况|还好[吗么]|好不好$|怎么了|什么状态|状态|最近.{0,6}(?:怎么样|如何|怎样|好[吗么])|"
    r"(?:在[^，。]{1,8})(?:好[吗么]|怎么样|习惯)|"
    r"习惯[吗了]|适应|开心[吗么]|快乐[吗么]|"
    r"\b(?:getting on|getting along|coping|holding up|settl\w+ in|keeping|feeling|happy|unhappy|doing)\b|"
    r"^how(?: is|'s| are) (?:my|our|your|his|her|[a-z]+)(?: [a-z']+){0,3}(?: (?:in|at|on|with|these days|now|"
    r"really|lately).*)?\??$|"
    r"\bis (?:he|she|my \w+) (?:ok|okay|all right|alright|well)\b|\bwhat is .{1,30} like\b"
)
_FUTURE: Final = Expression(
    r"\b(?:will|would|going to|go|turn out|tomorrow|next)\b|会|明|下(?:周|个|半|星期|礼拜)|将来|结果|前景|"
    r"走势|发展"
)
_MONEY: Final = Expression(
    r"钱|元|块|价|工资|薪|奖金|年终奖|收入|利润|营业额|卖|报酬|押金|租金|存下|赚|赔|花费|费用|"
    r"\b(?:much|price|salary|pay|cost|offer|bonus|earn|rent|save|raise|profit|refund|worth)\b"
)
_COUNTED: Final = Expression(r"\bhow many\b|(?:多少|几)(?:个|位|只|棵|份|人|桌|样|客人|观众|名|场|单|张|间|次|票)")
"""Asks for a number of people or things."""
_SUM: Final = Expression(r"年终|奖金|分红|花红|双薪|补偿|\bbonus\b")
"""Money that is counted in months of pay."""
_COST: Final = Expression(
    r"(?:要|会|得)?花(?:费)?(?:多少|几|掉)|(?:修|装|搬|罚|赔|手术|维修|修理)[^，。]{0,8}(?:多少|几)(?:钱|"
    r"块|元|万)|(?:费用?|价钱|价格|账单)[^，。]{0,6}(?:多少|贵|高)|"
    r"会不会(?:太|很)贵|(?:会|要)?(?:很|太)?贵[吗么]|"
    r"\b(?:how (?:much|expensive|dear) .{0,50}\b(?:cost|charge|repair|bill|fine|fix|pay|spend)|(?:be|too|"
    r"very) (?:expensive|dear|costly)|set (?:me|us) back)\b"
)
_CHANCE: Final = Expression(
    r"几成|多大(?:把握|概率|机会|可能)|概率|机率|胜算|(?:机会|希望|可能性?|把握)(?:有多)?大|\b(?:what|"
    r"how) .{0,20}\b(?:chances?|odds|likely|probable|percentage)\b"
)
_WHO_DID: Final = Expression(
    r"背后|坏话|谣言|偷|拿走|拿了|害我?|举报|捣|弄坏|搞鬼|投诉|陷害|整我|泄露|告状|吃了|动过|"
    r"\b(?:keeps?|took|takes|taking|stole|stealing|steals|complain\w*|behind|leak\w*|broke|left|leaves|leaving|"
    r"scratch\w*|"
    r"spread\w*|ate|eating|report\w*|gossip\w*|dump\w*|damag\w*|block\w*|sabotag\w*|rumou?rs?|blame)\b"
)
_WHO_HELPS: Final = Expression(
    r"[帮幫助靠救支撑撐]|指望|[贵貴]人|找[谁誰]|[请請][谁誰]|[问問][谁誰]|\b(?:help\w*|support|count on|"
    r"rely on|turn to|ask|on my side|back me)\b"
)
_WEATHER: Final = Expression(r"天气|\bweather\b")
_TO_OR_NOT: Final = Expression(
    r"(?:([\u4e00-\u9fff]{1,4})[^，。]{0,10}还是(?:不|别)\1?(?:[\u4e00-\u9fff]{0,6})?)[呢吗好？?]*$|"
    r"\bor (?:not|leave it|skip it|stay away)\b"
)


_ALTERNATIVES: Final = (
    Expression(
        r"^(?:.*，)?(?:周末|今[天晚年]|明[天年]|下周|我们?|该|应该|是|要|"
        r"到底)*([^，。]{1,12}?)(?:好)?，?还是(?:应?该)?([^，。]{1,12}?)(?:比?较?好|合适|呢)?$"
    ),
    Expression(r"^(?:我?在)?([^，。和跟与]{1,12})[和跟与]([^，。]{1,12}?)(?:之间)?，.{0,6}(?:哪|选)"),
    Expression(r"^([a-z' ]{2,30}?) or ([a-z' ]{2,30}?) ?[-,:–—] ?(?:which|what)\b"),
    Expression(
        r"^(?:.*[,.:;?] ?)?(?:(?:so|and|should i|do i|shall i|is it|is this|was it|to) )*([^,.:;?]{2,48}?),? or "
        r"(?!(?:not|no|so|something|later|more|less)\b)(?:should i |do i |is it |to )?([^,.:;?]{2,48})(?:[,.:;?].*)?$"
    ),
    Expression(
        r"^(?:.*[，,。？?：:] ?)?(?:我们?|该|应该|是|系|选|今次|到底|究竟)*([^，,。？?：:]{1,14}?)[呀呢啊]?[，,]?"
        r"(?:还是|抑或|或者|(?<![一决肯确稳必指镇安固约未否规])定(?![期义了制律金居下做])系?| ?or ?)"
        r"([^，,。？?：:]{1,14}?)(?:比?较?好[啲点些]?|啱啲?|抵啲?|呢|呀)?(?:[，,。？?：:].*)?$"
    ),
)
"""Two choices that the grammar leaves alone."""
_PURPOSE: Final = Expression(
    r" for (?:my|our|your|the|this|next) .*$|(?:更|比较|比較)?(?:适合|適合)[你我]?$|合适$|合適$"
)
_ONE_PERSON: Final = Expression(r"\bhe or she\b|\bhim or her\b|\bhis or her\b")
_ARTICLE: Final = Expression(r"^(?:The|A|An|My|Our|Your)\b")


def options_of(text: Text, inquiry: Inquiry) -> tuple[str, ...]:
    """The alternatives in the asker's own words."""
    if len(inquiry.options) == 2:
        first = inquiry.options[0]
        begins = _ARTICLE.match(first) or (text.written.startswith(first) and first.split()[0].lower() in VERBS)
        lowered = f"{first[:1].lower()}{first[1:]}" if begins else first
        return (lowered, _PURPOSE.sub("", inquiry.options[1]))
    asked = text.folded.rstrip(" ?？!！。.~")
    found = next((match for alternative in _ALTERNATIVES if (match := alternative.match(asked))), None)
    if found is None or _ONE_PERSON.search(asked):
        return ()
    first, second = text.words(*found.span(1)), text.words(*found.span(2))
    return (first, second) if text.chinese else (first, without_tail(first, second))


def form_of(text: Text, inquiry: Inquiry) -> Form:
    """The form of a question."""
    asked, asks = text.folded.rstrip(" ?？!！。.~"), inquiry.asks
    if asks is Asks.SEX_OF_CHILD:
        return Form.SEX_OF_CHILD
    if _HEED.search(asked):
        return Form.HEED
    if _CALLED.search(asked):
        return Form.MIND
    if asks is not Asks.WHEN and (asks is Asks.HOW or _HOW.search(asked) or _HOW_ZH.search(asked)):
        return Form.HOW
    if asks is Asks.WHY or (asks is not Asks.WHEN and inquiry.topic != LOST and _WHY.search(asked)):
        return Form.WHY
    if asks in (Asks.HOW_MUCH, Asks.WHETHER, Asks.HOW_IS) and _COST.search(asked):
        return Form.COST
    if _WORRY.search(asked):
        return Form.WORRY
    if asks not in (Asks.WHEN, Asks.WHICH) and _CHANCE.search(asked):  # which of two has the better chance is a choice
        return Form.CHANCE
    if asks is not Asks.WHEN and _OBJECTION.search(asked):
        return Form.OBJECTION
    if asks is not Asks.WHEN and _COUNT.search(asked) and not (asks is Asks.HOW_MUCH and _SUM.search(asked)):
        return Form.COUNT
    return _of_kind(asked, asks) or _of_event(text, asked, inquiry)


def _of_kind(asked: str, asks: Asks) -> Form | None:
    """The form of what is asked with a word of its own: when, where, which, how much, who."""
    match asks:
        case Asks.WHEN:
            return Form.WHEN_BEST if _BEST.search(asked) else Form.WHEN
        case Asks.WHERE:
            return Form.WHERE
        case Asks.HOW_MUCH if _CHANCE.search(asked):
            return Form.CHANCE
        case Asks.HOW_MUCH if _SUM.search(asked):
            return Form.AMOUNT
        case Asks.HOW_MUCH:
            return Form.COUNT if _COUNTED.search(asked) else Form.AMOUNT
        case Asks.WHO if _WHO_DID.search(asked) and not _WHO_HELPS.search(asked):
            return Form.WHO_DID
        case Asks.WHO:
            return Form.WHO_HELPS if _WHO_HELPS.search(asked) else Form.WHO
    return None


def _of_event(text: Text, asked: str, inquiry: Inquiry) -> Form:
    """The form of what is asked of an event or a state."""
    asks = inquiry.asks
    if inquiry.matter.key in ("rain", "fair") and asks is Asks.SHOULD and _WEATHER.search(asked):
        return Form.COURSE
    if _TO_OR_NOT.search(asked):
        return Form.SHOULD
    if asks is Asks.WHICH or (asks is Asks.HOW_IS and _OR.search(asked)):
        return Form.WHICH if len(options_of(text, inquiry)) == 2 else Form.WHICH_UNNAMED
    if _RESULT.search(asked):
        return Form.RESULT
    if asks is Asks.OTHERS_MIND:
        return Form.MIND
    if _TRUST.search(asked):
        if inquiry.matter.key != "love" or not _OF_LOVE.search(asked):
            return Form.TRUST
        return Form.WHETHER if inquiry.stance.polarity is Polarity.UNWANTED else Form.MIND
    if asks is Asks.SHOULD:
        return Form.SHOULD
    if (
        _STATE.search(asked)
        and not _FUTURE.search(asked)
        and (asks is Asks.HOW_IS or inquiry.person is not None or inquiry.party is not None)
    ):
        return Form.STATE
    return Form.COURSE if asks is Asks.HOW_IS else Form.WHETHER
