"""A reading that names a date says that its asker may come back after it, in its language; no other does."""

import random
import re
from datetime import date

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.care.kinds import Caution
from liuyao.reading import Language, Reading, read

LINES = ("老阴", "少阳", "少阴", "老阳")
DATE = {
    Language.SIMPLIFIED: r"(?:(?P<year>\d{4})年)?(?:(?P<month>\d{1,2})月(?P<day>\d{1,2})日)?",
    Language.TRADITIONAL: r"(?:(?P<year>\d{4})年)?(?:(?P<month>\d{1,2})月(?P<day>\d{1,2})日)?",
    Language.ENGLISH: r"(?:(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+) ?)?(?P<year>\d{4})?",
}
SAID = {
    Language.SIMPLIFIED: (
        "过了{date}，你可以回来说说结果如何。",
        "等{date}过去，不妨回来说说事情怎样了。",
        "{date}之后，你可以回来告诉我说中了没有。",
        "过了{date}，你可以回来说说情况怎样。",
    ),
    Language.TRADITIONAL: (
        "過了{date}，你可以回來說說結果如何。",
        "等{date}過去，不妨回來說說事情怎樣了。",
        "{date}之後，你可以回來告訴我說中了沒有。",
        "過了{date}，你可以回來說說情況怎樣。",
    ),
    Language.ENGLISH: (
        "After {date}, you can come back and say how it went.",
        "Once {date} has passed, you are welcome to come back and say how it turned out.",
        "After {date}, you can come back and say whether the reading came true.",
        "After {date}, you can come back and say how things are.",
    ),
}
"""All ways to say it."""
COMES_BACK = {
    Language.SIMPLIFIED: "回来(?:说说|告诉)",
    Language.TRADITIONAL: "回來(?:說說|告訴)",
    Language.ENGLISH: "come back and say",
}
MONTHS = [f"{date(2026, month, 1):%B}" for month in range(1, 13)]
TODAY = date(2026, 11, 3)
QUESTIONS = (
    *(("事业", "我最近换工作是否合适?"), ("财运", "今年投资能赚钱吗?"), ("失物", "钱包能找回来吗?")),
    *(("感情", "他什么时候会联系我?"), ("学业", "2029年之前我能考上吗?"), ("Love", "In which year will I marry?")),
    *(("Career", "When will I hear back?"), ("天气", "明天几点会下雨?"), ("健康", "我母亲的病什么时候好?")),
)


def cast(question_type: str, question: str, lines: list[str]) -> Divination:
    payload = {
        "divinationMethod": "手动起卦",
        "questionType": question_type,
        "question": question,
        "divinationTimeIso": f"{TODAY.isoformat()}T12:00:00+08:00",
        "yaoLines": lines,
    }
    return derive(DivinationPayload.model_validate(payload))


def casts(question_type: str, question: str, count: int) -> list[Divination]:
    chance = random.Random(question)
    return [cast(question_type, question, [chance.choice(LINES) for _ in range(6)]) for _ in range(count)]


def said(text: str, language: Language) -> list[re.Match[str]]:
    """The sentences of a text that say so, in the words of the table; all others that could are errors."""
    found: list[re.Match[str]] = []
    for way in SAID[language]:
        before, _, after = way.partition("{date}")
        found += re.finditer(re.escape(before) + DATE[language] + re.escape(after), text)
    assert len(found) == len(re.findall(COMES_BACK[language], text)), text
    return found


def last_day(match: re.Match[str]) -> date:
    """The day that a sentence names; a year's last."""
    year, month, day = (match[name] for name in ("year", "month", "day"))
    if day is None:
        return date(int(year), 12, 31)
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    return date(int(year or TODAY.year), number, int(day))


def names_a_date(reading: Reading, language: Language) -> bool:
    if language is Language.ENGLISH:
        return re.search(rf"\d+ (?:{'|'.join(MONTHS)})|in \d{{4}}", reading.timing) is not None
    return re.search(r"\d+月\d+日|\d{4}年", reading.timing) is not None


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("question_type", "question"), QUESTIONS)
def test_a_reading_with_a_date_says_that_one_may_come_back_after_it(
    question_type: str, question: str, language: Language
) -> None:
    """DIV-30, DIV-32: once, with what to do, after the deciding time, which is among those of its timing."""
    for divination in casts(question_type, question, 12):
        reading = read(divination, language=language)
        found = said(reading.answer.replace(question, ""), language)
        assert bool(found) == names_a_date(reading, language), reading.answer
        if found:
            (match,) = found
            day = last_day(match)
            assert day > TODAY
            assert match[0] in reading.lead
            assert match[0] in " ".join(reading.advice)
            named = f"{day.day} {day:%B}" if language is Language.ENGLISH else f"{day.month}月{day.day}日"
            shown = str(day.year) if match["day"] is None else named
            assert shown in reading.timing
    assert found


def test_a_reading_without_a_date_does_not() -> None:
    """Of the sex of a child and of two ways no time is told; nor of an hour outside the time asked about."""
    for question_type, question in (("其他", "怀的是男孩还是女孩?"), ("其他", "两份工作选哪一份好?")):
        for language in Language:
            for divination in casts(question_type, question, 4):
                assert said(read(divination, language=language).answer, language) == []


def test_nobody_is_invited_to_report_a_crime() -> None:
    (divination,) = casts("其他", "我下个月这么做能成吗?", 1)
    assert said(read(divination, language=Language.SIMPLIFIED).answer, Language.SIMPLIFIED)
    told = read(divination, language=Language.SIMPLIFIED, cautions={Caution.ILLEGAL})
    assert said(told.answer, Language.SIMPLIFIED) == []


@pytest.mark.parametrize(
    ("language", "words"),
    [(Language.SIMPLIFIED, "情况怎样"), (Language.TRADITIONAL, "情況怎樣"), (Language.ENGLISH, "how things are")],
)
def test_in_illness_it_asks_for_no_result(language: Language, words: str) -> None:
    """CARE-04."""
    for divination in casts("健康", "我母亲的病什么时候好?", 8):
        text = read(divination, language=language).answer
        assert all(words in match[0] for match in said(text.replace(divination.question, ""), language))
        assert words in text


def test_not_all_casts_of_a_question_say_it_in_the_same_words() -> None:
    for language in Language:
        texts = [read(each, language=language).answer for each in casts("事业", "我最近换工作是否合适?", 12)]
        ways = {match[0][-6:] for text in texts for match in said(text, language)}
        assert len(ways) == 3
