"""Replaces Cantonese words by those of standard Chinese, in which most phrases are written."""

import re
from typing import Final

WORDS: Final = {
    "几时": "什么时候", "点解": "为什么", "点样": "怎样", "点算": "怎么办", "系咪": "是不是", "真系": "真的",
    "净系": "只", "谂住": "打算", "而家": "现在", "头先": "刚才", "琴日": "昨天", "寻日": "昨天", "听日": "明天",
    "成日": "总是", "日日": "天天", "唔使": "不用", "唔好": "不要", "唔系": "不是", "屋企": "家里", "细路哥": "孩子",
    "细路仔": "孩子", "细路": "孩子", "仔女": "孩子", "阿仔": "儿子", "个仔": "儿子", "阿女": "女儿", "个女": "女儿",
    "阿妈": "妈妈", "老母": "妈妈", "阿爸": "爸爸", "老豆": "爸爸", "阿爷": "爷爷", "阿嫲": "奶奶", "阿嬷": "奶奶",
    "露台": "阳台", "落去": "下去", "落嚟": "下来", "落楼": "下楼", "哽亲": "噎着", "跌亲": "摔伤", "呢个": "这个",
    "呢度": "这里", "食错": "吃错", "食药": "吃药", "跳落": "跳下", "揽住": "抱着", "一齐": "一起", "定系": "还是",
    "边度": "哪里", "过身": "去世", "阿婆": "外婆", "个囡": "女儿", "细佬": "弟弟", "家姐": "姐姐",
    "嗰个": "那个", "几多": "多少", "几耐": "多久", "乜嘢": "什么",
    "唔": "不", "冇": "没有", "咗": "了", "晒": "了", "啲": "", "嘅": "的", "嗰": "那", "咁": "这么", "喺": "在",
    "佢": "他", "谂": "想", "瞓": "睡", "食": "吃", "饮": "喝", "睇": "看", "话": "说", "讲": "说", "郁": "动",
    "喊": "哭", "乜": "什么", "嘢": "东西", "嚟": "来", "返": "回", "唞": "呼吸", "斩": "砍", "惊": "怕", "攰": "累",
    "俾": "给", "畀": "给", "搵": "找", "揸": "拿", "攞": "拿", "仲": "还", "喇": "了", "嗌": "叫", "摞": "拿",
}  # fmt: skip
_MARKS: Final = frozenset("唔冇咗啲嘅嗰喺佢瞓嘢嚟攰畀搵揸攞嗌")
"""Characters that identify Cantonese, as the longer words do."""

_WORD: Final = re.compile("|".join(WORDS))
_TELLING: Final = re.compile("|".join([*_MARKS, *(word for word in WORDS if len(word) > 1)]))


def in_standard_chinese(text: str) -> str:
    """A folded text with its Cantonese words replaced; the empty text where it has none."""
    return _WORD.sub(lambda word: WORDS[word[0]], text) if _TELLING.search(text) else ""
