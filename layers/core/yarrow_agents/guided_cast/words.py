"""The texts of the guided cast in each language. Canonical terms of Liu Yao stay Chinese (DIV-26)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from liuyao.reading import Language
from yarrow_agents import cast_reading


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language. `{}` is a placeholder for what the name says."""

    greeting: str
    restarted: str
    resumed: str
    ask_method: str
    ask_matter: str
    ask_question: str
    ask_line: str
    """{}: the line."""
    recorded_line: str
    """{}: the line, what it is."""
    methods: Mapping[str, str]
    matters: Mapping[str, str]
    """Labels of matters; a label is the cast's question type."""
    lines: Mapping[str, str]
    """Labels of the lines to choose from."""
    positions: tuple[str, ...]
    method: str
    matter: str
    question: str
    placeholder: str
    longitude: str
    longitude_placeholder: str
    line: str
    """{}: the line."""
    again: str
    again_option: str
    setup_group: str
    lines_group: str
    intro: str
    """The text of the prompt until the cast."""
    ready: str
    further: str
    further_options: Mapping[str, str]
    thrown: str
    """{}: the line, how many backs, what it is."""
    by_time: str
    """{}: the time."""
    by_the_sun: str
    """{}: the longitude, the time."""
    entered: str
    charted: str
    """{}: the hexagrams."""
    judged: str
    written: str
    plate_name: str
    choose: str
    too_long: str
    """{}: the characters."""
    no_longitude: str
    late: str
    no_cast: str
    no_files: str


_SIMPLIFIED: Final = Words(
    greeting="你好，我带你一步步起卦：先选方式和事类，再写下想问的事。心里想着它，一事一卦。",
    restarted="好，我们从头来过。",
    resumed="好，接着来。",
    ask_method="想用哪种方式起卦？",
    ask_matter="想问哪方面的事？",
    ask_question="请写下你想问的事，越具体越好。",
    ask_line="请告诉我{}（自下而上）：掷三枚铜钱，有几个背面？",
    recorded_line="{}：{}。",
    methods={"coins": "由我掷铜钱", "lines": "我自己掷，逐爻输入", "time": "按此刻的时间起卦"},
    matters=cast_reading.SIMPLIFIED,
    lines={
        "young_yang": "少阳 ⚊（一个背面）",
        "young_yin": "少阴 ⚋（两个背面）",
        "old_yang": "老阳 ⚊ ○（三个背面，动）",
        "old_yin": "老阴 ⚋ ×（没有背面，动）",
    },
    positions=("初爻", "二爻", "三爻", "四爻", "五爻", "上爻"),
    method="起卦方式",
    matter="事类",
    question="想问的事",
    placeholder="例如：我最近换工作是否合适？",
    longitude="按真太阳时起卦的经度（可不填）",
    longitude_placeholder="例如：87.6；西经写 -74",
    line="{}是什么？",
    again="还想问别的事吗？",
    again_option="另起一卦",
    setup_group="起卦",
    lines_group="六爻",
    intro="答完这些就起卦。",
    ready="卦已断完，可以继续追问；问别的事请另起一卦。",
    further="关于这一卦，还可以接着问。",
    further_options={"when": "什么时候会有结果？", "action": "我该怎么做？", "people": "谁能帮到我？"},
    thrown="{}：{} 个背面，{}",
    by_time="按时间起卦：{}",
    by_the_sun="经度 {}，真太阳时 {}",
    entered="六爻按你输入的记下。",
    charted="已排盘：{}",
    judged="已据用神、月日与动变断卦。",
    written="解读已写好。",
    plate_name="卦盘",
    choose="请从给出的选项里选一个。",
    too_long="问题请不要超过 {} 个字。",
    no_longitude="经度请写成 -180 到 180 的度数，东经为正，例如 87.6；按钟表起卦就写“无”。",
    late="这一步已经过了，卦不再改动。可以追问，或另起一卦。",
    no_cast="还没有起卦，先把下面的问题答完吧。",
    no_files="起卦用不到文件，我没有读它。",
)

_TRADITIONAL: Final = Words(
    greeting="你好，我帶你一步步起卦：先選方式和事類，再寫下想問的事。心裡想著它，一事一卦。",
    restarted="好，我們從頭來過。",
    resumed="好，接著來。",
    ask_method="想用哪種方式起卦？",
    ask_matter="想問哪方面的事？",
    ask_question="請寫下你想問的事，越具體越好。",
    ask_line="請告訴我{}（自下而上）：擲三枚銅錢，有幾個背面？",
    recorded_line="{}：{}。",
    methods={"coins": "由我擲銅錢", "lines": "我自己擲，逐爻輸入", "time": "按此刻的時間起卦"},
    matters=cast_reading.TRADITIONAL,
    lines={
        "young_yang": "少陽 ⚊（一個背面）",
        "young_yin": "少陰 ⚋（兩個背面）",
        "old_yang": "老陽 ⚊ ○（三個背面，動）",
        "old_yin": "老陰 ⚋ ×（沒有背面，動）",
    },
    positions=("初爻", "二爻", "三爻", "四爻", "五爻", "上爻"),
    method="起卦方式",
    matter="事類",
    question="想問的事",
    placeholder="例如：我最近換工作是否合適？",
    longitude="按真太陽時起卦的經度（可不填）",
    longitude_placeholder="例如：121.5；西經寫 -74",
    line="{}是什麼？",
    again="還想問別的事嗎？",
    again_option="另起一卦",
    setup_group="起卦",
    lines_group="六爻",
    intro="答完這些就起卦。",
    ready="卦已斷完，可以繼續追問；問別的事請另起一卦。",
    further="關於這一卦，還可以接著問。",
    further_options={"when": "什麼時候會有結果？", "action": "我該怎麼做？", "people": "誰能幫到我？"},
    thrown="{}：{} 個背面，{}",
    by_time="按時間起卦：{}",
    by_the_sun="經度 {}，真太陽時 {}",
    entered="六爻按你輸入的記下。",
    charted="已排盤：{}",
    judged="已據用神、月日與動變斷卦。",
    written="解讀已寫好。",
    plate_name="卦盤",
    choose="請從給出的選項裡選一個。",
    too_long="問題請不要超過 {} 個字。",
    no_longitude="經度請寫成 -180 到 180 的度數，東經為正，例如 121.5；按鐘錶起卦就寫「無」。",
    late="這一步已經過了，卦不再改動。可以追問，或另起一卦。",
    no_cast="還沒有起卦，先把下面的問題答完吧。",
    no_files="起卦用不到檔案，我沒有讀它。",
)

_ENGLISH: Final = Words(
    greeting="Hello. I guide you through a cast: choose a method and a matter, then write down your question. "
    "Keep it in mind; one cast answers one question.",
    restarted="All right, let us start over.",
    resumed="All right, let us go on.",
    ask_method="How would you like to cast?",
    ask_matter="What is it about?",
    ask_question="Write down your question, the more specific the better.",
    ask_line="Tell me {}, counted from the bottom: throw three coins. How many show their backs?",
    recorded_line="{}: {}.",
    methods={
        "coins": "You throw the coins for me",
        "lines": "I throw myself and enter the six lines",
        "time": "By the time of this moment",
    },
    matters=cast_reading.ENGLISH,
    lines={
        "young_yang": "少阳 ⚊ young yang (one back)",
        "young_yin": "少阴 ⚋ young yin (two backs)",
        "old_yang": "老阳 ⚊ ○ old yang, moving (three backs)",
        "old_yin": "老阴 ⚋ × old yin, moving (no back)",
    },
    positions=("line 1 (初爻)", "line 2 (二爻)", "line 3 (三爻)", "line 4 (四爻)", "line 5 (五爻)", "line 6 (上爻)"),
    method="Method",
    matter="Matter",
    question="Your question",
    placeholder="e.g. Should I change my job this spring?",
    longitude="Your longitude, to cast by true solar time (optional)",
    longitude_placeholder="e.g. 13.4, or -74 for 74° W",
    line="What is {}?",
    again="Is there something else?",
    again_option="Begin another cast",
    setup_group="The cast",
    lines_group="The six lines",
    intro="Answer these, and I cast.",
    ready="The cast is read. Ask further about it, or begin another one for another matter.",
    further="You can ask further about this cast.",
    further_options={
        "when": "When will there be a result?",
        "action": "What should I do?",
        "people": "Who can help me?",
    },
    thrown="{}: {} of 3 backs, {}",
    by_time="Cast by the time: {}",
    by_the_sun="Longitude {}, true solar time {}",
    entered="The six lines are taken as you entered them.",
    charted="Laid out: {}",
    judged="Judged by the focus line (用神), month, day and changes.",
    written="The reading is written.",
    plate_name="plate",
    choose="Please choose one of the options.",
    too_long="Please keep the question within {} characters.",
    no_longitude="Please write the longitude in degrees from -180 to 180, east positive, such as 13.4, or “none” to "
    "cast by the clock.",
    late="That step is over and the cast stays as it is. Ask further, or begin another cast.",
    no_cast="There is no cast yet. Please answer the questions below first.",
    no_files="A cast needs no files, so I did not read it.",
)

WORDS: Final[Mapping[Language, Words]] = {
    Language.SIMPLIFIED: _SIMPLIFIED,
    Language.TRADITIONAL: _TRADITIONAL,
    Language.ENGLISH: _ENGLISH,
}
