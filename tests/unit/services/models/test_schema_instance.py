"""Smallest instances: valid by an independent judge, or refused."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yarrow.services.models.schema_instance import NoInstanceError, smallest

SCHEMAS: tuple[tuple[dict[str, Any], Any], ...] = (
    ({"type": "object", "properties": {"a": {"type": "string"}}}, {}),
    ({"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}, "required": ["a"]}, {"a": "xx"}),
    ({"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 2}, [3, 3]),
    ({"type": "number", "maximum": -1.5}, -1.5),
    ({"type": "integer", "minimum": 1.5}, 2),
    ({"enum": ["b", "a"]}, "b"),
    ({"type": "string", "enum": [1, "a"]}, "a"),
    ({"const": [1]}, [1]),
    ({"type": ["null", "string"]}, None),
    ({"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "boolean"}]}, False),
    ({"$defs": {"A": {"type": "boolean", "title": "A"}}, "$ref": "#/$defs/A"}, False),
    ({"type": "object", "required": ["any"]}, {"any": None}),
)
WITHOUT: tuple[dict[str, Any], ...] = (
    {"type": "string", "pattern": "^a"},
    {"type": "integer", "minimum": 1.2, "maximum": 1.8},
    {"type": "string", "minLength": 1_000_000},
    {"type": "object", "required": ["a"], "additionalProperties": False},
    {
        "$defs": {"A": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "required": ["a"]}},
        "$ref": "#/$defs/A",
    },
    {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]},
    {"$ref": "#/nowhere"},
    {"type": "bogus"},
    {"type": "object", "required": 5},
    {"type": "string", "minLength": "2"},
)


@pytest.mark.parametrize(("schema", "instance"), SCHEMAS)
def test_an_instance_has_nothing_that_need_not_be(schema: dict[str, Any], instance: Any) -> None:
    """RNR-52."""
    assert smallest(schema) == instance
    jsonschema.validate(instance, schema)


@pytest.mark.parametrize("schema", WITHOUT)
def test_a_schema_without_an_instance_that_can_be_found_is_refused(schema: dict[str, Any]) -> None:
    """RNR-52: recursion ends, sizes are bounded, and what is no schema is no crash."""
    with pytest.raises(NoInstanceError):
        smallest(schema)


_LEAVES = st.one_of(
    st.sampled_from([{}, {"type": "null"}, {"type": "boolean"}, {"enum": ["b", 1]}, {"const": None}]),
    st.fixed_dictionaries(
        {"type": st.just("integer")}, optional={"minimum": st.integers(-9, 9), "maximum": st.integers(-9, 9)}
    ),
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={"minLength": st.integers(0, 9), "maxLength": st.integers(0, 9)}
    ),
)
_NESTED = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": inner, "minItems": st.integers(0, 2)}),
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from("abc"), inner),
                "required": st.lists(st.sampled_from("abcd"), unique=True),
            },
            optional={"additionalProperties": st.one_of(st.booleans(), inner)},
        ),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=2)}),
    ),
    max_leaves=6,
)


@given(_NESTED)
def test_whatever_is_found_is_valid(schema: dict[str, Any]) -> None:
    """RNR-52."""
    try:
        instance = smallest(schema)
    except NoInstanceError:
        return
    jsonschema.validate(instance, schema)
