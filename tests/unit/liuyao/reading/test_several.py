"""Which texts ask about more than one matter, of which a cast answers one."""

import pytest

from liuyao.reading.question.several import questions_apart

TWO_IN_ENGLISH = "I have had a hard year. Will I get the job at Acme? And will my girlfriend come back to me?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("我今年能考上研究生吗？我和女朋友能复合吗？", ("我今年能考上研究生吗？", "我和女朋友能复合吗？")),
        ("我能升职嗎？另外，我媽媽的病會好嗎？", ("我能升职嗎？", "我媽媽的病會好嗎？")),
        (TWO_IN_ENGLISH, ("Will I get the job at Acme?", "Will my girlfriend come back to me?")),
        (
            "Will my visa be approved?? Will I find my lost ring?!",
            ("Will my visa be approved??", "Will I find my lost ring?"),
        ),
    ],
)
def test_questions_about_different_matters_are_apart(question: str, expected: tuple[str, ...]) -> None:
    """DIV-36: in the words of who asks, without what joins them."""
    assert questions_apart("other", question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Will I get the job?",
        "Will he come back? If so, when?",
        "Does she love me? Will we marry?",
        "我这次考试能过吗？能考多少分？",
        "公司会裁员吗？我会不会被裁？",
        "Will I pass the exam? Will she marry me? Will it rain? Will we win the lawsuit? Will I find my ring?",
        "我最近感情和工作都不顺，能告诉我怎么办吗？",
        "",
        "？？？",
    ],
)
def test_one_matter_a_further_question_and_a_story_are_not(question: str) -> None:
    """DIV-36."""
    assert questions_apart("其他", question) == ()


def test_a_type_says_which_is_meant() -> None:
    """DIV-36."""
    assert questions_apart("事业", "我今年能升职吗？我和女朋友能复合吗？") == ()
