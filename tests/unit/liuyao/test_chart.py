"""The plate drawn for a terminal: complete, aligned, 上爻 on top."""

from unicodedata import east_asian_width

import pytest

from liuyao import derive
from liuyao.chart import draw
from tests.support.casts import cast

PLATE = """\
占问  我最近换工作是否合适?（事业）
时间  2026年04月03日 20:30  手动起卦
四柱  丙午年   辛卯月   丁未日   庚戌时
旬空  寅卯     午未     寅卯     寅卯
月建  卯木  月破 酉金
日辰  未土  日冲 丑土

六神   伏神         本卦 水火既济（坎宫三世）   变卦 风雷益（巽宫三世）
青龙                兄弟戊子水   ▅▅ ▅▅ × 应     子孙辛卯木空 ▅▅▅▅▅
玄武                官鬼戊戌土   ▅▅▅▅▅          妻财辛巳火   ▅▅▅▅▅
白虎                父母戊申金   ▅▅ ▅▅          官鬼辛未土   ▅▅ ▅▅
螣蛇   妻财戊午火   兄弟己亥水   ▅▅▅▅▅ ○ 世     官鬼庚辰土   ▅▅ ▅▅
勾陈                官鬼己丑土   ▅▅ ▅▅          子孙庚寅木空 ▅▅ ▅▅
朱雀                子孙己卯木空 ▅▅▅▅▅          兄弟庚子水   ▅▅▅▅▅

生克  三爻回头克　三爻化墓　上爻化空
日月  初爻临月建　初爻旬空　二爻日破　五爻月合
长生  初爻卯木墓于未　二爻丑土养于未　三爻亥水养于未　四爻申金冠带于未　五爻戌土养于未　上爻子水养于未"""


def column(text: str, found: str) -> int:
    """Return the terminal column at which `found` starts, a Chinese character taking two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text[: text.index(found)])


def test_the_example_is_drawn_whole() -> None:
    assert draw(derive(cast("ynYnyN"))) == PLATE


def test_a_question_with_line_breaks_and_control_characters_stays_on_its_line() -> None:
    divination = derive(cast("ynYnyN"))
    broken = divination.model_copy(
        update={"question": "我最近\x1b换工作\x00是否合适?\n", "question_type": "\t事业\r\n"}
    )
    assert draw(broken) == PLATE


def test_a_static_plate_has_one_hexagram_and_no_empty_column() -> None:
    drawn = draw(derive(cast("yyyyyy")))
    assert "本卦 乾为天（乾宫八纯）" in drawn
    assert "变卦" not in drawn
    assert "伏神" not in drawn


@pytest.mark.parametrize("letters", ["ynYnyN", "nNnnyY", "YyNnYN", "yynnyn"])
def test_the_lines_stand_in_columns(letters: str) -> None:
    rows = draw(derive(cast(letters))).splitlines()[8:14]
    assert len({column(row, "▅") for row in rows}) == 1
    assert len({column(row[::-1], "▅") for row in rows if row.endswith("▅")}) <= 1
