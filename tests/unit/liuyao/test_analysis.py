"""The four lists of analysis: what they say, in which words, in which order (DIV-25, DIV-26)."""

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao import Divination, derive
from liuyao.analysis_terms import Change, DayClash, DayCombination, PlateStatus, TimeEffect
from liuyao.elements import BRANCHES, STAGES
from tests.support.casts import cast

LINE = "[初二三四五上]爻"


def one_of(*terms: str) -> str:
    return "(?:" + "|".join(terms) + ")"


# Every sentence the lists may hold.
GRAMMAR = {
    "special_status": one_of(
        *(status for status in PlateStatus if status not in (PlateStatus.ONE_MOVES, PlateStatus.ONE_RESTS)),
        f"{LINE}独[发静]",
    ),
    "interactions": one_of(
        LINE + one_of(*Change),
        f"{LINE}与{LINE}六[冲合]",
        f"{LINE}、{LINE}与{LINE}三合[木火金水]局",
        f"{LINE}与{LINE}动变三合[木火金水]局",
        f"{LINE}与{LINE}会(?:日辰|月建)[{BRANCHES}]三合[木火金水]局",
        f"{LINE}与{LINE}三合[木火金水]局虚[{BRANCHES}]待用",
    ),
    "time_effect": LINE + one_of(*TimeEffect, *DayCombination, *DayClash),
    "ri_chen_zhang_sheng": f"{LINE}[{BRANCHES}][木火土金水]{one_of(*STAGES)}于[{BRANCHES}]",
}


@pytest.mark.parametrize(
    ("letters", "moment", "expected"),
    [
        # 既济 to 益 in the month 卯 on 丁未.
        (
            "ynYnyN",
            "2026-04-03T20:30:00+08:00",
            {
                "special_status": (),
                "interactions": ("三爻回头克", "三爻化墓", "上爻化空"),
                "time_effect": ("初爻临月建", "初爻旬空", "二爻日破", "五爻月合"),
                "ri_chen_zhang_sheng": (
                    "初爻卯木墓于未",
                    "二爻丑土养于未",
                    "三爻亥水养于未",
                    "四爻申金冠带于未",
                    "五爻戌土养于未",
                    "上爻子水养于未",
                ),
            },
        ),
        # 离 to 临, four lines moving, in the month 午 on 乙丑.
        (
            "yNYYnY",
            "2085-06-10T02:14:00+08:00",
            {
                "special_status": ("六冲卦",),
                "interactions": (
                    "初爻与四爻六冲",
                    "二爻回头克",
                    "二爻与五爻六冲",
                    "二爻、四爻与上爻三合金局",
                    "三爻回头克",
                    "三爻与上爻六冲",
                    "四爻回头生",
                    "四爻化墓",
                    "四爻与上爻动变三合金局",
                ),
                "time_effect": ("二爻临日辰", "三爻旬空", "五爻月合", "五爻暗动"),
            },
        ),
    ],
    ids=["既济之益", "离之临"],
)
def test_a_plate_is_put_into_words(letters: str, moment: str, expected: dict[str, tuple[str, ...]]) -> None:
    """DIV-25."""
    divination = derive(cast(letters, moment))
    assert {name: getattr(divination, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("yyyyyy", ("六冲卦", "六爻安静")),
        ("Yyyyyy", ("六冲卦", "初爻独发")),
        ("NNNNNn", ("六冲卦", "上爻独静")),
        ("YYYYYY", ("六冲卦", "六冲变六冲", "六爻皆动")),
        ("nnNnnn", ("六冲卦", "三爻独发")),
        ("nnnYYY", ("六合卦", "六合变六冲")),
        ("yYYyYY", ("六冲卦", "六冲变六冲", "内卦伏吟", "外卦伏吟")),
        ("nNNnNN", ("六冲卦", "六冲变六冲", "内卦反吟", "外卦反吟")),
        ("nNNnnn", ("六冲卦", "内卦反吟")),
        ("nnnyny", ("游魂", "六爻安静")),
        ("yyyyny", ("归魂", "六爻安静")),
    ],
)
def test_the_whole_plate_has_its_status(letters: str, expected: tuple[str, ...]) -> None:
    assert derive(cast(letters)).special_status == expected


casts = st.builds(
    cast,
    st.text(alphabet="ynYN", min_size=6, max_size=6),
    st.dates(date(1901, 1, 1), date(2099, 12, 31)).map(lambda day: f"{day}T12:00:00+08:00"),
).map(derive)


@given(casts)
def test_every_entry_is_of_the_fixed_vocabulary(divination: Divination) -> None:
    """DIV-25, DIV-26."""
    for name, grammar in GRAMMAR.items():
        for entry in getattr(divination, name):
            assert re.fullmatch(grammar, entry), entry


@given(casts)
def test_entries_rise_through_the_lines(divination: Divination) -> None:
    for entries in (divination.interactions, divination.time_effect, divination.ri_chen_zhang_sheng):
        lines = ["初二三四五上".index(entry[0]) for entry in entries]
        assert lines == sorted(lines)


@given(casts)
def test_every_line_has_its_stage(divination: Divination) -> None:
    assert [entry[0] for entry in divination.ri_chen_zhang_sheng] == list("初二三四五上")


@given(casts)
def test_nothing_is_said_twice(divination: Divination) -> None:
    for name in GRAMMAR:
        entries = getattr(divination, name)
        assert len(set(entries)) == len(entries)
