"""Casts under the month and day a book gives."""

from liuyao import Divination, DivinationPayload, derive
from liuyao.calendar import CYCLE, VOIDS
from liuyao.elements import BRANCH_ELEMENT, opposite

LINES = {"0": "老阴", "1": "少阳", "2": "少阴", "3": "老阳"}


def divination(month: str, day: str, coins: str, question_type: str = "综合", question: str = "吉凶") -> Divination:
    """A cast by its 背 counts (初爻 first), moved to the month of a branch and the day of a pillar."""
    cast = derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "手动起卦",
                "questionType": question_type,
                "question": question,
                "divinationTimeIso": "2026-04-03T20:30:00+08:00",
                "yaoLines": [LINES[count] for count in coins],
            }
        )
    )
    ganzhi = cast.ganzhi.model_copy(
        update={
            "month_gan_zhi": "甲" + month,
            "day_gan_zhi": day,
            "yue_jian": month + BRANCH_ELEMENT[month],
            "ri_chen": day[1] + BRANCH_ELEMENT[day[1]],
            "yue_po": opposite(month) + BRANCH_ELEMENT[opposite(month)],
            "ri_chong": opposite(day[1]) + BRANCH_ELEMENT[opposite(day[1])],
            "day_kong_wang": VOIDS[CYCLE.index(day)],
        }
    )
    return cast.model_copy(update={"ganzhi": ganzhi})
