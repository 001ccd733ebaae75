"""The decisive rules: each holds on a plate of its own, and not on one that lacks its condition."""

from typing import Final

from liuyao.reading import Language, read
from liuyao.reading.contributions import Term
from liuyao.reading.judgement import Judgement, Outcome, judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import inquire
from tests.support.readings.dated_casts import divination
from tests.support.readings.recorded_cases import further_cases, recorded_cases

OF_THE_BOOK: Final = {
    "zsby-014": Term.TRAVELLER_TIED,  # 动爻章: 丑土世动, 子日合住
    "zsby-015": Term.CLASHING_TO_COMBINING,  # 动爻章: 离变旅, 不看用神
    "zsby-017": Term.DISPUTE_DISSOLVES,  # 动爻章: 离之坤, 人有解散
    "zsby-021": Term.COMBINING_TO_CLASHING,  # 动爻章: 否变乾, 不久之兆
    "zsby-057": Term.WORLD_RUINED,  # 千金赋: 世临月破, 又被日克
    "zsby-058": Term.WORLD_TURNS_GHOST,  # 千金赋: 世与子孙一同变鬼
    "zsby-059": Term.WORLD_TURNS_FOCUS,  # 千金赋: 世化财, 虽回头克
    "zsby-064": Term.SOURCE_RUINED,  # 千金赋: 子水月破, 动而化绝
    "zsby-070": Term.OFFSPRING_HOLDS,  # 千金赋: 子孙持世
    "zsby-131": Term.ADVANCES,  # 进退章: 财爻持世化进神
    "zsby-133": Term.TURNS_HOME,  # 进退章: 父化退神
    "zsby-137": Term.FOE_ADVANCES,  # 进退章: 兄动化进
    "zsby-138": Term.OLD_ILLNESS_CLASHED,  # 进退章: 久病逢冲
    "zsby-148": Term.GOES_ON,  # 进退章: 未父化进神, 应不来
    "zsby-210": Term.RANK_HOLDS,  # 科考章: 寅木旺官持世
    "zsby-216": Term.LIFE_VOID,  # 身命章: 财爻持世, 不宜旬空
    "zsby-226": Term.LIFE_SCATTERED,  # 身命章: 卦得六冲
    "zsby-235": Term.SPOUSE_DENIED,  # 婚姻章: 兄爻持世
    "zsby-260": Term.NEW_ILLNESS_VOID,  # 病医章: 子孙值旬空, 近病即愈
    "zsby-264": Term.NEW_ILLNESS_CLASHED,  # 病医章: 又见六冲
    "zsby-269": Term.HEALER_UNFIT,  # 延医章: 此医不可用之
    "zsby-280": Term.COMES_BY_CHANGE,  # 防害章: 子水化出巳火父爻
    "zsby-098": Term.WEATHER_PASSES,  # 天时章: 鬼化退神雨将止矣
    "zsby-104": Term.WEATHER_TURNS,  # 天时章: 化出酉父
    "zsby-107": Term.WEATHER_OPPOSED,  # 天时章: 父爻不动, 子孙重叠化进神
    "zsby-p102": Term.GHOST_RELIEVED,  # 千金赋: 申金克去身边之鬼
    "zsby-p202": Term.GHOST_RELIEVED,  # 趋避章: 子孙合成金局, 克去身边之鬼
    "zsby-p229": Term.GOES_TO_ANOTHER,  # 升选候补章: 官局而生应爻, 出现无情
    "bszz-029": Term.GOES_TO_ANOTHER,  # 第四问: 内卦合金局生应, 此位已属他人
    "bszz-075": Term.CLASH_HELD,  # 第十一问: 日辰合世, 冲中逢合
    "bszz-076": Term.CLASH_HELD,  # 第十一问: 冲中逢合, 日主合世
    "bszz-099": Term.CLASHING_TO_CLASHING,  # 第十三问: 六冲变六冲, 俱云散矣
}
"""What decided a recorded case in the book's own words."""

CHILD: Final = ("健康", "我儿子的病能好吗？")
SELF: Final = ("健康", "我的病能好吗？")
EXAM: Final = ("学业", "我能考上吗？")
MARRY: Final = ("感情", "我求婚能成吗？")
RAIN: Final = ("天气", "会下雨吗？")

PLATES: Final = {
    # 姤之遁: 子孙亥水 turns into 官鬼午火; in 姤 it rests.
    Term.TURNS_GHOST: (("戌", "甲辰", "231111", *CHILD), ("戌", "甲辰", "211111", *CHILD)),
    # 离之噬嗑: 官鬼亥水 turns into 子孙辰土; in 离 it rests.
    Term.GHOST_TURNS_FOCUS: (("辰", "癸巳", "123121", *CHILD), ("辰", "癸巳", "121121", *CHILD)),
    # 艮: 官鬼寅木 in 世, 子孙申金 stirred by 寅日; on 丑日 it rests.
    Term.GHOST_RELIEVED: (
        ("戌", "甲寅", "221221", "官司", "我的官司能赢吗？"),
        ("戌", "癸丑", "221221", "官司", "我的官司能赢吗？"),
    ),
    # 小过: 官鬼午火 in 世, 囚 and in its tomb; in 午月 it is strong.
    Term.BURIED_WITH_GHOST: (("申", "壬戌", "221122", *SELF), ("午", "壬戌", "221122", *SELF)),
    # 小畜之大畜: 子孙巳火 turns into 子水, void on 甲寅日; on 甲子日 子 is not void.
    Term.NEW_ILLNESS_TURNED_VOID: (
        ("未", "甲寅", "111231", "健康", "我儿子刚得的病能好吗？"),
        ("未", "甲子", "111231", "健康", "我儿子刚得的病能好吗？"),
    ),
    Term.OLD_ILLNESS_TURNED_VOID: (
        ("寅", "庚辰", "211101", "健康", "我儿子久病，能好吗？"),
        ("寅", "庚辰", "211101", *CHILD),
    ),
    # 离之丰: 子孙未土 stirred and no 妻财 moves; on 丙子日 nothing stirs it.
    Term.RANK_HURT: (
        ("戌", "辛丑", "121123", "学业", "我能考上吗？"),
        ("戌", "丙子", "121123", "学业", "我能考上吗？"),
    ),
    # 既济之明夷: 兄弟亥水 in 世; with 子孙卯木 moving as well it is fed onward to 妻财.
    Term.RIVALS_HOLD: (
        ("辰", "癸亥", "121232", "财运", "求财能得吗？"),
        ("辰", "癸亥", "321232", "财运", "求财能得吗？"),
    ),
    # 小畜之中孚: 妻财辰土 turns into 丑土 with neither month nor day; in 辰月 it does not go back yet.
    Term.RETREATS: (("卯", "庚寅", "113211", *MARRY), ("辰", "庚寅", "113211", *MARRY)),
    # 井之节: 官鬼 in 金局 feeds 亥水 in 应; at rest there is no 三合.
    Term.GOES_TO_ANOTHER: (
        ("申", "己亥", "013212", "事业", "这个缺我能得到吗？"),
        ("申", "己亥", "211212", "事业", "这个缺我能得到吗？"),
    ),
    # 坤: 辰日 combines with 酉金 in 世; 午日 with nothing that is asked for.
    Term.CLASH_HELD: (
        ("戌", "甲辰", "222222", "财运", "我去借钱能借到吗？"),
        ("戌", "甲午", "222222", "财运", "我去借钱能借到吗？"),
    ),
    # 兑之震: a business scatters; a loan has not to last.
    Term.CLASHING_TO_CLASHING: (
        ("未", "乙亥", "132132", "财运", "出门做买卖能赚钱吗？"),
        ("未", "乙亥", "132132", "财运", "我去借钱能借到吗？"),
    ),
    # 解 at rest: 父母子水 lies under 寅木. 坎 has it on a line.
    Term.WEATHER_HIDDEN: (("辰", "庚子", "212122", *RAIN), ("辰", "庚子", "212212", *RAIN)),
}
"""For each of the rules no recorded case shows: a plate on which it decides, and one that lacks its condition."""


def judged(month: str, day: str, coins: str, question_type: str, question: str) -> Judgement:
    return judge(lay_out(divination(month, day, coins, question_type, question)), inquire(question_type, question))


def decided(judgement: Judgement) -> Term | None:
    return judgement.decided_by.term if judgement.decided_by else None


def test_a_recorded_case_is_decided_by_what_decided_it_in_the_book() -> None:
    """DIV-28."""
    ours = {
        case.id: decided(case.judgement) for case in (*recorded_cases(), *further_cases()) if case.id in OF_THE_BOOK
    }
    assert ours == OF_THE_BOOK


def test_a_rule_decides_where_it_holds_and_not_where_its_condition_is_missing() -> None:
    """DIV-28."""
    assert {term: decided(judged(*holds)) for term, (holds, _) in PLATES.items()} == {term: term for term in PLATES}
    assert not [term for term, (_, lacks) in PLATES.items() if decided(judged(*lacks)) is term]


def test_offspring_drives_the_ghost_from_the_world_that_turns_into_it_only_if_it_moves_besides() -> None:
    """DIV-28: 比之咸, 子孙申金 moves and 世 turns into 申; 比之井, 世 alone turns into 酉."""
    assert decided(judged("辰", "戊子", "220012", "出行", "小船过关，会受阻吗？")) is Term.GHOST_RELIEVED
    assert decided(judged("卯", "壬申", "200212", "出行", "我跟随长官去上任，好不好？")) is not Term.GHOST_RELIEVED


def test_a_reading_relieved_by_what_moves_does_not_say_that_nothing_which_moves_acts() -> None:
    """DIV-28: 临之睽, 子孙 in 金局: what acts is told by what decided."""
    cast = divination("巳", "戊辰", "112020", "平安", "流兵为害，我能平安吗？")
    readings = {language: read(cast, language=language) for language in Language}
    assert {reading.judgement.decided_by.term for reading in readings.values() if reading.judgement.decided_by} == {
        Term.GHOST_RELIEVED
    }
    assert "卦中所动，应在子孙制鬼" in readings[Language("zh-CN")].answer
    assert "不足以生克用神" not in readings[Language("zh-CN")].answer
    assert "none of them can feed" not in readings[Language("en")].answer


def test_a_combination_that_turns_into_a_clash_decides_between_two_and_is_only_weighed_in_a_pursuit() -> None:
    """DIV-29: 困之坎, 六合变六冲: of the casts asked for office and money the sum takes more."""
    money = judged("午", "壬戌", "212312", "财运", "求财能得吗？")
    assert money.decided_by is None
    assert money.has(Term.COMBINING_TO_CLASHING)
    assert decided(judged("午", "壬戌", "212312", *MARRY)) is Term.COMBINING_TO_CLASHING


def test_what_decides_keeps_grade_and_outcome_on_its_side() -> None:
    """DIV-29: a good sum does not lift what a rule denies, nor a bad one sink what it grants."""
    denied = [case.judgement for case in recorded_cases() if case.judgement.decided_by and case.judgement.score >= 0]
    for judgement in denied:
        assert judgement.decided_by
        favourable = judgement.decided_by.weight > 0
        assert judgement.favourable is favourable
        assert (judgement.sign_level in ("上上签", "中上签")) is favourable
        assert (judgement.outcome is not Outcome.UNFAVOURABLE) is favourable
    assert {judgement.favourable for judgement in denied} == {True, False}


def test_a_good_outcome_that_is_held_back_is_delayed_and_not_of_the_highest_grade() -> None:
    """DIV-29: 大有 in 寅月: 妻财寅木 on the month, void on 庚戌日."""
    held = judged("寅", "庚戌", "111121", "财运", "求财")
    free = judged("寅", "甲寅", "111121", "财运", "求财")
    assert (held.outcome, held.sign_level) == (Outcome.DELAYED, "中上签")
    assert (free.outcome, free.sign_level) == (Outcome.FAVOURABLE, "上上签")
