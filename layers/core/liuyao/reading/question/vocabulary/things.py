"""What things and deeds stand for, where a matter has several lines to look at."""

from typing import Final

from liuyao.divination import Relation
from liuyao.reading.question.text import Expression

LOST: Final[tuple[tuple[Relation, str], ...]] = (
    (
        "父母",
        (
            "证(?!明我)|文件|合同|护照|驾照|车(?!上|里|站|间|厢|库|祸|钥匙)|衣|外套|裤|裙|帽|鞋|围巾|手套|被子|伞|"
            "(?<!秘)书(?!包|房|桌|架)|信(?!用|心)|手机|票|文凭|户口本|档案|笔记|资料|日记|船|"
            r"\b(?:passports?|(?:id|identity) card|documents?|papers?|contract|certificates?|cars?|bikes?|bicycle|"
            r"motorbike|scooter|van|boat|coat|jacket|clothes|dress|shirt|"
            r"shoes?|hat|scarf|gloves?|umbrella|books?|notebook|diary|letters?|phones?|mobile|licen[cs]es?|tickets?|"
            r"visa|diploma|files?)\b"
        ),
    ),
    (
        "子孙",
        (
            r"猫|狗|宠物|鸟|兔|龟|鹦鹉|仓鼠|牛|羊|猪|鸡|鸭|马(?!上|路|桶)|犬|药(?!箱)|\b(?:cats?|dogs?|pets?|birds?|"
            r"parrot|kitten|puppy|rabbit|hamster|tortoise|horse)\b"
        ),
    ),
)
"""What was lost, where that is not plain property (妻财): 文书车衣 are 父母, animals 子孙."""

GONE: Final = (
    r"[^，。的]{0,4}(?:走?丢|不见|失踪|跑|找不到|找不着)|"
    r" (?:is|has|went|been|'s) ?(?:been )?(?:missing|lost|disappeared)"
)
"""After somebody's name."""

KEYS: Final = "车钥匙|car keys?|钥匙|手机壳|书包|书桌|phone case|bookcase|car key"
"""Property, whatever it belongs to."""

PURPOSE: Final[tuple[tuple[str, str], ...]] = (
    ("love", r"结婚|领证|订婚|婚礼|办酒|摆酒|求婚|嫁|娶|\b(?:wedding|marr\w+|engage\w*|propos\w+)\b"),
    (
        "wealth",
        (
            r"开业|开张|开市|开店|剪彩|签单|收款|投资|\b(?:opening|open(?: the| my| our)? (?:shop|store|business|"
            r"restaurant|cafe)|launch\w*|business|invest\w*)\b"
        ),
    ),
    (
        "documents",
        (
            r"搬|乔迁|入宅|装修|动土|破土|奠基|上梁|安床|签约|签合同|提车|登记|\b(?:mov(?:e|ing)|housewarming|"
            r"renovat\w+|sign\w*|contract|break ground|build|car)\b"
        ),
    ),
    (
        "career",
        (
            r"跳槽|辞职|离职|换工作|上任|入职|投简历|提加薪|调动|\b(?:quit|resign\w*|transfer|apply|job|promotion|"
            r"hand in my notice)\b"
        ),
    ),
    ("children", r"剖腹产|剖宫产|生孩子|\b(?:c-section|caesarean|birth)\b"),
)
"""What a day is chosen for: its matter's 用神 is that of the day."""

WOMAN_ASKS: Final = (
    r"我是女|女占|女问|女测|本人女|女方问|妹子一枚|\b(?:as a woman|i am a woman|i'm a woman|i am female|"
    r"female here)\b|^女[，, 生]"
)
"""She asks, so a man is asked about (女占男以官鬼)."""

MAN_ASKS: Final = (
    r"我是男|男占|男问|男测|本人男|男方问|\b(?:as a man|i am a man|i'm a man|i am male|male here)\b|^男[，,"
    r" 生]"
)
"""He asks, so a woman is asked about (男占女以妻财)."""

HER_MAN: Final = (
    r"学长|师兄|男神|良人|郎君|夫君|真命天子|白马王子|嫁|他娶我|娶我|当妈|男人|男生|老公|未来丈夫|"
    r"my (?:future )?husband|"
    r"(?<!a )\bmr right"
)
HIS_WOMAN: Final = r"学姐|学妹|师妹|女神|佳人|淑女|贤妻|良妻|娶(?!我)|女人|女生|老婆|未来妻子|my (?:future )?wife"

TEACHER_HIRED: Final = (
    r"(?:请|聘|聘请|找|换)(?:一?[个位名]|[这那][个位名]?|我?)?[^，。]{0,6}(?:老师|家教|严师|师傅|教练|塾师|"
    r"先生|私教)[^，。]{0,4}(?:来|教|给|带|辅导|好|合适|行)|\b(?:hire|engage|get|find) (?:this|that|the|a|an|"
    r"my \w+ a)\b.{0,16}\b(?:tutor|teacher|coach)\b"
)
"""延师: the one who is engaged is the other side, 应."""

MAKES_PEACE: Final = r"和好|和解|闹翻|原谅|冷战|\b(?:reconcil\w+|forgiv\w+|make up|fall out|fell out)\b"
"""What any two people may do, not only two who love."""

HARMS_ME: Final = (
    r"(?:害|陷害|坑害|加害|伤害|报复|暗算|举报|诬陷|算计|整|搞|坑|出卖|背叛|连累|拖累)我|\b(?:harm|hurt|"
    r"betray|sabotage|frame|report|attack|use|blame|take revenge on) (?:me|us)\b"
)
"""避祸: the asker is the 用神."""

ATTITUDE: Final = (
    r"同意|答应|赞成|支持|反对|接受|祝福|介意|阻止|拒绝|认可|成全|松口|点头|\b(?:agree|accept|approve|support|"
    r"oppose|against|object|bless|consent|allow|let|mind|forgive|say yes)\b"
)
"""What somebody decides about the asker's matter: that one is the 用神."""

BIRTH: Final = (
    r"分娩|临产|临盆|顺产|剖腹产|剖宫产|生产|坐月子|母子平安|大出血|产后|\b(?:labou?r|birth|delivery|"
    r"childbirth|c-section|caesarean|give birth|giving birth)\b"
)
"""Of the mother: the one who gives birth is the 用神."""

RECENT_ILLNESS: Final = (
    r"近病|刚|这几天|这两天|昨天|前天|昨晚|感冒|发烧|急性|急病|突然|忽然|新病|\b(?:suddenly|this week|flu|"
    r"cold|fever|yesterday|acute|just (?:fell|got|became)|since (?:yesterday|monday|last night)|last night)\b"
)
"""近病."""

LONG_ILLNESS: Final = (
    r"久病|慢性|多年|常年|长期|半年|老毛病|好几年|几年了|[一两二三四五六七八九十]年了?|\b(?:chronic|"
    r"for (?:many |several |\w+ )?(?:years|months)|long-term|lifelong|for ages)\b"
)
"""久病."""

WHAT_ABOUT: Final = (
    r"呢(?:[？?。！!]|$)|(?:怎么样|如何|怎样)(?:[？?]|$)|^[ ]*(?:换成|换作|如果是)|"
    r"\b(?:what about|how about|and (?:for )?(?:my|our|the|his|her|their)|same (?:goes? )?for|as for|"
    r"(?:be|is it|any) different for|look at (?:my|our))\b"
)
"""A follow-up turns to somebody else."""

MEDICINE: Final = (
    r"(?:药|这[帖剂副服]|疫苗|偏方|方子|抗生素|激素|针剂|膏药|汤剂|保健品|补品)[^，。]{0,10}(?:有没有?[用效]|有用|有效|管用|管不管用|见效|"
    r"奏效|效果|灵|对症|起作用|没用|无效|治得好|能治|吃对|帮助|合适|适合|好不好|行不行|怎么样)|"
    r"(?:吃|服|用|打|敷|换)(?:了|的|这|那|完|过)?[^，。]{0,4}(?:药|针)[^，。]{0,4}(?:有没有?[用效]|有用|有效|管用|会好|好得)|"
    r"\b(?:medic\w+|vitamins?|drugs?|pills?|tablets?|antibiotics?|vaccines?|jabs?|injections?|ointment|remed(?:y|ies)|herbs?|"
    r"supplements?|prescription|inhaler|insulin|painkillers?|antidepressants?|statins?|"
    r"cream|drops)\b[^,.;]{0,40}\b(?:work\w*|"
    r"help\w*|effective|any good|good for|right|suit\w*|clear|cure|kick in|do (?:me|any))\b"
)
"""占药: what a medicine does is read from 子孙."""

HIRES: Final = (
    r"(?<![应受竞被])(?:招|聘|雇)(?:得到|不到|到|来|个|用|请|一[个位名]|[这那第][一二三]?[个位名])?(?!我|聘)[^，。我]{0,5}(?:人|员|工|手|者|师傅|"
    r"第[一二三]个)|"
    r"\b(?:should|shall|can|could|do|will|to) (?:(?:i|we) )?(?:\w+ )?(?:hire|employ|recruit|take on)\b|"
    r"\b(?:i|we|i've|we've) (?:have )?(?:hired|employed|took on|recruited)\b"
)
"""占仆: the one whom the asker engages is 妻财."""

TRUSTED: Final = (
    r"信[得不]过|信不信得过|靠[得不]住|靠不靠得住|靠谱|可靠|可信|值得信|老实|手脚干净|"
    r"(?:水平|技术|手艺|能力|人品|本事)[^，。]{0,4}(?:好|行|高|如何|怎么?样)|好不?好?(?:相处|说话)|好不好处|"
    r"\b(?:trust\w*|reliable|honest|rely on|dependable|any good|up to (?:it|the job|scratch)|"
    r"know\w* (?:his|her|their) (?:job|stuff))\b"
)
"""Whether somebody may be trusted is asked of that one."""

OWN_DEED: Final = Expression(
    r"搬(?!家公司)|退租|反悔|变卦|毁约|违约|耍赖|赖账|认账|跑路|放[我们]*(?:鸽子|鸟)|罢休|收敛|消停|收手|翻脸|守信|履约|兑现|说话算|"
    r"算数|回(?:复|信|我|电)|联系我|露面|出现|出尔反尔|撑[得不]|倒闭|关门|拆伙|撤资|退出|改主意|肯不肯|愿不愿|"
    r"\b(?:move out|moving out|leave|leaving|stay(?:ing)?|last|stop|quit|give up|go (?:bust|under)|close down|back out|"
    r"pull out|drop out|ghost\w*|flake|change (?:his|her|their) minds?|keep (?:his|her|their) word|turn up|show up|"
    r"answer|reply|call (?:me )?back|come round|behave|calm down)\b"
)
"""What one does of one's own accord, and what becomes of it, is asked of that one."""

BRINGS: Final = Expression(
    r"(?:让|令|使得?|劝[说服动]?|说服|说动|叫|催|哄|逼|鼓励|督促)(?:我们?的?|我家的?|自己的?)?$|"
    r"\b(?:get|make|persuade|convince|encourage|motivate|push|urge|coax|stop)"
    r"(?: (?:my|our|the))?(?: (?:old|young|teenage|little|dear))? $"
)
"""Before somebody whom the asker would bring to do something: what becomes of it is asked of that one."""

OWNS: Final = Expression(r"的(?!话)|'s |s?' ")
"""After somebody of whose thing or deed a text speaks."""

SHARES_A_HOME: Final = r"室友|舍友|同屋|同寝|(?:room|flat|house|dorm)[- ]?mates?\b"
"""Who lives with the asker and is no partner."""

COURTS: Final = (
    r"爱上(?![看学读画弹跑写做运阅数吃打跳下游唱种])|相爱|恋|表白|告白|在一起|追[我他她求]|吻|心动|对象|交往|求婚|"
    r"\b(?:in love|love me|dating|date|crush|romantic\w*|kiss\w*|feelings for|girlfriend|boyfriend|marry|propose)\b"
)
"""What one asks of somebody whom one loves or might."""

PAYS: Final = (
    r"发|给|加(?!班)|涨|提|付|结|批|兑现|分|出(?=[^，。]{0,3}(?:粮|薪|双|奖))|拖欠|欠|扣|\b(?:pay|pays|give|gives|raise|grant|"
    r"approve|owe|withhold|cut|hand out)\b"
)
"""What one who has the money does: the money is asked about, not the payer."""

COURT: Final = Expression(r"法官|警察|官府|院长|judge")
"""Who decides a lawsuit is neither side."""

BUSINESS: Final = (
    r"合伙|合作|生意|项目|谈判|签|投资|开店|公司|股|客户|\b(?:business|deal|contract|negotiat\w+|partner\w*|"
    r"venture|project|cooperat\w+|collaborat\w+)\b"
)
