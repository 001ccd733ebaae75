"""A follow-up that has no word of a kind is heard by its grammar, and a third person's state is no feeling."""

import pytest

from liuyao.reading.question.asks import Intent
from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire


@pytest.mark.parametrize(
    ("question", "follow_up_text", "intent"),
    [
        ("我該不該跳槽去新加坡", "新公司會不會倒", Intent.OUTCOME),
        ("前男友还会回来找我吗", "我还能遇到更好的吗", Intent.OUTCOME),
        ("Should I move in with my boyfriend?", "Will he do his share of the housework?", Intent.OUTCOME),
        ("Should I move in with my boyfriend?", "Should we sign the lease together?", Intent.ACTION),
        ("Will my landlord give me my deposit back?", "Should I get a lawyer?", Intent.ACTION),
        ("我隻貓走失咗，搵唔搵得返", "佢有冇受傷", Intent.OUTCOME),
        ("我妈的胆囊手术会顺利吗", "主刀医生靠谱吗", Intent.OUTCOME),
        ("我妈的胆囊手术会顺利吗", "她自己特别害怕，怎么劝", Intent.ACTION),
        ("我妈的胆囊手术会顺利吗", "换到省医院做是不是更好", Intent.INSTEAD),
        ("护照掉哪了", "会不会在单位不在家里", Intent.WHERE),
        ("Is my dog going to recover?", "Which vet should I see?", Intent.WHOM_TO_ASK),
        ("我和她能复合吗", "再耗一年也行吗", Intent.WAIT),
        ("房子會漲嗎", "這是電腦隨機產生的嗎", Intent.METHOD),
    ],
)
def test_a_kind_is_heard_by_its_words(question: str, follow_up_text: str, intent: Intent) -> None:
    """FUP-03."""
    assert follow_up(follow_up_text, inquire("其他", question)).intents == (intent,)
