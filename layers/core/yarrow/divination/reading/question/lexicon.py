"""The keywords recognised in user text: Chinese in both scripts, English in singular lower case.

`longest` finds them; `matters`, `inquiry` and `follow_up` interpret them.
"""

import re
from functools import cache
from typing import Final

from yarrow.protocol.events.divination import Relation

Words = tuple[str, ...]


def longest(text: str, words: Words) -> int:
    """The length of the longest of the words that occurs in the text, 0 if none does."""
    return max((len(match) for match in _pattern(words).findall(text.lower())), default=0)


def says(text: str, words: Words) -> bool:
    """Whether any of the words occurs in the text."""
    return _pattern(words).search(text.lower()) is not None


@cache
def _pattern(words: Words) -> re.Pattern[str]:
    # Longest first, so that 换工作 is not found as 工作.
    return re.compile("|".join(_expression(word) for word in sorted(words, key=len, reverse=True)))


def _expression(word: str) -> str:
    if word.isascii():
        # English words stand alone, in the singular or the plural.
        return rf"\b{re.escape(word)}(?:e?s)?\b"
    # 其他 is no 他.
    return "(?<!其)他" if word == "他" else re.escape(word)


def _listed(words: str) -> Words:
    return tuple(word.strip() for word in re.split(r"[,\n]", words) if word.strip())


MATTERS: Final[dict[str, Words]] = {
    "career": _listed("""
        事业, 事業, 工作, 求职, 求職, 职业, 職業, 升职, 升職, 晋升, 晉升, 升迁, 升遷, 跳槽, 换工作, 換工作, 辞职
        辭職, 离职, 離職, 面试, 面試, 入职, 入職, 岗位, 崗位, 调动, 調動, 领导, 領導, 上司, 老板, 老闆, 公务员
        公務員, 功名, 求官, 官运, 官運, 仕途, 职场, 職場, 编制, 編制, 裁员, 裁員
        offer, job, career, at work, my work, new work, promotion, interview, resign, quit, employer, boss, profession
        layoff, hired
    """),
    "study": _listed("""
        考试, 考試, 学业, 學業, 学习, 學習, 升学, 升學, 高考, 中考, 考研, 考公, 读书, 讀書, 论文, 論文, 录取
        錄取, 成绩, 成績, 留学, 留學, 考证, 考證, 上岸, 乡试, 鄉試
        exam, study, studies, school, university, college, degree, thesis, admission, grade
    """),
    "wealth": _listed("""
        财运, 財運, 求财, 求財, 财, 財, 钱, 錢, 生意, 投资, 投資, 股票, 基金, 理财, 理財, 买卖, 買賣, 开店, 開店
        创业, 創業, 借款, 欠款, 讨债, 討債, 还钱, 還錢, 贷款, 貸款, 工资, 工資, 收入, 奖金, 獎金, 货, 貨, 客户
        客戶, 订单, 訂單, 彩票, 经营, 經營
        money, wealth, finance, finances, financial, business, invest, investment, stock, income, salary, debt
        loan, profit, sale, sell, trade, fund, shop
    """),
    "love": _listed("""
        婚姻, 感情, 恋爱, 戀愛, 爱情, 愛情, 结婚, 結婚, 复合, 復合, 分手, 离婚, 離婚, 姻缘, 姻緣, 桃花, 对象
        對象, 相亲, 相親, 求婚, 脱单, 脫單, 婚恋, 婚戀, 恋情, 戀情, 恋人
        戀人, 暗恋, 暗戀, 表白, 喜欢我, 喜歡我, 正缘, 正緣
        love, marriage, marry, relationship, romance, dating, wedding, divorce, breakup, crush, engagement
        get back together
    """),
    "health": _listed("""
        健康, 疾病, 病, 身体, 身體, 手术, 手術, 治疗, 治療, 医, 醫, 康复, 康復, 痊愈, 痊癒, 症, 疼, 痛, 感冒
        发烧, 發燒
        health, illness, ill, sick, sickness, disease, surgery, operation, recover, recovery, treatment, cancer
        pain, fever, medical
    """),
    "journey": _listed("""
        出行, 旅行, 旅游, 旅遊, 出差, 出门, 出門, 出国, 出國, 远行, 遠行, 航班, 移民
        travel, trip, journey, flight, abroad, go away, vacation, holiday, emigrate
    """),
    "return": _listed("""
        行人, 归期, 歸期, 回来, 回來, 回家, 失联, 失聯, 走失, 寻人, 尋人, 归来, 歸來, 音讯, 音訊
        come back, come home, return, missing person, runaway
    """),
    "lost": _listed("""
        失物, 丢, 丟, 遗失, 遺失, 找不到, 寻物, 尋物, 不见了, 不見了, 被偷, 失窃, 失竊, 找回
        lost, stolen, misplaced, find my
    """),
    "lawsuit": _listed("""
        官司, 诉讼, 訴訟, 起诉, 起訴, 打官司, 仲裁, 纠纷, 糾紛, 法院, 被告, 律师, 律師, 官非
        lawsuit, court, trial, legal, litigation, dispute, sue, sued, suing, lawyer
    """),
    "documents": _listed("""
        房产, 房產, 房子, 买房, 買房, 卖房, 賣房, 租房, 文书, 文書, 合同, 证件, 證件, 签证, 簽證, 契约, 契約
        搬家, 宅, 车, 車, 手续, 手續, 批文, 审批, 審批, 执照, 執照, 护照, 護照
        house, property, apartment, flat, rent, lease, contract, document, visa, permit, licence, license
        passport, paperwork, car
    """),
    "children": _listed("""
        子女, 怀孕, 懷孕, 生育, 胎, 临产, 臨產, 分娩, 顺产, 順產, 生子, 子嗣
        孩子, 儿女, 兒女, 求子, 备孕, 備孕, 宠物, 寵物, 猫, 貓, 狗
        child, children, baby, pregnant, pregnancy, birth, fertility, pet, cat, dog
    """),
    "partner": _listed("""
        合伙, 合夥, 合作, 人际, 人際, 谈判, 談判, 对方, 對方, 甲方, 乙方, 同事, 贵人, 貴人
        partner, partnership, cooperation, cooperate, negotiate, negotiation, colleague, a deal, the deal
    """),
    "kin": _listed("""
        兄弟, 姐妹, 姊妹, 哥哥, 弟弟, 姐姐, 妹妹, 朋友, 闺蜜, 閨蜜
        brother, sister, sibling, friend, friendship
    """),
    "rain": _listed("""
        下雨, 雨, 降水, 台风, 颱風, 雪
        rain, snow, storm
    """),
    "fair": _listed("""
        天气, 天氣, 晴, 放晴
        weather, sunny, clear up, sunshine
    """),
    "general": _listed("""
        运势, 運勢, 运气, 運氣, 流年, 综合, 綜合, 家庭, 其他, 其它, 平安, 吉凶
        general, family, fortune, luck, other, overall, year ahead
    """),
}
"""The matters, by key."""

LABELS: Final = {"work": "career", "test": "study", "home": "documents", "missing": "lost", "deal": "partner"}
"""Words that name a matter when they stand alone, as a question's type does, and may mean anything in a sentence."""

TURNS: Final[dict[str, Words]] = {
    "career": _listed("""
        事业, 事業, 工作
        career, job
    """),
    "study": _listed("""
        学业, 學業, 考试, 考試
        exam, studies
    """),
    "wealth": _listed("""
        财运, 財運, 求财, 求財, 投资, 投資, 生意
        money, finances, investment
    """),
    "love": _listed("""
        感情, 婚姻, 恋爱, 戀愛, 桃花
        love life, marriage, relationship
    """),
    "health": _listed("""
        健康, 身体, 身體
        health
    """),
    "journey": _listed("""
        出行, 旅行
        journey, trip
    """),
    "lawsuit": _listed("""
        官司, 诉讼, 訴訟
        lawsuit
    """),
    "documents": _listed("""
        房产, 房產, 合同
        contract, property
    """),
    "children": _listed("""
        子女, 怀孕, 懷孕
        pregnancy, children
    """),
}
"""The plain names by which a follow-up turns to another matter, by key."""

PERSONS: Final[dict[Relation, Words]] = {
    "父母": _listed("""
        父亲, 父親, 母亲, 母親, 爸, 妈, 媽, 父母, 爷爷, 爺爷, 爺爺, 奶奶, 外公, 外婆, 长辈, 長輩, 老人, 岳父
        岳母, 公公, 婆婆, 老师, 老師, 占父, 占母
        father, mother, dad, mum, mom, parent, grandmother, grandfather, grandma, grandpa, teacher
    """),
    "子孙": _listed("""
        儿子, 兒子, 女儿, 女兒, 孩子, 宝宝, 寶寶, 孙子, 孫子, 小孩, 占子, 占女
        son, daughter, child, children, kid, baby, grandson, granddaughter, pet, dog, cat
    """),
    "妻财": _listed("""
        妻, 老婆, 太太, 媳妇, 媳婦, 女友, 女朋友
        wife, girlfriend, fiancée, fiancee
    """),
    "官鬼": _listed("""
        丈夫, 老公, 夫君, 占夫, 男友, 男朋友
        husband, boyfriend, fiancé, fiance
    """),
    "兄弟": _listed("""
        兄, 弟, 哥, 姐, 妹, 姊, 朋友, 闺蜜, 閨蜜, 同学, 同學
        brother, sister, friend, cousin, classmate
    """),
}
"""The people a question may be about, by the relation (六亲) they are."""

WOMAN_ASKS: Final = _listed("""
    男友, 男朋友, 老公, 丈夫, 夫君, 未婚夫, 前男友, 他, 我是女, 女占, 女问, 女問
    husband, boyfriend, fiancé, fiance, he, him, his, as a woman, i am a woman
""")
"""Signs that a man is asked about, as a woman asks (女占男以官鬼)."""

MAN_ASKS: Final = _listed("""
    女友, 女朋友, 老婆, 妻, 太太, 未婚妻, 前女友, 她, 我是男, 男占, 男问, 男問
    wife, girlfriend, fiancée, fiancee, she, her, as a man, i am a man
""")
"""Signs that a woman is asked about, as a man asks (男占女以妻财)."""

RECENT_ILLNESS: Final = _listed("""
    近病, 刚, 剛, 这几天, 這幾天, 感冒, 发烧, 發燒, 急性, 急病, 突然
    suddenly, this week, flu, cold, fever, yesterday, acute
""")
"""近病."""

LONG_ILLNESS: Final = _listed("""
    久病, 慢性, 多年, 常年, 长期, 長期, 半年, 老毛病
    chronic, for years, for months
""")
"""久病."""

LOST_OBJECTS: Final[dict[Relation, Words]] = {
    "父母": _listed("""
        证, 證, 文件, 合同, 护照, 護照, 车, 車, 衣, 书, 書, 手机, 手機
        passport, card, document, car, bike, bicycle, coat, clothes, book, phone, licence, license
    """),
    "子孙": _listed("""
        猫, 貓, 狗, 宠物, 寵物, 鸟, 鳥
        cat, dog, pet, bird
    """),
}
"""What was lost, where that is not plain property (妻财): 文书车衣 are 父母, animals 子孙."""

ASPECTS: Final[dict[str, Words]] = {
    "timing": _listed("""
        什么时候, 什麼時候, 何时, 何時, 时间, 時間, 多久, 几时, 幾時, 哪天, 几月, 幾月, 应期, 應期, 何日
        什么时间, 什麼時間
        when, how long, how soon, what date, timing, which month, which day
    """),
    "people": _listed("""
        谁, 誰, 什么人, 什麼人, 贵人, 貴人, 小人, 对方, 對方, 他, 她, 帮我, 幫我, 帮助, 幫助, 帮忙, 幫忙
        who, whom, anyone, someone, people, the other side, he, she, they
    """),
    "obstacles": _listed("""
        阻碍, 阻礙, 阻力, 障碍, 障礙, 困难, 困難, 风险, 風險, 问题在, 問題在, 为什么, 為什麼, 原因, 卡在, 不利
        obstacle, difficulty, risk, problem, hinder, why, block, in the way, wrong, difficulties
    """),
    "action": _listed("""
        怎么办, 怎麼辦, 怎么做, 怎麼做, 如何做, 该不该, 該不該, 要不要, 应该, 應該, 建议, 建議, 如何处理, 如何處理
        怎样才, 怎樣才
        what should i do, what can i do, should i, how can i, how do i, advice, what to do, how should i
    """),
    "direction": _listed("""
        方向, 方位, 哪里, 哪裡, 哪裏, 哪儿, 哪兒, 何处, 何處, 地点, 地點, 哪边, 哪邊
        where, direction, which way, what place, which place
    """),
}
"""The aspects a follow-up may ask about, in the order they are answered."""
