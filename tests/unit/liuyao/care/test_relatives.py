"""Everyday questions about relatives, storms and those who do not speak any more have a reading (CARE-06)."""

from itertools import product

import pytest

from liuyao.care import Kind, assess

RELATIVES = {
    "zh": (
        *("妹妹", "姐姐", "弟弟", "哥哥", "女儿", "儿子", "侄女", "外甥", "表妹", "堂哥", "姑姑", "小姨"),
        *("舅舅", "叔叔", "奶奶", "外公", "孙女", "岳母", "公公", "嫂子", "姐夫", "小舅子", "女婿", "闺蜜"),
    ),
    "hant": (
        *("妹妹", "姊姊", "弟弟", "哥哥", "女兒", "兒子", "姪女", "外甥", "表妹", "堂哥", "姑姑", "阿姨"),
        *("舅舅", "叔叔", "阿嬤", "阿公", "孫女", "岳母", "公公", "大嫂", "姊夫", "小叔", "女婿", "閨蜜"),
    ),
    "en": (
        *("my sister", "my brother", "my son", "my daughter", "my niece", "my nephew", "my cousin", "my aunt"),
        *("my uncle", "my mother", "my father", "grandma", "grandpa", "my granddaughter", "my mother-in-law"),
        *("my brother-in-law", "my stepson", "my godson", "my twin", "my best friend"),
    ),
}
MATTERS = {
    "zh": (
        "{}今年会结婚吗？",
        "{}明年能脱单吗",
        "{}秋天能升学吗",
        "{}月底能搬过来吗",
        "{}会喜欢这双鞋吗",
        "要不要请{}来吃粽子",
    ),
    "hant": (
        "{}今年會結婚嗎？",
        "{}明年能脫單嗎",
        "{}秋天能升學嗎",
        "{}月底能搬過來嗎",
        "{}會喜歡這雙鞋嗎",
        "要不要請{}來吃粽子",
    ),
    "en": (
        *("Will {} get married this year?", "Will {} find somebody by spring?", "Does {} get into the evening school?"),
        *("Will {} move closer in May?", "Will {} like these shoes?", "Should I ask {} round for pancakes?"),
    ),
}
NOT_SPEAKING = (
    *("Will my son speak to me again?", "My daughter stopped writing two years ago. Will she write this spring?"),
    *("My father and I fell out over the farm, can it be mended?", "Does my sister want me at the table this Easter?"),
    *("儿子还会跟我说话吗？", "女儿两年没写信了，今年春天会写吗", "和父亲为了田地闹翻，能和好吗", "姐姐端午愿意见我吗"),
    *(
        "兒子還會跟我說話嗎？",
        "女兒兩年沒寫信了，今年春天會寫嗎",
        "和父親為了田地鬧翻，能和好嗎",
        "個仔仲會唔會同我講嘢",
    ),
)
STORMS = (
    *("A typhoon is coming on Tuesday, does the market open?", "Should we drive to the coast before the storm?"),
    *("台风星期二来，集市还开吗", "暴雨前开车去海边合适吗", "颱風星期二來，市集還開嗎", "打風前揸車去海邊得唔得"),
)


@pytest.mark.parametrize("language", RELATIVES)
def test_a_relatives_everyday_matter_gets_a_reading(language: str) -> None:
    """CARE-06: by what the classifier learnt, no phrase of a table names these."""
    texts = [matter.format(relative) for relative, matter in product(RELATIVES[language], MATTERS[language])]
    withheld = [text for text in texts if assess([text]).kind is not None]
    assert len(withheld) <= 0.02 * len(texts), withheld


def test_what_only_sounds_like_a_farewell_or_a_disaster_gets_a_reading() -> None:
    """CARE-06: but for one of these."""
    withheld = [text for text in (*NOT_SPEAKING, *STORMS) if assess([text]).kind is not None]
    assert len(withheld) <= 1, withheld


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("My son won't speak to me and I don't want to live any more", {Kind.SELF_HARM}),
        ("女儿不理我了，我不想活了", {Kind.SELF_HARM}),
        ("兒子不理我，我撐不下去了，藥都買好了", {Kind.SELF_HARM, Kind.UNSURE}),
        ("The typhoon took our roof and the water is rising in the bedroom", {Kind.EMERGENCY, Kind.UNSURE}),
        ("台风来了，水已经漫进卧室，我们出不去", {Kind.EMERGENCY, Kind.UNSURE}),
        ("颱風來了，水已經淹進臥室，我們出不去", {Kind.EMERGENCY, Kind.UNSURE}),
        ("妹妹写了遗书，今年还会结婚吗", {Kind.SELF_HARM}),
    ],
)
def test_the_same_words_in_danger_get_none(text: str, kinds: set[Kind]) -> None:
    """CARE-01, CARE-02, CARE-07."""
    assert assess([text]).kind in kinds
