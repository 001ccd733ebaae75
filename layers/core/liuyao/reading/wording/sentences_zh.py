"""The sentences that carry a reading and a follow-up answer, in Simplified Chinese, and the tables beside them."""

from typing import Final

SENTENCES: Final = {
    # Labels
    "line": "{place}{relation}{branch}",
    "hidden": "{place}之下的{relation}{branch}",
    "use": "{relation}{branch}",
    "focus": "用神",
    "use keyword": "用神{relation}",
    "month": "{branch}月",
    "day": "{branch}日",
    "hour": "{branch}时",
    "moves": "发动",
    "stirs": "暗动",
    "rescue moves": "自身发动",
    "rescue day": "得日辰相助",
    "likewise": "{actor}也是如此",
    "separator": "；",
    "comma": "、",
    "stop": "。",
    # The cast
    "asked": "所问：“{question}”",
    "cast": "{month_pillar}月{day_pillar}日起卦，旬空{void}（这十天里暂时落空），得{gua}",
    "cast changing": "{month_pillar}月{day_pillar}日起卦，旬空{void}（这十天里暂时落空），得{gua}之{target}，"
    "动爻是{lines}",
    "plate": "六爻自下而上：{lines}",
    "plate line": "{use}{marks}",
    "plate marks": "（{marks}）",
    "plate world": "世为你",
    "plate response": "应为对方",
    "plate moving": "动",
    # The choice of 用神, by `Choice`
    "party": "{party}",
    "focus intro": "此问以{relation}为用神",
    "世爻": "此问以世爻为用神，也就是看你自己：{line}",
    "应爻": "此问以应爻为用神，代表对方：{line}",
    "独现": "{intro}，卦中独见{line}",
    "临月日": "{intro}，这样的爻不止一个，取正当月建或日辰的{line}",
    "发动": "{intro}，这样的爻不止一个，取发动的{line}",
    "持世": "{intro}，这样的爻不止一个，取落在世爻上的{line}",
    "不破": "{intro}，这样的爻不止一个，取没有被月份冲破的{line}",
    "不伤": "{intro}，这样的爻不止一个，取没有被日辰冲破的{line}",
    "不空": "{intro}，这样的爻不止一个，取不落旬空的{line}",
    "临应": "{intro}，这样的爻不止一个，取落在应爻上的{line}",
    "近世": "{intro}，这样的爻不止一个，取离世爻最近的{line}",
    "伏神": "{intro}，六爻里没有，取伏在{line}，也就是伏神",
    "assumed": "问题没有说明由男方还是女方来问，这里按男占取妻财",
    # The other lines
    "at rest": "六爻安静，没有哪一爻来生它或克它",
    "only stirred": "六爻安静，只有{lines}暗动，还不足以生克用神",
    "only itself stirred": "六爻安静，只有用神自身暗动，没有别的爻来生它或克它",
    "untouched": "卦中虽有动爻，都不足以生克用神",
    "ghost in hand": "卦中所动，应在子孙制鬼",
    "only itself": "动的只有用神自身，没有别的动爻生克它",
    "alone": "{actor}独发，也就是全卦只有它在动，事情的关键多在这一爻",
    "emerges": "合看飞神、月建、日辰，伏神可以得出",
    "stays under": "合看飞神、月建、日辰，伏神一时不得出",
    # The verdict
    "上上签": "帮忙的（生扶）明显多过拦着的（克害）",
    "中上签": "帮忙的（生扶）不少于拦着的（克害）",
    "中下签": "拦着的（克害）多过帮忙的（生扶）",
    "下下签": "拦着的（克害）远远多过帮忙的（生扶）",
    # Advice
    "help": "{people}能帮上忙",
    "harm": "阻力可能来自{people}",
    "harm in illness": "留意{people}带来的影响",
    "in its time": "时机到了再动：{action}",
    "health short": "病情还是听医生的",
    "illegal short": "这可能犯法，先问律师",
    "legal short": "动之前先请律师看一看",
    "finance short": "投入之前先核实风险",
    "pregnancy short": "孕产之事以产检和医生的话为准",
    "stakes short": "不要为一卦动用全部积蓄，先问过专业人士",
    "health": "卦断不能代替诊断，病情请以医生的意见为准",
    "illegal": "这可能犯法，也可能伤到人，再好的卦也不是做它的理由；若有人逼你做，请报警或找律师",
    "legal": "卦断不能代替法律意见，重要步骤请咨询律师",
    "finance": "卦断不能代替专业的财务意见，投入之前请自行核实风险",
    "pregnancy": "孕产之事请以产检和医生的意见为准，卦断不能代替",
    "stakes": "不要因为一卦就动用全部积蓄、借款或抵押，先算清能承受的损失，问过专业人士再定",
    # Instead of verdict and action, beside a grave caution
    "held": "要不要这样做，由你和{who}来定，卦只是旁边的一种看法",
    "held outlook": "这件事会怎样，不能拿一卦去押，先和{who}把情形理一遍",
    "lean well": "迹象是偏向你这边的，{end}",
    "lean later": "迹象是偏向你这边的，只是要等些时候，{end}",
    "lean ill": "眼下的迹象不太站在你这边，{end}",
    "lean decision": "怎么定，还是由你和{who}一起商量",
    "lean outlook": "实际到了哪一步，{who}最清楚",
    "who decides health": "医生",
    "who decides pregnancy": "医生",
    "who decides legal": "律师",
    "who decides illegal": "律师",
    "who decides finance": "懂财务又不靠它赚钱的人",
    "who decides stakes": "懂财务又不靠它赚钱的人",
    "considered": "先和{who}商量过，再定这一步",
    # The cast of a question that was asked before
    "asked again": "这件事你刚才已经问过一次，以头一次的话为准",
    "asked often": "同一件事问了又问，多半是心里放不下；卦就停在这里，先去喝口水、走一走，情形有变再问",
    "first stands": "头一卦说过的话仍然算数，这一卦只把卦象列在下面，不再另下断语",
    # 应期, by `Wait`
    "伏神出现": "应期要等伏神出来：看{first}，或冲开飞神的{second}",
    "出空填实": "应期要等{subject}出空：看{first}把它填实，或{second}把它冲实",
    "填破": "应期要等月破补上：看{first}，或与它相合的{second}",
    "冲开墓库": "{subject}收在墓里，应期要等冲开的{first}",
    "冲开合绊": "{subject}被合住，应期要等冲开的{first}",
    "冲去变爻": "变出来的那一爻在为难，应期看把它冲去的{first}，或{subject}当值的{second}",
    "冲去变爻 once": "变出来的那一爻在为难，应期看{first}，既把它冲去，又正好{subject}当值",
    "变爻出空": "变出来的那一爻旬空，应期要等它出空的{first}",
    "变爻值日": "应期也看变出来那一爻当值的{first}",
    "伏吟待冲": "{subject}伏吟，原地打转，应期要等把它冲动的{first}",
    "subject": "用神",
    "旺极待墓": "{subject}太旺，应期要等它收敛的{first}（入墓），或被冲的{second}",
    "动待值合": "{subject}已经在动，应期看它当值的{first}，或与它相合的{second}",
    "暗动待值合": "{subject}被日辰冲动，应期看它当值的{first}，或与它相合的{second}",
    "静待值冲": "{subject}没有动，应期看它当值的{first}，或把它冲动的{second}",
    "衰待生旺": "用神偏弱，要到生它的{all}才有起色",
    "两现应空破": "同类的爻不止一个，落空或逢破的{branch}也会应事，留意{first}",
    # After the time of a reading
    "return": "过了{date}，你可以回来说说结果如何",
    "return gravely": "过了{date}，你可以回来说说情况怎样",
    # A time with another plate, by `Ambiguity`
    "moment note": "起卦时刻：{clauses}",
    "moment verdict": "{cause}{verdict}",
    "moment 节": "离{term}交节不到三分钟，若按{month}，",
    "moment 时": "离时辰交界不到三分钟，若按{hour}，",
    "moment 日": "离子时换日不到三分钟，若按{day_pillar}日{hour}，",
    "moment 零点": "若以零点换日，作{day_pillar}日，",
    "moment 零点后": "离零点不到三分钟，若以零点换日且钟快，作{day_pillar}日，",
    "moment 夏令时": "当时中国大陆行夏令时，若按标准时{clock}（{hour}），",
    "moment 真太阳时": "排盘用真太阳时，若按时钟{clock}（{day_pillar}日{hour}），",
    "moment same": "断语不变",
    "moment other": "断为{sign}",
    "moment later": "仍为{sign}，只是要再等等",
    "moment sooner": "仍为{sign}，而且不必等",
    "moment opposite": "答案相反",
    # Follow-ups
    "obstacles": "阻碍有这几处：{reasons}",
    "obstacles none": "卦中没有明显的克害，不必自添忧虑",
    "direction": "{use}属{element}；生它的是{source}，{directions}也可留意",
    "that time": "这段时间",
    "and": "、",
}

PEOPLE: Final = {
    "父母": "长辈、单位或文书手续",
    "兄弟": "同辈、朋友或竞争者",
    "子孙": "晚辈、下属或有专长的人",
    "妻财": "身边的女性、钱物或现有的条件",
    "官鬼": "上司、官方或规章",
}
"""Whom or what a line of each relation stands for."""

IN_ILLNESS: Final = {
    "父母": "长辈或医院",
    "兄弟": "亲友同辈",
    "子孙": "医生、药物与休养",
    "妻财": "饮食起居",
    "官鬼": "病势本身",
}
"""The same in a question of health."""

EXPLAINED: Final = {
    "用神": "代表所问的那一爻",
    "元神": "生助用神的爻",
    "忌神": "克制用神的爻",
    "仇神": "帮忌神的爻",
    "伏神": "藏在下面的爻",
    "飞神": "盖在伏神上面的爻",
    "月建": "起卦的月份",
    "日辰": "起卦的那一天",
    "持世": "落在代表你的世爻上",
    "官星": "官鬼一爻",
    "暗动": "被日辰冲动",
    "化进神": "往前进一步",
    "化退神": "往后退一步",
    "月破": "被这个月冲破",
    "贵人": "有人照应",
    "禄神": "有俸禄之象",
    "驿马": "主走动",
    "天喜": "主喜事",
}
"""What terms mean, beside their first mention in the grounds of a reading."""

STANDS_FOR: Final = {
    "父母": "文书、房子和长辈",
    "兄弟": "同辈和对手",
    "子孙": "晚辈和能解忧的",
    "妻财": "钱和你想要的东西",
    "官鬼": "名位、规矩和压力",
    "career 官鬼": "这份工作",
    "study 父母": "这门学业",
    "wealth 妻财": "钱财",
    "belongings 妻财": "这件东西",
    "debt 妻财": "这笔钱",
    "love 妻财": "你心里的那一位",
    "love 官鬼": "你心里的那一位",
    "lost 妻财": "丢了的东西",
    "lost 父母": "丢了的东西",
    "lost 子孙": "丢了的它",
    "pets 子孙": "它",
    "documents 父母": "房子和文书",
    "dwelling 父母": "房屋",
    "permit 父母": "证件批文",
    "children 子孙": "孩子",
    "pregnancy 子孙": "孩子",
    "kin 兄弟": "手足和朋友",
    "rain 父母": "雨",
    "fair 妻财": "晴",
    "naming 父母": "名字",
}
"""What the 用神 of a matter, or a relation, stands for."""

DIRECTIONS: Final = dict(
    zip(
        "子丑寅卯辰巳午未申酉戌亥",
        ("正北", "东北", "东北", "正东", "东南", "东南", "正南", "西南", "西南", "正西", "西北", "西北"),
        strict=True,
    )
)
"""The direction of each branch."""

ELEMENT_DIRECTIONS: Final = {"木": "东方", "火": "南方", "土": "中央与四隅", "金": "西方", "水": "北方"}
"""The direction of each element."""
