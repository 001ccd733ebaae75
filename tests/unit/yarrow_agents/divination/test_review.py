"""What is said against a model's words, besides what the plate says against them."""

from dataclasses import replace

import pytest

from liuyao.reading import Language
from tests.support.runners.divination import CAST, TASKS
from tests.support.runners.model_texts import briefs
from yarrow_agents.divination import prompt
from yarrow_agents.divination.review import Fault, Objection, lexicon, objections, times

PLAIN = {
    Language.SIMPLIFIED: "眼下换工作阻力很大，先稳住现在的位置，等时机过来再说。",
    Language.TRADITIONAL: "眼下換工作阻力很大，先穩住現在的位置，等時機過來再說。",
    Language.ENGLISH: "The matter at work is hard now, and it is better for you to keep the place you have.",
}


def faults(text: str, language: Language = Language.SIMPLIFIED) -> list[str]:
    """The faults of a text, put after one that has none."""
    return [objection.fault for objection in objections([PLAIN[language], text], TASKS[language])]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("断为中下签。", Fault.GRADE),
        ("断为上上签。", Fault.GRADE),
        ("斷為中上籤。", Fault.GRADE),
        ("上上簽", Fault.GRADE),
        ("下 下 签", Fault.GRADE),
        ("此为上签。", Fault.GRADE),
        ("这是大吉签", Fault.GRADE),
        ("事情不一定会坏，也有一定的余地。", None),
        ("你一定会成功。", Fault.STANCE),
        ("百分之百没有问题。", Fault.STANCE),
        ("不必看医生。", Fault.SUBJECT),
        ("可以停药。", Fault.SUBJECT),
        ("这是大吉之兆。", Fault.STANCE),
        ("详见 https://example.com", Fault.SIGNS),
        ("**要点**", Fault.SIGNS),
        ("乾\u200b为天", Fault.SIGNS),
        ("有\ud800误", Fault.SIGNS),
        ("价钱是三百八。", Fault.SIGNS),
        ("去“太虚幻境”看看。", Fault.SIGNS),
        ("隔壁工位的咖啡机坏了。", Fault.WORDS),
        ("作为一个人工智能，我无法回答。", Fault.SUBJECT),
        ("世爻有气，年底前就有着落。", Fault.TIME),
        ("世爻受克，领导已经选了别人。", Fault.PERSON),
        ("世爻受克，说明对方多半还在犹豫。", None),
        ("日辰扶着用神，我会替你留意。", Fault.PERSON),
        ("世爻发动，所以现在就去签合同。", Fault.STANCE),
        ("世爻受克，别再犹豫。", Fault.STANCE),
        ("世爻受克，像你这样的人不合适。", Fault.SUBJECT),
        ("这一卦是“心有余而力不足”。", None),
        ("用神受克，隔壁老王也这么说。", Fault.WORDS),
        ("用神弱，好比蜡烛的光。", None),
        ("旬空只是一种说法，不必理会。", Fault.STANCE),
        ("用神受克，再不动就来不及了。", Fault.STANCE),
        ("用神受克，换了反而更顺。", Fault.STANCE),
        ("应爻相合，对方心里没有你。", Fault.PERSON),
        ("还有一层意思，要等你自己来问才能说。", Fault.PERSON),
    ],
)
def test_a_text_in_chinese_keeps_the_rules(text: str, fault: Fault | None) -> None:
    """DIV-29."""
    found = faults(text)
    assert fault in found if fault else found == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("This makes it a 中下签 (third of four grades).", Fault.GRADE),
        ("This is the highest of four grades.", Fault.GRADE),
        ("It will definitely be a success.", Fault.STANCE),
        ("You can stop taking the tablets.", Fault.SUBJECT),
        ("Hand them your notice.", Fault.STANCE),
        ("Ask for Mister Lee.", Fault.SIGNS),
        ("See example.com for more.", Fault.SIGNS),
        ("I'm sorry, as an AI I cannot help.", Fault.SUBJECT),
        ("The line is weak, and the answer comes before the week is over.", Fault.TIME),
        ("The line is weak, and the manager has chosen somebody.", Fault.PERSON),
        ("The line is weak, so you will sit at the back.", Fault.PERSON),
        ("The line is weak, and you may need some patience.", None),
        ("The line is weak; tell them no.", Fault.STANCE),
        ("The line is weak, and my page says why.", Fault.PERSON),
        ("The line is weak, like a wall without a base.", None),
        ("The line is weak, and a wall is what you need.", Fault.WORDS),
        ("The line is weak, but those who ask will hear more.", Fault.PERSON),
        ("The line is damaged because you waited too long.", Fault.PERSON),
        ("The lines are old, and you know better.", Fault.STANCE),
        ("The line is weak, and the answer will be yes.", Fault.STANCE),
        ("The line is strong, and nothing can go wrong.", Fault.STANCE),
        ("The line is strong; resign first.", Fault.STANCE),
    ],
)
def test_a_text_in_english_keeps_the_rules(text: str, fault: Fault | None) -> None:
    """DIV-29."""
    found = faults(text, Language.ENGLISH)
    assert fault in found if fault else found == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("用神喺卯月冇乜氣勢，慢慢嚟會穩陣啲。", None),
        ("用神受剋，有我幫你睇住。", Fault.PERSON),
        ("個卦唔準㗎，唔使理佢，照做就得。", Fault.STANCE),
    ],
)
def test_cantonese_is_read_as_standard_chinese(text: str, fault: Fault | None) -> None:
    """CARE-09."""
    found = faults(text, Language.TRADITIONAL)
    assert fault in found if fault else found == []


def test_words_of_a_matter_are_common_beside_a_question_of_it() -> None:
    """CARE-09: The question is a follow-up or that of the cast."""
    text = "官鬼偏弱，备考要早一点准备，成绩不必急。"
    found = [list(lexicon.strange(text, Language.SIMPLIFIED, "", question)) for question in ("换工作", "那考试呢")]
    assert found[0]
    assert found[1] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("用神自己动，变出来的又回头克它，就像刚走两步被人拽了。", True),
        ("打个比方，这像是初春的树，根还在，叶子还没长出来。", True),
        ("把手头的工作照常做好，比到处打听更有用。", True),
        ("应爻相合，对方心里没有你。", False),
        ("领导早就定了别人，您只是陪跑。", False),
        ("凭您这点本事，换到哪里都是被开除的命。", False),
    ],
)
def test_uncommon_words_pass_where_nothing_else_is_said_against_a_sentence(text: str, shown: bool) -> None:
    """CARE-09: they count with what the sentence says of people and of the matter."""
    assert (objections([text], briefs()["zh-work"]) == []) is shown


def test_a_word_of_medicine_passes_only_with_the_doctor() -> None:
    """CARE-04, CARE-09: where the rules' own text has the word as well."""
    brief = briefs()["zh-cold"]
    brief = replace(brief, facts=f"{brief.facts}\n不要自行停药。")
    assert Fault.SUBJECT in {objection.fault for objection in objections(["日辰扶着用神，药可以先放一放。"], brief)}
    assert objections(["世爻受克，请听医生的，不要自行停药。"], brief) == []


def test_who_acts_with_the_month_is_not_acted_on() -> None:
    """DIV-29: month and lines together overcome another line, which is named before."""
    brief = briefs()["zh-cold"]
    assert objections(["月建和两个兄弟爻都来克，负担重。"], brief) == []
    assert objections(["克用神的是二爻寅木，在动。"], brief) == []
    assert Fault.PLATE in {objection.fault for objection in objections(["月建克兄弟寅木。"], brief)}


def test_what_looks_like_a_grade_is_none() -> None:
    """DIV-29."""
    assert Fault.GRADE not in faults("在合同上签字之前想清楚。")


FRENCH = "Le moment est mal choisi pour changer de travail, et il vaut mieux garder la place que vous occupez."


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "text",
    [
        *PLAIN.values(),
        FRENCH,
        "今は転職に向いていません。もう少し待ちましょう。",
        "Сейчас не время менять работу.",
        "8888",
    ],
)
def test_a_text_is_in_its_language(language: Language, text: str) -> None:
    """DIV-32: Script and language both count."""
    found = {objection.fault for objection in objections([text], TASKS[language])}
    assert (text == PLAIN[language]) is found.isdisjoint({Fault.LANGUAGE, Fault.SIGNS})


def test_terms_stay_chinese_in_an_english_text() -> None:
    """DIV-26."""
    text = "The 用神 (focus line) is 官鬼 (officer) 戌土 (earth) in 五爻 (line 5), weak in the month of the cast."
    assert objections([text], TASKS[Language.ENGLISH]) == []


@pytest.mark.parametrize("language", Language)
def test_a_model_is_told_the_facts_in_the_users_language(language: Language) -> None:
    """DIV-32, RNR-52: It gets the plate, the grade and the reasons, and the question apart from them."""
    task = TASKS[language]
    rules, facts = prompt.for_reading(task)
    text = str(facts.content)
    assert rules.role == "system"
    assert "下下签" in str(rules.content)
    for fact in (*task.reading.conclusion, *task.reading.focus_points, *task.reading.advice, CAST.question):
        assert fact in text
    for fact in ("水火既济", "风雷益", "官鬼戊戌土", "旬空"):
        assert fact in text
    assert CAST.question not in str(rules.content)


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("language", Language)
def test_a_model_is_told_what_was_wrong(language: Language, fault: Fault) -> None:
    """DIV-29: each fault has its words, and no more are told than can be heeded."""
    text = str(prompt.for_repair(TASKS[language], [Objection(fault, f"{{{n}}}") for n in range(99)]).content)
    assert text.count("\n- ") == prompt.MAX_OBJECTIONS


@pytest.mark.parametrize(
    ("text", "is_named", "is_deadline"),
    [
        ("用神的弱，不是几天就能补回来的。", False, False),
        ("给她几天，再一起吃顿饭。", True, False),
        ("年底前就有着落。", True, True),
        ("I would give her two weeks.", True, False),
        ("It is yours before the week is over.", True, True),
    ],
)
def test_a_deadline_is_withheld_and_another_time_is_weighed(text: str, is_named: bool, is_deadline: bool) -> None:
    """CARE-09: advice may name a time, a promise lives on one."""
    assert any(times.strange(text, "")) is is_named
    assert any(times.deadlines(text, "")) is is_deadline
