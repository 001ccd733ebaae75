"""A question that is asked again, in other signs or with a polite word, is the same one."""

import pytest

from liuyao.reading.question.same_question import as_compared


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("我能升职吗？", "我能升职吗"),
        ("我能升职吗？", "请问我能升职吗??"),
        ("我能升职吗？", "我能升職嗎？"),
        ("我能升职吗？", "我 能 升职 呢"),
        ("Will I be promoted?", "will i be promoted"),
        ("Will I be promoted?", "Please, will I be promoted?!"),
    ],
)
def test_other_spellings_are_the_same_question(question: str, again: str) -> None:
    assert as_compared(question) == as_compared(again)


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("我今年能升职吗？", "我明年能升职吗？"),
        ("他爱我吗", "她爱我吗"),
        ("Will I be promoted?", "Will he be promoted?"),
        ("吗？", "呢？"),
    ],
)
def test_another_time_or_person_is_another_question(question: str, other: str) -> None:
    assert as_compared(question) != as_compared(other)
