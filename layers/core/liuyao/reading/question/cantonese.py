"""Puts Cantonese into standard Chinese for the grammar, and keeps the place of each character in the user's text."""

import re
from typing import Final

from liuyao.care.cantonese import WORDS

_WORDS: Final = WORDS | {
    "佢哋": "他们", "我哋": "我们", "你哋": "你们", "边个月": "哪个月", "边个": "谁", "边间": "哪间", "边只": "哪只",
    "边份": "哪份", "边条": "哪条", "边日": "哪天", "边年": "哪年", "边位": "哪位",
    "喺边度": "在哪里", "喺边": "在哪", "去边": "去哪", "去咗边": "去了哪里", "边区": "哪区",
    "出唔出到粮": "发不发得出工资", "到粮": "到工资", "点样先可以": "怎样才能", "点样先": "怎样才",
    "点先可以": "怎样才能", "点先": "怎样才", "点可以": "怎样可以", "点做": "怎样做", "点会": "怎么会",
    "点知": "怎么知道", "点解咁讲": "为什么这么说", "咁讲": "这么说", "使唔使": "要不要", "系唔系": "是不是",
    "有冇": "有没有", "得唔得": "行不行", "钟唔钟意": "喜不喜欢", "中唔中意": "喜不喜欢", "钟意": "喜欢",
    "中意": "喜欢", "嬲": "生气", "人工": "工资", "出粮": "发工资", "出唔出到": "发不发得出",
    "双粮": "双薪", "转工": "换工作", "揾工": "找工作", "搵工": "找工作", "返工": "上班",
    "份工": "工作", "老细": "老板", "拍拖": "谈恋爱", "返转头": "回头", "好得返": "好起来",
    "好返": "好起来", "搵得返": "找得回来", "揾得返": "找得回来", "攞得返": "拿得回来", "夹份": "合伙",
    "开铺": "开店", "层楼": "房子", "间楼": "房子", "间屋": "房子", "间铺": "店铺", "部车": "车",
    "买楼": "买房", "卖楼": "卖房", "盘生意": "生意", "留低": "留下", "迟啲": "晚点", "早啲": "早点",
    "跌咗": "丢了", "唔见咗": "不见了", "漏咗": "落", "工人姐姐": "保姆", "宾妹": "保姆",
    "新抱": "儿媳", "心抱": "儿媳", "外母": "岳母", "外父": "岳父", "阿哥": "哥哥", "大佬": "哥哥",
    "细妹": "妹妹", "阿妹": "妹妹", "阿嫂": "嫂子", "家嫂": "嫂子", "契爷": "干爹", "契妈": "干妈",
    "契仔": "干儿子", "契女": "干女儿", "男仔": "男孩", "女仔": "女孩", "睇医生": "看医生",
    "惊唔惊": "怕不怕", "份粮": "工资", "即系": "就是", "做啲咩": "做些什么", "啲咩": "什么",
    "做咩": "做什么", "有咩": "有什么", "讲人话": "说人话",
    "揾": "找", "紧": "着", "嗰啲": "那些", "呢啲": "这些", "呢只": "这只",
    "呢份": "这份", "呢间": "这间", "㗎": "", "咩": "吗", "嗮": "了", "哋": "们",
    "边份工": "哪份工作",
}  # fmt: skip
_ANYWHERE: Final = "咁唔冇咗啲嘅嗰喺佢瞓嘢嚟畀搵揾攞哋嬲㗎"
_TELLING: Final = re.compile(
    f"[{_ANYWHERE}]|点(?:[解样算先]|化解)|定系|系咪|老豆|边[个度间]|几耐|几时先|[加减]人工|出粮|几多钱|而家|家姐|细佬|"
    "头先|即系|[有系]咩|咩(?=[好嘢事])|(?<![一有几这那差])点(?:讲(?!究)|睇|谂)|"
    "工人姐姐|双粮|份[工粮]|盘生意|层楼|返工"
)
_GRAMMAR: Final = {
    "那": "(?:^|(?<=[，,]))咁",
    "被": "[俾畀](?=[^，。]{1,4}(?:炒|骂|闹|打|骗|呃|偷|抢|罚|告|拉|捉|裁|甩|飞|搞|整|害))",
    "怎样": "点(?=化解|做|办|追|处理|改|解决|同|去|搞|搵|揾|拣|救|医|赚)",
    "还是": "(?<![一决肯确稳必指镇安固约])定(?=[^，。期了下义]{2,10}[好啱])",
    "哪": "(?<=[去喺到])边(?=[呀啊]?[?？]?$)",
    "什么": "(?<=[讲写送问答覆复回噏])[啲]?咩(?!话)|咩(?=好|嘢|事|原因|时候|意思|方法|准备|地方|人)",
    "怎么": "(?<![一有几这那差])点(?=睇(?!法)|谂|讲(?!究)|开口|应|答|回|覆|复)",
    "是": "(?<![关联派院体])系(?![统列数])",
}
"""Words that are put into standard Chinese by what stands around them."""
_PHRASES: Final = sorted((word for word in _WORDS if len(word) > 1), key=len, reverse=True)
_WORD: Final = re.compile(
    "|".join(
        [
            *_PHRASES,
            *(f"(?P<{standard}>{way})" for standard, way in _GRAMMAR.items()),
            *(word for word in _WORDS if len(word) == 1),
        ]
    )
)


def in_standard_chinese(folded: str) -> tuple[str, tuple[int, ...]] | None:
    """A folded text in standard Chinese, with the place of each of its characters and of its end; None if the text
    has no Cantonese."""
    if not _TELLING.search(folded):
        return None
    characters: list[str] = []
    places: list[int] = []
    at = 0
    for match in _WORD.finditer(folded):
        standard = match.lastgroup or _WORDS[match[0]]
        characters += [*folded[at : match.start()], *standard]
        places += [*range(at, match.start()), *[match.start()] * len(standard)]
        at = match.end()
    characters += folded[at:]
    places += range(at, len(folded) + 1)
    return "".join(characters), tuple(places)
