"""The derivation against independent programs: najia (structure), lunar-python and tyme4py (calendar).

Where they differ from the rules of this project the test says so and why; none of them is imported by the product.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from typing import Any

import pytest
from lunar_python import Solar
from najia import Najia
from najia.utils import get_type
from tyme4py.solar import SolarTime

from liuyao import DayChange, DivinationPayload, derive
from liuyao.calendar import _MONTHS, CYCLE, VOIDS, pillars
from liuyao.derivation import SPIRITS
from liuyao.divination import YaoInfo
from liuyao.hexagrams import HEXAGRAMS, Hexagram

# All three take the wall clock of China.
CHINA = timezone(timedelta(hours=8))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# najia: 1 少阳, 2 少阴, 3 老阳, 4 老阴.
NAJIA_LINES = {("1", "1"): (1, "少阳"), ("0", "0"): (2, "少阴"), ("1", "0"): (3, "老阳"), ("0", "1"): (4, "老阴")}


def walk(step: timedelta, clear: timedelta) -> Iterator[datetime]:
    """Yield the instants from 1900 to 2100 at odd hours, each at least `clear` away from the turn of a month."""
    moment, last = datetime(1900, 2, 5, 5, tzinfo=CHINA), datetime(2100, 12, 31, tzinfo=CHINA)
    while moment < last:
        if pillars(moment - clear).month == pillars(moment + clear).month:
            yield moment
        moment += step


# After 2050 each program forecasts ΔT by itself, and they part by up to two minutes.
MOMENTS = list(walk(timedelta(days=33, hours=19, minutes=37, seconds=41), clear=timedelta(minutes=5)))


def names(moment: datetime, school: DayChange = DayChange.ELEVEN_PM) -> list[str]:
    return [CYCLE[place] for place in pillars(moment, school)]


def test_najia_finds_the_same_structure_in_all_4096_casts() -> None:
    """DIV-15, DIV-16, DIV-17, DIV-18, DIV-22, DIV-23, DIV-24."""
    for code, changed_code in product(HEXAGRAMS, repeat=2):
        params, yao_lines = zip(*(NAJIA_LINES[pair] for pair in zip(code, changed_code, strict=True)), strict=True)
        theirs = Najia(0).compile(params=list(params), date="2026-04-03 20:30").data
        payload = {
            "divinationMethod": "手动起卦",
            "questionType": "事业",
            "question": "?",
            "divinationTimeIso": "2026-04-03T20:30:00+08:00",
            "yaoLines": yao_lines,
        }
        ours = derive(DivinationPayload.model_validate(payload))
        hexagram, target = HEXAGRAMS[code], HEXAGRAMS[changed_code]
        assert (ours.gua_name, ours.binary_code) == (theirs["name"], theirs["mark"])
        assert hexagram.palace.name == theirs["gong"]
        assert (ours.world_position, ours.response_position) == theirs["shiy"][:2]
        assert lines(hexagram, ours.yao_info_list) == (theirs["qin6"], theirs["qinx"])
        assert tuple(SPIRITS[line.spirit_name] for line in ours.yao_info_list) == theirs["god6"]
        assert [line.position - 1 for line in ours.yao_info_list if line.is_changing] == theirs["dong"]
        hidden, hide = {}, theirs["hide"] or {"seat": []}
        for seat in hide["seat"]:
            hidden[seat + 1] = (hide["qin6"][seat], hide["qinx"][seat][1:])
        assert hidden == {
            line.position: (line.relation_name, line.tigan_name + line.element_name) for line in ours.fushen_info_list
        }
        if code == changed_code:
            assert theirs["bian"] is None
            assert ours.target_yao_info_list == ()
        else:
            assert (ours.target_gua_name, ours.changed_binary_code) == (theirs["bian"]["name"], theirs["bian"]["mark"])
            assert lines(target, ours.target_yao_info_list) == (theirs["bian"]["qin6"], theirs["bian"]["qinx"])


def lines(hexagram: Hexagram, infos: tuple[YaoInfo, ...]) -> tuple[list[str], list[str]]:
    """The relations, and the stems, branches and elements, as najia lists them."""
    return [info.relation_name for info in infos], [
        stem + info.tigan_name + info.element_name for stem, info in zip(hexagram.stems, infos, strict=True)
    ]


def test_najia_knows_the_same_special_hexagrams() -> None:
    assert {code: get_type(code) for code in HEXAGRAMS} == {
        code: str(hexagram.kind or "") for code, hexagram in HEXAGRAMS.items()
    }


def test_najia_has_the_pillars_of_the_midnight_school() -> None:
    """DIV-19: najia changes the day at 00:00. It cuts the minutes off, so it is asked well away from the terms."""
    for moment in walk(timedelta(days=409, hours=7, minutes=13), clear=timedelta(hours=1)):
        theirs = Najia(0).compile(params=[1] * 6, date=f"{moment:%Y-%m-%d %H:%M}").data["lunar"]
        year, month, day, hour = names(moment, DayChange.MIDNIGHT)
        assert theirs["gz"] == {"year": year, "month": month, "day": day, "hour": hour}, moment
        assert theirs["xkong"] == VOIDS[CYCLE.index(day)]


def test_najia_cuts_the_minutes_off() -> None:
    """So it is late by up to an hour at the turn of a month; the rules go by the second."""
    # 清明 2026 was at 02:39:59; at 02:50 najia still sees 02:00.
    moment = datetime(2026, 4, 5, 2, 50, tzinfo=CHINA)
    theirs = Najia(0).compile(params=[1] * 6, date=f"{moment:%Y-%m-%d %H:%M}").data["lunar"]["gz"]
    assert (names(moment)[1], theirs["month"]) == ("壬辰", "辛卯")


def test_lunar_python_has_the_same_pillars_in_either_school() -> None:
    """DIV-19, DIV-20: Its sect 1 changes the day at 23:00, its sect 2 at 00:00."""
    assert len(MOMENTS) > 2000
    for moment in MOMENTS:
        eight = solar(moment, Solar.fromYmdHms).getLunar().getEightChar()
        for sect, school in ((1, DayChange.ELEVEN_PM), (2, DayChange.MIDNIGHT)):
            eight.setSect(sect)
            theirs = [eight.getYear(), eight.getMonth(), eight.getDay(), eight.getTime()]
            assert theirs == names(moment, school), moment


def test_tyme4py_has_the_same_pillars() -> None:
    """DIV-19, DIV-20: its default changes the day at 23:00. It is slow, so it is asked of every third moment."""
    for moment in MOMENTS[::3]:
        hour = solar(moment, SolarTime.from_ymd_hms).get_sixty_cycle_hour()
        theirs = (hour.get_year(), hour.get_month(), hour.get_day(), hour.get_sixty_cycle())
        assert [their.get_name() for their in theirs] == names(moment), moment


def solar(moment: datetime, make: Callable[..., Any]) -> Any:
    return make(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)


# lunar-python's terms from 立春; it writes that of the next January in pinyin.
TERMS = ("立春", "惊蛰", "清明", "立夏", "芒种", "小暑", "立秋", "白露", "寒露", "立冬", "大雪", "XIAO_HAN")


@pytest.mark.parametrize(
    ("years", "seconds"),
    [
        # Both know ΔT; the rest is lunar-python's theory of the Sun and the rounding of both.
        (range(1900, 2027), 3.5),
        # Its forecast of ΔT grows away from the leap seconds of today, which this table keeps.
        (range(2027, 2051), 5),
        (range(2051, 2101), 130),
    ],
)
def test_lunar_python_has_the_same_instants_of_the_terms(years: range, seconds: float) -> None:
    for year in years:
        table = Solar.fromYmd(year, 6, 1).getLunar().getJieQiTable()
        for month, term in enumerate(TERMS):
            theirs = datetime.fromisoformat(table[term].toYmdHms()).replace(tzinfo=CHINA)
            ours = EPOCH + timedelta(seconds=_MONTHS[(year - 1899) * 12 + month])
            assert abs((theirs - ours).total_seconds()) <= seconds, (year, term)
