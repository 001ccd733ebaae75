"""How a question is put decides how its answer is worded."""

import pytest

from liuyao.reading.question.form import Form, form_of
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("What's holding my career back?", Form.WHY),
        ("Why does my landlord keep ignoring my emails?", Form.WHY),
        ("我的事业卡在什么地方了？", Form.WHY),
        ("我的感情一直不順，問題出在哪？", Form.WHY),
        ("What should I do about my noisy upstairs neighbours?", Form.HOW),
        ("My husband wants to move to the countryside and I don't. What now?", Form.HOW),
        ("爸爸想把老家賣掉，我該怎麼勸他？", Form.HOW),
        ("下周去面试，我该注意些什么？", Form.HEED),
        ("What should I watch out for at the handover?", Form.HEED),
        ("Where did I leave my reading glasses?", Form.WHERE),
        ("Should I sell the old Volvo now or wait until spring?", Form.WHICH),
        ("兩間補習班，哪一間比較適合我女兒？", Form.WHICH_UNNAMED),
        ("同学聚会去还是不去？", Form.SHOULD),
        ("How much will they offer me for the flat?", Form.AMOUNT),
        ("婚禮會來多少客人？", Form.COUNT),
        ("我考上的把握有几成？", Form.CHANCE),
        ("总行和支行哪个机会大？", Form.WHICH),
        ("Who keeps taking my parking spot?", Form.WHO_DID),
        ("公司裡誰是我的貴人？", Form.WHO_HELPS),
        ("When will my passport come back?", Form.WHEN),
        ("When is a good time to ask for a raise?", Form.WHEN_BEST),
        ("How is my sister getting on in Lisbon?", Form.STATE),
        ("我妈最近心情怎么样？", Form.STATE),
        ("Did I do well in yesterday's driving test?", Form.RESULT),
        ("昨天的笔试我考得怎么样？", Form.RESULT),
        ("Can I trust the contractor we hired for the bathroom?", Form.TRUST),
        ("网上买的这双鞋是不是假货？", Form.TRUST),
        ("他是真心喜歡我嗎？", Form.MIND),
        ("Is he cheating on me?", Form.WHETHER),
        ("星期天去海邊天氣好不好？", Form.COURSE),
        ("Will the plumber actually show up on Thursday?", Form.WHETHER),
        ("多益這次考得到金色證書嗎？", Form.WHETHER),
    ],
)
def test_the_form_of_a_question_is_finer_than_its_kind(question: str, form: Form) -> None:
    """DIV-30."""
    assert form_of(read(question), inquire("其他", question)) is form
