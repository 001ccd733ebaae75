"""Either-or gets a choice and its reason, who names no one, and a time lies in the horizon of its matter (CARE-08)."""

import random
import re
from datetime import timedelta

import pytest

from liuyao.care.assessment import assess
from liuyao.care.kinds import Caution
from liuyao.reading import Language, answer_follow_up, read
from liuyao.reading.dates import Calendar
from liuyao.reading.question.asks import Scale
from liuyao.reading.question.follow_up import inquire_again
from liuyao.reading.question.inquiry import inquire
from liuyao.reading.question.polarity import Polarity
from tests.support.readings.ways import says
from tests.unit.liuyao.polarity.random_casts import cast

EN, ZH, TW = Language.ENGLISH, Language.SIMPLIFIED, Language.TRADITIONAL


@pytest.mark.parametrize(
    ("question", "language", "chooses", "reason"),
    [
        ("去甲地好，還是留乙地好？", TW, "更有利|相差不大", "這一邊，"),
        ("留喺香港定係去英國好？", TW, "更有利|相差唔大", "呢一邊，"),
        ("去北京好还是留在老家好？", ZH, "更有利|相差不大", "这一边，"),
        ("Should I stay in Leeds or move to York?", EN, "has more going for it|little between", "For “"),
    ],
)
def test_either_or_gets_a_choice_and_its_reason(question: str, language: Language, chooses: str, reason: str) -> None:
    draw = random.Random(question)
    for _ in range(20):
        first, *rest = read(cast(draw, question), language=language).conclusion
        assert re.search(chooses, first), first
        if not re.search("相差[不唔]大|little between", first):
            assert reason in "".join(rest), (first, rest)


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("谁偷了我的钱包？", ZH, "卦指不出是谁"),
        ("谁能帮我？", ZH, "卦指不出是谁"),
        ("誰拿走了我的文件？", TW, "卦指不出是誰"),
        ("Who stole my wallet?", EN, "a cast names no one"),
    ],
)
def test_a_cast_names_no_one(question: str, language: Language, expected: str) -> None:
    assert expected.lower() in read(cast(random.Random(1), question), language=language).conclusion[0].lower()


@pytest.mark.parametrize(
    ("question", "language"), [("哪个月搬家最好？", ZH), ("哪個月結婚最好？", TW), ("Which month is best to move?", EN)]
)
def test_the_best_month_is_a_month(question: str, language: Language) -> None:
    draw = random.Random(question)
    for _ in range(20):
        answer = read(cast(draw, question), language=language).conclusion[0]
        assert re.search("最合[适適]的是.*月|best month is .*(?:–|to|-)", answer), answer


@pytest.mark.parametrize("question", ["我妈什么时候能出院？", "When will my mother leave the hospital?"])
def test_leaving_a_hospital_is_a_matter_of_days(question: str) -> None:
    divination = cast(random.Random(2), question)
    calendar = Calendar(divination, inquire("other", question))
    assert calendar.scale is Scale.DAY
    for branch in "子丑寅卯辰巳午未申酉戌亥":
        when = calendar.when(branch)
        assert when is not None
        assert when.first - calendar.today <= timedelta(weeks=3)


@pytest.mark.parametrize(
    ("question", "follow_up", "language"),
    [
        ("我今年能升职吗？", "能不用术语解释一下吗？", ZH),
        ("我今年能升遷嗎？", "可以用白話講一次嗎？", TW),
        ("Will I be promoted this year?", "Can you explain that without terms?", EN),
        ("Will I be promoted this year?", "Say it in plain English, please.", EN),
    ],
)
def test_an_explanation_without_terms_has_none(question: str, follow_up: str, language: Language) -> None:
    """FUP-03: the answer, its reason and what to do, in everyday words."""
    draw = random.Random(follow_up)
    for _ in range(20):
        answer = answer_follow_up(cast(draw, question), follow_up, language=language)
        assert not re.search("用神|世爻|應爻|应爻|官鬼|妻[财財]|父母|兄弟|子[孙孫]|旬空|月破|爻|卦象", answer), answer
        assert len(answer) > 20


@pytest.mark.parametrize(
    ("question", "follow_up", "matter", "focus"),
    [
        ("我今年能升职吗？", "我儿子能考上大学吗？", "study", "子孙"),
        ("我今年能升職嗎？", "我媽的病會好嗎？", "health", "父母"),
        ("Will I be promoted this year?", "Will my son pass the entrance exam?", "study", "子孙"),
    ],
)
def test_a_follow_up_about_another_takes_its_own_line(question: str, follow_up: str, matter: str, focus: str) -> None:
    """FUP-06."""
    again = inquire_again(follow_up, inquire("", question))
    assert (again.matter.key, again.focus) == (matter, focus)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("我前夫什么时候再婚", Language.SIMPLIFIED),
        ("我前夫什麼時候再婚", Language.TRADITIONAL),
        ("When will my ex-husband remarry?", Language.ENGLISH),
    ],
)
def test_what_one_may_or_may_not_wish_for_is_only_dated(question: str, language: Language) -> None:
    """CARE-08: neither "no time is in sight yet" nor "there is no sign of it coming"."""
    assert inquire("other", question).stance.polarity is Polarity.UNKNOWN
    draw = random.Random(question)
    for _ in range(12):
        conclusion = " ".join(read(cast(draw, question), language=language).conclusion)
        assert says("when open", language, conclusion), conclusion


@pytest.mark.parametrize(
    "question",
    [
        "Will she say yes?",
        "is he going to say yes to dinner",
        "跟前任還有機會嗎",
        "我跟初恋还有没有可能",
        "这段感情还有戏吗",
        "我跟前任还有缘吗",
        "Will our team murder Arsenal in the match?",
    ],
)
def test_a_chance_and_a_yes_are_hoped_for(question: str) -> None:
    """CARE-08: the "yes" that is asked about is no tag of the question."""
    assert inquire("", question).stance.polarity is Polarity.WANTED


@pytest.mark.parametrize(
    ("question", "language", "praise"),
    [
        ("Will the rain ruin the wedding?", EN, "things are in order|it looks well|signs are good|not count on it"),
        ("婚礼那天会下雨吗", ZH, "可以放心|向好|看来是好的|条件都在|别太指望|不太乐观"),
    ],
)
def test_the_weather_is_told_and_not_praised(question: str, language: Language, praise: str) -> None:
    """The grade is of the rain, which may be what is feared."""
    draw = random.Random(question)
    told = [read(cast(draw, question), language=language).lead for _ in range(30)]
    assert not [lead for lead in told if re.search(praise, lead)]


def test_a_name_keeps_its_capital_within_an_answer() -> None:
    draw, question = random.Random(7), "Will Arsenal win tonight?"
    told = [read(cast(draw, question), language=EN).lead for _ in range(30)]
    assert any(", Arsenal" in lead or "and Arsenal" in lead for lead in told)
    assert not any("arsenal" in lead for lead in told)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("房貸審得過嗎", TW),
        ("房贷能批下来吗", ZH),
        ("Will my loan be refused?", EN),
        ("Will my mortgage be approved?", EN),
        ("Will the loan go through?", EN),
    ],
)
def test_what_a_bank_decides_is_answered_beside_the_caution(question: str, language: Language) -> None:
    """CARE-04: all ways to ask whether a loan is granted are answered alike."""
    draw, cautions = random.Random(question), assess([question]).cautions
    assert Caution.STAKES in cautions
    for _ in range(10):
        reading = read(cast(draw, question), language=language, cautions=cautions)
        assert not re.search(
            "rest this on a cast|stake on a cast|too little to go by|不能拿一卦|單憑一卦|单凭一卦", reading.lead
        )
        assert reading.caution


def test_a_cleft_sentence_names_both_times() -> None:
    assert inquire("", "Is it this month or next that I should sell?").options == ("this month", "next")
