"""Checks JSON against a schema: the part of JSON Schema (2020-12) that forms need.

Schemas are foreign input. One with a keyword that is not known here is refused, so that no rule is ignored silently;
`pattern` is among them, since a regular expression may take forever.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_text

MAX_DEPTH: Final = 16
MAX_PARTS: Final = 2_000
"""Limits of a schema, and of the checks of one value by a recursive one."""

_NOTES: Final = frozenset(
    {
        *("$schema", "$id", "$comment", "title", "description", "examples", "default", "deprecated"),
        *("readOnly", "writeOnly", "format", "contentEncoding", "contentMediaType"),
    }
)
"""Keywords that say nothing about a value's validity; `format` is one by default."""
_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_COUNTS: Final = frozenset(
    {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"},
)
_BOUNDS: Final = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_LISTS: Final = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_MAPS: Final = frozenset({"properties", "$defs", "definitions"})
_SCHEMAS: Final = frozenset({"items", "additionalProperties", "not"})


class SchemaError(ValueError):
    """The schema is malformed, too large, or has a keyword that is not supported."""


def check_schema(schema: Any) -> None:
    """Raise SchemaError unless `matches` supports the schema."""
    left = [MAX_PARTS]
    _check(schema, schema, MAX_DEPTH, left)


def mismatch(value: Any, schema: Any) -> str | None:
    """Return why a value does not match a checked schema, beginning with its path; None if it matches."""
    check = _Check(schema)
    try:
        return next(check.errors(value, schema, "the value"), None)
    except RecursionError:
        return "the value is nested too deep"


def _check(schema: Any, root: Any, depth: int, left: list[int]) -> None:
    left[0] -= 1
    if depth == 0 or left[0] < 0:
        raise SchemaError("is too large")
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        raise SchemaError("has a part that is no schema")
    for keyword, rule in schema.items():
        _check_rule(keyword, rule, root)
        for part in _parts(keyword, rule):
            _check(part, root, depth - 1, left)


def _parts(keyword: str, rule: Any) -> Sequence[Any]:
    if keyword in _LISTS:
        return list(rule)
    if keyword in _MAPS:
        return list(rule.values())
    return [rule] if keyword in _SCHEMAS else []


def _check_rule(keyword: str, rule: Any, root: Any) -> None:
    """Raise SchemaError for a keyword that is unknown, or whose value is malformed."""
    if keyword in _NOTES or keyword == "const":
        return
    if keyword in _COUNTS:
        is_valid = _is_number(rule) and rule >= 0 and rule == int(rule)
    elif keyword in _BOUNDS:
        is_valid = _is_number(rule) and (keyword != "multipleOf" or rule > 0)
    elif keyword in _LISTS:
        is_valid = isinstance(rule, list) and bool(rule)
    elif keyword in _MAPS:
        is_valid = isinstance(rule, Mapping)
    elif keyword in _SCHEMAS:
        is_valid = isinstance(rule, Mapping | bool)
    elif keyword in _OTHERS:
        is_valid = _OTHERS[keyword](rule)
    elif keyword == "$ref":
        is_valid = _referred(root, rule) is not None
    else:
        raise SchemaError(f"has the keyword {keyword[:64]!r}, which is not supported")
    if not is_valid:
        raise SchemaError(f"has a malformed {keyword}")


def _is_types(rule: Any) -> bool:
    names = rule if isinstance(rule, list) else [rule]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _is_names(rule: Any) -> bool:
    return isinstance(rule, list) and all(isinstance(name, str) for name in rule)


_OTHERS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "type": _is_types,
    "required": _is_names,
    "enum": lambda rule: isinstance(rule, list) and bool(rule),
    "uniqueItems": lambda rule: isinstance(rule, bool),
}


def _referred(root: Any, ref: Any) -> Any:
    """Return the definition of the same schema that is referred to; None if there is none."""
    if not isinstance(ref, str) or not ref.startswith("#"):
        return None
    found = root
    for part in ref[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found if isinstance(found, Mapping | bool) else None


class _Check:
    """One check; `errors` yields the first mismatches, each beginning with where it is."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = MAX_PARTS

    def errors(self, value: Any, schema: Any, where: str) -> Iterator[str]:
        self._left -= 1
        if self._left < 0:
            yield f"{where} takes too long to check"
        elif schema is False:
            yield f"{where} is not allowed"
        elif schema is not True:
            yield from self._of_value(value, schema, where)
            yield from self._of_kind(value, schema, where)
            yield from self._of_parts(value, schema, where)

    def _of_value(self, value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
        if "type" in schema:
            names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            if not any(_is(value, name) for name in names):
                yield f"{where} must be of type {' or '.join(names)}"
        if "const" in schema and not _equal(value, schema["const"]):
            yield f"{where} must be {_shown(schema['const'])}"
        if "enum" in schema and not any(_equal(value, one) for one in schema["enum"]):
            yield f"{where} must be one of {_shown(schema['enum'])}"

    def _of_kind(self, value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
        if isinstance(value, str):
            yield from _counted(len(value), schema, where, "Length", "characters")
        elif _is_number(value):
            yield from _bounded(value, schema, where)
        elif isinstance(value, list):
            yield from _counted(len(value), schema, where, "Items", "items")
            if schema.get("uniqueItems") and len({json_text.dumps(_normal(item)) for item in value}) < len(value):
                yield f"{where} must have different items"
        elif isinstance(value, dict):
            yield from _counted(len(value), schema, where, "Properties", "members")
            for name in schema.get("required", ()):
                if name not in value:
                    yield f"{where}.{name} is missing"

    def _of_parts(self, value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
        if "$ref" in schema:
            yield from self.errors(value, _referred(self._root, schema["$ref"]), where)
        for part in schema.get("allOf", ()):
            yield from self.errors(value, part, where)
        if "anyOf" in schema and not any(self._matches(value, part, where) for part in schema["anyOf"]):
            yield f"{where} matches none of anyOf"
        if "oneOf" in schema and sum(self._matches(value, part, where) for part in schema["oneOf"]) != 1:
            yield f"{where} must match exactly one of oneOf"
        if "not" in schema and self._matches(value, schema["not"], where):
            yield f"{where} matches what it must not"
        if isinstance(value, list):
            first = schema.get("prefixItems", ())
            for index, item in enumerate(value):
                part = first[index] if index < len(first) else schema.get("items", True)
                yield from self.errors(item, part, f"{where}[{index}]")
        elif isinstance(value, dict):
            properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
            for name, item in value.items():
                yield from self.errors(item, properties.get(name, others), f"{where}.{name[:64]}")

    def _matches(self, value: Any, schema: Any, where: str) -> bool:
        return next(self.errors(value, schema, where), None) is None


def _is(value: Any, name: str) -> bool:
    match name:
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return _is_number(value) and (isinstance(value, int) or value.is_integer())
        case "number":
            return _is_number(value)
        case "string":
            return isinstance(value, str)
        case "array":
            return isinstance(value, list)
    return isinstance(value, dict)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _counted(count: int, schema: Mapping[str, Any], where: str, ending: str, what: str) -> Iterator[str]:
    if count < schema.get(f"min{ending}", 0):
        yield f"{where} must have at least {schema[f'min{ending}']} {what}"
    if count > schema.get(f"max{ending}", count):
        yield f"{where} must have at most {schema[f'max{ending}']} {what}"


def _bounded(value: float, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if value < schema.get("minimum", value):
        yield f"{where} must be at least {schema['minimum']}"
    if value > schema.get("maximum", value):
        yield f"{where} must be at most {schema['maximum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        yield f"{where} must be above {schema['exclusiveMinimum']}"
    if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
        yield f"{where} must be below {schema['exclusiveMaximum']}"
    if "multipleOf" in schema and not _is_multiple(value, schema["multipleOf"]):
        yield f"{where} must be a multiple of {schema['multipleOf']}"


def _is_multiple(value: float, of: float) -> bool:
    if isinstance(value, int) and isinstance(of, int):
        return value % of == 0
    quotient = value / of
    return math.isfinite(quotient) and quotient == round(quotient)


def _equal(one: Any, other: Any) -> bool:
    """Compare as JSON does: 1 and 1.0 are equal, 1 and true are not."""
    return json_text.dumps(_normal(one)) == json_text.dumps(_normal(other))


def _normal(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {name: _normal(value[name]) for name in sorted(value)}
    return value


def _shown(value: Any) -> str:
    text = json_text.dumps(value)
    return text if len(text) <= 200 else text[:199] + "…"
