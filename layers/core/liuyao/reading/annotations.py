"""What a reading notes of a plate without weighing it: the four 神煞 that 《增删卜易》 keeps, and 卦身 and 世身.

Sources: 星煞章 of 《增删卜易》 (贵人, 禄, 驿马, 天喜; the others it rejects) and 世身章 of 《卜筮正宗》.
"""

from typing import Final

from liuyao.elements import BRANCHES
from liuyao.reading.plate import Place, Plate

_NOBLE: Final = {
    **dict.fromkeys("甲戊", "丑未"),
    **dict.fromkeys("乙己", "子申"),
    **dict.fromkeys("丙丁", "亥酉"),
    **dict.fromkeys("庚辛", "寅午"),
    **dict.fromkeys("壬癸", "卯巳"),
}
"""By the stem of the day: 甲戊兼牛羊, 乙己鼠猴乡, 丙丁猪鸡位, 庚辛逢虎马, 壬癸兔蛇藏."""
_SALARY: Final = dict(zip("甲乙丙丁戊己庚辛壬癸", "寅卯巳午巳午申酉亥子", strict=True))
"""By the stem of the day."""
_HORSE: Final = {
    branch: horse
    for group, horse in (("申子辰", "寅"), ("巳酉丑", "亥"), ("寅午戌", "申"), ("亥卯未", "巳"))
    for branch in group
}
"""By the branch of the day."""
_JOY: Final = {
    month: joy
    for season, joy in (("寅卯辰", "戌"), ("巳午未", "丑"), ("申酉戌", "辰"), ("亥子丑", "未"))
    for month in season
}
"""By the month: 春戌 夏丑 秋辰 冬未."""


def spirits(plate: Plate, day_stem: str, at: Place) -> tuple[str, ...]:
    """Return those that a line bears."""
    borne = {
        "贵人": at.branch in _NOBLE[day_stem],
        "禄神": at.branch == _SALARY[day_stem],
        "驿马": at.branch == _HORSE[plate.day],
        "天喜": at.branch == _JOY[plate.month],
    }
    return tuple(name for name, is_borne in borne.items() if is_borne)


def body_branch(plate: Plate, *, is_yang: bool) -> str:
    """Return the 卦身 by counting 初爻 to 世: from 子 for a yang 世, from 午 for a yin one."""
    return BRANCHES[((0 if is_yang else 6) + plate.world.position - 1) % 12]


def body_line(plate: Plate) -> Place:
    """Return the line of 世身: 子午持世身居初, 丑未二, 寅申三, 卯酉四, 辰戌五, 巳亥六."""
    return plate.lines[BRANCHES.index(plate.world.branch) % 6]
