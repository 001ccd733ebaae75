"""What all 4,096 casts are by their two hexagrams, counted (DIV-25)."""

from collections import Counter
from itertools import product

import pytest

from liuyao.analysis_terms import Completion, PlateStatus
from liuyao.casts import Cast, Trine, cast
from liuyao.elements import ADVANCES
from liuyao.hexagrams import HEXAGRAMS, Kind

PAIRS = list(product(HEXAGRAMS, repeat=2))
CODES = {hexagram.name: code for code, hexagram in HEXAGRAMS.items()}


def named(original: str, changed: str) -> Cast:
    return cast(CODES[original], CODES[changed])


def count(status: PlateStatus) -> int:
    return sum(status in cast(*pair).statuses for pair in PAIRS)


@pytest.mark.parametrize(
    ("status", "casts"),
    [
        (PlateStatus.CLASHING, 10 * 64),
        (PlateStatus.COMBINING, 8 * 64),
        (PlateStatus.WANDERING, 8 * 64),
        (PlateStatus.RETURNING, 8 * 64),
        (PlateStatus.CLASHING_TO_COMBINING, 80),
        (PlateStatus.COMBINING_TO_CLASHING, 80),
        (PlateStatus.CLASHING_TO_CLASHING, 90),
        (PlateStatus.COMBINING_TO_COMBINING, 56),
        (PlateStatus.INNER_ECHO, 128),
        (PlateStatus.OUTER_ECHO, 128),
        (PlateStatus.INNER_REVERSAL, 128),
        (PlateStatus.OUTER_REVERSAL, 128),
        (PlateStatus.ALL_REST, 64),
        (PlateStatus.ONE_MOVES, 6 * 64),
        (PlateStatus.ONE_RESTS, 6 * 64),
        (PlateStatus.ALL_MOVE, 64),
    ],
)
def test_each_status_holds_for_the_known_number_of_casts(status: PlateStatus, casts: int) -> None:
    assert count(status) == casts


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        (
            PlateStatus.INNER_ECHO,
            PlateStatus.OUTER_ECHO,
            {("乾为天", "震为雷"), ("震为雷", "乾为天"), ("天雷无妄", "雷天大壮"), ("雷天大壮", "天雷无妄")},
        ),
        (
            PlateStatus.INNER_REVERSAL,
            PlateStatus.OUTER_REVERSAL,
            {("坤为地", "巽为风"), ("巽为风", "坤为地"), ("地风升", "风地观"), ("风地观", "地风升")},
        ),
    ],
)
def test_four_casts_echo_and_four_reverse_in_both_halves(
    inner: PlateStatus, outer: PlateStatus, expected: set[tuple[str, str]]
) -> None:
    found = {
        (HEXAGRAMS[code].name, HEXAGRAMS[changed].name)
        for code, changed in PAIRS
        if {inner, outer} <= set(cast(code, changed).statuses)
    }
    assert found == expected


def test_without_a_change_there_is_no_changed_hexagram() -> None:
    still = named("乾为天", "乾为天")
    assert (still.kind, still.changed_kind) == (Kind.CLASHING, None)
    assert still.statuses == (PlateStatus.CLASHING, PlateStatus.ALL_REST)
    assert (still.clashes, still.combinations, still.trines, still.open_trines) == ((), (), (), ())


def test_a_line_advances_or_retreats_by_the_four_known_pairs_alone() -> None:
    steps = Counter(
        own + becomes
        for code, changed in PAIRS
        for own, becomes, before, after in zip(
            HEXAGRAMS[code].branches, HEXAGRAMS[changed].branches, code, changed, strict=True
        )
        if before != after
    )
    happening = {pair for pair in (*ADVANCES, "亥子", "巳午", "辰未", "戌丑") if steps[pair] or steps[pair[::-1]]}
    assert happening == set(ADVANCES) == {"寅卯", "申酉", "丑辰", "未戌"}


def test_lines_clash_when_one_of_them_changes() -> None:
    # 乾: 子1 午4, 寅2 申5, 辰3 戌6; its first line turned gives 姤.
    assert named("乾为天", "天风姤").clashes == ((1, 4),)
    assert named("乾为天", "坤为地").clashes == ((1, 4), (2, 5), (3, 6))


def test_lines_combine_when_both_change() -> None:
    # 否: 未1 午4, 巳2 申5, 卯3 戌6.
    assert named("天地否", "天雷无妄").combinations == ()
    assert named("天地否", "地天泰").combinations == ((1, 4), (2, 5), (3, 6))


@pytest.mark.parametrize(
    ("original", "changed", "expected"),
    [
        # 大畜: 子1 辰3 move, and no line is 申.
        ("山天大畜", "山水蒙", Trine("水", (1, 3), Completion.AWAITED, "申")),
        # 鼎: 丑1 巳6 move, 酉3 rests.
        ("火风鼎", "雷天大壮", Trine("金", (1, 3, 6), Completion.LINES, None)),
        # 离: 酉4 巳6 move, and 4 becomes 丑.
        ("离为火", "地火明夷", Trine("金", (4, 6), Completion.CHANGE, None)),
    ],
)
def test_a_trine_forms_by_each_of_the_patterns(original: str, changed: str, expected: Trine) -> None:
    found = named(original, changed)
    assert expected in (*found.trines, *found.open_trines)


def test_a_trine_that_change_completes_awaits_nothing() -> None:
    for pair in PAIRS:
        found = cast(*pair)
        complete = {(trine.element, trine.positions) for trine in found.trines}
        assert not complete & {(trine.element, trine.positions) for trine in found.open_trines}


def test_a_trine_is_of_lines_that_bear_it() -> None:
    for code, changed in PAIRS:
        for trine in cast(code, changed).trines:
            moving = [place for place in trine.positions if code[place - 1] != changed[place - 1]]
            assert len(moving) >= 2


@pytest.mark.parametrize("three", ["寅巳申", "丑戌未"])
def test_no_hexagram_bears_a_complete_punishment(three: str) -> None:
    assert not any(set(hexagram.branches).issuperset(three) for hexagram in HEXAGRAMS.values())
