"""A decision that the question does not name gets no "go ahead": the answer leans in general and asks what it is."""

import re

import pytest

from liuyao.reading import Language, read
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.text import read as text_of
from liuyao.reading.question.unnamed import is_unnamed
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
LEANS = "go ahead|you can|makes sense|do it|finish it|worth trying|可以|利多|去做，|觉得"
ASKS = "what (?:it|this) is|in mind|Name|name|是什么事|是什麼事|係乜嘢事|说出来|說出來|講出嚟"
UNNAMED = (
    *(("Should I do it?", EN), ("Should I just finish it?", EN), ("Should I go through with it this weekend?", EN)),
    *(("Should I do it or not?", EN), ("Is it worth it?", EN), ("Do I do it tonight?", EN), ("Can I do it?", EN)),
    *(("Is tonight the night?", EN), ("is today the day", EN), ("今晚是不是时候了", ZH), ("今晚係咪時候呢", TW)),
    *(("要不要做？", ZH), ("該不該放手一搏？", TW), ("到底做不做", ZH), ("要不要做這件事", TW), ("做定唔做好？", TW)),
)
NAMED = (
    *("I have a job offer in Leeds. Should I take it?", "I found a stray kitten. Should I keep it?"),
    *("The house on Elm Street is for sale. Should I go for it?", "Should I move out or not?", "Should I sell my car?"),
    *("Is tonight the night he proposes?", "Is it time to sell the flat?", "是时候换工作了吗"),
    *("公司让我去广州，要不要去", "該不該換工作", "朋友约我投资奶茶店，要不要做", "Will it rain tomorrow?"),
)


@pytest.mark.parametrize(("question", "language"), UNNAMED)
def test_an_unnamed_decision_is_neither_advised_nor_refused(question: str, language: Language) -> None:
    for cast in casts(question, 48):
        lead = read(cast, language=language).lead.replace(question, "")
        assert not re.search(LEANS, lead, re.IGNORECASE), lead
        assert re.search(
            "what (?:it|this) is|in mind|Name|name|是什么事|是什麼事|係乜嘢事|说出来|說出來|講出嚟", lead
        ), lead


@pytest.mark.parametrize("question", NAMED)
def test_what_is_named_beside_the_decision_stands_for_its_pronoun(question: str) -> None:
    assert not is_unnamed(text_of(question), inquire("", question))


def test_the_type_that_was_chosen_names_the_matter() -> None:
    text = text_of("要不要做？")
    assert is_unnamed(text, inquire("", text.written))
    assert not is_unnamed(text, inquire("事业", text.written))


def test_the_cast_decides_how_it_leans() -> None:
    """Three ways: for, later, against."""
    found = {read(cast, language=EN).lead.partition("?”")[2] for cast in casts(UNNAMED[0][0], 24)}
    assert len(found) > 4
