"""What a follow-up wants to hear, by its words."""

import re
from typing import Final

from liuyao.reading.question.asks import Intent
from liuyao.reading.question.text import Text, pattern, sentences

_CHINESE: Final[tuple[tuple[Intent, str], ...]] = (
    (Intent.PLAIN, (
            "术语|大?白话|通俗|[说讲][到得]我?(?:明白?|懂|清楚)|浅显|[说讲]人话|听不懂|(?:太|好)(?:深奥|专业|复杂)|(?:简单|浅白|直白|容易懂)[^，。]{0,3}(?:点|些)?[^，。]{0,2}"
            "(?:字|话|方式|语言|[说讲])|[说讲]简单点|[用讲说].{0,4}简单[点些]?的?(?:字|话)"
        )),
    (Intent.LET_GO, (
            "放手|放弃|放下(?!心)|死心|算了|断了|撤(?:出|回|资)?[吗么好]|止损|退出|离开[他她]|还要坚持|坚持下去|"
            "继续坚持|要不要坚持|还值得|值不值得(?:等|坚持|继续)|有必要(?:等|坚持|继续)|忘了?[他她]|甘心|走人|认输|"
            "断掉|该断|强求|干脆(?:关|不|别|算)|关了(?:[吗算吧好]|$)|关掉|[不别][做干]了"
        )),
    (Intent.WAIT, (
            "等一?等|等下去|再等|继续等|要不要等|等着|先等|一直等|等(?:[到过](?!什么|何|几|哪))|不动|按兵不动|观望|先不|暂时不|缓一缓|"
            "等呢|等(?=[？?]|$)|等(?:[他她]|[上多]?(?:[一两二三半几]|[0-9]).{0,2}[年月周天])|不急(?:[着住]|于)|再(?:拖|缓|过)|"
            "再.{0,4}(?:[一两二三半几]|[0-9]+)个?(?:[年月周天阵]|星期|会儿)|先搁|缓缓|往后推|延期|拖着|拖一拖|拖(?=[^，。]{0,3}[年月周天])|"
            "晚一点|晚点|推迟|延后|先放一放|静观其变|静待|原地不动|什么都不做"
        )),
    (Intent.WHEN, (
            "什么时候|何时|时间|多久|几时|哪一?天|哪[一几]?个?月(?!(?:最|比较|更)?(?:好|旺|顺))|"
            "几月|几号|几天|应期|何日|什么日子|多快|啥时候|哪一?年|几年|"
            "多长|还要等|什么时间|多少天|快了吗|还远吗"
        )),
    (Intent.PERIOD, (
            "(?:下半年|上半年|明年|后年|今年|这个月|下个?月|本月|这周|下周|月底|年底|年初|春天|夏天|秋天|冬天|春节|"
            "[0-9一二三四五六七八九十]+月|明天|后天|今天|今晚|以后|将来|近期|半年内?|三个月内?)(?:之?[后前]|份|里|"
            "那边)?(?:的话)?(?:呢|怎么样|如何|怎样|会?好一?[些点]?吗|会好转|会不会|能不能|好不好|有机会|有戏)|"
            "哪个?月(?:最|比较|更)?(?:好|旺|顺)"
        )),
    (Intent.HOW_MUCH, (
            "多少(?!天|时间|年|日|个月|久)|多大(?!把握|机会|概率|希望|可能)|什么价|价格|数目|金额|几[万千百块]|几分|报价|开价"
        )),
    (Intent.LIKELY, (
            "几成|[概几机]率|成功率|胜算|可能性|百分之几|百分比|五五开|(?:多大|多少|几分)的?(?:把握|机会|概率|希望|可能)|"
            "(?:把握|机会|希望|可能)(?:有多|大[不吗概约]|多[大高]|高[不吗])"
        )),
    (Intent.WHERE, "方向|方位|哪里|哪儿|何处|地点|哪边|什么地方|哪个地方|哪个城市|往哪|去哪|在哪|哪一带|东南西北|位置"),
    (Intent.WHOM_TO_ASK, (
            "(?:哪|什么样?|谁|找谁|请谁|求谁|问谁|托谁)[^，。？]{0,8}(?:医生|医院|大夫|科室|律师|老师|中介|师傅|专家|"
            "部门|机构|贵人帮)|(?:看|挂|去|找)(?:哪|什么)[^，。？]{0,4}(?:医|科|院)|中医还是西医|西医还是中医|找谁|"
            "请谁|求谁|问谁|托谁|跟谁说|向谁|拜托谁|找哪位|该问谁|找什么人|谁能治|换个?医生|这个医生"
        )),
    (Intent.OTHERS_MIND, (
            "生我?的?气|还?在?气我|怎么想|怎样想|想什么|什么想法|啥想法|什么态度|态度|心里|心思|爱不爱我|爱我吗|还爱|喜不喜欢|喜欢我|"
            "在乎我|想我|对我.{0,8}(?:好感|感觉|意思|感情|看法|印象|真心|认真)|真心|怎么看我|打算|诚意|意思是|有没有别人|"
            "有别人|会同意|愿意吗|愿不愿意|恨我|后悔"
        )),
    (Intent.PEOPLE, (
            "谁|什么人|贵人|小人|对方|[他她](?!们的?时)|帮我|帮助|帮忙|别人|有没有人|第三者|竞争|对手|领导|家人"
        )),
    (Intent.WHICH, (
            "比(?!较|如|方|例|赛|分)[^，。？?]{1,12}(?:更|还|要)?(?:好|合适|强|划算|有利|靠谱)|"
            "还是|哪个(?!月|方|时|地|城|医)|哪一个|哪家|选哪|选谁|哪边更|哪种|二选一"
        )),
    (Intent.OBSTACLES, (
            "阻碍|阻力|障碍|困难|风险|问题在|问题出|卡在|不利|难在|坏处|麻烦|变数|危险|注意什么|要注意|需要注意|提防|"
            "小心什么|隐患|拦|最怕|要防|防什么|防着|忌讳|最坏|最差|最糟|坏到什么"
        )),
    (Intent.WHY, (
            "为什么|为何|为啥|原因|怎么回事|怎么会|根源|症结|凭什么|依据|根据(?!你|卦)|理由|何以见得|怎么(?:看|得|算|推)出来?的?|"
            "从哪里?看出|哪里看得?出"
        )),
    (Intent.SAY, (
            "(?<![跟和同对向给替])(?:我|[该要可想能])[^，。？?]{0,10}(?<![会经他她])(?:说|讲|写|发|回|聊)[点些]?(?:什么|啥)(?!意思|时候)|"
            "(?:说|讲|写|发|回|聊)[点些]?(?:什么|啥)话?(?:好|才|比较|合适|给)|"
            "怎[么样](?:跟|和|对|向|同|去|当面)[^，。？?]{1,8}(?:说|讲|开口|谈|提|解释)|怎[么样](?:开口|措辞|提起|表白|解释(?:给|才|比较|好))|"
            "(?<![你卦它爻上他她])怎[么样](?:说|讲|写|回)(?:才|好|比较|合适|他|她)|"
            "开场白|措辞|第一句|话术|哪句话|(?:一字一句|逐字)|(?:给|教)我[一几两]句|写给[他她]"
        )),
    (Intent.ACTION, (
            "怎么办|怎么做|如何做|该不该|要不要|应该|建议|如何处理|怎么处理|怎样才|怎么才|如何才|怎么挽回|怎么化解|"
            "化解|改善|补救|配合|挽救|使得上劲|能做(?:到|的|什么)|[能该](?!不能)[^，。？?]{0,8}[什么啥]么?(?!时候|意思|结果|程度|地方|人)(?=[？?。]|$)|做[点些]?(?:什么|啥)|做点什么|做些什么|主动|该怎么|怎么应对|策略|怎么准备|怎么说|怎么谈|怎么提高|"
            "如何提高|努力|需要做|可以做|现在可以|能不能(?:主动|先|去|再)|办法|可以(?:去|签|买|投|做|动)"
        )),
    (Intent.MEANING, (
            "什么意思|啥意思|(?:子孙|妻财|官鬼|兄弟|父母|世|应|卦)爻?(?:是|代表|指)(?:的|的是)?[什谁啥]|是什么(?:意思|卦|爻)?(?:意思|$|？|\\?)|这一?卦|卦象|变卦|本卦|[动世应用]爻|用神|六亲|"
            "旬空|月破|空亡|看不懂|没看懂|不明白|不太懂|怎么理解|解释一?下|几个意思"
        )),
    (Intent.LINE, "(?:哪|第几)[一个条根]*爻|哪[一]?[条根]|[爻根条](?:代表|是指|指的)|哪个(?:代表|是)[我他她]"),
    (Intent.INSTEAD, (
            "(?:如果|要是|假如|万一)(?!.{0,8}(?:等|拖|不动|缓))[^，。？?]{2,16}(?:呢|会怎|会不会|行吗|的话|有用)|(?:换成|改成|换个|换我|改由|换一)|"
            "的话(?:呢|会|$)|(?:有用|有差|有帮助)[吗么]"
        )),
    (Intent.CERTAINTY, (
            "真的?假的?(?=[？?]|$)|不会吧|不可能吧|(?:唔系|不是)[啩吧](?=[？?]|$)|准吗|准不准|有多准|准确|确定吗|肯定吗|一定吗|一定会|会变吗|会不会变|能改变|改变|注定|可信|靠谱吗|把握|"
            "有没有可能|万一|真的吗|真的会|可靠吗|绝对"
        )),
    (Intent.OUTCOME, (
            "到底(?:能|会|成|行)|究竟(?:能|会|成|行)|最后|最终|结果|结局|能不能成|会不会成|能成吗|成不成|有没有希望|"
            "有希望|有戏|还有机会|有没有机会|机会|成功|好转|转机|能成|行不行|可行|顺利|吉凶|是好是坏|好还是坏|是不是|能不能|"
            "会不会|能否|是否|[能会][^，。？?]{1,14}[吗么]"
        )),
    (Intent.MORE, (
            "详细|具体|再说|多说|展开|细说|说说|讲讲|继续(?:说|讲)?$|还有(?:什么|别的|其他|吗)|补充|仔细|总结|概括|"
            "简单(?:说|讲)"
        )),
)  # fmt: skip

_ENGLISH: Final[tuple[tuple[Intent, str], ...]] = (
    (Intent.PLAIN, (
            r"\b(?:without (?:the |any |all the )?(?:terms|jargon|technical)|(?:no|less|drop the|skip the) jargon|"
            r"(?:in |use |with )?(?:plain|simpler?|normal|everyday) (?:english|words|language|terms)|layman\w*|"
            r"dumb it down|break (?:it|that|this) down|spell (?:it|that) out|walk me through|"
            r"(?:put|say|explain) (?:it|that|this) (?:more )?simply|eli5|"
            r"(?:don't|didn't|do not|did not|can't|couldn't) (?:really )?(?:understand|follow|get) (?:a|any|one|half|"
            r"most|all|much|what you|that|this|it)|makes? no sense|lost me)\b"
        )),
    (Intent.LET_GO, (
            r"\b(?:let (?:go|it go|him go|her go|them go)|letting go|give up|giving up|move on|moving on|walk away|"
            r"cut my losses|pull out|stop trying|is it over|worth (?:waiting|continuing|holding|fighting|keeping|it)|"
            r"forget (?:him|her|about)|keep (?:trying|going|fighting)|hold on(?! a\b)|hang on|quit|back out|drop it)\b"
        )),
    (Intent.WAIT, (
            r"\b(?:wait|waiting|do nothing|hold off|hold on a|hold out|hold back|postpone|delay|put it off|"
            r"be patient|patience|sit tight|stay put|leave it|later instead|"
            r"give (?:it|him|her|them|this) (?:a (?:few|little|bit|couple)|some|more|another|time|until)|"
            r"what if (?:i|we) .{1,30}\b(?:first|later|next year)|take a (?:gap|break|year))\b"
        )),
    (Intent.WHEN, (
            r"\b(?:when(?! (?:he|she|i|we|they|it|the|my) )|how (?:long|soon)|what (?:date|month|day|time|year)|"
            r"which (?:month|day|week|year)(?! (?:is|will be|would be) (?:the )?(?:best|luckiest|better|good|"
            r"most favou?rable))|"
            r"timing|time ?frame|how many (?:days|weeks|months|years)|by when|"
            r"how much longer|any sooner|(?:any|a|in) (?:particular|specific|certain) (?:month|date|day|time|year|"
            r"week)|what part of)\b"
        )),
    (Intent.PERIOD, (
            r"\b(?:what about|how about|how (?:is|will|does|are)|and|in|will|anything|"
            r"what happens)\b.{0,30}\b(?:second half|first half|next (?:year|month|week|spring|summer|autumn|fall|"
            r"winter)|this (?:year|month|week|summer|winter|spring|autumn)|later (?:this|in the) year|end of (?:the|"
            r"this) (?:year|month)|coming (?:months|weeks|year)|tomorrow|autumn|spring|summer|winter|january|february|"
            r"march|april|june|july|august|september|october|november|december|long run|future)\b|"
            r"\bwhich month (?:is|will be|would be) (?:the )?(?:best|luckiest|better|good|most favou?rable)\b"
        )),
    (Intent.HOW_MUCH, (
            r"\b(?:how (?:much|many|big|high|large)(?! (?:longer|time|days|weeks|months|years))|what price|what sum|"
            r"amount)\b"
        )),
    (Intent.LIKELY, (
            r"\b(?:how (?:likely|probable)|odds|chances|probabilit\w+|likelihood|percent\w*|fifty.fifty|"
            r"out of (?:ten|10|100)|one to ten|how (?:good|big|slim) (?:is|are) (?:the|my|our|his|her) chances?)\b"
        )),
    (Intent.WHERE, (
            r"\b(?:where|direction|which way|what place|which place|location|which city|north|south|east|west)\b"
        )),
    (Intent.WHOM_TO_ASK, (
            r"\b(?:(?:which|what kind of|what sort of|what type of|another|different|right|good) (?:doctor|hospital|"
            r"specialist|lawyer|teacher|therapist|clinic|surgeon|agent|vet|department|person to ask)|whom? (?:should|"
            r"can|could|do|shall|would) (?:i|we) (?:ask|turn to|talk to|see|go to|consult|contact|approach|speak|hire|"
            r"call|trust)|see a (?:doctor|specialist|lawyer|therapist)|second opinion|change doctors?|this doctor|"
            r"turn to)\b"
        )),
    (Intent.OTHERS_MIND, (
            r"\b(?:what (?:does|do|is|are) .{0,30}\b(?:think|feel|want|thinking|feeling|intend|intentions?|planning)|"
            r"how (?:does|do) .{0,30}\b(?:feel|think|see)|(?:does|do|is|are) (?:he|she|they|the other side|"
            r"my \w+)\b.{0,20}\b(?:love|like|miss|want|care|regret|think|serious|sincere|interested|angry|mean it|"
            r"trust|agree|willing)|(?:his|her|their) (?:feelings|intentions|thoughts|attitude|mind|side)|"
            r"feelings for me|someone else|another (?:man|woman))\b"
        )),
    (Intent.PEOPLE, (
            r"\b(?:who|whom|anyone|someone|somebody|people|the other side|he|she|they|rivals?|competit\w+|helper|"
            r"enem\w+|third party|boss|family)\b"
        )),
    (Intent.WHICH, (
            r"\b(?:which (?:one|of (?!the lines|these lines)|option|offer|is better|would)|or should i|"
            r"(?:better|worse|safer|wiser|cheaper|smarter)\b.{0,20}\bthan|better option|option a|option b|"
            r"the first or the second|either)\b"
        )),
    (Intent.OBSTACLES, (
            r"\b(?:obstacles?|difficult\w*|risks?|problems?|hinder\w*|block\w*|in the way|wrong|worst|danger\w*|"
            r"watch out|be careful|beware|avoid|downside|drawback|stand(?:s|ing)? between|warning|trouble|against me|"
            r"look out|pitfalls?|catch|make (?:it|this|us|me) fail|fall through)\b"
        )),
    (Intent.WHY, (
            r"\b(?:why|how come|reason\w*|cause|what makes|based on|base (?:that|this|it) on|basis|grounds|how so|"
            r"how (?:did|do|can|could|would) you (?:come|get|arrive|know|tell|see|work|conclude|say|figure)|"
            r"what (?:tells|told|led) you|"
            r"where (?:does (?:that|this|it) come from|do you get|did you get)|evidence)\b"
        )),
    (Intent.SAY, (
            r"\b(?:what (?:exactly |precisely |on earth |words )?(?:should|do|can|could|would|shall|must|might) "
            r"(?:i|we) (?:actually |even |then |exactly )?(?:say|tell|write|text|reply|answer|message)|"
            r"what (?:to|i should|i could) (?:say|tell|write|text|reply|message)|word for word|"
            r"(?:exact|right|best) (?:words|wording)|opening line|first sentence|wording|"
            r"how (?:exactly )?(?:should|do|can|could|would|shall) (?:i|we) (?:actually |even )?(?:word|phrase|put|say|"
            r"break|bring (?:it|this|that|up)|raise|explain (?:it|this|that|myself)|open (?:it|the)|"
            r"tell (?!if|whether|when))|"
            r"how to (?:word|phrase|put|say|break|bring up|tell (?!if|whether|when))|"
            r"(?:draft|script|write) (?:a |the |me )?(?:\w+ )?(?:message|text|email|letter|reply|script|words)|"
            r"give me (?:a line|the words|a script))\b"
        )),
    (Intent.ACTION, (
            r"\b(?:what (?:should|can|could|must|do) (?:i|we|he|she|they|my \w+) (?:do|say|change|prepare)|"
            r"should i|should we|how (?:can|do|"
            r"should|could) (?:i|we)|advice|what to do|what do you (?:suggest|recommend|advise)|what can be done|"
            r"what (?:can|should|could) .{1,20}\bdo\b|(?:in|within) my (?:power|hands|control)|"
            r"anything (?:i|we) (?:can|could|should)|(?:i|we) (?:can|could) do\b|my part|improve|"
            r"fix (?:it|this)|next (?:step|move)|help it along|best (?:way|approach|strategy)|make it (?:happen|work)|"
            r"prepare|reach out|take the initiative|remedy|can i (?:still )?(?:do|change|sign|buy|go|start))\b"
        )),
    (Intent.MEANING, (
            r"\b(?:what (?:does|do|is|are) (?:that|this|it|the|a|世爻|应爻|用神|hexagram|changing|"
            r"moving)\b.{0,40}\b(?:mean|line|lines|hexagram|god|void|terms?|symbol)|meaning|explain|understand|"
            r"what (?:does|do|did) .{1,40}\bmean\b|hexagram|changing lines?|moving lines?|confus\w+)\b|[一-鿿]"
        )),
    (Intent.LINE, (
            r"\b(?:which (?:(?:one )?of (?:the|these|those) )?lines?|what line|which symbol|who is who|"
            r"line (?:is|am|are|for|of|stands? for|shows?) (?:me|him|her|mine|his|hers|the|my|us))\b"
        )),
    (Intent.INSTEAD, (
            r"\b(?:what if|suppose|supposing|say|imagine|and if|if) (?:i|we|he|she|they|my \w+) "
            r"(?!wait|hold|do nothing|put it off|leave it)|\binstead\b|"
            r"\bhow about \w+ing\b|\b(?:would|does|will) it (?:help|change|make a difference)\b"
        )),
    (Intent.CERTAINTY, (
            r"^[ ]*(?:oh )?(?:really|seriously|honestly|no way)[?!. ]*$|\b(?:sure|certain\w*|accurate|are you kidding|"
            r"you must be (?:joking|kidding)|hard to believe|reliable|"
            r"can (?:it|this|that) (?:change|be changed)|fixed|set in stone|"
            r"definite\w*|guarantee\w*|confiden\w+|could (?:it|this) be wrong|really true|"
            r"destiny|fate)\b"
        )),
    (Intent.OUTCOME, (
            r"\b(?:will (?:it|this|i|we|he|she|they|my|the)|is (?:it|there|this)(?: still)?(?: going to| any|"
            r" a)? ?(?:hope|chance|possible|work|happen)?|hope|chance|outcome|result|end (?:well|up|badly)|in the end|"
            r"work out|succeed|happen|turn out|still possible|yes or no|good or bad|possible)\b"
        )),
    (Intent.MORE, (
            r"\b(?:more|details?|elaborate|go on|continue|anything else|summar\w+|in short|expand|further|"
            r"else should i know)\b"
        )),
)  # fmt: skip

_NEARER: Final = {
    Intent.CORRECTION: {*Intent} - {Intent.CORRECTION},
    Intent.DOUBT: {Intent.OUTCOME, Intent.WHY, Intent.CERTAINTY, Intent.PEOPLE, Intent.LIKELY, Intent.CONFIRM},
    Intent.REPEAT: {Intent.OUTCOME, Intent.MORE, Intent.PLAIN, Intent.CONFIRM},
    Intent.CONFIRM: {Intent.OUTCOME, Intent.PEOPLE, Intent.WHICH, Intent.LET_GO, Intent.CERTAINTY},
    Intent.WHO: {
        Intent.HOW_MUCH,
        Intent.PEOPLE,
        Intent.OUTCOME,
        Intent.WHICH,
        Intent.OTHERS_MIND,
        Intent.WHERE,
        Intent.BEYOND,
    },
    Intent.METHOD: {
        Intent.MEANING,
        Intent.WHY,
        Intent.CERTAINTY,
        Intent.LINE,
        Intent.OUTCOME,
        Intent.DOUBT,
        Intent.WHEN,
    },
    Intent.NEW_CAST: {Intent.CERTAINTY, Intent.MEANING, Intent.OUTCOME, Intent.WHEN, Intent.ACTION, Intent.INSTEAD},
    Intent.BEYOND: {Intent.HOW_MUCH, Intent.WHERE, Intent.PEOPLE, Intent.WHICH, Intent.OBSTACLES, Intent.OUTCOME},
    Intent.SAY: {
        *(Intent.ACTION, Intent.BEYOND, Intent.METHOD, Intent.PEOPLE, Intent.OTHERS_MIND, Intent.MEANING, Intent.WHY),
        *(Intent.OUTCOME, Intent.WHOM_TO_ASK, Intent.PLAIN, Intent.MORE, Intent.INSTEAD, Intent.WHICH, Intent.REPEAT),
        *(Intent.WHO, Intent.CONFIRM, Intent.NONE, Intent.CERTAINTY, Intent.LET_GO),
    },
    Intent.PLAIN: {
        Intent.DOUBT,
        Intent.METHOD,
        Intent.REPEAT,
        Intent.MEANING,
        Intent.MORE,
        Intent.OUTCOME,
        Intent.WHY,
        Intent.ACTION,
        Intent.WHEN,
    },
    Intent.WHOM_TO_ASK: {Intent.PEOPLE, Intent.WHICH, Intent.ACTION, Intent.WHERE},
    Intent.OTHERS_MIND: {Intent.PEOPLE, Intent.OUTCOME},
    Intent.LET_GO: {Intent.ACTION, Intent.PEOPLE, Intent.WHICH, Intent.OUTCOME},
    Intent.WAIT: {Intent.ACTION, Intent.PERIOD, Intent.PEOPLE, Intent.WHICH, Intent.OUTCOME, Intent.MORE},
    Intent.WHEN: {Intent.WHICH, Intent.LIKELY, Intent.OUTCOME, Intent.PEOPLE, Intent.PERIOD},
    Intent.WHERE: {Intent.OUTCOME, Intent.PEOPLE, Intent.ACTION, Intent.PERIOD},
    Intent.HOW_MUCH: {Intent.OUTCOME, Intent.PERIOD, Intent.PEOPLE, Intent.CERTAINTY},
    Intent.LIKELY: {Intent.HOW_MUCH, Intent.CERTAINTY, Intent.OUTCOME, Intent.PEOPLE},
    Intent.LINE: {Intent.MEANING, Intent.WHICH, Intent.OUTCOME, Intent.PEOPLE, Intent.WHOM_TO_ASK, Intent.WHERE},
    Intent.INSTEAD: {Intent.OUTCOME, Intent.ACTION, Intent.PEOPLE, Intent.MORE},
    Intent.PERIOD: {Intent.OUTCOME, Intent.MEANING, Intent.PEOPLE},
    Intent.WHY: {Intent.OUTCOME, Intent.PEOPLE, Intent.OBSTACLES, Intent.MEANING, Intent.WHERE},
    Intent.ACTION: {Intent.OUTCOME, Intent.MEANING},
    Intent.OBSTACLES: {Intent.OUTCOME, Intent.MEANING, Intent.WHERE},
    Intent.WHICH: {Intent.OTHERS_MIND, Intent.OUTCOME, Intent.ACTION, Intent.PEOPLE},
    Intent.PEOPLE: {Intent.OUTCOME},
    Intent.MEANING: {Intent.OUTCOME, Intent.MORE},
    Intent.CERTAINTY: {Intent.OUTCOME},
    Intent.MORE: {Intent.OUTCOME},
}
"""What an intent covers when both are found in one sentence."""


_ASKS_WHO: Final = re.compile(
    "[谁帮]|什么人|贵人|小人|对方|别人|第三者|竞争|对手|领导|家人|"
    r"\b(?:who|whom|anyone|someone|somebody|people|other side|rivals?|competit\w+|helper|enem\w+|third party|boss|"
    r"family)\b"
)


def intents(text: Text) -> tuple[Intent, ...]:
    """Return the intents, in the order of `Intent`."""
    found: set[Intent] = set()
    for start, end in sentences(text.folded):
        part = text.folded[start:end]
        named = [intent for intent, words in (_CHINESE if text.chinese else _ENGLISH) if pattern((words,)).search(part)]
        if not _ASKS_WHO.search(part):
            # 他该怎么办, 他会改吗: a pronoun alone asks for no one.
            named = [intent for intent in named if intent is not Intent.PEOPLE]
        covered = set().union(*(_NEARER.get(item, set()) for item in named))
        found |= set(named) - covered
    return tuple(item for item in Intent if item in found)


def covers(one: Intent, other: Intent) -> bool:
    """Whether an intent is another or covers it."""
    return one is other or other in _NEARER.get(one, ())
