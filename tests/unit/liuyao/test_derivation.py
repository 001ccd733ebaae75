"""The whole object derived from one cast (DIV-13 … DIV-24, DIV-27): its shape and what is true of every one.

Of the protocol's sample only the keys are tested; recorded values are in the contract tests.
"""

import random
import subprocess
import sys
import time
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao import DayChange, Divination, derive
from liuyao.elements import BRANCHES
from tests.support.casts import cast, payload
from tests.support.example_cast import EXAMPLE

KEYS = (
    "question questionType divinationMethod divinationTime binaryCode changedBinaryCode guaName guaNameHant upperName "
    "lowerName targetGuaName targetGuaNameHant worldPosition responsePosition hasChangingYao ganzhi wuXingStatuses "
    "yaoInfoList targetYaoInfoList fushenPositions fushenInfoList specialStatus interactions timeEffect "
    "riChenZhangSheng"
)
GANZHI_KEYS = (
    "yearGanZhi monthGanZhi dayGanZhi timeGanZhi yearKongWang monthKongWang dayKongWang timeKongWang yueJian riChen "
    "yuePo riChong"
)
YAO_KEYS = (
    "position spiritName spiritNameHant relationName relationNameHant tiganName elementName isYang isChanging "
    "specialMark"
)

letters = st.text(alphabet="ynYN", min_size=6, max_size=6)
casts = letters.map(cast).map(derive)


def test_the_keys_are_those_of_the_document() -> None:
    """DIV-13, DIV-19, DIV-22, DIV-23, DIV-24; DIV-27: the sample's values contradict its own input."""
    wire = derive(payload()).model_dump(mode="json")
    assert list(wire) == KEYS.split()
    assert list(wire["ganzhi"]) == GANZHI_KEYS.split()
    assert list(wire["wuXingStatuses"]) == ["木", "火", "土", "金", "水"]
    for line in (*wire["yaoInfoList"], *wire["targetYaoInfoList"]):
        assert list(line) == YAO_KEYS.split()
    for hidden in wire["fushenInfoList"]:
        assert list(hidden) == ["position", "relationName", "relationNameHant", "tiganName", "elementName"]


def test_what_is_derived_is_valid() -> None:
    """DIV-12: it is made without validation, which would find nothing."""
    chosen = random.Random(64)
    for _ in range(400):
        day = date(1901, 1, 1) + timedelta(days=chosen.randrange(70_000))
        derived = derive(cast("".join(chosen.choices("ynYN", k=6)), f"{day}T20:30:00+08:00"))
        validated = Divination.model_validate(vars(derived) | {"ganzhi": vars(derived.ganzhi)})
        assert validated == derived
        assert [*vars(validated)] == [*vars(derived)]
        assert Divination.model_validate_json(derived.model_dump_json()) == derived


def test_the_question_is_passed_through_untouched() -> None:
    divination_payload = payload(question=" 问\n𠮷? ", questionType="感情", divinationMethod="自动起卦")
    derived = derive(divination_payload)
    assert (derived.question, derived.question_type, derived.divination_method) == (
        " 问\n𠮷? ",
        "感情",
        "自动起卦",
    )


@pytest.mark.parametrize(
    ("iso", "shown"),
    [
        ("2026-04-03T20:30:00+08:00", "2026年04月03日 20:30"),
        ("2026-04-03T20:30:59.9-05:00", "2026年04月03日 20:30"),
        ("2026-01-01T00:00:00Z", "2026年01月01日 00:00"),
        ("1900-01-01T23:59:59+00:00", "1900年01月01日 23:59"),
    ],
)
def test_the_time_is_shown_as_the_wall_clock_of_its_own_offset(iso: str, shown: str) -> None:
    """DIV-14."""
    assert derive(payload(divinationTimeIso=iso)).divination_time == shown


@pytest.mark.parametrize(
    ("lines", "code", "changed"),
    [
        ("ynYnyN", "101010", "100011"),
        ("yyyyyy", "111111", "111111"),
        ("nnnnnn", "000000", "000000"),
        ("YYYYYY", "111111", "000000"),
        ("NNNNNN", "000000", "111111"),
    ],
)
def test_codes_put_the_lowest_line_first_and_flip_the_old_lines(lines: str, code: str, changed: str) -> None:
    """DIV-15."""
    derived = derive(cast(lines))
    assert (derived.binary_code, derived.changed_binary_code) == (code, changed)


def test_without_an_old_line_nothing_changes() -> None:
    """DIV-18."""
    still = derive(cast("ynynyn"))
    assert still.has_changing_yao is False
    assert still.changed_binary_code == still.binary_code
    assert (still.target_gua_name, still.target_gua_name_hant) == (still.gua_name, still.gua_name_hant)
    assert still.target_yao_info_list == ()


@given(letters)
def test_with_one_the_changed_hexagram_has_all_six_lines(lines: str) -> None:
    """DIV-18, DIV-23."""
    derived = derive(cast(lines))
    assert derived.has_changing_yao is any(letter in "YN" for letter in lines)
    for own, target, letter in zip(derived.yao_info_list, derived.target_yao_info_list, lines, strict=False):
        assert target.position == own.position
        assert target.is_changing is own.is_changing is (letter in "YN")
        assert target.is_yang is (own.is_yang ^ own.is_changing)
        assert target.special_mark == ""
        assert target.spirit_name == own.spirit_name


@given(casts)
def test_the_marks_stand_where_the_positions_say(derived: Divination) -> None:
    """DIV-17, DIV-22."""
    marks = {line.special_mark: line.position for line in derived.yao_info_list if line.special_mark}
    assert marks == {"世": derived.world_position, "应": derived.response_position}


@given(casts)
def test_hidden_lines_are_listed_by_position(derived: Divination) -> None:
    """DIV-24."""
    assert derived.fushen_positions == tuple(line.position for line in derived.fushen_info_list)
    assert list(derived.fushen_positions) == sorted(set(derived.fushen_positions))
    shown = {line.relation_name for line in derived.yao_info_list}
    assert shown.isdisjoint(line.relation_name for line in derived.fushen_info_list)
    assert len(shown) + len(derived.fushen_info_list) == 5


@pytest.mark.parametrize(
    ("date", "stem", "spirits"),
    [
        ("2026-03-31", "甲", "龙雀勾蛇虎玄"),
        ("2026-04-01", "乙", "龙雀勾蛇虎玄"),
        ("2026-04-02", "丙", "雀勾蛇虎玄龙"),
        ("2026-04-03", "丁", "雀勾蛇虎玄龙"),
        ("2026-04-04", "戊", "勾蛇虎玄龙雀"),
        ("2026-04-05", "己", "蛇虎玄龙雀勾"),
        ("2026-04-06", "庚", "虎玄龙雀勾蛇"),
        ("2026-04-07", "辛", "虎玄龙雀勾蛇"),
        ("2026-04-08", "壬", "玄龙雀勾蛇虎"),
        ("2026-04-09", "癸", "玄龙雀勾蛇虎"),
    ],
)
def test_the_day_stem_gives_the_spirits(date: str, stem: str, spirits: str) -> None:
    """DIV-22."""
    derived = derive(payload(divinationTimeIso=f"{date}T12:00:00+08:00"))
    assert derived.ganzhi.day_gan_zhi[0] == stem
    assert "".join(line.spirit_name for line in derived.yao_info_list) == spirits
    assert [line.spirit_name_hant for line in derived.yao_info_list] == [
        spirit.replace("龙", "龍") for spirit in spirits
    ]


@given(casts)
def test_month_and_day_are_named_with_their_opposites(derived: Divination) -> None:
    """DIV-19."""
    ganzhi = derived.ganzhi
    for near, far, pillar in (
        (ganzhi.yue_jian, ganzhi.yue_po, ganzhi.month_gan_zhi),
        (ganzhi.ri_chen, ganzhi.ri_chong, ganzhi.day_gan_zhi),
    ):
        assert near[0] == pillar[1]
        assert (BRANCHES.index(near[0]) + 6) % 12 == BRANCHES.index(far[0])


def test_the_named_school_of_midnight_moves_day_and_spirits_together() -> None:
    late = payload(divinationTimeIso="2026-04-03T23:30:00+08:00")
    by_default, midnight = derive(late), derive(late, DayChange.MIDNIGHT)
    assert by_default == derive(late, DayChange.ELEVEN_PM)
    assert (by_default.ganzhi.day_gan_zhi, midnight.ganzhi.day_gan_zhi) == ("戊申", "丁未")
    assert (by_default.ganzhi.ri_chen, midnight.ganzhi.ri_chen) == ("申金", "未土")
    assert (by_default.yao_info_list[0].spirit_name, midnight.yao_info_list[0].spirit_name) == ("勾", "雀")
    assert by_default.ganzhi.time_gan_zhi == midnight.ganzhi.time_gan_zhi == "壬子"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati"])
def test_the_zone_of_the_host_plays_no_part(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """DIV-20."""
    here = derive(payload())
    with monkeypatch.context() as host:
        host.setenv("TZ", zone)
        time.tzset()
        there = derive(payload())
    time.tzset()
    assert there == here


def fresh_process(code: str) -> list[str]:
    """Return the words that this code prints in an interpreter of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.split()


def test_a_derivation_opens_no_file_and_starts_nothing() -> None:
    code = f"""
import sys
from liuyao import DivinationPayload, derive
example = {EXAMPLE!r}
derive(DivinationPayload.model_validate(example))
acts = []
sys.addaudithook(lambda act, _: acts.append(act) if act.startswith(("open", "os.", "socket.", "import")) else None)
for iso in ("1900-06-01T00:00:00Z", "2099-12-31T23:30:00+14:00"):
    derive(DivinationPayload.model_validate(example | {{"divinationTimeIso": iso, "yaoLines": ["老阳"] * 6}}))
print("done", *acts)
"""
    assert fresh_process(code) == ["done"]


def test_the_package_needs_nothing_of_aws_or_the_web() -> None:
    foreign = {"boto3", "botocore", "starlette", "mangum", "aws_lambda_powertools"}
    assert fresh_process(f"import sys, liuyao; print(*({foreign!r} & set(sys.modules)))") == []
