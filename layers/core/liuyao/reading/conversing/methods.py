"""How a cast is made and read, in a few sentences about this one; and what no cast tells."""

import re
from typing import Final

from liuyao.reading.conversing.persons import person_told
from liuyao.reading.narrative import Narrator
from liuyao.reading.question.text import Text

_KINDS: Final = (
    (
        "general",
        (
            r"^(?:这|那|你|请问)*(?:个|一)?(?:卦|六爻)?(?:是|到底)?怎么(?:看|算|解|起)|原理|方法|步骤|什么是六爻|六爻是什么|"
            r"\bhow does (?:this|it|the)|\bwhat is liu"
        ),
    ),
    ("time", r"日期|日子|应期|月份|时间是?怎|几号.*怎|\b(?:dates?|month|timing|the time)\b"),
    (
        "chance",
        r"随机|乱数|硬币|铜钱|铜板|银仔|抛|掷|摇|\b(?:random\w*|chance|coins?|throw\w*|thrown|weighted)\b",
    ),
    (
        "program",
        r"ai|人工智能|程序|程式|电脑|算法|模型|自动|\b(?:algorithm|program|computer|software|model|artificial)\b",
    ),
    ("belief", r"科学|迷信|道理|证据|诚|信|\b(?:scien\w+|proof|evidence|believe|logic|superstition)\b"),
    ("birthday", r"八字|生辰|生日|星座|\b(?:birthday|birth|star sign|zodiac|astrolog\w*)\b"),
    ("span", r"管多久|多长时间|多久有效|能看多远|看多久|\b(?:how long|how far|valid)\b"),
)
"""What of the method is asked about."""
_BEYOND: Final = (
    ("name", r"名|姓|\b(?:names?|surname|initials|letter)\b"),
    (
        "place",
        r"地址|门牌|哪条[街路]|住哪|抽屉|楼|小区|座位|\b(?:address|street|house number|drawer|seat|where)\b",
    ),
    (
        "words",
        (
            r"内容|聊|消息|写了|说了|题|密码|"
            r"\b(?:messages?|word for word|questions|password|pin|texting|wrote?|write)\b"
        ),
    ),
    (
        "number",
        (
            r"号|码|几[分比个点只万千百]|多少|股|彩|字|马|"
            r"\b(?:how much|how many|pounds|dollars|euros|exactly|numbers?|score|mark|grade|price|percent\w*|ticket|"
            r"horse|share|stock|rate|many|worth|digits?|phone)\b"
        ),
    ),
)
"""What no cast tells."""
_ADDRESS: Final = re.compile(r"门牌|地址|哪条[街路]|\b(?:address|street|house number)\b")


def asks_address(text: Text) -> bool:
    """Whether a follow-up asks for an address, which is more than a direction."""
    return _ADDRESS.search(text.folded) is not None


def method_told(narrator: Narrator, text: Text) -> list[str]:
    """Answer how it is done: the matter asked about first, then this cast as the example."""
    voice, plate = narrator.voice, narrator.plate
    kind = next((name for name, words in _KINDS if re.search(words, text.folded)), "general")
    line = voice.line(narrator.judgement.focus.at)
    fields = {"line": line, "month": voice.month(plate.month), "day": voice.day(plate.day)}
    example = voice.phrase("method example", **fields)
    return [voice.sentence(voice.phrase(f"method {kind}")), voice.sentence(example)]


def beyond_told(narrator: Narrator, text: Text, first: Text, grounds: list[str], verdict: str) -> list[str]:
    """Say that no cast tells this, and what it does tell instead."""
    voice = narrator.voice
    kind = next((name for name, words in _BEYOND if re.search(words, text.folded)), "else")
    if kind == "name":
        return person_told(narrator, text, first, grounds)
    if kind == "place":
        direction = narrator.direction_of(narrator.judgement.focus.at)
        return [voice.sentence(voice.phrase("beyond place", direction=direction))]
    return [
        voice.sentence(voice.phrase(f"beyond {kind}")),
        voice.sentence(voice.phrase("beyond instead", told=voice.lowered(verdict))),
    ]
