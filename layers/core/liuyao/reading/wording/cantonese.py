"""Puts an answer in Traditional Chinese into Cantonese glue words, for who types Cantonese.

Words of content stay as they are written, as in a Hong Kong letter; what is quoted and what is a term is untouched.
"""

import re
from typing import Final

from liuyao.reading.question.text import read

_WORDS: Final = {
    "那接下來": "咁跟住", "接下來": "跟住", "不客氣": "唔使客氣", "不過": "不過", "不但": "不但", "不如": "不如",
    "不利": "不利", "差不多": "差唔多", "不太": "唔太", "不會": "唔會", "不是": "唔係", "不要": "唔好",
    "不用": "唔使", "不必": "唔使", "不能": "唔可以", "不到": "唔到", "不了": "唔到", "別的": "其他",
    "別人": "人哋", "別": "唔好", "不": "唔", "沒有": "冇", "還沒": "未", "沒": "冇", "他們": "佢哋",
    "她們": "佢哋", "你們": "你哋", "我們": "我哋", "其他": "其他", "吉他": "吉他", "他": "佢", "她": "佢",
    "這樣": "咁樣", "這麼": "咁", "那麼": "咁", "這一": "呢", "這個": "呢個", "這些": "呢啲", "那些": "嗰啲",
    "這": "呢", "那": "嗰", "什麼時候": "幾時", "為什麼": "點解", "什麼": "乜嘢", "怎麼": "點樣", "哪裡": "邊度",
    "哪個": "邊個", "還是": "都係", "但是": "但係", "可是": "但係", "若是": "如果", "要是": "如果", "凡是": "凡是",
    "於是": "於是", "是": "係", "在": "喺", "現在": "而家", "眼下": "而家", "存在": "存在", "正在": "正在",
    "自在": "自在", "實在": "實在", "目的": "目的", "的確": "的確", "的": "嘅", "說": "講", "聽說": "聽講",
    "看來": "睇嚟", "看": "睇", "找": "搵", "給": "畀", "一點": "啲", "一些": "啲", "有些": "有啲", "還": "仲",
    "還款": "還款", "歸還": "歸還", "償還": "償還", "還錢": "還錢", "和": "同", "和好": "和好", "和氣": "和氣",
    "和解": "和解", "溫和": "溫和", "緩和": "緩和", "比和": "比和", "平和": "平和", "今天": "今日", "明天": "聽日",
    "昨天": "尋日", "每天": "每日", "那天": "嗰日", "這天": "呢日", "幾天": "幾日", "晚一點": "遲啲",
    "早一點": "早啲", "多半": "多數", "一樣": "一樣", "很": "好", "讓": "畀", "時候": "時候",
    "不利的是": "不利嘅係", "東西": "嘢", "想想": "諗下", "別干等": "唔好乾等", "心裡": "心入面", "卦裡": "卦入面",
    "再見": "拜拜", "不作": "唔作", "不一定": "未必", "誰": "邊個",
}  # fmt: skip
_WORD: Final = re.compile(
    "「[^」]*」|“[^”]*”|（[^）]*）|" + "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))
)
"""A quotation, an explanation of a term, or a word with another in Cantonese."""


def speaks_cantonese(*texts: str) -> bool:
    """Whether one of a user's texts is in Cantonese."""
    return any(not read(text).verbatim for text in texts)


def in_cantonese(answer: str) -> str:
    """Return an answer in Traditional Chinese with the glue words of Cantonese."""
    return _WORD.sub(lambda match: _WORDS.get(match[0], match[0]), answer)
