"""The plate as SVG: what it shows, in three languages, and that nothing of the user's text gets out of it."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liuyao import Divination, DivinationPayload, derive
from liuyao.chart_svg import QUESTION_CELLS, TYPE_CELLS, draw_svg
from liuyao.reading import Language
from tests.support.example_cast import EXAMPLE

SVG = "{http://www.w3.org/2000/svg}"


def cast(**changes: Any) -> Divination:
    return derive(DivinationPayload.model_validate({**EXAMPLE, **changes}))


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 (made here)


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in parsed(svg).iter(f"{SVG}text")]


def test_it_shows_what_a_plate_has() -> None:
    """DIV-13 … DIV-25: 六神, 伏神, 六亲 and 纳甲, the moving lines, 世应, and the changed hexagram."""
    svg = draw_svg(cast(), Language.SIMPLIFIED)
    shown = texts(svg)
    assert shown[0] == "水火既济 之 风雷益"
    for text in (
        "青龙",
        "玄武",
        "白虎",
        "螣蛇",
        "勾陈",
        "朱雀",
        "妻财戊午火",
        "兄弟己亥水",
        "子孙己卯木空",
        "世",
        "应",
    ):
        assert text in shown
    assert shown.count("动") == 2
    assert [text for text in ("本卦 坎宫三世", "变卦 巽宫三世") if text in shown] == ["本卦 坎宫三世", "变卦 巽宫三世"]
    root = parsed(svg)
    marks = [element.tag.removeprefix(SVG) for element in root.iter() if element.get("class") == "mark"]
    assert sorted(marks) == ["circle", "path"]  # ○ for 老阳, × for 老阴
    bars = [element for element in root.iter(f"{SVG}rect") if element.get("class") == "bar"]
    yang = [line.is_yang for line in (*cast().yao_info_list, *cast().target_yao_info_list)]
    assert len(bars) == sum(1 if item else 2 for item in yang)


def test_a_cast_at_rest_has_one_hexagram() -> None:
    """DIV-22."""
    shown = texts(draw_svg(cast(yaoLines=["少阳"] * 6), Language.SIMPLIFIED))
    assert shown[0] == "乾为天"
    assert not any("变卦" in text or text == "动" for text in shown)


def test_terms_stay_chinese_in_every_language() -> None:
    """DIV-26: spelt as the language spells them, with an English name of the hexagrams."""
    hant, english = (texts(draw_svg(cast(), language)) for language in (Language.TRADITIONAL, Language.ENGLISH))
    assert hant[0] == "水火既濟 之 風雷益"
    assert {"青龍", "妻財戊午火", "應", "動", "本卦 坎宮三世"} <= set(hant)
    assert english[0] == "水火既济 After Completion → 风雷益 Increase"
    assert "六神 spirit" in english


@pytest.mark.parametrize("language", Language)
def test_it_is_readable_on_light_and_dark_and_fetches_nothing(language: Language) -> None:
    """C26, SEC-07: It has no script and no link, and colours for both."""
    svg = draw_svg(cast(), language)
    assert "prefers-color-scheme:dark" in svg
    assert not re.search(r"<script|href|url\(|@import|on\w+=", svg)
    assert svg.replace("http://www.w3.org/2000/svg", "").count("://") == 0


@given(st.text(min_size=1, max_size=300).filter(str.strip), st.text(min_size=1, max_size=32).filter(str.strip))
def test_any_question_stays_text(question: str, question_type: str) -> None:
    """SEC-07: escaped, on one line, and cut."""
    svg = draw_svg(cast(question=question, questionType=question_type), Language.ENGLISH)
    tags = {element.tag.removeprefix(SVG) for element in parsed(svg).iter()}
    assert tags <= {"svg", "title", "style", "rect", "text", "path", "circle", "g"}
    assert len(texts(svg)[1]) <= QUESTION_CELLS + TYPE_CELLS + 4


def test_a_long_question_is_cut() -> None:
    shown = texts(draw_svg(cast(question="<b>&\"'" + "字" * 200), Language.SIMPLIFIED))[1]
    assert shown == "<b>&\"'" + "字" * 31 + "…（事业）"
