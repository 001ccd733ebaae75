"""The note of a reading whose time could have another plate."""

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import cycle, islice, product

import pytest

from liuyao import DivinationPayload, derive
from liuyao.cast_time.ambiguities import alternatives
from liuyao.cast_time.note import with_time_note
from liuyao.reading import Language, Reading, read
from liuyao.reading.judgement import judge
from liuyao.reading.plate import lay_out
from liuyao.reading.question.inquiry import inquire
from liuyao.time_cast import lines_at
from tests.support.casts import payload

LINES = ("老阴", "少阳", "少阴", "老阳")
CASTS = list(islice(product(LINES, repeat=6), 0, None, 37))
QUESTIONS = ("我最近换工作是否合适?", "这次考试能通过吗", "他还会回来吗", "我的病几时能好", "生意能赚钱吗")
SAME = {Language.SIMPLIFIED: "断语不变", Language.TRADITIONAL: "斷語不變", Language.ENGLISH: "the verdict is the same"}
GRADE = re.compile("[上中下][上下][签籤]")
NOON, QINGMING = "2026-04-03T12:00:00+08:00", "2026-04-05T02:41:00+08:00"
NIGHT = "2026-04-03T23:30:00+08:00"


def noted(cast: DivinationPayload, language: Language = Language.SIMPLIFIED) -> tuple[Reading, str | None]:
    """Return the reading without the note, and the note."""
    divination = derive(cast)
    reading = read(divination, language=language)
    output = with_time_note(reading, cast, divination, language)
    if output is reading:
        return reading, None
    *points, note = output.focus_points
    rest = output.answer.replace(f"\n\n{note}", "")
    assert rest == reading.answer
    assert replace(output, answer=rest, focus_points=tuple(points)) == reading
    return reading, note


def verdict(cast: DivinationPayload, as_if: DivinationPayload) -> tuple[str, str]:
    """The grade and outcome of a cast as if it had been made at the time of another."""
    divination = derive(as_if)
    judged = judge(lay_out(divination), inquire(cast.question_type, cast.question))
    return judged.sign_level, judged.outcome


def agrees(note: str, ours: tuple[str, str], other: tuple[str, str], language: Language) -> bool:
    """Whether a note of one alternative tells its verdict."""
    grades = GRADE.findall(note)
    if ours == other:
        return SAME[language] in note and not grades
    return [grade.replace("籤", "签") for grade in grades] == [other[0]] and SAME[language] not in note


@pytest.mark.parametrize(
    ("moment", "beyond"),
    [
        (QINGMING, "2026-04-05T02:39:00+08:00"),
        ("2026-04-05T02:39:00+08:00", QINGMING),
        ("2026-02-04T04:04:00+08:00", "2026-02-04T04:01:00+08:00"),
        (NIGHT, "2026-04-03T22:30:00+08:00"),
        ("2026-04-03T22:58:00+08:00", "2026-04-03T23:00:00+08:00"),
        ("1988-07-01T19:30:00+09:00", "1988-07-01T18:30:00+08:00"),
    ],
    ids=["after a 节", "before a 节", "after 立春", "of the 23:00 school", "before 23:00", "in summer time"],
)
def test_a_note_tells_the_verdict_that_the_plate_of_the_other_time_has(moment: str, beyond: str) -> None:
    """DIV-28."""
    differing = 0
    for lines, question, language in zip(CASTS, cycle(QUESTIONS), cycle(Language)):
        cast = payload(yaoLines=lines, divinationTimeIso=moment, question=question)
        _, note = noted(cast, language)
        other = verdict(cast, payload(yaoLines=lines, divinationTimeIso=beyond, question=question))
        ours = verdict(cast, cast)
        assert note is not None
        assert agrees(note, ours, other, language), (lines, note, ours, other)
        differing += ours != other
    assert differing > 10 or "1988" in moment


def test_of_a_cast_by_the_time_the_other_hour_has_another_hexagram() -> None:
    differing = 0
    for hours in range(1, 600, 2):
        edge = datetime(2026, 4, 10, tzinfo=timezone(timedelta(hours=8))) + timedelta(hours=hours)
        if edge.hour == 23:
            continue
        moment, beyond = edge - timedelta(minutes=1), edge
        cast = payload(yaoLines=lines_at(moment), divinationTimeIso=moment.isoformat())
        _, note = noted(cast)
        other = verdict(cast, payload(yaoLines=lines_at(beyond), divinationTimeIso=beyond.isoformat()))
        assert note is not None
        assert agrees(note, verdict(cast, cast), other, Language.SIMPLIFIED), (moment, note)
        differing += SAME[Language.SIMPLIFIED] not in note
    assert differing > 50


def test_thrown_lines_stay_by_another_hour() -> None:
    """The hour weighs nothing in them."""
    for lines in CASTS:
        _, note = noted(payload(yaoLines=lines, divinationTimeIso="2026-04-03T17:01:00+08:00"))
        assert note == "起卦时刻：离时辰交界不到三分钟，若按申时，断语不变。"


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (
            QINGMING,
            (
                "离清明交节不到三分钟，若按卯月，",
                "離清明交節不到三分鐘，若按卯月，",
                "change of month; by the month of the Rabbit",
            ),
        ),
        (
            "2026-03-05T21:57:00+08:00",
            (
                "离惊蛰交节不到三分钟，若按卯月，",
                "離驚蟄交節不到三分鐘，若按卯月，",
                "change of month; by the month of the Rabbit",
            ),
        ),
        (
            NIGHT,
            ("若以零点换日，作丁未日，", "若以零點換日，作丁未日，", "changed at midnight, by the day of the Goat"),
        ),
        (
            "2026-04-04T00:01:00+08:00",
            ("且钟快，作丁未日，", "且鐘快，作丁未日，", "the clock is fast, by the day of the Goat"),
        ),
        (
            "2026-04-03T22:58:00+08:00",
            (
                "子时换日不到三分钟，若按戊申日子时，",
                "子時換日不到三分鐘，若按戊申日子時，",
                "by the day of the Monkey",
            ),
        ),
        (
            "1988-07-01T19:30:00+09:00",
            ("若按标准时18:30（酉时），", "若按標準時18:30（酉時），", "by 18:30 in standard time"),
        ),
    ],
)
def test_a_note_names_the_other_pillar_in_the_readings_language(moment: str, expected: tuple[str, str, str]) -> None:
    """DIV-32."""
    for language, words in zip(Language, expected, strict=True):
        _, note = noted(payload(divinationTimeIso=moment), language)
        assert note is not None
        assert words in note
        assert not re.search(r"[{}\[\]<>]|None|  ", note)


def test_a_note_is_short() -> None:
    """The longest has two edges and the other school."""
    longest = dict.fromkeys(Language, 0)
    for language in Language:
        for lines in CASTS[:20]:
            _, note = noted(payload(yaoLines=lines, divinationTimeIso="2026-04-03T23:01:00+08:00"), language)
            longest[language] = max(
                longest[language], len((note or "").split()) if language == "en" else len(note or "")
            )
    assert longest[Language.ENGLISH] <= 60
    assert max(longest[Language.SIMPLIFIED], longest[Language.TRADITIONAL]) <= 70


def test_a_time_without_ambiguity_leaves_the_reading_as_it_is() -> None:
    """And costs no second judgement: the reading is the same object."""
    cast = payload(divinationTimeIso=NOON)
    assert alternatives(cast.divination_time_iso) == ()
    assert noted(cast)[1] is None


@pytest.mark.parametrize("language", Language)
def test_a_caution_stays_the_last_word(language: Language) -> None:
    """CARE-04."""
    cast = payload(divinationTimeIso=NIGHT, questionType="健康", question="我的病能好吗")
    divination = derive(cast)
    reading = read(divination, language=language)
    output = with_time_note(reading, cast, divination, language)
    assert reading.caution
    assert output.answer.endswith(f"\n\n{output.focus_points[-1]}\n\n{reading.caution}")


def test_the_sex_of_a_child_has_no_grade_but_an_answer() -> None:
    seen = set()
    for lines in CASTS:
        cast = payload(yaoLines=lines, divinationTimeIso=NIGHT, questionType="其他", question="怀的是男孩还是女孩")
        _, note = noted(cast)
        assert note is not None
        assert not GRADE.search(note)
        seen.add(note.rpartition("，")[2])
    assert seen <= {"断语不变。", "答案相反。"}


def test_true_solar_time_is_compared_with_the_clock() -> None:
    """At 87.6° E in the zone of +08:00, the clock says 戌 and the sun 酉."""
    cast = payload(divinationTimeIso="2026-04-03T18:15:00+05:47")
    civil = datetime.fromisoformat("2026-04-03T20:28:00+08:00")
    divination = derive(cast)
    reading = with_time_note(
        read(divination, language=Language.SIMPLIFIED), cast, divination, Language.SIMPLIFIED, civil
    )
    assert reading.focus_points[-1] == "起卦时刻：排盘用真太阳时，若按时钟20:28（丁未日戌时），断语不变。"
