"""Some readings whose answer names a date say that the asker may come back after it; no other does."""

import random
import re
from datetime import date

import pytest

from liuyao import Divination, DivinationPayload, derive
from liuyao.care.kinds import Caution
from liuyao.reading import Language, Reading, read
from liuyao.reading.judgement import Judgement
from liuyao.reading.narrative import Narrator
from liuyao.reading.plate import Plate, lay_out
from liuyao.reading.voice import Voice
from tests.support.readings.ways import says, ways

LINES = ("老阴", "少阳", "少阴", "老阳")
DATE = {
    Language.SIMPLIFIED: r"(?:(?P<year>\d{4})年)?(?:(?P<month>\d{1,2})月(?P<day>\d{1,2})日)?",
    Language.TRADITIONAL: r"(?:(?P<year>\d{4})年)?(?:(?P<month>\d{1,2})月(?P<day>\d{1,2})日)?",
    Language.ENGLISH: r"(?:(?P<day>\d{1,2}) (?P<month>[A-Z][a-z]+) ?)?(?P<year>\d{4})?",
}
SAID = {language: (*ways("return", language), *ways("return gravely", language)) for language in Language}
"""All ways to say it."""
COMES_BACK = {
    Language.SIMPLIFIED: "回来(?:说|讲|聊|对|告诉)|来说一声",
    Language.TRADITIONAL: "回來(?:說|講|聊|對|告訴)|來說一聲",
    Language.ENGLISH: "come back|welcome back|come and tell|hold this reading|how things have been",
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


def dates_in(text: str, language: Language) -> list[re.Match[str]]:
    """The sentences of a text that say so, in the words of the table; all others that could are errors."""
    found: list[re.Match[str]] = []
    for way in SAID[language]:
        before, _, after = way.partition("{date}")
        found += re.finditer(re.escape(before) + DATE[language] + re.escape(after), text, re.IGNORECASE)
    assert len(found) == len(re.findall(COMES_BACK[language], text)), text
    return found


def last_day(match: re.Match[str]) -> date:
    """Return the day that a sentence names; a year's last."""
    year, month, day = (match[name] for name in ("year", "month", "day"))
    if day is None:
        return date(int(year), 12, 31)
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    return date(int(year or TODAY.year), number, int(day))


def names_a_date(reading: Reading, language: Language) -> bool:
    if language is Language.ENGLISH:
        return re.search(rf"\d+ (?:{'|'.join(MONTHS)})|in \d{{4}}", reading.timing) is not None
    return re.search(r"\d+月\d+日|\d{4}年", reading.timing) is not None


def names_in_answer(reading: Reading, divination: Divination, language: Language) -> bool:
    """Return whether the first paragraph, without the question, names a date."""
    first = reading.answer.split("\n\n")[0].replace(divination.question, "")
    if language is Language.ENGLISH:
        return re.search(rf"\d+ (?:{'|'.join(MONTHS)})|\d{{4}}", first) is not None
    return re.search(r"\d+月\d+日|\d{4}年", first) is not None


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("question_type", "question"), QUESTIONS)
def test_some_answers_with_a_date_say_that_one_may_come_back_after_it(
    question_type: str, question: str, language: Language
) -> None:
    """DIV-30, DIV-32: once, with what to do, after the deciding time, which is among those of its timing."""
    dated, invited = 0, 0
    for divination in casts(question_type, question, 60):
        reading = read(divination, language=language)
        found = dates_in(reading.answer.replace(question, ""), language)
        dated += names_in_answer(reading, divination, language)
        invited += bool(found)
        if found:
            assert names_a_date(reading, language), reading.answer
            assert names_in_answer(reading, divination, language), reading.answer
            (match,) = {match[0]: match for match in found}.values()
            day = last_day(match)
            assert day > TODAY
            bounds = Narrator(*narrated(divination, reading, language)).calendar.bounds
            assert bounds is None or day <= bounds[1]
            assert match[0] in reading.lead
            assert match[0] in " ".join(reading.advice)
            named = f"{day.day} {day:%B}" if language is Language.ENGLISH else f"{day.month}月{day.day}日"
            shown = str(day.year) if match["day"] is None else named
            assert shown in reading.timing
    assert invited <= dated
    assert invited <= 0.55 * dated
    if re.search("什么时候|几点|In which|When", question):
        assert invited >= 0.15 * dated


def narrated(
    divination: Divination, reading: Reading, language: Language
) -> tuple[Voice, Plate, Judgement, Divination]:
    return Voice(language, divination), lay_out(divination), reading.judgement, divination


@pytest.mark.parametrize(
    ("question_type", "question"),
    [
        ("学业", "七月的考试我能考过吗？"),
        ("Study", "Will I pass my exam in July?"),
        ("Love", "Will I be alone at Christmas?"),
        ("感情", "怎样才能挽回她？"),
        ("Love", "How can I win her back?"),
        ("Career", "Who will help me at work?"),
    ],
)
def test_no_return_is_asked_for_after_the_event_or_without_one(question_type: str, question: str) -> None:
    """Nor where the question is how, or who."""
    for language in Language:
        for divination in casts(question_type, question, 30):
            reading = read(divination, language=language)
            bounds = Narrator(*narrated(divination, reading, language)).calendar.bounds
            for match in dates_in(reading.answer.replace(question, ""), language):
                assert bounds is not None
                assert last_day(match) <= bounds[1]


def test_a_reading_without_a_date_does_not() -> None:
    """Of the sex of a child and of two ways no time is told; nor of an hour outside the time asked about."""
    for question_type, question in (("其他", "怀的是男孩还是女孩?"), ("其他", "两份工作选哪一份好?")):
        for language in Language:
            for divination in casts(question_type, question, 4):
                assert dates_in(read(divination, language=language).answer, language) == []


def test_nobody_is_invited_to_report_a_crime() -> None:
    invited = 0
    for divination in casts("其他", "我什么时候能做成?", 30):
        invited += bool(dates_in(read(divination, language=Language.SIMPLIFIED).answer, Language.SIMPLIFIED))
        reading = read(divination, language=Language.SIMPLIFIED, cautions={Caution.ILLEGAL})
        assert dates_in(reading.answer, Language.SIMPLIFIED) == []
    assert invited


@pytest.mark.parametrize("language", Language)
def test_in_illness_it_asks_for_no_result(language: Language) -> None:
    """CARE-04."""
    gravely = 0
    for divination in casts("健康", "我母亲的病什么时候好?", 24):
        text = read(divination, language=language).answer.replace(divination.question, "")
        gravely += says("return gravely", language, text)
        assert not says("return", language, text)
    assert gravely


def test_not_all_casts_of_a_question_say_it_in_the_same_words() -> None:
    for language in Language:
        texts = [read(cast, language=language).answer for cast in casts("事业", "我什么时候能收到录用通知?", 120)]
        outputs = {match[0][-6:] for text in texts for match in dates_in(text, language)}
        assert len(outputs) >= 5
