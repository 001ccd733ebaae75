"""A yes or no agrees with the grade and with what the asker wants, and nothing after it contradicts it (CARE-08)."""

import itertools
import random
import re
from collections import Counter

import pytest

from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.answering.replies import state
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.judgement import judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import inquire
from tests.support.effort import examples
from tests.unit.liuyao.polarity.random_casts import cast
from tests.unit.liuyao.polarity.yes_and_no import says_no, says_yes

STATES = {"best", "good", "later", "poor", "bad"}
LEAST_CASTS, MOST_CASTS = examples(30), 400
EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
QUESTIONS = [
    # What is asked, whether a bare yes is good news (None: no yes or no may be said)
    ("我会被退学吗", ZH, False),
    ("房东会涨租吗", ZH, False),
    ("他是不是骗我", ZH, False),
    ("我能考上研究生吗", ZH, True),
    ("能躲过裁员吗", ZH, True),
    ("对手会失败吗", ZH, None),
    ("他会离婚吗", ZH, None),
    ("会不会不被录取", ZH, False),
    ("难道我要失业了吗", ZH, False),
    ("我要被裁了，对吧", ZH, False),
    ("房東會不會漲房租", TW, False),
    ("官司打得贏嗎", TW, True),
    ("我會唔會俾老細炒", TW, False),
    ("份工保唔保得住", TW, True),
    ("佢會唔會離婚", TW, None),
    ("Will my contract be terminated?", EN, False),
    ("Will we get divorced?", EN, False),
    ("Is he cheating on me?", EN, False),
    ("Will I be promoted?", EN, True),
    ("Can I avoid the layoffs?", EN, True),
    ("Will my rival fail?", EN, None),
    ("Will I not be fired?", EN, None),
    ("Won't I be fired?", EN, False),
    ("I'm going to be fired, right?", EN, False),
]


def reply(conclusion: tuple[str, ...]) -> str:
    """The answer without what it restates."""
    return re.sub(r"^(?:你[问問][^：]*：|As to [^:]*: )", "", conclusion[0]).lower()


@pytest.mark.parametrize(("question", "language", "good"), QUESTIONS)
def test_a_yes_or_no_agrees_with_the_grade(question: str, language: Language, good: bool | None) -> None:
    """CARE-08."""
    draw, states = random.Random(question), Counter[str]()
    # As many casts as show each state twice, and some.
    while len(states) < len(STATES) or min(states.values()) < 2 or states.total() < LEAST_CASTS:
        divination = cast(draw, question)
        reading = read(divination, language=language)
        judgement = reading.judgement
        how = state(judgement)
        states[how] += 1
        assert states.total() <= MOST_CASTS, states
        well = how in ("best", "good", "later")
        answer = reply(reading.conclusion)
        if good is None:
            assert not says_yes(answer), answer
            assert not says_no(answer), answer
        else:
            yes = says_yes(answer)
            assert yes != says_no(answer), answer
            assert yes == (well == good), (how, answer)
        actions = CATALOGUES[language].actions[judgement.inquiry.matter.key]
        opposite = actions[1 if judgement.favourable else 0]
        assert opposite not in reading.answer
        assert judgement.favourable == well
    assert states.keys() == STATES


@pytest.mark.parametrize(
    ("question", "follow_up", "language"),
    [
        ("我会被退学吗", "到底会不会被退学？", ZH),
        ("Will my contract be terminated?", "So will it be terminated in the end?", EN),
    ],
)
def test_a_follow_up_is_not_answered_the_wrong_way_round_either(
    question: str, follow_up: str, language: Language
) -> None:
    draw = random.Random(follow_up)
    for _ in range(40):
        divination = cast(draw, question)
        well = state(judge(lay_out(divination), inquire("other", question))) in ("best", "good", "later")
        answer = answer_follow_up(divination, follow_up, language=language).lower()
        assert says_no(answer) == well, answer
        assert says_yes(answer) != well, answer


OPENS = {
    EN: re.compile(
        r"^(?:yes|no|not|better not|rather not|probably (?:yes|not)|possibly yes|most likely not|"
        r"(?:on the whole|in the end|in time),? (?:yes|no))\b"
    ),
    ZH: re.compile(r"^[^，：]{0,7}(?:[会能是行有]|可以)|\{(?:yes|no)\}"),
}
"""How an answer to a yes or no begins: with the word, or in Chinese with the question's own verb as a statement."""


@pytest.mark.parametrize("language", OPENS)
def test_a_yes_or_no_is_said_in_words(language: Language) -> None:
    """CARE-08: in every way of every state, and first of all."""
    words = CATALOGUES[language]
    for state_, way in itertools.product(STATES, ("can", "will", "is", "harm", "harm is", "harm has")):
        # Of a feared illness there is little sign, or some: nobody is told that it will not come.
        own = [] if way.startswith("harm") else [f"{way} {state_} in illness"]
        for key in (f"{way} {state_}", *own):
            if key in words.sentences:
                for said in (words.sentences[key], *words.ways.get(key, ())):
                    assert OPENS[language].search(said), (key, said)
    for key, ways in words.roles.items():
        if key.startswith(("echo hope", "echo harm")):
            assert all(OPENS[language].search(said) for said in ways), (key, ways)
