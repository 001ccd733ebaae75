"""神煞, 卦身 and 世身: noted beside a reading, and never weighed."""

from itertools import product

import pytest

from liuyao.calendar import CYCLE
from liuyao.reading import Language, read
from liuyao.reading.annotations import body_branch, body_line, spirits
from liuyao.reading.plate import lay_out
from tests.support.readings.dated_casts import divination

MONTH, DAY = "卯", "丁未"


def test_the_spirits_are_the_four_that_the_book_keeps() -> None:
    """On a 丁 day 贵人 is 亥 and 酉, 禄 午; on a 未 day 驿马 is 巳; in a 卯 month 天喜 is 戌."""
    plate = lay_out(divination(MONTH, DAY, "121211"))
    borne = {line.branch: spirits(plate, DAY[0], line) for line in plate.lines}
    wanted = {"亥": ("贵人",), "酉": ("贵人",), "午": ("禄神",), "巳": ("驿马",), "戌": ("天喜",)}
    assert borne == {branch: wanted.get(branch, ()) for branch in borne}
    assert {"亥", "巳"} & borne.keys()


@pytest.mark.parametrize(
    ("coins", "branch", "line"),
    [
        ("111111", "巳", 5),  # 乾为天: 世 on 上爻, yang, 戌
        ("222222", "亥", 4),  # 坤为地: 世 on 上爻, yin, 酉
        ("211111", "午", 2),  # 天风姤: 世 on 初爻, yin, 丑
    ],
)
def test_the_body_is_counted_from_the_line_of_the_asker(coins: str, branch: str, line: int) -> None:
    """阳世则从子月起，阴世还从午月生；子午持世身居初."""
    plate = lay_out(divination(MONTH, DAY, coins))
    is_yang = coins[plate.world.position - 1] == "1"
    assert body_branch(plate, is_yang=is_yang) == branch
    assert body_line(plate).position == line


def test_they_are_noted_beside_the_reading_and_change_nothing_in_it() -> None:
    """DIV-29: grade, conclusion, reasons, advice and keywords stay; in three languages."""
    noted = 0
    for number, coins in enumerate(product("0123", repeat=6)):
        if number % 41:
            continue
        cast = divination(MONTH, CYCLE[number % 60], "".join(coins))
        for language in Language:
            plain = read(cast, language=language)
            body = read(cast, language=language, body=True)
            noted += any(name in plain.answer for name in ("贵人", "貴人", "禄神", "祿神", "驿马", "驛馬", "天喜"))
            assert "卦身" in body.answer
            assert "卦身" not in plain.answer
            for name in ("sign_level", "conclusion", "focus_points", "advice", "keywords"):
                assert getattr(plain, name) == getattr(body, name)
    assert noted > 100
