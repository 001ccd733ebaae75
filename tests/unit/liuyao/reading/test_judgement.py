"""The judgement of a plate: recorded cases of 《增删卜易》 and 《卜筮正宗》 come out as they did; it is monotone.

The recorded plates give month, day and 背 counts; the expected 用神, reasons and outcome follow the chapter named.
A plate whose outcome in the book rests on what this judgement does not weigh is not used.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from liuyao import Divination
from liuyao.analysis_terms import Change, DayClash
from liuyao.calendar import CYCLE
from liuyao.divination import Relation
from liuyao.elements import BRANCH_ELEMENT, generates, overcomes
from liuyao.reading.contributions import Term
from liuyao.reading.focus import Focus, choose
from liuyao.reading.judgement import THRESHOLDS, Judgement, grade, judge
from liuyao.reading.plate import Place, Plate, lay_out
from liuyao.reading.question.inquiry import Inquiry, inquire
from liuyao.reading.question.matters import BY_KEY, MATTERS
from liuyao.reading.timing import Timing, Wait, timings
from liuyao.relations import LineFacts
from tests.support.effort import examples
from tests.support.readings.dated_casts import divination

GRADES = ("下下签", "中下签", "中上签", "上上签")


def judged(cast: Divination) -> Judgement:
    return judge(lay_out(cast), inquire(cast.question_type, cast.question))


# Month, day, 背 counts, questionType, question; 用神 and its line (0: 伏神); reasons that must be there; outcome.
RECORDED = {
    # 用神元神忌神仇神章: 舍月破之戌土而用月建之辰土, 午火元神动而生之, 近病逢六冲; recovered.
    "乾之小畜": ("辰", "戊申", "111311", "健康", "占父近病", "父母辰", 3, "临月建 元神发动 近病逢冲", True),
    # 元神忌神衰旺章: 忌神未土与元神酉金同动, 贪生忘克; but 亥水 is 月破 and 日克, 生之不起; died.
    "大过之鼎": ("巳", "乙未", "211130", "健康", "自占病", "父母亥", 4, "月破 日辰克 贪生忘克 生之不起", False),
    # 五行相生章: 月建日辰皆克丑土, 幸化午火回头生; pardoned.
    "复之震": ("卯", "己卯", "122022", "平安", "占兄重罪", "兄弟丑", 4, "月建克 日辰克 回头生", True),
    # 五行相克章: 未土化卯木回头克, 亥卯未合成木局克之; condemned.
    "萃之同人": ("卯", "戊辰", "020110", "平安", "占父官事", "父母未", 1, "月建克 回头克 三合克伤", False),
    # 克处逢生章: 巳火动克申金, 得辰日生之; pardoned.
    "否之讼": ("卯", "戊辰", "202111", "平安", "妹占兄官事", "兄弟申", 5, "日辰生 忌神发动 克处逢生", True),
    # 克处逢生章: 辰月克亥水, 申日申爻生之; recovered.
    "既济之革": ("辰", "丙申", "121012", "健康", "占弟痘症", "兄弟亥", 3, "月建克 日辰生 元神发动", True),
    # 月将章: 寅木临月建旬空, 临月建不为空, 财来克世; obtained.
    "大有": ("寅", "庚戌", "111121", "财运", "求财", "妻财寅", 2, "临月建 旺不为空 用来克世", True),
    # 月将章: 申日冲克寅木, 反成申子辰水局生之; promoted.
    "艮之颐": ("寅", "丙申", "023221", "事业", "升迁", "官鬼寅", 6, "临月建 暗动 三合生扶 用神持世", True),
    # 月将章: 酉金月克而日生合; born safely at the hour that clashed the 合.
    "晋": ("午", "戊辰", "222121", "平安", "占妹妹平安", "兄弟酉", 4, "月建克 日辰生 合起", True),
    # 六冲章: 世临辰土旬空, 戌日冲之, 冲空则实; obtained the same day.
    "益": ("巳", "戊戌", "122211", "财运", "占财", "妻财辰", 3, "月建生 冲空 用神持世", True),
    # 动散章: 卯木虽逢酉日冲克, 发动化子水回头生而生世; came home.
    "涣之坎": ("丑", "丁酉", "212213", "行人", "占父亲何时归", "父母卯", 6, "日冲 回头生 用神生世", True),
    # 旬空章: 近病逢空, 亥水元神独发; recovered.
    "萃之比": ("午", "癸丑", "222312", "健康", "占妻近病", "妻财卯", 3, "近病逢空 元神发动", True),
    # 飞伏神章: 午火伏于丑土之下, 月建生而旬空, 出空之日; arrived.
    "贲": ("卯", "壬辰", "121221", "文书", "候文书", "父母午", 0, "月建生 用神伏藏 旺不为空", True),
    # 飞伏神章: 飞神丑土旬空, 午火易于出现; recovered on an 午 day.
    "升": ("酉", "丙辰", "211222", "健康", "占子病", "子孙午", 0, "用神伏藏 飞神空破", True),
    # 飞伏神章: 巳火伏于寅木之下, 飞来生伏.
    "复": ("卯", "丙辰", "122222", "健康", "占父病", "父母巳", 0, "月建生 飞来生伏", True),
    # 《卜筮正宗》 十八问 第八问: 世爻辰土月破, 又受日克; lost.
    "泰": ("戌", "丁卯", "111222", "官司", "占讼", "兄弟辰", 3, "月破 日辰克", False),
    # 进神退神章: 申金官星临月建化进神; passed.
    "恒之大过": ("申", "癸卯", "211102", "功名", "占乡试", "官鬼申", 5, "临月建 化进神", True),
    # 月破章: 巳火月破, 发动化寅木回头生, 生世; obtained office in a year of 巳.
    "兑之讼": ("亥", "己丑", "312110", "功名", "将来有官否", "官鬼巳", 1, "破而有救 回头生 用神生世", True),
    # 两现章: 应临月建之财以克世; obtained.
    "小畜": ("未", "庚子", "111211", "财运", "求财", "妻财未", 4, "临月建 用来克世", True),
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_case_takes_the_line_its_chapter_takes_and_comes_out_as_it_did(name: str) -> None:
    """DIV-28: 用神, reasons and outcome of the books' own plates."""
    month, day, coins, question_type, question, use, position, terms, favourable = RECORDED[name]
    cast = divination(month, day, coins, question_type, question)
    assert name == "之".join(
        hexagram[2:] if "为" not in hexagram else hexagram[0]
        for hexagram in ([cast.gua_name, cast.target_gua_name] if cast.has_changing_yao else [cast.gua_name])
    )

    judgement = judged(cast)

    focus = judgement.focus
    assert focus.at.relation + focus.at.branch == use
    assert (0 if focus.hidden else focus.at.position) == position
    assert set(terms.split()) <= {str(reason.term) for reason in judgement.reasons}
    assert judgement.favourable is favourable
    assert (judgement.sign_level in ("上上签", "中上签")) is favourable


def test_a_harm_that_feeds_a_source_does_no_harm() -> None:
    """贪生忘克: 忌神 alone lowers the score; with 元神 moving as well its harm is gone (元神忌神衰旺章)."""
    # 大过 on a day that sustains 亥水: 未土 alone moves, then 未土 and 酉金.
    alone = judged(divination("申", "庚申", "211110", "健康", "自占病"))
    together = judged(divination("申", "庚申", "211130", "健康", "自占病"))
    assert alone.has(Term.FOE_ACTS)
    assert not together.has(Term.FOE_ACTS)
    assert together.has(Term.GREEDY, Term.SOURCE_ACTS)
    assert together.score > alone.score


def test_a_feeble_source_does_not_draw_the_harm_away() -> None:
    """元神忌神衰旺章: a 元神 that is 虽有如无 leaves 忌神 its harm."""
    # 豫之夬: 世 未土; 巳火 moves but is overcome in return, 卯木 moves.
    judgement = judged(divination("巳", "庚午", "000102", "健康", "自占病"))
    assert judgement.has(Term.SOURCE_ACTS)
    assert judgement.has(Term.FOE_ACTS)
    assert not judgement.has(Term.GREEDY)


def test_of_two_trines_the_one_of_the_focus_counts() -> None:
    """三合章: 未土 is part of 木局, which overcomes it, though 火局 would feed it."""
    plate = lay_out(divination("寅", "辛亥", "000023", "健康", "自占病"))
    judgement = judge(plate, Inquiry(BY_KEY["health"], "父母"), Focus(plate.lines[0], choose(plate, "父母").choice))
    assert judgement.has(Term.TRINE_OVERCOMES)
    assert not judgement.has(Term.TRINE_SUPPORTS)


def test_a_day_that_ties_a_moving_line_does_not_rescue_it() -> None:
    """克处逢生: 合绊 is no support."""
    # 剥之乾 on a 丑 day: 世 子水 moves, 未土 and 戌土 move against it.
    judgement = judged(divination("戌", "辛丑", "000001", "健康", "自占病"))
    assert judgement.has(Term.BOUND)
    assert judgement.has(Term.FOE_ACTS)
    assert not judgement.has(Term.RESCUED)


def test_a_moving_line_is_not_told_as_good_and_bad() -> None:
    """A line with a part in 生克 with the 用神 has no second weight of its own."""
    # 剥之乾: 官鬼巳火 is 仇神 of 世 子水.
    judgement = judged(divination("戌", "辛丑", "000001", "健康", "自占病"))
    assert judgement.has(Term.ENEMY_FEEDS_FOE)
    assert not judgement.has(Term.MOVES_ILL)


@pytest.mark.parametrize("matter", ["rain", "fair", "kin"])
def test_clash_and_combination_of_the_hexagram_say_nothing_of_some_matters(matter: str) -> None:
    """六冲章: of weather and of kin neither 散 nor 成 is asked."""
    judgement = judge(lay_out(divination("寅", "甲子", "111111")), Inquiry(BY_KEY[matter], BY_KEY[matter].focus))
    assert [reason.weight for reason in judgement.reasons if reason.term is Term.CLASHING] == [0]


def test_a_changed_line_acts_on_its_own_line_only() -> None:
    """动变生克章: 午火化亥水 is overcome in return; 亥水 harms no other fire on the plate."""
    plate = lay_out(divination("申", "戊午", "201111", "健康", "自占病"))  # 遁之姤
    second, fourth = plate.lines[1], plate.lines[3]
    assert second.branch == fourth.branch == "午"
    inquiry = Inquiry(BY_KEY["health"], "官鬼")
    turned = judge(plate, inquiry, Focus(second, choose(plate, "官鬼").choice))
    other = judge(plate, inquiry, Focus(fourth, choose(plate, "官鬼").choice))
    assert turned.has(Term.TURNED_OVERCOMES)
    assert not other.has(Term.TURNED_OVERCOMES, Term.FOE_ACTS)


def test_a_changed_line_that_is_broken_by_the_month_neither_feeds_nor_overcomes() -> None:
    """月破章: 作变爻者亦不能伤克动爻."""
    assert judged(divination("申", "戊午", "201111", "健康", "自占病")).has(Term.TURNED_OVERCOMES)
    broken = judged(divination("巳", "戊午", "201111", "健康", "自占病"))
    assert broken.has(Term.TURNED_BROKEN)
    assert not broken.has(Term.TURNED_OVERCOMES)


@pytest.mark.parametrize(
    ("month", "day", "coins", "relation", "position", "why"),
    [
        ("辰", "戊申", "111311", "父母", 3, "临月日"),  # 乾: 辰 on the month, against 戌 in 世 and 月破
        ("丑", "丁酉", "212213", "父母", 6, "发动"),  # 涣: 卯 moves, 寅 rests
        ("巳", "戊戌", "122211", "妻财", 3, "持世"),  # 益: 辰 in 世 though void, against 未
        ("卯", "己丑", "222111", "妻财", 3, "独现"),  # 否: 卯 alone
        ("卯", "乙酉", "222111", "官鬼", 2, "不空"),  # 否: 巳, against 午, which is void
        ("戌", "甲子", "111111", "父母", 6, "临月日"),  # 乾: 戌 on the month
    ],
)
def test_of_two_lines_the_first_test_that_tells_them_apart_decides(
    month: str, day: str, coins: str, relation: Relation, position: int, why: str
) -> None:
    """两现章 as `focus` documents it: 临月日, 发动, 持世, 不破, 不空, 临应, 近世."""
    plate = lay_out(divination(month, day, coins))
    focus = choose(plate, relation)
    assert (focus.at.position, str(focus.choice)) == (position, why)


@pytest.mark.parametrize(
    ("name", "wait", "branches"),
    [
        ("大有", Wait.FILL_VOID, ("寅", "申")),  # 出空之日
        ("贲", Wait.EMERGE, ("午", "未")),  # 午日; 未 clashes 飞神丑
        ("泰", Wait.FILL_BREAK, ("辰", "酉")),
        ("晋", Wait.OPEN_BOND, ("卯",)),  # 酉 combined by the 辰 day: born at 卯
        ("萃之同人", Wait.CLEAR_CHANGE, ("酉", "未")),  # 未 turns into 卯
        ("涣之坎", Wait.MOVE, ("卯", "戌")),
        ("复之震", Wait.MOVE, ("丑", "子")),
    ],
)
def test_the_timing_follows_from_what_the_line_waits_for(name: str, wait: Wait, branches: tuple[str, ...]) -> None:
    """各门类应期总注章."""
    cast = divination(*RECORDED[name][:5])
    assert timings(judged(cast), lay_out(cast))[0] == Timing(wait, branches)


def test_a_line_that_the_day_stirs_is_not_told_as_changing() -> None:
    """暗动, and 冲空则实: it waits as what moves does, and says that the day's clash moves it."""
    waits = set()
    for coins in ("111111", "222222", "121212", "211211", "122122", "112211"):
        for day in ("戊午", "甲子", "庚寅", "丙申", "乙卯", "己酉"):
            cast = divination("酉", day, coins, "财运", "求财")
            waits |= {timing.wait for timing in timings(judged(cast), lay_out(cast))}
    assert Wait.STIRRED in waits
    assert Wait.MOVE not in waits


def test_what_lies_in_the_tomb_of_the_day_waits_for_it_to_open() -> None:
    """三墓章: 坤's 亥 in the tomb of 辰, which 戌 opens."""
    cast = divination("戌", "甲辰", "222222", "财运", "借银")
    assert timings(judged(cast), lay_out(cast))[0] == Timing(Wait.OPEN_TOMB, ("戌",))


def test_a_void_twin_answers_too() -> None:
    """两现章: 得其验者，应乎旬空月破: 小畜's 辰 is void while 未 is judged."""
    cast = divination("未", "庚寅", "111211", "财运", "求财")  # 甲申旬: 午未 void
    assert lay_out(cast).lines[3].time.void
    cast = divination("未", "庚子", "111211", "财运", "求财")  # 甲午旬: 辰巳 void
    assert Timing(Wait.TWIN, ("辰",)) in timings(judged(cast), lay_out(cast))


PLATES = st.builds(
    lambda month, day, coins: lay_out(divination(month, day, "".join(coins))),
    st.sampled_from(sorted(BRANCH_ELEMENT)),
    st.sampled_from(CYCLE),
    st.lists(st.sampled_from("0123"), min_size=6, max_size=6),
)
ASKED = st.sampled_from([Inquiry(matter, matter.focus) for matter in MATTERS])


def with_line(plate: Plate, position: int, **changes: Any) -> Plate:
    """Return the plate with facts of one line replaced, all else equal."""
    lines = list(plate.lines)
    line = lines[position - 1]
    assert line.line
    lines[position - 1] = Place(
        line.position,
        line.relation,
        replace(line.time, **{name: value for name, value in changes.items() if hasattr(line.time, name)}),
        _with_facts(line.line, {name: value for name, value in changes.items() if not hasattr(line.time, name)}),
    )
    return replace(
        plate, lines=tuple(lines), world=lines[plate.world.position - 1], response=lines[plate.response.position - 1]
    )


def _with_facts(facts: LineFacts, changes: dict[str, Any]) -> LineFacts:
    of_cast = {name: value for name, value in changes.items() if name in facts.cast._fields}
    of_date = {name.removeprefix("day_"): value for name, value in changes.items() if name.startswith("day_")}
    own = {name: value for name, value in changes.items() if name == "changes"}
    assert changes.keys() == of_cast.keys() | {f"day_{name}" for name in of_date} | own.keys()
    return facts._replace(cast=facts.cast._replace(**of_cast), date=facts.date._replace(**of_date), **own)


def improvements(focus: Place, plate: Plate) -> Iterator[tuple[str, Plate]]:
    """The plate with one harm of the 用神 removed or one support added."""
    assert focus.line
    position, seasons = focus.position, "死囚休相旺"
    yield "not void", with_line(plate, position, void=False)
    yield "not broken by the month", with_line(plate, position, month_broken=False)
    yield "on the month", with_line(plate, position, month_broken=False, on_month=True)
    yield "combined with the month", with_line(plate, position, month_combined=True)
    rank = seasons.index(focus.time.month_status)
    if rank < 4:
        yield "better season", with_line(plate, position, month_status=seasons[rank + 1])
    if focus.line.day_clash is DayClash.BROKEN:
        yield "not broken by the day", with_line(plate, position, day_clash=None)
    if focus.line.is_changing:
        yield "fed in return", with_line(plate, position, changes=(Change.GENERATED,))
        if Change.OVERCOME in focus.line.changes:
            yield "not overcome in return", with_line(plate, position, changes=())
    for line in plate.lines:
        if line.position in (position, plate.world.position, plate.response.position):
            continue
        if overcomes(line.element, focus.element) and line.acts:
            yield "its foe at rest", with_line(plate, line.position, is_changing=False, day_clash=None)
        if generates(line.element, focus.element) and not line.acts:
            yield "its source awake", with_line(plate, line.position, is_changing=True, day_clash=None)


@given(plate=PLATES, inquiry=ASKED)
@settings(max_examples=examples(150), deadline=None)
def test_strengthening_the_focus_never_lowers_the_grade_of_the_sum(plate: Plate, inquiry: Inquiry) -> None:
    """DIV-29: a support added or a harm removed, all else equal, within the sum: what decides comes before it."""
    focus = choose(plate, inquiry.focus)
    assume(not focus.hidden)
    before = judge(plate, inquiry, focus)
    for what, better in improvements(focus.at, plate):
        after = judge(better, inquiry, Focus(better.lines[focus.at.position - 1], focus.choice))
        assert after.score >= before.score, what
        assert GRADES.index(grade(after.score)) >= GRADES.index(grade(before.score)), what


def test_what_the_world_is_outweighs_what_the_focus_does_to_it() -> None:
    """世化回头克 outweighs 财生世, and so do 世空, 世破 and what holds 世: over all casts and matters in turn."""
    own = {Term.WORLD_TURNED_ON, Term.WORLD_FED_IN_RETURN, Term.WORLD_VOID, Term.WORLD_BROKEN}
    own |= {Term.HELD_WELL, Term.HELD_ILL}
    reach = {Term.GENERATES_WORLD, Term.OVERCOMES_WORLD, Term.COMBINES_WORLD, Term.CLASHES_WORLD, Term.COMES_TO_WORLD}
    months, met = sorted(BRANCH_ELEMENT), Counter[Term]()
    for number, coins in enumerate(product("0123", repeat=6)):
        plate = lay_out(divination(months[number * 7 % 12], CYCLE[number * 37 % 60], "".join(coins)))
        matter = MATTERS[number % len(MATTERS)]
        reasons = judge(plate, Inquiry(matter, matter.focus)).reasons
        strongest = max((abs(reason.weight) for reason in reasons if reason.term in reach), default=0)
        for reason in reasons:
            if reason.term in own and strongest:
                met[reason.term] += 1
                assert abs(reason.weight) > strongest, (matter.key, coins, reason)
    assert met.keys() == own


@given(st.integers(-40, 40), st.integers(-40, 40))
def test_a_higher_score_never_has_a_lower_grade(one: int, other: int) -> None:
    """DIV-29."""
    low, high = sorted((one, other))
    assert GRADES.index(grade(low)) <= GRADES.index(grade(high))
    assert {level for _, level in THRESHOLDS} | {"下下签"} == set(GRADES)


def test_every_grade_has_its_share_of_all_casts() -> None:
    """DIV-29: over all 4,096 casts, each on another day of the cycle and month, the matters taking turns."""
    months = sorted(BRANCH_ELEMENT)
    counts: Counter[str] = Counter()
    by_matter: dict[str, Counter[str]] = {matter.key: Counter() for matter in MATTERS}
    for number, coins in enumerate(product("0123", repeat=6)):
        cast = divination(months[number * 7 % 12], CYCLE[number * 37 % 60], "".join(coins))
        plate = lay_out(cast)
        for matter in MATTERS[sum(map(int, coins)) % 4 :: 4]:
            level = judge(plate, Inquiry(matter, matter.focus)).sign_level
            counts[level] += 1
            by_matter[matter.key][level] += 1
    total = sum(counts.values())
    assert {level: counts[level] / total >= 0.12 for level in GRADES} == dict.fromkeys(GRADES, True), counts
    for shares in by_matter.values():
        assert min(shares[level] for level in GRADES) / shares.total() >= 0.08, by_matter
