"""Defines every term that states a fact of a cast, with its rule.

The four lists of the wire object (specialStatus, interactions, timeEffect, riChenZhangSheng) and the reading use these
terms and no others. Source: `divination-rules.md` §2.9, default school 《增删卜易》. Not in the vocabulary, by that
school: 六害 (「全无应验」), 六合 with a line at rest, 卦反吟 by 后天对宫, and 三刑 of fewer than three branches
(「独犯三刑得验者少」; no hexagram bears all three).
"""

from enum import StrEnum


class PlateStatus(StrEnum):
    """The terms of the whole cast (specialStatus)."""

    CLASHING = "六冲卦"  # lines 1-4, 2-5, 3-6 all clash
    COMBINING = "六合卦"  # lines 1-4, 2-5, 3-6 all combine
    WANDERING = "游魂"  # seventh of its palace
    RETURNING = "归魂"  # eighth of its palace
    CLASHING_TO_CLASHING = "六冲变六冲"
    CLASHING_TO_COMBINING = "六冲变六合"
    COMBINING_TO_CLASHING = "六合变六冲"
    COMBINING_TO_COMBINING = "六合变六合"
    INNER_ECHO = "内卦伏吟"  # lines of the half change, all three branches stay
    OUTER_ECHO = "外卦伏吟"
    INNER_REVERSAL = "内卦反吟"  # lines of the half change, all three branches clash with what they become
    OUTER_REVERSAL = "外卦反吟"
    ALL_REST = "六爻安静"
    ONE_MOVES = "独发"
    ONE_RESTS = "独静"
    ALL_MOVE = "六爻皆动"


class Change(StrEnum):
    """The effects of a changing line's change on the line itself (interactions); it acts on no other line."""

    GENERATED = "回头生"  # the changed element generates the line's
    OVERCOME = "回头克"  # the changed element overcomes the line's
    CLASHED = "回头冲"  # the changed branch clashes with the line's
    COMBINED = "回头合"  # the changed branch combines with the line's (化扶)
    ADVANCING = "化进神"
    RETREATING = "化退神"
    VOID = "化空"  # the changed branch is void in the day's decade
    BROKEN = "化破"  # the changed branch clashes with the month
    TOMB = "化墓"  # the changed branch is the tomb of the line's element
    EXTINCT = "化绝"  # the changed branch is the extinction of the line's element


class Interaction(StrEnum):
    """The effects of lines on one another (interactions); a changing line acts, a line at rest does not."""

    CLASH = "六冲"  # two lines, at least one of them changing
    COMBINATION = "六合"  # two changing lines (一爻不动便不为合)
    TRINE = "三合"  # see Completion


class Completion(StrEnum):
    """The sources of a trine's (三合) three branches (interactions), in the four patterns of 增删卜易 六合章."""

    LINES = "三爻"  # three lines, at least two of them changing
    CHANGE = "动变"  # lines 1 and 3, or 4 and 6, both changing, with what they become
    DAY = "日辰"  # two changing lines and the day's branch
    MONTH = "月建"  # two changing lines and the month's branch
    AWAITED = "待用"  # two changing lines, the third branch nowhere yet (虚一待用)


class TimeEffect(StrEnum):
    """The effects of month and day on a line, changing or not (timeEffect)."""

    ON_MONTH = "临月建"  # the month's branch
    ON_DAY = "临日辰"  # the day's branch
    MONTH_BROKEN = "月破"  # the branch opposite the month's
    MONTH_COMBINED = "月合"  # combines with the month's branch
    VOID = "旬空"  # void in the day's decade


class DayCombination(StrEnum):
    """The effects of the day on a line whose branch it combines with (timeEffect)."""

    RAISED = "合起"  # the line is at rest
    BOUND = "合绊"  # the line is changing


class DayClash(StrEnum):
    """The effects of the day on a line whose branch it clashes with (timeEffect)."""

    FILLED = "冲空"  # the line is void, changing or not
    STIRRED = "暗动"  # at rest, 旺 or 相 in the month
    BROKEN = "日破"  # at rest, 休 囚 or 死 in the month
    SCATTERED = "日冲"  # changing
