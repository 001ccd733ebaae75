"""What a divination payload may hold, at and around every limit (DIV-01 … DIV-08, DIV-12)."""

from typing import Any

import pytest
from pydantic import ValidationError

from liuyao import Divination, DivinationPayload, derive
from tests.support.casts import payload
from tests.support.example_cast import EXAMPLE
from yarrow.protocol import validation_errors

SIX = EXAMPLE["yaoLines"]


def faults(**changes: Any) -> list[tuple[Any, ...]]:
    with pytest.raises(ValidationError) as raised:
        payload(**changes)
    return [fault["loc"] for fault in raised.value.errors()]


def test_the_example_of_the_document_is_valid() -> None:
    assert payload().yao_lines == tuple(SIX)


@pytest.mark.parametrize("name", EXAMPLE)
def test_every_member_is_required(name: str) -> None:
    without = {key: value for key, value in EXAMPLE.items() if key != name}
    with pytest.raises(ValidationError, match="Field required"):
        DivinationPayload.model_validate(without)


@pytest.mark.parametrize("method", ["手动起卦", "自动起卦"])
def test_either_method_is_valid(method: str) -> None:
    """DIV-01."""
    assert payload(divinationMethod=method).divination_method == method


@pytest.mark.parametrize("method", ["", "手动", "auto", "手动起卦 ", None, 1])
def test_no_other_method_is_valid(method: object) -> None:
    """DIV-01."""
    assert faults(divinationMethod=method) == [("divinationMethod",)]


@pytest.mark.parametrize(("member", "limit"), [("questionType", 32), ("question", 300)])
@pytest.mark.parametrize("character", ["a", "问", "𠮷", "😀"])
def test_lengths_count_characters(member: str, limit: int, character: str) -> None:
    """DIV-02, DIV-03, DIV-08."""
    for length in (1, limit - 1, limit):
        payload(**{member: character * length})
    assert faults(**{member: character * (limit + 1)}) == [(member,)]


@pytest.mark.parametrize("member", ["questionType", "question"])
@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000\u2003", None, 7, ["问"]])
def test_a_text_must_say_something(member: str, text: object) -> None:
    """DIV-02, DIV-03, DIV-08."""
    assert {loc[0] for loc in faults(**{member: text})} == {member}


@pytest.mark.parametrize(
    "time", ["2026-04-03T20:30:00", "2026-04-03", "2026-04-03 20:30:00+08:00", "", "1775219400", 1775219400, None]
)
def test_the_time_has_an_offset(time: object) -> None:
    """DIV-04."""
    assert faults(divinationTimeIso=time) == [("divinationTimeIso",)]


@pytest.mark.parametrize("time", ["1900-01-01T00:00:00Z", "1900-01-01T00:00:00+14:00", "2100-12-31T23:59:59-12:00"])
def test_the_years_1900_to_2100_are_covered(time: str) -> None:
    """DIV-04, both ends."""
    derive(payload(divinationTimeIso=time))


@pytest.mark.parametrize("time", ["1899-12-31T23:59:59-12:00", "1899-12-31T23:59:59Z", "2101-01-01T00:00:00+14:00"])
def test_no_other_year_is_guessed_at(time: str) -> None:
    """DIV-04."""
    assert faults(divinationTimeIso=time) == [("divinationTimeIso",)]


@pytest.mark.parametrize("count", [0, 5, 7])
def test_a_hexagram_has_six_lines(count: int) -> None:
    """DIV-05."""
    assert faults(yaoLines=(SIX * 2)[:count]) == [("yaoLines",)]


@pytest.mark.parametrize("count", [0, 5, 7, 1000])
def test_a_wrong_count_of_lines_is_told_as_exactly_six(count: int) -> None:
    """DIV-05: whether they are too few or too many."""
    with pytest.raises(ValidationError) as caught:
        payload(yaoLines=(SIX * count)[:count])
    assert [validation_errors.reason(fault) for fault in validation_errors.faults(caught.value)] == [
        "must have exactly 6 items"
    ]


@pytest.mark.parametrize("line", ["", "少", "太阳", "老陽", "young", 7, None])
@pytest.mark.parametrize("position", [0, 5])
def test_a_line_is_one_of_four(line: object, position: int) -> None:
    """DIV-05."""
    lines = [*SIX[:position], line, *SIX[position + 1 :]]
    assert ("yaoLines", position) in faults(yaoLines=lines)


@pytest.mark.parametrize("extra", ["gender", "yao_Lines", "Question", ""])
def test_no_other_member_is_allowed(extra: str) -> None:
    """DIV-06."""
    assert faults(**{extra: "x"}) == [(extra,)]


@pytest.mark.parametrize("extra", [{"palace": "坎"}, {"ganzhi": {"yearGanZhi": "丙午"}}])
def test_a_divination_is_strict(extra: dict[str, object]) -> None:
    """DIV-12."""
    with pytest.raises(ValidationError):
        Divination.model_validate(derive(payload()).model_dump() | extra)


@pytest.mark.parametrize(("member", "count"), [("yaoInfoList", 5), ("targetYaoInfoList", 3)])
def test_a_divination_with_other_than_six_lines_is_refused(member: str, count: int) -> None:
    """DIV-22, DIV-23."""
    whole = derive(payload()).model_dump()
    with pytest.raises(ValidationError, match="six lines"):
        Divination.model_validate(whole | {member: whole[member][:count]})


def test_a_divination_survives_the_wire() -> None:
    """DIV-13."""
    divination = derive(payload())
    assert Divination.model_validate_json(divination.model_dump_json()) == divination
