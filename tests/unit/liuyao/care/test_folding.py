"""Tricks of typing, and what a text may cost."""

import pytest

from liuyao.care import Kind, assess
from tests.support.growth import growth

TRICKS = [
    *(
        "我 不 想 活 了",
        "我*不*想*活*了",
        "我\u200b不\u200b想\u200b活\u200b了",
        "我-不-想-活-了",
        "我\u2060不想\ufeff活了",
    ),
    *("自.杀", "自、杀", "自 / 杀", "不，想，活，了", "我不想活了" + "\ufe0f", "想\n死", "自\t殺", "【自】【杀】"),
    *(
        "ｋｉｌｌ ｍｙｓｅｌｆ",
        "KILL MYSELF",
        "KiLl MySeLf",
        "kіll mуself",
        "k1ll mys3lf",
        "k!ll myself",
        "kill  my  self",
    ),
    *(
        "s u i c i d e",
        "s-u-i-c-i-d-e",
        "su*cide",
        "$uicide",
        "suiciiiide",
        "súicide",
        "s\u00aduicide",
        "S.U.I.C.I.D.E",
    ),
    *(
        "I don't want to live",
        "I don’t want to live",
        "I don`t want to live",
        "I dont want to live",
        "I don＇t want to live",
    ),
]


@pytest.mark.parametrize("text", TRICKS)
def test_a_trick_of_typing_hides_nothing(text: str) -> None:
    """CARE-01."""
    assert assess([text]).kind is Kind.SELF_HARM


@pytest.mark.parametrize("text", ["我" * 5_000 + "不想活了", "x " * 4_000 + "kill myself", "哈" * 60_000 + "，想死"])
def test_a_grave_word_is_found_at_the_end_of_a_long_text(text: str) -> None:
    """CARE-01."""
    assert assess([text]).kind is Kind.SELF_HARM


PIECES = [
    "我",
    "想",
    "想死你",
    "不想",
    "i want to ",
    "stop ",
    "a",
    "a ",
    "k i l l ",
    "自.",
    "，",
    "的药",
    "how long ",
    "'",
    "活着",
    "([",
]


@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_the_time_grows_with_the_length_and_not_its_square(piece: str) -> None:
    """Nothing in the tables backtracks far: quadratic time would take 100 times as long."""

    def text(length: int) -> list[str]:
        return [(piece * length)[:length]]

    assert growth(assess, text, 1_000, 10_000, enough=40) <= 40


def test_no_text_is_too_odd() -> None:
    """CARE-05: whatever it is, there is an answer."""
    for text in ("", " ", "\ud800", "\x00", "🔪🔪🔪", "\u202e死想", "١٢٣", "ﷺ" * 50, "e\u0301" * 300):
        assert assess([text]).kind in (None, *Kind)
