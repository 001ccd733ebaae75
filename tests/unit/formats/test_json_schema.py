"""Foreign JSON schemas: what is refused, and that a check has an end."""

from typing import Any

import pytest

from yarrow.formats.json_schema import MAX_DEPTH, MAX_PARTS, SchemaError, check_schema, mismatch

SEATS = {
    "type": "object",
    "properties": {"seats": {"$ref": "#/$defs/count"}, "tags": {"type": "array", "items": {"enum": ["a", "b"]}}},
    "required": ["seats"],
    "additionalProperties": False,
    "$defs": {"count": {"type": "integer", "minimum": 1, "maximum": 9}},
}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"seats": 2, "tags": ["a"]}, None),
        ({"seats": 2.0}, None),
        ({"seats": 0}, "$.seats: 0 is less than the minimum of 1"),
        ({"seats": True}, "$.seats: True is not of type 'integer'"),
        ({}, "$: 'seats' is a required property"),
        ({"seats": 1, "class": 1}, "$: Additional properties are not allowed ('class' was unexpected)"),
        ({"seats": 1, "tags": ["c"]}, "$.tags[0]: 'c' is not one of ['a', 'b']"),
        ([], "$: [] is not of type 'object'"),
    ],
)
def test_a_value_is_checked_by_a_schema(value: Any, why: str | None) -> None:
    """ASK-04."""
    check_schema(SEATS)
    assert mismatch(value, SEATS) == why


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


def doubling(rounds: int) -> dict[str, Any]:
    """A schema whose references, written out, double in each round."""
    definitions = {"0": {"type": "null"}}
    for number in range(1, rounds):
        before = {"$ref": f"#/$defs/{number - 1}"}
        definitions[str(number)] = {"anyOf": [before, before]}  # type: ignore[dict-item]  # a schema all the same
    return {"$ref": f"#/$defs/{rounds - 1}", "$defs": definitions}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "text"},
        {"type": "object", "properties": []},
        {"minimum": "1"},
        {"type": "string", "pattern": "(a+)+$"},
        {"patternProperties": {"^a": True}},
        {"properties": {"a": {"items": {"pattern": "a"}}}},
        {"$ref": "https://example.org/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/$defs/missing"},
        {"$ref": "#missing"},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"$id": "https://example.org/", "type": "string"},
        {"$dynamicRef": "#a"},
        nested(MAX_DEPTH + 1),
        nested(5_000),
        doubling(12),
        {"anyOf": [{"const": number} for number in range(MAX_PARTS)]},
        7,
    ],
)
def test_a_schema_that_cannot_be_checked_by_is_refused(schema: Any) -> None:
    """ASK-01: when the question is asked, not when it is answered."""
    with pytest.raises(SchemaError):
        check_schema(schema)


def test_a_property_may_have_the_name_of_a_keyword() -> None:
    schema = {"type": "object", "properties": {"pattern": {"type": "string"}, "$ref": {"const": "#"}}}
    check_schema(schema)
    assert mismatch({"pattern": "(a+)+$", "$ref": "#"}, schema) is None


def test_a_check_of_a_large_value_has_an_end() -> None:
    schema = doubling(9)
    check_schema(schema)
    deep: Any = []
    for _ in range(500):
        deep = [deep]
    assert mismatch(deep, schema) is not None
    assert mismatch([1] * 10_000, {"type": "array", "uniqueItems": True}) is not None
