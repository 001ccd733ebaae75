"""What the answers of a conversation mean, in three languages and over many casts."""

import re
from typing import Final

import pytest

from liuyao import Divination
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.catalogues import CATALOGUES
from liuyao.reading.judgement import judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.corrected import corrected
from liuyao.reading.question.inquiry import inquire
from tests.support.readings.repetition import casts

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL
TERMS: Final = re.compile(r"用神|世爻|应爻|應爻|日辰|月建|line|[签籤]")
YES: Final = re.compile(r"^(?:yes|mostly yes|on the whole yes|是|多半是|大体是|大體是)")
NO: Final = re.compile(r"^(?:no|not quite|more no than yes|否|偏向否|还不能|還不能|恐怕不是)")


def first(answer: str) -> str:
    return re.split(r"(?<=[。！？!?])|(?<=\.) ", answer)[0]


def favours(divination: Divination, language: Language) -> bool:
    return read(divination, language=language).judgement.favourable


@pytest.mark.parametrize(
    ("question", "push", "language"),
    [
        ("Will I get the job?", "So I'll get it?", EN),
        ("Will I get the job?", "Just yes or no please", EN),
        ("我能考上研究生吗", "那就是能考上咯", ZH),
        ("我能考上研究生吗", "你就说是还是不是", ZH),
        ("我會被錄取嗎", "所以會上囉", TW),
    ],
)
def test_a_push_gets_yes_or_no_in_its_first_words(question: str, push: str, language: Language) -> None:
    """FUP-03, CARE-08: as the judgement has it."""
    seen = set()
    for divination in casts(question, 24):
        answer = answer_follow_up(divination, push, language=language).lower()
        good = favours(divination, language)
        assert (YES if good else NO).match(answer), (good, answer)
        seen.add(good)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("question", "push", "language"),
    [
        ("Will I be fired?", "So I'm safe?", EN),
        ("我会被辞退吗", "那就是没事对吧", ZH),
        ("我會被資遣嗎", "所以我不會被資遣囉", TW),
    ],
)
def test_a_push_about_something_feared_is_not_turned_round(question: str, push: str, language: Language) -> None:
    """CARE-08."""
    for divination in casts(question, 16):
        answer = answer_follow_up(divination, push, language=language).lower()
        assert (YES if favours(divination, language) else NO).match(answer), answer


DOUBTS: Final = (
    ("Will I get the flat?", "I don't believe that", EN),
    ("我能升职吗", "我不太相信", ZH),
    ("我能升職嗎", "我覺得不準", TW),
)


@pytest.mark.parametrize(("question", "doubt", "language"), DOUBTS)
def test_a_doubt_quotes_what_is_doubted_and_weighs_both_sides(question: str, doubt: str, language: Language) -> None:
    """FUP-03: the reading's own conclusion, a reason for it, and one against it or that there is none."""
    quoted = 0
    for divination in casts(question, 16):
        answer = answer_follow_up(divination, doubt, language=language)
        opening, rest = first(answer), answer[len(first(answer)) :]
        said = re.search("“(.+?)”|「(.+?)」", opening)
        conclusion = read(divination, language=language).conclusion[0].lower()
        quoted += said is not None and (said[1] or said[2]).lower() in conclusion
        assert re.search("rests on|理由是|小迹象|小跡象", rest), answer
        assert re.search("other side|另一边|另一邊", rest), answer
    assert quoted >= 12


@pytest.mark.parametrize(
    ("question", "doubt", "fact", "language"),
    [
        ("Will the shop survive?", "But our sales have doubled since May", "our sales have doubled since May", EN),
        ("他心里有我吗", "可是他昨天还约我吃饭", "他昨天还约我吃饭", ZH),
        ("房子賣得掉嗎", "可是房仲說一定賣得掉", "房仲說一定賣得掉", TW),
    ],
)
def test_a_fact_held_against_the_answer_counts_for_more(
    question: str, doubt: str, fact: str, language: Language
) -> None:
    """FUP-03."""
    for divination in casts(question, 4):
        assert fact in first(answer_follow_up(divination, doubt, language=language))


@pytest.mark.parametrize(
    ("question", "asks", "language"),
    [
        ("Is somebody talking behind my back?", "Who is it?", EN),
        ("公司里有人在背后说我坏话吗", "是谁", ZH),
        ("有人偷了我的包包嗎", "是誰偷的", TW),
    ],
)
def test_who_is_a_kind_of_person_of_the_line_that_is_named(question: str, asks: str, language: Language) -> None:
    """FUP-03: the kind of the relation (六亲) of the very line in the ground."""
    kinds = CATALOGUES[language].kinds
    relations = {"Parents": "父母", "Siblings": "兄弟", "Offspring": "子孙", "Wealth": "妻财", "Officer": "官鬼"}
    for divination in casts(question, 12):
        *told, ground = answer_follow_up(divination, asks, language=language).split("\n\n")
        written = re.search("|".join([*relations, "父母", "兄弟", "子[孙孫]", "妻[财財]", "官鬼"]), ground)
        assert written is not None
        relation = written[0].replace("孫", "孙").replace("財", "财")
        assert kinds[relations.get(relation, relation)] in " ".join(told)


@pytest.mark.parametrize(
    ("question", "asks", "language"),
    [
        ("Is somebody talking behind my back?", "Is it a man or a woman?", EN),
        ("公司里有人在背后说我坏话吗", "是男的还是女的", ZH),
        ("有人偷了我的包包嗎", "是男生還是女生", TW),
    ],
)
def test_a_sex_asked_for_is_answered_first(question: str, asks: str, language: Language) -> None:
    """FUP-03."""
    answers = {first(answer_follow_up(cast, asks, language=language)) for cast in casts(question, 16)}
    told = {answer for answer in answers if not re.match("No one stands out|这一卦里没有谁|這一卦裡沒有誰", answer)}
    assert len(told) == 2
    assert all(re.search("man|男|女", answer) for answer in told)


@pytest.mark.parametrize("question", ["Will I meet somebody this year?", "Will I win the case?"])
def test_a_name_is_never_made_up(question: str) -> None:
    """FUP-03: asked for a name, a cast says that it gives none."""
    for divination in casts(question, 6):
        assert re.match("A cast (?:gives no|names no)", answer_follow_up(divination, "What's his name?", language=EN))


@pytest.mark.parametrize(
    ("remark", "language", "longest"),
    [
        ("Thank you so much!", EN, 10),
        ("Goodbye", EN, 10),
        ("Ok, I see", EN, 12),
        ("谢谢老师", ZH, 20),
        ("拜拜", ZH, 20),
        ("嗯，明白了", ZH, 20),
        ("感謝你喔", TW, 20),
        ("晚安，下次再聊", TW, 20),
        ("好喔，我知道了", TW, 20),
    ],
)
def test_a_short_remark_gets_a_short_human_word(remark: str, language: Language, longest: int) -> None:
    """FUP-03: no advice, no caution, no date, the same for every cast."""
    question = "Should I invest my savings?" if language is EN else "我该不该把积蓄拿去投资"
    answers = {answer_follow_up(cast, remark, language=language) for cast in casts(question, 8)}
    assert len(answers) == 1
    answer = answers.pop()
    assert len(answer.split()) <= longest if language is EN else len(answer) <= longest
    assert not re.search(r"\d", answer)
    assert not TERMS.search(answer)


@pytest.mark.parametrize(
    ("question", "remark", "language", "feels"),
    [
        ("Will I pass the exam?", "I'm so nervous", EN, "human"),
        ("Will she come back?", "That makes me so sad", EN, "sorry"),
        ("我能考上吗", "我好紧张啊", ZH, "人之常情"),
        ("他还会回来吗", "听了好难过", ZH, "难为你"),
        ("面試會上嗎", "壓力好大喔", TW, "人之常情"),
    ],
)
def test_a_feeling_is_met_before_anything_else(question: str, remark: str, language: Language, feels: str) -> None:
    """FUP-03: then the cast's side is taken only where the cast is on it."""
    for divination in casts(question, 12):
        answer = answer_follow_up(divination, remark, language=language)
        assert feels in first(answer)
        on_its_side = re.search("on your side|站在你这边|站在你這邊", answer) is not None
        assert on_its_side is favours(divination, language)


@pytest.mark.parametrize(
    ("question", "told", "language", "becomes"),
    [
        ("Will my brother get the job?", "Sorry, I meant my sister", EN, "Will my sister get the job?"),
        ("Will I pass?", "It's not for me, it's for my daughter", EN, "Will my daughter pass?"),
        ("我儿子能考上大学吗", "说错了，是我女儿", ZH, "我女儿能考上大学吗"),
        ("我先生的工作穩嗎", "打錯了，是我弟弟的工作", TW, "我弟弟的工作穩嗎"),
    ],
)
def test_a_correction_is_read_as_it_was_meant(question: str, told: str, language: Language, becomes: str) -> None:
    """FUP-03, FUP-06: the person is named, and the direction is that of the corrected question on the same cast."""
    meant = corrected(question, told)
    assert meant is not None
    assert meant[0] == becomes
    for divination in casts(question, 8):
        answer = answer_follow_up(divination, told, language=language)
        assert meant[1] in first(answer)
        judgement = judge(lay_out(divination), inquire("", becomes))
        reading = read(divination.model_copy(update={"question": becomes}), language=language)
        assert reading.judgement.favourable is judgement.favourable
        assert str(judgement.focus.at.position) in answer or judgement.focus.at.branch in answer


@pytest.mark.parametrize(
    ("question", "news", "language", "good"),
    [
        ("Will I get the job?", "They offered me the job this morning!", EN, True),
        ("Will I get the job?", "They rejected me today", EN, False),
        ("我能拿到签证吗", "签证批下来了", ZH, True),
        ("我能拿到签证吗", "刚收到通知，被拒了", ZH, False),
        ("我會錄取嗎", "剛收到通知，我錄取了", TW, True),
    ],
)
def test_news_counts_for_more_than_the_cast(question: str, news: str, language: Language, good: bool) -> None:
    """FUP-03: joy is shared in one sentence, which claims no credit; ill news is told apart from what was shown."""
    wary = re.compile("wary|正是这个")
    for divination in casts(question, 12):
        answer = answer_follow_up(divination, news, language=language)
        opening = first(answer)
        assert ("sorry" not in opening.lower() and "难过" not in opening) is good
        if good:
            assert answer == opening
            assert re.search("glad|高[兴興]", opening)
            assert not re.search("cast|卦", opening)
        else:
            assert (wary.search(opening) is not None) is not favours(divination, language)


@pytest.mark.parametrize(
    ("question", "asks", "language"),
    [
        ("Will I win the lottery?", "Which numbers should I play?", EN),
        ("我能中彩票吗", "给我几个号码", ZH),
        ("我會中樂透嗎", "要買哪幾號", TW),
    ],
)
def test_no_number_is_made_up(question: str, asks: str, language: Language) -> None:
    """FUP-03."""
    for divination in casts(question, 8):
        opening = first(answer_follow_up(divination, asks, language=language))
        assert re.search("no numbers|不出数字|不出數字", opening)
        assert not re.search(r"\d", opening)


@pytest.mark.parametrize(
    ("asks", "language"), [("How does this work?", EN), ("这个卦是怎么算的", ZH), ("是隨機產生的嗎", TW)]
)
def test_the_method_is_told_whatever_the_cast_says(asks: str, language: Language) -> None:
    """FUP-03: the first sentence is of the method alone; the example is of this cast."""
    question = "Will I get the job?" if language is EN else "我能升职吗"
    answers = [answer_follow_up(cast, asks, language=language) for cast in casts(question, 8)]
    assert len({first(answer) for answer in answers}) == 1
    assert len(set(answers)) > 1


@pytest.mark.parametrize(
    ("question", "asks", "plan", "language"),
    [
        ("Will I sell the house?", "What if I lower the price?", "“lower the price”", EN),
        ("房子能卖掉吗", "如果我降价呢", "「降价」", ZH),
        ("店開得成嗎", "那如果改成開早餐店呢", "「改成開早餐店」", TW),
    ],
)
def test_another_way_is_named_and_weighed(question: str, asks: str, plan: str, language: Language) -> None:
    """FUP-03: 世 is the way asked about, 应 the other, as with two options of a first question."""
    openings = set()
    for divination in casts(question, 24):
        opening = first(answer_follow_up(divination, asks, language=language))
        assert plan in opening
        openings.add(opening)
    assert len(openings) >= 3


@pytest.mark.parametrize(
    ("question", "asks", "months", "language"),
    [
        ("Will I find a flat this year?", "Would June be better than October?", ("June", "October"), EN),
        ("今年适合搬家吗", "五月和十月哪个月更合适", ("五月", "十月"), ZH),
        ("今年適合搬家嗎", "五月跟十月哪個比較好", ("五月", "十月"), TW),
    ],
)
def test_two_months_are_compared_with_each_other(
    question: str, asks: str, months: tuple[str, str], language: Language
) -> None:
    """FUP-03."""
    openings = {first(answer_follow_up(cast, asks, language=language)) for cast in casts(question, 24)}
    assert len(openings) >= 2
    assert all(month in opening for opening in openings for month in months)


@pytest.mark.parametrize(
    ("asks", "language", "time"),
    [("How does next spring look?", EN, "next spring"), ("明年春天呢", ZH, "明年春天"), ("明年夏天呢", TW, "明年夏天")],
)
def test_a_season_is_a_time_that_is_asked_about(asks: str, language: Language, time: str) -> None:
    """FUP-03."""
    question = "Will I get a promotion?" if language is EN else "我能升职吗"
    for divination in casts(question, 6):
        assert time in first(answer_follow_up(divination, asks, language=language)).lower()


@pytest.mark.parametrize(
    ("question", "asks", "language"),
    [
        ("Will I get the job?", "Could you sum that up?", EN),
        ("我能升职吗", "总结一下", ZH),
        ("我能升職嗎", "可以再說一次重點嗎", TW),
    ],
)
def test_a_repetition_keeps_the_direction_in_other_words(question: str, asks: str, language: Language) -> None:
    """FUP-03."""
    wrong = {
        True: "will not|不[会會](?!马上|馬上)|多半不|升不了",
        False: "^in short: (?:yes|on the whole yes)|一句[话話]：会",
    }
    for divination in casts(question, 16):
        opening = first(answer_follow_up(divination, asks, language=language)).lower()
        assert opening.startswith(("in short", "一句"))
        assert not re.search(wrong[favours(divination, language)], opening), opening


def test_a_grave_matter_keeps_its_caution_in_a_doubt_and_gets_none_in_thanks() -> None:
    """CARE-04."""
    for divination in casts("Will my mother survive the operation?", 6):
        doubt = answer_follow_up(divination, "I don't believe that", language=EN)
        assert "doctor" in doubt
        assert "doctor" not in answer_follow_up(divination, "Thank you", language=EN)


@pytest.mark.parametrize(
    ("question", "follow_up", "language"),
    [
        ("Will my tenant pay?", "What if I call him tonight?", Language.ENGLISH),
        ("Should I take the Leeds job?", "Is Leeds better or the York one?", Language.ENGLISH),
        ("Should I sell my car now?", "What if my brother sells it?", Language.ENGLISH),
        ("该不该换工作", "要是我先跟领导谈呢", Language.SIMPLIFIED),
        ("去深圳发展好吗", "跟留在成都比哪个强", Language.SIMPLIFIED),
        ("這間店會賺錢嗎", "如果找我弟弟一起做呢", Language.TRADITIONAL),
    ],
)
def test_whatever_is_cast_another_way_is_weighed(question: str, follow_up: str, language: Language) -> None:
    """It never fails, also where the two ways differ a little."""
    for divination in casts(question, 60, seed=3):
        assert answer_follow_up(divination, follow_up, language=language)


@pytest.mark.parametrize(
    ("question", "push", "language"),
    [
        ("要不要投这个项目", "那我全押了？", Language.SIMPLIFIED),
        ("该不该辞职", "那我明天就提了？", Language.SIMPLIFIED),
        ("Should I sell the house?", "so... all of it?", Language.ENGLISH),
        ("要不要借錢給表哥", "好，那我匯了？", Language.TRADITIONAL),
    ],
)
def test_a_remark_with_a_question_mark_wants_an_answer(question: str, push: str, language: Language) -> None:
    """Nobody is told "all right" who asks whether to stake everything."""
    for divination in casts(question, 20, seed=2):
        answer = answer_follow_up(divination, push, language=language)
        assert not re.match(r"好的|All right|I am glad|這就好|这就好", answer)
        assert len(answer) > 12
