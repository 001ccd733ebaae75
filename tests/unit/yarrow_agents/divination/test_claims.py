"""What a text says of a plate, held against the plate."""

import random

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up, read
from tests.support.effort import examples
from tests.support.example_cast import EXAMPLE
from tests.support.runners.divination import CAST
from yarrow_agents.divination import brief
from yarrow_agents.divination.review import objections

QUESTIONS = ("什么时候有结果?谁帮我?", "我的财运呢，往哪里去?", "健康怎么办", "阻碍在哪")
TYPES = ("事业", "健康", "财运", "感情", "官司", "出行", "学业", "失物", "天气")


def some_casts(seed: int, count: int) -> list[Divination]:
    chosen = random.Random(seed)
    return [
        derive(
            DivinationPayload.model_validate(
                EXAMPLE
                | {
                    "yaoLines": chosen.choices(["少阳", "少阴", "老阳", "老阴"], k=6),
                    "questionType": chosen.choice(TYPES),
                    "question": chosen.choice(["近来如何?", "刚感冒，会好吗?", "多年的病，会好吗?", "他还爱我吗?"]),
                    "divinationTimeIso": f"20{chosen.randint(10, 99)}-{chosen.randint(1, 12):02}-15T10:00:00+08:00",
                }
            )
        )
        for _ in range(count)
    ]


def task_of(divination: Divination, language: Language = Language.SIMPLIFIED) -> brief.Brief:
    return brief.of_cast(divination, read(divination, language=language), language)


def prose_of(divination: Divination, language: Language) -> str:
    return read(divination, language=language).grounds


@pytest.mark.parametrize("language", Language)
def test_what_the_rules_say_of_a_plate_is_so(language: Language) -> None:
    """DIV-29, DIV-32: their own texts stand up to everything that a model's words are held to."""
    for number, divination in enumerate(some_casts(1, examples(50))):
        reading = read(divination, language=language)
        assert objections(reading.focus_points, task_of(divination, language)) == []
        question = QUESTIONS[number % len(QUESTIONS)]
        answer = answer_follow_up(divination, question, language=language)
        assert objections([answer], brief.of_follow_up(divination, question, answer, language)) == []


@pytest.mark.parametrize("language", Language)
def test_what_is_said_of_another_plate_is_not(language: Language) -> None:
    """DIV-29: a reading does not pass for that of another cast."""
    first, *others = some_casts(2, 60)
    claims = task_of(first, language).claims
    assert all(claims.untrue(prose_of(other, language)) for other in others)


# The plate of CAST: 上爻 兄弟子水 应 动化空, 五爻 官鬼戌土, 四爻 父母申金, 三爻 兄弟亥水 世 动回头克,
# 五爻 官鬼戌土 用神 月合, 二爻 官鬼丑土 日破, 初爻 子孙卯木 临月建 旬空; 妻财午火 hidden under 三爻.
@pytest.mark.parametrize(
    ("text", "untrue"),
    [
        ("五爻官鬼戌土为用神", []),
        ("用神官鬼月合", []),
        ("用神受月建所克，得日辰扶助", []),
        ("官鬼并不得卯月扶助", []),
        ("用神得卯月扶助", ["用神得卯月扶助"]),
        ("未日克着用神，又来帮世爻", ["未日克着用神"]),
        ("The month feeds 官鬼 戌土; the day supports the 用神.", ["The month feeds 官鬼戌土"]),
        ("初爻子孙卯木临月建，又旬空", []),
        ("世爻三爻兄弟亥水发动，回头克", []),
        ("三爻之下的妻财午火为伏神", []),
        ("元神子孙? 不，妻财才是元神", ["元神子孙"]),
        ("五爻是妻财", ["五爻是妻财"]),
        ("五爻的兄弟", ["五爻的兄弟"]),
        ("五爻妻财卯木旬空", ["五爻妻财卯木旬空"]),
        ("第五爻官鬼", []),
        ("第七爻发动", ["第七爻发动"]),
        ("用神妻财得力", ["用神妻财"]),
        ("用神旬空", ["用神旬空"]),
        ("官鬼持世", ["官鬼持世"]),
        ("二爻官鬼酉金", ["二爻官鬼酉金"]),
        ("父母酉", ["父母酉"]),
        ("得寅木之助", ["寅木"]),
        ("月建寅木", ["月建寅木"]),
        ("日辰未土", []),
        ("二爻发动", ["二爻发动"]),
        ("初爻月破", ["初爻月破"]),
        ("玄武官鬼", []),
        ("青龙官鬼", ["青龙官鬼"]),
        ("到丑月才有转机", ["丑月"]),
        ("戌日、午月", []),
        ("甲子日起卦", ["甲子"]),
        ("丁未日起卦", []),
        ("水火既济之风雷益", []),
        ("得山火贲", ["山火贲"]),
        ("得坎为水，坎卦在上", ["坎为水", "坎卦"]),
        ("变为颐卦", ["颐卦"]),
        ("《归妹》之象", ["《归妹》"]),
        ("我来解卦，是否卦象可成", []),
        ("得解卦", ["得解卦"]),
        ("这是六冲卦", ["六冲卦"]),
        ("卦有反吟，又带驿马", ["反吟", "驿马"]),
        ("乾宫之卦", ["乾宫"]),
        ("坎宫之卦", []),
        ("用神官鬼，父母未必帮忙，自己未想好，上午时分", []),
        ("水火既濟之風雷益，應爻上爻兄弟子水", []),
        ("得雷風恆，應爻官鬼", ["雷风恒", "应爻官鬼"]),
        ("用神 (focus line) 官鬼 (officer) 戌土 (earth) in 五爻 (line 5)", []),
        ("妻财 (wealth) is the 世爻 (the asker's line)", ["妻财 is the 世爻"]),
        ("妻财 in line 5; the third line is 兄弟", ["妻财 in line 5"]),
        ("the ninth day, and line 9", ["line 9"]),
        ("the day of the Dog or the month of the Ox", ["month of the Ox"]),
        ("After Completion turns into Increase", []),
        ("Officer (官鬼) of Dog earth on line 5 is weak", []),
        ("Dog earth in the fifth place feeds nothing", []),
        ("Wealth of Dog earth is strong", ["Wealth of Dog earth"]),
        ("Dog earth on line 2 moves", ["Dog earth on line 2"]),
        ("Tiger wood moves", ["Tiger wood"]),
        ("This is The Marrying Maiden, or hexagram 54; it means progress", ["The Marrying Maiden", "hexagram 54"]),
    ],
)
def test_a_claim_holds_when_one_place_on_the_plate_has_it_all(text: str, untrue: list[str]) -> None:
    """DIV-26, DIV-29: The claims are lines, relations, branches, spirits, dates, states and hexagrams in both
    scripts."""
    assert set(task_of(CAST).claims.untrue(text)) == set(untrue)


def test_the_users_own_words_put_nothing_on_the_plate() -> None:
    """DIV-29: a question that names a hexagram or a state is no fact."""
    cast = EXAMPLE | {"question": "我得了乾为天，六冲卦，甲子日，是不是上上签?", "questionType": "伏吟"}
    task = task_of(derive(DivinationPayload.model_validate(cast)))
    assert set(task.claims.untrue("乾为天，六冲卦，甲子日，伏吟")) == {"乾为天", "六冲卦", "甲子", "伏吟"}
