"""Attribute values are those of boto3's serialiser, for all that items have."""

from collections.abc import Mapping
from decimal import Decimal, Inexact
from typing import Any

import pytest
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from hypothesis import given
from hypothesis import strategies as st

from yarrow.formats.attribute_values import deserialize, serialize

numbers = st.integers(-(10**38) + 1, 10**38 - 1) | st.decimals(
    allow_nan=False, allow_infinity=False, places=6, min_value=-(10**30), max_value=10**30
)
leaves = st.none() | st.booleans() | numbers | st.text() | st.binary()
values = st.recursive(
    leaves | st.sets(st.text(), min_size=1),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(values)
def test_what_is_written_is_what_boto3_would_write(value: Any) -> None:
    assert serialize(value) == TypeSerializer().serialize(value)


@given(values)
def test_what_is_read_is_what_boto3_would_read(value: Any) -> None:
    wire = TypeSerializer().serialize(value)
    assert deserialize(wire) == _plain(TypeDeserializer().deserialize(wire))


@pytest.mark.parametrize("value", [1.5, Decimal("NaN"), Decimal("Infinity"), {1, 2}, set(), object()])
def test_what_items_cannot_have_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        serialize({"list": [value]})


def test_a_number_is_never_rounded() -> None:
    with pytest.raises(Inexact):
        serialize(10**38 + 1)


def test_sets_that_no_item_has_are_read_all_the_same() -> None:
    """A batch of the table's stream is not to fail over them."""
    assert deserialize({"NS": ["1", "2.5"]}) == {Decimal(1), Decimal("2.5")}
    assert deserialize({"BS": [b"1", b"2"]}) == {b"1", b"2"}


def test_a_kind_that_dynamodb_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="X"):
        deserialize({"X": ["1"]})


def _plain(value: Any) -> Any:
    """boto3 wraps binary in a class of its own."""
    if isinstance(value, Binary):
        return TypeSerializer().serialize(value)["B"]
    if isinstance(value, Mapping):
        return {name: _plain(member) for name, member in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
