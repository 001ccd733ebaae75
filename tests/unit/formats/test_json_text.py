"""JSON text as the service reads and writes it; bodies that clients send are in the contract tests of the run input."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.effort import examples
from yarrow.formats import json_text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=10,
)


@given(JSON)
@settings(max_examples=examples(100), deadline=None)
def test_what_is_written_reads_back(value: Any) -> None:
    """EVT-18: The text is compact and unescaped."""
    for text in (json_text.dumps(value), json_text.canonical(value)):
        assert json_text.loads(text.encode()) == value
        assert json.loads(text) == value


def test_canonical_text_is_the_same_whatever_the_order_of_members() -> None:
    """RUN-23: so a body sent again is known again; but order in arrays counts, and so does every value."""
    same = ('{"b": [1, 2], "a": {"d": "卦", "c": null}}', '{"a":{"c":null,"d":"\\u5366"},"b":[1,2]}')
    assert {json_text.canonical(json.loads(text)) for text in same} == {'{"a":{"c":null,"d":"卦"},"b":[1,2]}'}
    assert json_text.canonical([1, 2]) != json_text.canonical([2, 1])
    assert json_text.canonical(1) != json_text.canonical("1") != json_text.canonical(True)


def test_written_text_keeps_the_order_of_members() -> None:
    """EVT-18."""
    assert json_text.dumps({"b": 1, "a": "卦"}) == '{"b":1,"a":"卦"}'


@pytest.mark.parametrize(
    "text",
    ["NaN", "[Infinity]", '{"a":-Infinity}', '{"a":1,"a":1}', "[" * 100_000, "\ufeff{}"],
    ids=lambda text: repr(text)[:20],
)
def test_text_that_is_no_json_is_not_read(text: str) -> None:
    """ERR-11: with a ValueError, whatever is wrong."""
    with pytest.raises(ValueError, match=r"\S"):
        json_text.loads(text.encode())


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_json_has_not_are_not_written(value: float) -> None:
    """ERR-11."""
    for write in (json_text.dumps, json_text.canonical):
        with pytest.raises(ValueError, match=r"(?i)out of range"):
            write([value])


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_json_may_be_nested_so_deep_and_no_deeper(opening: bytes, closing: bytes) -> None:
    """ERR-11: The limit is our own, the same on every Python and wherever on the stack."""
    depth = json_text.MAX_DEPTH
    json_text.loads(opening * depth + b"1" + closing * depth)
    with pytest.raises(ValueError, match="nested more than 200 deep"):
        json_text.loads(opening * (depth + 1) + b"1" + closing * (depth + 1))
