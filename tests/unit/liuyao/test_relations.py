"""What month, day and change do to a line, rule by rule of divination-rules.md §2.7 – §2.9 (DIV-21, DIV-25)."""

from itertools import product

import pytest

from liuyao import derive
from liuyao.analysis_terms import Change, Completion, DayClash, DayCombination, TimeEffect
from liuyao.calendar import CYCLE, VOIDS
from liuyao.divination import Element, Ganzhi
from liuyao.elements import BRANCH_ELEMENT, BRANCHES, GENERATION, opposite, seasonal_status, stage
from liuyao.hexagrams import HEXAGRAMS
from liuyao.relations import BranchFacts, LineFacts, PlateFacts, examine, examine_branch
from tests.support.casts import payload


def on(month: str, day: str) -> Ganzhi:
    """The pillars of a plate in the month of a branch on a day of the cycle; year and hour have no part in it."""
    place = CYCLE.index(day)
    return Ganzhi(
        year_gan_zhi="丙午",
        month_gan_zhi="甲" + month,
        day_gan_zhi=day,
        time_gan_zhi="甲子",
        year_kong_wang="寅卯",
        month_kong_wang="戌亥",
        day_kong_wang=VOIDS[place],
        time_kong_wang="戌亥",
        yue_jian=month + BRANCH_ELEMENT[month],
        ri_chen=day[1] + BRANCH_ELEMENT[day[1]],
        yue_po=opposite(month) + BRANCH_ELEMENT[opposite(month)],
        ri_chong=opposite(day[1]) + BRANCH_ELEMENT[opposite(day[1])],
    )


def line_of(branch: str, becomes: str | None, ganzhi: Ganzhi) -> LineFacts:
    """A line of this branch, at rest or changing to another, in some cast that has one."""
    for code, changed in product(HEXAGRAMS, repeat=2):
        for place in range(6):
            if HEXAGRAMS[code].branches[place] != branch:
                continue
            if (becomes is None and code == changed) or (
                code[place] != changed[place] and HEXAGRAMS[changed].branches[place] == becomes
            ):
                return examine(code, changed, ganzhi).lines[place]
    raise AssertionError(f"no line {branch} becomes {becomes}")


def plate(original: str, changed: str, ganzhi: Ganzhi) -> PlateFacts:
    codes = {hexagram.name: code for code, hexagram in HEXAGRAMS.items()}
    return examine(codes[original], codes[changed], ganzhi)


# In the month 子 and on 甲子 (void 戌亥), 午 alone is broken.
@pytest.mark.parametrize(
    ("own", "becomes", "changes"),
    [
        ("子", "卯", []),
        ("辰", "辰", []),
        ("丑", "辰", ["化进神"]),
        ("寅", "卯", ["化进神"]),
        ("申", "酉", ["化进神"]),
        ("辰", "丑", ["化退神"]),
        ("卯", "寅", ["化退神"]),
        ("酉", "申", ["化退神"]),
        ("子", "申", ["回头生"]),
        ("辰", "寅", ["回头克"]),
        ("酉", "卯", ["回头冲"]),
        ("卯", "酉", ["回头克", "回头冲"]),
        ("丑", "子", ["回头合"]),
        ("子", "丑", ["回头克", "回头合"]),
        ("酉", "辰", ["回头生", "回头合"]),
        ("卯", "未", ["化墓"]),
        ("子", "辰", ["回头克", "化墓"]),
        ("酉", "丑", ["回头生", "化墓"]),
        ("子", "巳", ["化绝"]),
        ("酉", "寅", ["化绝"]),
        ("丑", "巳", ["回头生", "化绝"]),
        ("亥", "巳", ["回头冲", "化绝"]),
        ("未", "戌", ["化进神", "化空"]),
        ("戌", "未", ["化退神"]),
        ("巳", "戌", ["化空", "化墓"]),
        ("巳", "亥", ["回头克", "回头冲", "化空", "化绝"]),
        ("辰", "午", ["回头生", "化破"]),
    ],
)
def test_a_change_acts_on_its_own_line(own: str, becomes: str, changes: list[str]) -> None:
    line = line_of(own, becomes, on("子", "甲子"))
    assert line.changes == tuple(changes)
    assert (line.changed_branch, line.changed_element) == (becomes, BRANCH_ELEMENT[becomes])


def test_a_line_at_rest_becomes_nothing() -> None:
    line = line_of("子", None, on("子", "甲子"))
    assert (line.changed_branch, line.changed_element, line.changed_relation, line.changes) == (None, None, None, ())


def test_a_changed_line_is_related_to_the_palace_of_the_original() -> None:
    # 变卦六亲从本宫: 既济 is of 坎 water, so 益's 辰 is 官鬼, though 益 is of 巽 wood.
    facts = plate("水火既济", "风雷益", on("卯", "丁未"))
    assert facts.lines[2].changed_relation == "官鬼"


@pytest.mark.parametrize(
    ("branch", "becomes", "month", "day", "effects"),
    [
        # month
        ("卯", None, "卯", "丁丑", ["临月建"]),
        ("酉", None, "卯", "丁丑", ["月破", "旬空"]),
        ("酉", "戌", "卯", "乙亥", ["月破", "旬空"]),
        ("戌", None, "卯", "丁丑", ["月合"]),
        # day
        ("未", None, "卯", "丁未", ["临日辰"]),
        ("午", None, "卯", "丁未", ["合起"]),
        ("午", "丑", "卯", "丁未", ["合绊"]),
        # the day clashes: 丑 is 死 in 卯 and 旺 in 辰, 酉 相
        ("丑", None, "卯", "丁未", ["日破"]),
        ("丑", None, "辰", "丁未", ["暗动"]),
        ("丑", "子", "卯", "丁未", ["日冲"]),
        ("酉", None, "辰", "己卯", ["月合", "冲空", "旬空"]),
        ("酉", None, "辰", "癸卯", ["月合", "暗动"]),
        ("巳", None, "子", "癸亥", ["日破"]),
        # void and clashed by the day: 冲空 whether it changes or not
        ("戌", None, "子", "戊辰", ["冲空", "旬空"]),
        ("戌", "卯", "子", "戊辰", ["冲空", "旬空"]),
    ],
)
def test_month_and_day_act_on_a_line(
    branch: str, becomes: str | None, month: str, day: str, effects: list[str]
) -> None:
    assert line_of(branch, becomes, on(month, day)).effects == tuple(effects)


def test_the_terms_of_a_line_say_what_its_facts_say() -> None:
    for month, day in product(BRANCHES, CYCLE):
        for line in plate("水火既济", "风雷益", on(month, day)).lines:
            assert (TimeEffect.ON_MONTH in line.effects) is line.time.on_month
            assert (TimeEffect.ON_DAY in line.effects) is line.time.on_day
            assert (TimeEffect.MONTH_BROKEN in line.effects) is line.time.month_broken
            assert (TimeEffect.MONTH_COMBINED in line.effects) is line.time.month_combined
            assert (TimeEffect.VOID in line.effects) is line.time.void
            assert (line.day_combined is not None) is line.time.combines_with_day
            assert (line.day_clash is not None) is line.time.clashes_with_day
            assert {line.day_combined, line.day_clash} - {None} <= set(line.effects)


@pytest.mark.parametrize(
    ("month", "statuses"),
    [
        ("寅卯", "旺相死囚休"),
        ("巳午", "休旺相死囚"),
        ("申酉", "死囚休旺相"),
        ("亥子", "相死囚休旺"),
        ("辰戌丑未", "囚休旺相死"),
    ],
)
def test_the_month_gives_each_element_its_status(month: str, statuses: str) -> None:
    """DIV-21."""
    for branch in month:
        assert "".join(seasonal_status(element, branch) for element in GENERATION) == statuses


@pytest.mark.parametrize(
    ("element", "stages"),
    [
        ("木", "沐浴 冠带 临官 帝旺 衰 病 死 墓 绝 胎 养 长生"),
        ("火", "胎 养 长生 沐浴 冠带 临官 帝旺 衰 病 死 墓 绝"),
        ("金", "死 墓 绝 胎 养 长生 沐浴 冠带 临官 帝旺 衰 病"),
        ("水", "帝旺 衰 病 死 墓 绝 胎 养 长生 沐浴 冠带 临官"),
        ("土", "帝旺 衰 病 死 墓 绝 胎 养 长生 沐浴 冠带 临官"),
    ],
)
def test_the_day_stands_each_element_in_a_stage(element: Element, stages: str) -> None:
    assert [stage(element, branch) for branch in BRANCHES] == stages.split()


def test_the_facts_of_a_hidden_branch_are_those_it_would_have_on_a_line() -> None:
    ganzhi = on("卯", "丁未")
    for branch in BRANCHES:
        hidden = examine_branch(branch, ganzhi)
        assert isinstance(hidden, BranchFacts)
        assert hidden == line_of(branch, None, ganzhi).time


@pytest.mark.parametrize(
    ("month", "day", "completion"),
    [
        ("卯", "丁未", Completion.AWAITED),
        ("申", "丁未", Completion.MONTH),
        ("卯", "戊申", Completion.DAY),
        ("申", "戊申", Completion.DAY),
    ],
)
def test_day_or_month_completes_a_trine_of_two_changing_lines(month: str, day: str, completion: Completion) -> None:
    # 大畜's 子1 and 辰3 want 申.
    trines = plate("山天大畜", "山水蒙", on(month, day)).trines
    assert [(trine.element, trine.positions, trine.completion, trine.completing) for trine in trines] == [
        ("水", (1, 3), completion, "申")
    ]


def test_every_term_of_the_vocabulary_is_used() -> None:
    days = [on(month, day) for month in BRANCHES for day in CYCLE[::7]]
    messages: set[object] = set()
    for index, (code, changed) in enumerate(product(HEXAGRAMS, repeat=2)):
        facts = examine(code, changed, days[index % len(days)])
        messages.update(trine.completion for trine in facts.trines)
        for line in facts.lines:
            messages.update(line.effects, line.changes)
    for vocabulary in (Change, TimeEffect, DayCombination, DayClash, Completion):
        assert set(vocabulary) <= messages


def test_a_stored_divination_gives_the_facts_of_a_fresh_one() -> None:
    fresh = derive(payload())
    stored = type(fresh).model_validate_json(fresh.model_dump_json())
    assert examine(stored.binary_code, stored.changed_binary_code, stored.ganzhi) == examine(
        fresh.binary_code, fresh.changed_binary_code, fresh.ganzhi
    )
