"""The asker's own thing in a question: the interview, the flat, the exam.

Advice is about the thing rather than its matter where the question names one of those below.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

from liuyao.reading.question.text import Text, pattern


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of `matters`, by its expressions in folded Chinese and in English.

    `chinese` and `english` are what a text calls it; `{own}` in them is the user's own word.
    """

    key: str
    matters: frozenset[str]
    in_chinese: str
    in_english: str
    chinese: str
    english: str


THINGS: Final = (
    Thing(
        "interview",
        frozenset(["career", "study", "permit"]),
        "面试|面谈|二面|终面|复试",
        r"interviews?",
        "这场面试",
        "the interview",
    ),
    Thing(
        "layoff",
        frozenset(["career"]),
        "裁员|裁掉|裁到|被裁|被炒|炒鱿鱼|失业|优化掉|辞退|开除|炒我|裁我",
        r"la(?:id|y) ?-?offs?|redundan\w+|fired|sacked|lose my job|losing my job|keep my job",
        "去留这件事",
        "your position",
    ),
    Thing(
        "promotion",
        frozenset(["career"]),
        "升职|晋升|升迁|提拔|升官|升主管|升经理|竞聘",
        r"promot\w+",
        "升职这件事",
        "the promotion",
    ),
    Thing(
        "raise",
        frozenset(["career", "wealth"]),
        "加薪|加[我他她]?人工|涨工资|涨薪|加工资|加人工|加工资",
        r"pay rise|salary rise|a raise|get a raise",
        "加薪这件事",
        "the raise",
    ),
    Thing(
        "resign",
        frozenset(["career"]),
        "辞职|离职|辞掉|裸辞|辞呈|不干了",
        r"quit(?:ting)?|resign\w*|hand in my notice",
        "辞职这件事",
        "the question of leaving",
    ),
    Thing(
        "new job",
        frozenset(["career"]),
        "换工作|跳槽|新工作|转工|offer|入职|转行|找工作|工作机会|新公司",
        r"change jobs?|changing jobs?|new job|job offer|offers?|switch jobs?|get (?:the|this|that|a) job|"
        r"(?:the|this) job|find (?:a )?(?:job|work)|job hunt\w*",
        "工作上的这一步",
        "this step at work",
    ),
    Thing(
        "boss",
        frozenset(["career", "kin", "partner"]),
        "上司|领导|主管|老板|经理",
        r"boss|manager|supervisor",
        "和主管相处这件事",
        "relations with your boss",
    ),
    Thing(
        "thesis",
        frozenset(["study"]),
        "论文|答辩|毕设",
        r"thesis|dissertation|viva",
        "这篇论文",
        "the thesis",
    ),
    Thing(
        "admission",
        frozenset(["study"]),
        "录取|申请学校|申请大学|申请研究所|offer|推免|保研",
        r"admi(?:tted|ssion)|get into (?:\w+ )?(?:university|college|school)|accepted|scholarship",
        "这次申请",
        "the application",
    ),
    Thing(
        "exam",
        frozenset(["study", "permit", "contest", "documents"]),
        "考试|高考|中考|考研|考公|考上|考证|学测|指考|统测|雅思|托福|国考|省考|会考|期末|期中|司法考|"
        "驾照|路考|考车牌|考牌|考得|考过|文凭试|证照",
        r"exams?|tests?|finals|entrance|ielts|toefl|driving test|bar\b",
        "这场考试",
        "the exam",
    ),
    Thing(
        "parcel",
        frozenset(["lost", "parcel"]),
        "快递|包裹|快件|速递|宅配|物流",
        r"parcels?|packages?|delivery|courier|shipment",
        "这个包裹",
        "the parcel",
    ),
    Thing(
        "loan",
        frozenset(["debt", "wealth", "documents"]),
        "贷款|借到钱|借款|房贷|信贷",
        r"loans?|mortgage|borrow\w*",
        "这笔借款",
        "the loan",
    ),
    Thing(
        "owed money",
        frozenset(["debt", "wealth", "lawsuit", "kin"]),
        "欠我|欠款|欠钱|还我|还钱|借给|要回|讨回|追回|货款|尾款|工资.{0,4}发|拖欠",
        r"owes?|owed|pa(?:y|id) (?:me )?back|repa(?:y|id)\w*|lent|loan i made|invoice",
        "这笔钱",
        "the money",
    ),
    Thing(
        "invest",
        frozenset(["wealth"]),
        "股票|基金|投资|炒股|理财|比特币|币圈|加密|期货|黄金|买股",
        r"stocks?|shares|funds?|invest\w*|crypto|bitcoin|trad(?:e|ing)",
        "这笔投资",
        "the investment",
    ),
    Thing(
        "trip",
        frozenset(["career", "wealth", "journey", "date"]),
        "出差|公干|商务旅行",
        r"business (?:trip|travel|flight)|(?:trip|travel\w*|fly|flight|go(?:ing)? to \w+) (?:for|on) business",
        "这趟行程",
        "the trip",
    ),
    Thing(
        "business",
        frozenset(["wealth", "partner", "career"]),
        "生意|开店|创业|店铺|开公司|网店|摆摊|加盟|公司.{0,4}赚|餐厅|开铺",
        r"business(?! (?:trip|travel|flight))|start-?up|shop|store|cafe|restaurant|company make",
        "这门生意",
        "the business",
    ),
    Thing(
        "rent",
        frozenset(["documents", "dwelling", "wealth", "date"]),
        "租房|租屋|房租|租约|续租|房东|租金|退租|押金",
        r"rent\w*|lease|landlord\w*|tenan\w+|deposit",
        "这份租约",
        "the lease",
    ),
    Thing(
        "home sale",
        frozenset(["documents", "wealth", "date"]),
        "卖[^，。]{0,6}?(?:房|楼|屋|公寓)|(?:套房|二手房|房|楼|间屋|屋|公寓)[^，。买]{0,8}?卖(?!给我|家|方|的|主)|"
        "买我[^，。]{0,4}(?:房|楼|屋|公寓)",
        r"sell(?:ing)? (?!me|us)(?:\w+ ){0,4}(?:flat|house|apartment|condo|property|home|place)|"
        r"(?:flat|house|apartment|condo|property|home|place) (?:\w+ ){0,4}?(?:sell|sold)(?! (?:me|us|to me|to us)\b)|"
        r"(?:buy|offer (?:on|for)) (?:my|our) (?:flat|house|apartment|condo|property|home|place)",
        "卖房这件事",
        "the sale",
    ),
    Thing(
        "moving",
        frozenset(["documents", "dwelling", "wealth", "date", "journey"]),
        "搬家|搬去|搬屋|搬到|迁居",
        r"mov(?:e|ing) (?:house|home|flat|in|out|to)|the move|relocat\w+",
        "搬家这件事",
        "the move",
    ),
    Thing(
        "home",
        frozenset(["documents", "wealth", "date"]),
        "买房|房子|卖房|公寓|买楼|卖楼|楼盘|首付|房屋|新房|二手房|看房|套房|间屋",
        r"flat|house|apartment|condo|property|buy a place",
        "这处房子",
        "the place",
    ),
    Thing(
        "contract",
        frozenset(["documents", "partner", "wealth", "career"]),
        "合同|合约|签约|协议",
        r"contracts?|agreement|sign(?:ed|ing)?",
        "这份合同",
        "the contract",
    ),
    Thing(
        "car",
        frozenset(["documents", "wealth"]),
        "买车|车子|卖车|提车|二手车|新车|部车",
        r"car|van|motorbike",
        "这部车",
        "the car",
    ),
    Thing(
        "visa",
        frozenset(["permit", "journey", "documents"]),
        "签证|绿卡|移民|居留|工签|永居|入籍",
        r"visas?|green card|residen(?:ce|cy)|immigrat\w+|citizenship|work permit",
        "这份签证",
        "the visa",
    ),
    Thing(
        "court",
        frozenset(["lawsuit"]),
        "官司|开庭|起诉|仲裁|诉讼|上诉|法院|判决|告他|告我",
        r"lawsuit|court|trial|sue|suing|appeal|arbitration|case",
        "这场官司",
        "the case",
    ),
    Thing(
        "operation",
        frozenset(["health"]),
        "手术|开刀",
        r"surgery|operation|procedure",
        "这次手术",
        "the operation",
    ),
    Thing(
        "ex",
        frozenset(["love", "return"]),
        "复合|前任|前男友|前女友|前妻|前夫|回来找我|挽回|回心转意|破镜",
        r"(?:get|got|come|getting|coming) back (?:together|to me)|my ex\b|ex-?(?:girlfriend|boyfriend|"
        r"wife|husband)|reconcil\w+|win (?:her|him) back|come back",
        "你们之间",
        "things between you",
    ),
    Thing(
        "marriage",
        frozenset(["love", "date"]),
        "结婚|婚事|领证|订婚|求婚|嫁给|娶|婚礼|婚姻",
        r"marr\w+|wedding|propos\w+|engage\w*",
        "这门婚事",
        "the marriage",
    ),
    Thing(
        "meeting someone",
        frozenset(["love"]),
        "脱单|桃花|正缘|对象|相亲|姻缘|脱离单身|遇到.{0,6}人|男朋友.{0,3}出现|另一半|缘分",
        r"single|meet someone|find (?:love|a partner|someone|the one)|soulmate|blind date|mr right",
        "缘分这件事",
        "meeting someone",
    ),
    Thing(
        "quarrel",
        frozenset(["love", "kin", "partner"]),
        "吵架|冷战|和好|闹翻|矛盾|道歉|不理我|拉黑|闹别扭|误会",
        r"quarrel\w*|argu\w+|make up with|not (?:talking|speaking)|silent|forgive|apologi\w+|fight with|"
        r"blocked",
        "这场别扭",
        "the quarrel",
    ),
    Thing(
        "crush",
        frozenset(["love", "return"]),
        "表白|喜欢我|暗恋|喜欢的人|追到|追她|追他|心动|喜欢他|喜欢她|暧昧|告白|钟意我",
        r"crush|likes? me|feelings for|ask (?:her|him) out|confess|into me|love me",
        "这份心意",
        "what you feel",
    ),
    Thing(
        "pet lost",
        frozenset(["lost", "return"]),
        "猫|狗|鸟|兔|鹦鹉|仓鼠|龟|毛孩",
        r"cats?|dogs?|kitten|puppy|bird|parrot|rabbit|tortoise|hamster",
        "这个{own}",
        "the {own}",
    ),
    Thing(
        "pet lost",
        frozenset(["pets", "lost", "return"]),
        "(?:猫|狗|鸟|兔|鹦鹉|仓鼠|龟|毛孩|它)[^，。]{0,6}(?:丢|走失|失踪|不见|跑掉|跑了|跑出去)|"
        "找(?:得|不)?[^，。]{0,4}(?:猫|狗|鸟|兔|龟)",
        r"(?:lost|missing|stray\w*|runaway|escaped) (?:\w+ )?(?:cat|dog|kitten|puppy|bird|parrot|rabbit|tortoise)|"
        r"(?:cat|dog|kitten|puppy|bird|parrot|rabbit|tortoise) (?:\w+ ){0,2}(?:lost|missing|ran away|run away|escaped)",
        "找它这件事",
        "the search",
    ),
    Thing(
        "lost item",
        frozenset(["lost"]),
        "钱包|皮夹|银包|手机|电话|钥匙|戒指|耳机|项链|手表|护照|证件|身份证|包|眼镜|雨伞|车|相机|耳环|"
        "手链|行李|平板|电脑",
        r"wallet|purse|phone|keys?|rings?|earphones?|airpods|necklace|watch|passport|card|bag|glasses|"
        r"umbrella|camera|earrings?|luggage|tablet|laptop|bracelet",
        "这个{own}",
        "the {own}",
    ),
    Thing(
        "trip",
        frozenset(["journey", "date"]),
        "旅行|旅游|出差|出国|航班|飞机|机票|行程|自驾|回老家|出门|远行|旅程",
        r"trips?|travel\w*|flights?|journey|holiday|vacation|fly",
        "这趟行程",
        "the trip",
    ),
    Thing(
        "match",
        frozenset(["contest"]),
        "比赛|球赛|决赛|半决赛|联赛|电竞|竞赛",
        r"match|game|tournament|race|final|competition",
        "这场比赛",
        "the match",
    ),
)
"""The nearer before the more general."""


@cache
def _expression(english: bool) -> tuple[str, ...]:
    words = [rf"\b(?:{thing.in_english})\b" if english else thing.in_chinese for thing in THINGS]
    return ("|".join(f"(?P<t{number}>{each})" for number, each in enumerate(words)),)


def named_thing(text: Text, matter: str) -> tuple[Thing, str | None] | None:
    """The thing of a matter that a text names, with the user's own word for it where that is certain.

    Of several, the first in the table.
    """
    found: dict[int, tuple[int, int]] = {}
    for match in pattern(_expression(not text.chinese)).finditer(text.folded):
        number = int((match.lastgroup or "t0")[1:])
        if matter in THINGS[number].matters:
            found.setdefault(number, match.span())
    if not found:
        return None
    first = min(found)
    return THINGS[first], text.words(*found[first]) if text.verbatim else None
