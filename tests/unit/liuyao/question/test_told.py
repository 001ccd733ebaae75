"""What an asker tells beside the question: a fear and a name, in three languages and in Cantonese."""

import pytest

from liuyao.reading.question.text import read
from liuyao.reading.question.told import Fear, fear_told, name_told


@pytest.mark.parametrize(
    ("question", "fear"),
    [
        ("我下周二的面试能过吗？我怕自己一紧张就说不出话", Fear.NERVES),
        ("I'm nervous about my driving test on 3 March. Will I pass?", Fear.NERVES),
        ("想跟他表白，又怕被拒绝，該不該說？", Fear.REFUSAL),
        ("Should I ask her out? I'm scared she'll say no.", Fear.REFUSAL),
        ("我很担心钱不够，这套房子能买吗", Fear.MONEY),
        ("Should I take the job? I am afraid I will regret it.", Fear.REGRET),
        ("好驚趕唔切，份申請交唔交得切？", Fear.TIME),
        ("論文交得出嗎？很怕來不及", Fear.TIME),
        ("想辭職，又怕爸媽失望", Fear.FAMILY),
        ("我怕考不上，今年能上岸吗", Fear.FAILING),
        ("Will I manage in Berlin? I worry about being alone.", Fear.ALONE),
        ("下个月的项目能成吗？我心里没底", Fear.OTHER),
        ("我恐怕要迟到了，赶得上吗", None),
        ("明天会下雨吗", None),
        ("Will I get the flat in Leeds?", None),
    ],
)
def test_a_fear_is_told_from_a_question_without_one(question: str, fear: Fear | None) -> None:
    assert fear_told(read(question)) is fear


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("我和小林还能复合吗", "小林"),
        ("我跟阿傑會在一起嗎？", "阿傑"),
        ("老板还在生我的气吗？", None),
        ("我和老公还能和好吗", None),
        ("我和小孩分开住好吗", None),
        ("Should I tell Anna how I feel?", "Anna"),
        ("Will David call me back this week?", "David"),
        ("Will March be better for me?", None),
        ("Should I leave London?", None),
        ("Will they sue me?", None),
    ],
)
def test_a_name_is_that_of_a_person(question: str, name: str | None) -> None:
    assert name_told(read(question)) == name
