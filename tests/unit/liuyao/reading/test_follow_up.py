"""Follow-up answers: the aspects asked about, from the stored derivation, and never a grade."""

import re
from itertools import islice, product

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.wording.repetition import repeated
from tests.support.effort import examples
from tests.support.paths import ROOT
from tests.support.readings.repetition import casts

LINES = {"0": "老阴", "1": "少阳", "2": "少阴", "3": "老阳"}
SIGN_LEVEL = re.compile("[上中下][上下][签籤]")


def cast(coins: str, question_type: str = "事业", question: str = "能升职吗？上上签？") -> Divination:
    return derive(
        DivinationPayload.model_validate(
            {
                "divinationMethod": "自动起卦",
                "questionType": question_type,
                "question": question,
                "divinationTimeIso": "2026-04-03T20:30:00+08:00",
                "yaoLines": [LINES[count] for count in coins],
            }
        )
    )


@pytest.mark.parametrize(
    ("question", "language", "says"),
    [
        ("什么时候有结果？", Language.SIMPLIFIED, "应期"),
        ("什麼時候有結果？", Language.TRADITIONAL, "應期"),
        ("When will I hear?", Language.ENGLISH, "for the timing"),
        ("谁会帮我？", Language.SIMPLIFIED, "应爻"),
        ("誰會幫我？", Language.TRADITIONAL, "應爻"),
        ("Who will help me?", Language.ENGLISH, "应爻"),
        ("最大的阻碍是什么？", Language.SIMPLIFIED, "阻碍"),
        ("最大的阻礙是什麼？", Language.TRADITIONAL, "阻礙"),
        ("What are the obstacles?", Language.ENGLISH, "obstacles"),
        ("我该怎么办？", Language.SIMPLIFIED, "新的没有着落之前"),
        ("我該怎麼辦？", Language.TRADITIONAL, "新的沒有著落之前"),
        ("What should I do?", Language.ENGLISH, "before something new is settled"),
        ("往哪个方向去好？", Language.SIMPLIFIED, "方位"),
        ("往哪個方向去好？", Language.TRADITIONAL, "方位"),
        ("In which direction should it be?", Language.ENGLISH, "Look north-west"),
        ("再说详细些", Language.SIMPLIFIED, "不利的是"),
        ("再說詳細些", Language.TRADITIONAL, "不利的是"),
        ("Tell me more", Language.ENGLISH, "What speaks against it"),
    ],
)
def test_a_follow_up_answers_the_aspect_it_asks_about(question: str, language: Language, says: str) -> None:
    """FUP-03, FUP-06: timing, people, obstacles, action, direction, or the plain standing, in three languages."""
    # 同人 in a 卯 month on a 未 day: 官鬼亥水 holds 世, 休 and 日克; nothing moves.
    assert says in answer_follow_up(cast("121111"), question, language=language)


def test_follow_ups_say_what_the_table_wants_and_nothing_else_asked() -> None:
    """FUP-03, FUP-06: sixty follow-ups in three languages; no clause twice."""
    wrong = []
    divination = cast("121111")
    for row in (ROOT / "tests/vectors/follow_up_answers.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        language, question, wanted, unwanted = row.split("\t")
        answer = answer_follow_up(divination, question, language=Language(language))
        says = any(words in answer for words in wanted.split("|"))
        if not says or unwanted in answer or repeated(answer):
            wrong.append((question, wanted, unwanted, answer))
    assert not wrong


def test_several_aspects_are_each_answered_in_a_paragraph() -> None:
    """FUP-03."""
    answer = answer_follow_up(cast("121111"), "什么时候成？谁能帮我？有什么风险？", language=Language.SIMPLIFIED)
    timing, people, obstacles, ground = answer.split("\n\n")
    assert "月" in timing
    assert "先找" in people
    assert "阻碍" in obstacles
    assert all(term in ground for term in ("用神", "应期"))


def test_a_follow_up_about_another_matter_takes_its_own_focus_from_the_same_cast() -> None:
    """FUP-06: from the stored derivation."""
    answer = answer_follow_up(cast("121111"), "那财运呢？", language=Language.SIMPLIFIED)
    assert answer.startswith("说到财运")
    assert "看同一卦的" in answer
    assert "妻财" in answer


def test_a_trine_that_acts_is_told_when_no_line_does() -> None:
    """FUP-03: 三合 alone is not "nothing acts"."""
    answer = answer_follow_up(cast("000000", "健康", "自占病"), "谁会帮我？", language=Language.SIMPLIFIED)
    assert "三合金局" in answer
    assert "没有动爻生克用神" not in answer


def test_a_stored_derivation_answers_like_a_fresh_one() -> None:
    """FUP-06."""
    divination = cast("123012")
    stored = Divination.model_validate_json(divination.model_dump_json())
    for language in Language:
        question = "何时? When? 什麼時候?"
        assert answer_follow_up(divination, question, language=language) == answer_follow_up(
            stored, question, language=language
        )


def test_no_answer_contains_a_grade_or_the_users_words() -> None:
    """FUP-05: whatever the cast, and even when the user writes one."""
    questions = ("上上签什么时候应？谁帮？阻碍？怎么办？哪里？", "是不是下下签", "财运是中上签吗 {}")
    for number, coins in enumerate(islice(product("0123", repeat=6), None, None, max(1, 5 // examples(1)))):
        divination = cast("".join(coins))
        answer = answer_follow_up(divination, questions[number % 5 % 3], language=tuple(Language)[number % 3])
        assert answer.strip()
        assert not SIGN_LEVEL.search(answer)
        assert not re.search(r"[{}\[\]<>]", answer)


@pytest.mark.parametrize(
    ("question", "again", "language", "says"),
    [
        ("我今年能升职吗", "那我老婆呢", Language.SIMPLIFIED, "说到你老婆"),
        ("我今年能升職嗎", "那我老婆呢", Language.TRADITIONAL, "說到你老婆"),
        ("我今年能升职吗", "我儿子能考上大学吗", Language.SIMPLIFIED, "你儿子"),
        ("Will I get the job?", "And what about my wife?", Language.ENGLISH, "As for your wife"),
        ("我爸手术顺利吗", "世爻是什么意思", Language.SIMPLIFIED, "代表求问者自己"),
        ("我爸手術順利嗎", "世爻是什麼意思", Language.TRADITIONAL, "代表求問者自己"),
        ("Will I win the case?", 'What does "world line" mean?', Language.ENGLISH, "stands for the asker"),
        ("房子能卖掉吗", "哪个月卖最合适", Language.SIMPLIFIED, "月"),
    ],
)
def test_a_follow_up_says_whom_it_turns_to_or_what_a_term_means(
    question: str, again: str, language: Language, says: str
) -> None:
    """FUP-06."""
    assert says in answer_follow_up(cast("132011", "其他", question), again, language=language)


@pytest.mark.parametrize(
    ("question", "follow_up", "language", "key"),
    [
        ("Will I get the job?", "Great, thank you so much", Language.ENGLISH, "thanks"),
        ("我能升职吗", "明白了，谢谢", Language.SIMPLIFIED, "thanks"),
        ("我能升職嗎", "可以再起一卦嗎？", Language.TRADITIONAL, "new cast"),
        ("Will I get the job?", "May I cast again?", Language.ENGLISH, "new cast"),
    ],
)
def test_a_remark_gets_a_remark(question: str, follow_up: str, language: Language, key: str) -> None:
    """FUP-03: thanks get no advice, and a wish for another cast gets a yes or no."""
    for divination in casts(question, 8):
        told = answer_follow_up(divination, follow_up, language=language)
        assert told.lower().rstrip("。.") == CATALOGUES[language].sentences[key].lower()


@pytest.mark.parametrize(
    ("question", "follow_up", "language"),
    [
        ("Will I get the job?", "So it's a no then?", Language.ENGLISH),
        ("我能升职吗", "那就是不行吗？", Language.SIMPLIFIED),
        ("我能升職嗎", "那就是沒戲了嘛", Language.TRADITIONAL),
    ],
)
def test_a_no_is_confirmed_or_denied_first(question: str, follow_up: str, language: Language) -> None:
    """FUP-03."""
    seen = set()
    for divination in casts(question, 40):
        favourable = read(divination, language=language).judgement.favourable
        seen.add(favourable)
        told = answer_follow_up(divination, follow_up, language=language).lower()
        yes = ("yes, i am afraid", "it leans that way", "恐怕是的", "眼下偏向这样", "眼下偏向這樣")
        assert told.startswith(("no,", "不，") if favourable else yes), told
    assert seen == {True, False}


@pytest.mark.parametrize("term", ["妻财是什么意思？", "父母爻是什么？", "子孙指什么？"])
def test_a_term_wins_over_a_relative(term: str) -> None:
    """FUP-05: what it means is told, and no wife or parents are turned to."""
    for divination in casts("我能升职吗", 4):
        told = answer_follow_up(divination, term, language=Language.SIMPLIFIED)
        assert "六亲之一" in told
        assert "用神" not in told
