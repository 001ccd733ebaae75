"""Words that decide the polarity of an event by themselves, whatever else it names.

"Will he mind that I am divorced" asks after his minding, not after the divorce, and so do 会介意, 嫌, "hold it against
me"; "overlook the gap" and 体谅 are good for the asker though what is overlooked is not. The first such word of the
event governs what follows it. Denied, it turns round (他能不计较吗); 不会…吧 and "they won't …, will they?" only
suggest an answer and turn nothing.
"""

from typing import Final, NamedTuple

from liuyao.reading.question.asking import Asking
from liuyao.reading.question.text import Expression, Text

_ILL_ZH: Final = (
    # Who gets before the asker what both want, and duties that nobody seeks
    "(?<!我)(?<!我们)(?:比(?=我们?[先早快高][^，]{0,4}[升晋选录得拿赢抢])|[先快]过(?=我))|教召|点召|陪审|(?:抽|征|召|派)[中到去]?[^，]{0,3}(?:当兵|服役|兵役|入伍)|"
    # What another holds against the asker
    "介意|(?:在意|在乎|计较|纠结)(?=[^，,]{0,6}(?:没|不(?!吗)|少|低|老|胖|穷|离过|有过|比|过去|以前|从前|前|那|"
    "上次))|计较|"
    "嫌(?!疑)|[看瞧]不起|看轻|小[看瞧](?=我|咱)|怪(?=我|罪|咱)|责怪|埋怨|记恨|记仇|[恨恼烦](?=我|咱)|"
    "[讨厌气](?:厌)?(?=着?我)|还在气|"
    "反感|排[斥挤]|冷落|孤立|针对|[刁为]难|欺[负生]|敷衍|吊着|玩弄|只是玩|玩玩|利用(?=我|咱)|偏心|偏袒|歧视|偏见|"
    "怀疑|质疑|信不过|"
    "[嫉妒][妒忌](?=我|咱)|眼红(?=我|咱)|挑[剔刺]|挑毛病|找[茬碴]|找麻烦|觉得我(?:太|很|不|没|烦|笨|丑|老|穷|胖|矮|"
    "土)|嫌弃|笑话我|"
    "取笑|"
    # What another does to the asker
    "反悔|反口|变卦|食言|毁约|违约|爽约|放.{0,3}(?:鸽子|飞机)|赖(?=账|帐|着)|走数|拖欠|想拖|拖[着到下延时]|"
    "耍[赖花手我]|捣[乱鬼蛋]|"
    "[搞出][鬼怪]|搞[搞乱]|作梗|使绊|使坏|使诈|[拖扯]后腿|截[胡和]|抢(?:了|走|我|先)|泄[露密漏]|坏话|小报告|告状|"
    "检举|举报|投诉我|(?<![转报通相])告(?=我们?(?:[吗么嘛呢?？，,。]|$))|装[穷傻蒜]|"
    "不放[人手我]|扣住|藏(?!品)|私吞|独吞|霸占|卷(?=钱|款|走|了)|隐瞒|瞒着?|[骗呃]|[找揾搵](?:我|人)?笨|"
    "[坑阴整黑](?=我|人|钱|了|咱)|甩锅|推卸|翻[脸旧]|不认[账帐]|[压砍杀]价|"
    "[坐临]地?[起时]?[涨加]价|临时[涨加改取]|"
    "卡(?=我|住|着|了)|刷掉|[挡拦阻][我住着]|阻(?:挠|碍|头)|插手|干涉|施压|逼我|吓我|"
    # What is wrong with a thing
    "猫腻|蹊跷|陷阱|(?<=有)坑|坑(?=吗|么|$)|(?<=有)伏|伏$|中伏|中招|有诈|内定|黑幕|内幕|暗箱|漏洞|(?<!挑)毛病|瑕疵|"
    "隐患|手脚|漏水|渗水|发霉|白蚁|闹鬼|"
    "(?:公司|[店厂]|单位)[^，,]{0,4}倒(?=闭|掉|了|吗|么|$)|[很太好]吵|[吵嘈](?=吗|么|$|得|死)|难[相顶搞缠熬做考答]|[很太好偏][严难](?!得|道)|烂账|烂摊子|副作用|超标|超支|"
    # What goes wrong with oneself
    "慌[了掉神]?|怯场|紧张(?!我)|失[常误态手]|掉链子|不[适习][应惯]|水土不服|(?<![他她])(?<![他她]会)后悔(?!药)|"
    "吃亏|(?:总是|天天|老|"
    "经常)要?加班|白跑|白忙|出丑|丢脸|"
    "不行(?=吗|么|$|了)|没[戏救]|没希望|差劲|太[差晚早迟](?!不)|不够[好格]|有别人|还[是有]别|有了?(?:新欢|别|第三|"
    "小三|其他)"
)
_WELL_ZH: Final = (
    # The asker with an old love; 他会跟前任有缘吗 is another's
    "^(?:那|请问|我们?|现在|还能?|能)*[跟和同与][^他她，]{0,3}(?:前[任男女夫妻]|初恋|旧爱)[^，]{0,4}有缘|"
    "包容|体谅|谅解|原谅|通融|放宽|宽容|网开一面|睁一?只眼|既往不咎|消气|气消|让步|[看瞧]得起|看重|赏识|欣赏我|"
    "讲信用|守信|[讲凭有]良心|"
    "[讲够]义气|公[正平道]|准时|按时|爽快|痛快|干脆付|稳[得]?住|撑[得]?住|镇定|好说话|好相处|容易相处|厚道|"
    "老实(?!说|讲)|[减让降]价|好[不用]好?用|"
    "(?<!我)(?<!我们)(?:肯(?!定)|愿意|乐意)|(?<!我)出[钱力]|[会能]幸福|美满|[合处]得来|靠得住|接纳|接受我|不计前嫌|"
    "(?:我们|咱们?|我[方队]|本队|[主我]队)[^，。我他她]{0,8}(?:打[爆趴残殘穿]|[电電完]爆|碾压|吊打|秒杀|横扫|狂扫|屠(?=对|他)|虐(?=对|他))|"
    "保险[^，。我你他]{0,6}(?:理?赔|给付)(?!不)|赔[钱偿付]?(?:给|畀|俾)我|"
    "讲道理|放我一马|给[我]?面子|(?<!不)放(?:我|我们)(?:走|离开)|(?:跟|陪|随)(?:我|我们|咱们)(?:一起)?(?:去|走|来|搬|回|过去)"
)
_ILL_EN: Final = (
    r"\b(?:ruin|spoil|wreck|wash out|rain off)s? (?:my|our|the|his|her|it|us|me|every)|"
    r"\bmind(?:s|ed|ing)?\b(?<!in mind)(?<!my mind)(?<!his mind)(?<!her mind)(?<!their mind)(?<!s mind)(?<!of mind)|"
    r"\b(?:hold|holds|held|holding|use|used)\b.{1,40}\bagainst (?:me|us)|\bgrudges?\b|\b(?:resent|object|dislike|"
    r"disapprove|despise)\w*\b|"
    r"\b(?:a |any |the )?fuss\b|\bput(?:s|ting)? (?:\w+ ){1,3}off\b(?! the)|\bscar(?:e|es|ing) (?:\w+ ){1,3}(?:off|"
    r"away)\b|"
    r"\bcare[sd]? (?:that|if|about (?:the|my|our) (?:lack|gap|past|record|debts?|age|accent|weight|divorce))|"
    r"\bjudg(?:e|es|ing) (?:me|us|my)\b|\blook(?:s|ing)? down on|\b(?:laugh|sneer)(?:s|ing)? at (?:me|us)|"
    r"\bmock\w*\b|"
    r"\bbias\w*\b|\bprejudice\w*\b|\bdiscriminat\w*|\b(?:strict|picky|fussy|stingy|nasty|harsh|petty|"
    r"vindictive|clingy)\b|"
    r"\b(?:(?:jealous|envious) of (?:me|us)|suspicious|cross with|mad at|angry with|annoyed with|sick of|tired of|"
    r"fed up with|"
    r"bored of)\b|"
    r"\b(?:hid(?:e|es|ing|den)|conceal\w*|keeping (?:something|things|secrets?)|secretly)\b|\b(?:a|the|any|some|"
    r"no) catch\b|"
    r"\bstrings attached|\b(?:small|fine) print\b|\bloopholes?\b|\b(?:scam|rip-?offs?|ripped off|lemon|hoax|"
    r"con(?: man|ning)?|fishy|dodgy|shady|"
    r"sketchy|bogus|fake|fishy)\b|\btoo good to be true|\b(?:lowball|undercut|haggl|overcharg|shortchang|stiff|"
    r"guilt-?trip|badmouth|bad-mouth|"
    r"sabotag|undermin|steamroll|ghost)(?:e|es|ed|ing|s|ling)?\b|\bback(?:s|ing)? out\b|\bpull(?:s|ing)? out\b|"
    r"\brenege\w*|"
    r"\b(?:go|goes|going) back on\b|\bbail(?:s|ing)?\b|\bflak(?:e|"
    r"es|ing)\b|"
    r"\bstring(?:s|ing)? (?:me|us) along|\blead(?:s|ing)? (?:me|us) on\b|\busing (?:me|us)\b|\bplay(?:s|"
    r"ing)? (?:me|us|games)\b|\btwo-?tim\w+|"
    r"\bmoved on\b|\b(?:seeing|dating|with) (?:someone|somebody|another)\b|\bpoison\w*\b|\btalk(?:s|"
    r"ing)? (?:\w+ )?behind\b|\bstab(?:s|bing)?\b|"
    r"\b(?:steal|stealing|take|taking) (?:\w+ ){0,2}(?:credit|idea|ideas|clients?)\b|\b(?:noisy|loud|damp|mou?ldy?|"
    r"leak(?:s|ing|y)?|infested|haunted|stuffy)\b|"
    r"\bfreeze up|\bchoke\b|\bpanic\w*\b|\b(?:go|draw a) blank\b|\b(?:keep|keeps|keeping|withhold) (?:my|our|"
    r"the) (?:deposit|money|bond)|"
    r"\b(?:offended|upset|insulted|hurt by|hurt if|disappointed)\b|\btoo (?:soon|late|early|much|hard|old|young|"
    r"expensive|far)\b|"
    r"\bput(?:s|ting)? (?:the |my |our |up the )?(?:rent|prices?|fees?)(?: up)?\b|"
    r"\bsinking ship|\b(?:fighting|arguing|feuding|bickering|quarrell?ing)\b|\b(?:quitting|leaving|"
    r"deserting) (?:us|me)\b|"
    r"\bdrag(?:s|ging)? (?:\w+ ){1,2}(?:out|feet)\b|\bstall(?:s|ing)?\b|\bpressur(?:e|es|ing) (?:me|us)\b|"
    r"\bmeddl\w+|\binterfer\w+|\bsnitch\w*|"
    r"\b(?:report|complain about|turn on|rat on) (?:me|us)\b|\bcomplain(?:s|ing)?\b|\btrip(?:s|ping)? (?:me|us) up|"
    r"\bcatch(?:es)? (?:me|us) out|"
    r"\bnitpick\w*|\bhidden (?:fees?|costs?|charges?)|\bproblems? with (?:me|my|our)\b|\bafraid of (?:me|us)\b|"
    r"\b(?:charge|bill|overcharge|invoice|lie to|lying to|lies to) (?:me|us)\b|\bmake (?:me|us) (?:pay|wait|beg)\b|"
    r"\bboring\b|\bawkward\b|\b(?:i|we) regret\b|"
    # What is kept from one, though it would be good: he will refuse to pay
    r"\b(?:refus|fail|forget|declin|neglect)(?:e|es|s|ed|ing)? to (?!sue|prosecute|charge|press|fire|testify against)|"
    # What those with power do to one, and duties that nobody seeks
    r"\b(?:audit|investigate|inspect|clamp|summons?|subpoena|raid|search|detain)(?:s|ed|ing)? (?:me|us|my|our)\b|"
    r"\b(?:i|we) (?:\w+ )?(?:be|get|getting|being) (?:audited|inspected|investigated|raided|searched|detained|"
    r"questioned|called up|drafted|conscripted|summoned|clamped|towed|picked on|put on report)\b|"
    r"\bjury (?:duty|service)\b|\b(?:reserve|military) (?:duty|service)\b|"
    r"\bcancel(?:s|ling|ing)? (?:the|our|my) (?:concert|show|gig|flight|train|trip|tour|match|game|wedding|"
    r"festival|party|holiday|class|course|booking|event|play|cruise)\b|"
    r"\b(?:outbid|out-bid|gazump)(?:s|ped|ding)?\b(?= (?:me|us)\b)"
)
_WELL_EN: Final = (
    # A side that one is of, and what it does to another in a game
    r"^(?=.*\b(?:game|match|derby|final|cup|league|quiz|tournament|race|saturday|sunday|tonight|at home|away)\b)"
    r"(?:will|can|do|are) (?:we|our \w+|my \w+)(?: going to)? (?:thrash|hammer|smash|crush|batter|slaughter|"
    r"murder|destroy|annihilate|kill|trounce) (?!(?:my|our|his|her)\b)|"
    r"\b(?:okay|ok|fine|cool|happy|comfortable|at peace) with (?:me|my|us|our|it|that|the|him|her)\b|\boverlook\w*|"
    r"\bturn(?:s|ing)? a blind eye|"
    r"\b(?:look|see)(?:s|ing)? past\b|\b(?:let|lets) (?:it|that|this) (?:slide|go|pass)\b|\bforgiv\w+|"
    r"\bmake allowances|\bunderstanding (?:about|of)\b|"
    r"\bput(?:s|ting)? up with (?:me|my|our|us)\b|\bstick(?:s|ing)? to (?:the|our|his|her|their|its)\b|\b(?:keep|"
    r"keeps|keeping|true to|good as) (?:\w+ )?word\b|"
    r"\bhonou?r (?:the|our|it|his|her|their)\b|\b(?:fair|decent|trustworthy|legit|above board|straight with|"
    r"kind-?hearted|good-natured|easy-going|"
    r"easygoing|lenient|flexible)\b|\b(?:keep|hold) (?:my|our|her|his) nerve\b|\bstay(?:s)? calm\b|\bup front\b|"
    r"\bsoft on\b|"
    r"\b(?:willing|glad|ready) to (?!leave|sue|fire)|\bbe happy (?:there|together|here|in)\b|\bmeet (?:me|"
    r"us) halfway\b|\bgive (?:me|us) a (?:chance|break)\b|"
    r"\b(?:do|pull) (?:his|her|their) (?:own |fair )?(?:share|bit|weight)\b|\bgo easy on\b|"
    r"\b(?:come|go|move|stay) with (?:me|us)\b|\blet (?:me|us) (?:go|leave|stay|keep)\b|"
    # Who makes good a loss of the asker's
    r"\b(?:insur\w+|airline|landlord|council|company|seller|builders?|vendor|manufacturer|bank|they)(?: \w+)? "
    r"(?:pay(?:s|ing)?(?: out| up)?|cover|compensate|reimburse|refund)(?:s|ing)? "
    r"(?:us |me )?(?:for |in full|the |my |our |all|it\b)|"
    # To do splendidly
    r"\b(?:i|we|my \w+|our \w+)(?: (?:really|actually|just|gonna|going to|about to))* "
    r"(?:(?:kill|smash|nail|ace|crush|slay|rock|boss|own|storm|absolutely kill|absolutely smash) it\b|"
    r"knock (?:them|'em) dead\b|(?:bring|tear) the house down\b|kill (?:it|them) (?:on|at|up)\b)"
)
_ILL: Final = {True: Expression(_ILL_ZH), False: Expression(_ILL_EN)}
_WELL: Final = {True: Expression(_WELL_ZH), False: Expression(_WELL_EN)}

_EITHER: Final = Expression(r"(\w)[不没]\1(?=\w)|有没有|会否|是否")
"""会不会, 介不介意, 有没有 ask as 会, 介意, 有 do."""
_SUGGESTS: Final = Expression("(?:该不会|不会|不是|不至于|总不会|别是|莫非)(?!不)(?=[^，,]*(?:吧|吗|么|呢|[?？]|$))")
"""What hopes for a no and asks the same: 他不会反悔吧."""
_NOT_ZH: Final = Expression("(?:不|没有?|未|别|莫|少|免)(?:太|再|怎么|去|能|肯|要|这么|那么|大|会|想|被)?$")
_NOT_EN: Final = Expression(r"(?:n't|\bnot|\bnever|\bno longer|\bwithout|\bno)(?: \w+){0,2} $")
_TAG: Final = Expression(
    r",? (?:(?:am|is|are|was|were|do|does|did|has|have|had|will|would|can|could)(?:n't)? (?:i|we|you|he|she|it|"
    r"they|there)|"
    r"right|surely|eh|huh|i hope)[?？!. ]*$"
)
_OPENS_DENIED: Final = Expression(
    r"^(?:and |but |so )?(?:won't|isn't|aren't|doesn't|don't|didn't|hasn't|haven't|wouldn't)\b"
)
_RIVAL: Final = Expression(
    r"对手|情敌|敌人|对家|竞争|"
    r"前[夫妻男女]|前任(?![老业店房租领])|小三|"
    r"\b(?:rivals?|opponents?|competit\w+|enem\w+|other (?:team|side)|exe?s?)\b"
)
"""Whose ill may be the asker's good."""
_ME: Final = Expression(r"我|咱|\b(?:me|us|my|our)\b")
_OF_ONESELF: Final = Expression(r"^(?:那|那么|那我|我|我们|咱们)?(?:该|应该|需要|要|可以|能)")
"""Asks what to do: 我要介意吗."""


_OF_NOUN_ZH: Final = Expression("[^，。？会能要肯]{0,12}的[^，。？]{0,8}(?:会|能|要|肯|被|是不是|\\w得[到了])")
"""What stands behind a word that only tells of whom it is asked: 骗我妈的那个人会被抓吗."""
_ASKED_ZH: Final = Expression("[会能肯要]")


class Governed(NamedTuple):
    """`is_ill`: what is asked after would be bad for the asker. `denied`: it is, as the question puts it, not so."""

    is_ill: bool
    denied: bool


def governed(text: Text, asked: Asking) -> Governed | None:
    """What the governing word of the clause that asks says; None if it has none, or nobody can tell."""
    chinese = text.chinese
    start, end = asked.clause
    clause = text.folded[start:end].strip()
    if not chinese and _TAG.match(f", {clause}"):
        # Of a tag alone, the clauses before it ask.
        start, end = asked.sentence
        clause = text.folded[start:end].strip()
    if chinese:
        clause = _EITHER.sub(lambda match: match[1] or match[0][0], clause)
        if _OF_ONESELF.match(clause):
            return None
    found = [
        (match.start(), -len(match[0]), is_ill)
        for is_ill, words in ((True, _ILL), (False, _WELL))
        if (match := words[chinese].search(clause))
    ]
    if chinese and found:
        at, size, _ = min(found)
        if _OF_NOUN_ZH.match(clause, at - size) and _ASKED_ZH.search(clause, 0, at) is None:
            return None
    if not found:
        return None
    start, _, is_ill = min(found)
    before = clause[:start]
    if _RIVAL.search(before) and not _ME.search(clause, start):
        return None
    if chinese:
        plain = _SUGGESTS.sub("", f"{before}\N{NO-BREAK SPACE}{clause[start:]}").partition("\N{NO-BREAK SPACE}")[0]
        suggests = len(plain) < len(before)
        denied = _NOT_ZH.search(plain) is not None
        return Governed(is_ill != denied, denied or suggests)
    if _NOT_EN.search(before):
        if _OPENS_DENIED.match(text.folded):
            return Governed(is_ill, denied=False)
        # They won't stiff me, will they: a no is hoped for.
        return Governed(is_ill, denied=True) if _TAG.search(text.folded) else None
    return Governed(is_ill, denied=False)
