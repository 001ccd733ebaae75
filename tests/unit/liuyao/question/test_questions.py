"""Questions as people ask them, each with what is to be understood of it. The tables are beside this file."""

import csv
import time
from pathlib import Path

from liuyao.reading.question.follow_up import follow_up
from liuyao.reading.question.inquiry import inquire

ANY = "*"
"""A column that may be anything: the question leaves it open."""


def table(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_each_question_is_understood() -> None:
    """DIV-28: 用神章, in three languages, about the asker and about others."""
    wrong = []
    for row in table("questions"):
        inquiry = inquire(row["type"], row["question"])
        found = {"matter": inquiry.matter.key, "focus": inquiry.focus, "asks": str(inquiry.asks)}
        if any(row[name] not in (ANY, value) for name, value in found.items()):
            wrong.append(f"{row} is taken for {found}")
    assert not wrong, "\n".join(wrong)


def test_each_follow_up_is_understood() -> None:
    """FUP-03, FUP-06: what it wants to hear, and of which matter and line."""
    wrong = []
    for row in table("follow_ups"):
        inquiry = inquire(row["type"], row["question"])
        again = follow_up(row["follow_up"], inquiry)
        found = {
            "intents": " ".join(again.intents),
            "matter": again.inquiry.matter.key,
            "focus": again.inquiry.focus,
        }
        if any(row[name] not in (ANY, value) for name, value in found.items()):
            wrong.append(f"{row} is taken for {found}")
        assert again.turned == (again.inquiry is not inquiry)
    assert not wrong, "\n".join(wrong)


def test_the_tables_are_large_and_name_nothing_twice() -> None:
    """DIV-28, FUP-03."""
    requests, again = table("questions"), table("follow_ups")
    assert len({(row["type"], row["question"]) for row in requests}) == len(requests) >= 300
    assert len({(row["question"], row["follow_up"]) for row in again}) == len(again) >= 60


def test_kin_of_every_kind_has_its_line() -> None:
    """DIV-28: 用神章, with no type and with that of health."""
    wrong = []
    for row in table("kin"):
        for person in row["people"].split():
            question = row["sentence"].format(person)
            for question_type in ("健康", ""):
                found = inquire(question_type, question).focus
                if found != row["focus"]:
                    wrong.append(f"{question_type} {question}: {found}, not {row['focus']}")
    assert not wrong, "\n".join(wrong)


def test_a_question_is_restated_in_its_own_words_or_not_at_all() -> None:
    """DIV-32: "I" and "you" exchanged, in the user's own script."""
    wrong = []
    for row in table("restated"):
        inquiry = inquire("", row["question"])
        found = {"modal": inquiry.modal, "predicate": inquiry.predicate, "restated": inquiry.restated}
        if any(row[name] != (value or "") for name, value in found.items()):
            wrong.append(f"{row} is told as {found}")
    assert not wrong, "\n".join(wrong)


def test_the_time_asked_about_is_read_with_its_unit() -> None:
    """DIV-28: 近事以日计, 远事以月计."""
    wrong = []
    for row in table("times"):
        inquiry = inquire("", row["question"])
        at = inquiry.horizon
        found = {
            "unit": at and at.unit,
            "offset": at and at.offset,
            "span": at and at.span,
            "part": at and at.part,
            "named": at and at.named,
            "scale": inquiry.scale,
        }
        if any(row[name] != ("" if value is None else str(value)) for name, value in found.items()):
            wrong.append(f"{row} is taken for {found}")
        assert at is None or at.words in row["question"]
    assert not wrong, "\n".join(wrong)


HOSTILE = [
    *(
        unit * (300 // len(unit))
        for unit in ("我", "的", "能", "会", "得", "还是", "A还是B", "我儿子", "是不是", "，我", "钱")
    ),
    *(
        unit * (300 // len(unit))
        for unit in ("借", "一", "三个月", "给我", "梦见", "请问", "什么时候会", "和", "在", "有")
    ),
    *(
        unit * (300 // len(unit))
        for unit in ("a ", "my ", "my son's ", "or ", "should i ", "? ", ".", "will my ", "how ")
    ),
    *(
        unit * (300 // len(unit))
        for unit in ("in the next ", "what does he ", "i want to know if ", "wife and ", " ", "1")
    ),
]


def test_no_text_takes_long_to_understand() -> None:
    """DIV-03: 300 characters, whatever they are, in a tenth of a second of the processor at most."""
    inquiry = inquire("事业", "能升职吗")

    def seconds(text: str) -> float:
        start = time.thread_time()
        inquire("", text)
        follow_up(text, inquiry)
        return time.thread_time() - start

    # Again if another process made it slow; shorter by one, so that no cache answers.
    slow = [text[:12] for text in HOSTILE if all(seconds(text[again:]) > 0.1 for again in range(4))]
    assert not slow
