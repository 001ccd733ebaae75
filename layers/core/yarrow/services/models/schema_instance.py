"""The smallest instance of a JSON schema, for the scripted model. Unsupported keywords are refused."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

_DEPTH = 32
_PARTS = 1_000
"""Limits for recursive schemas, which are foreign input."""

_NOTES: Final = frozenset(
    {"$schema", "$id", "$defs", "definitions", "title", "description", "examples", "default", "deprecated"}
)
_RULES: Final[Mapping[str, frozenset[str]]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "integer": frozenset({"minimum", "maximum"}),
    "number": frozenset({"minimum", "maximum"}),
    "string": frozenset({"minLength", "maxLength"}),
    "array": frozenset({"items", "minItems", "maxItems"}),
    "object": frozenset({"properties", "required", "additionalProperties"}),
}


class NoInstanceError(Exception):
    """The schema has no instance, or none was found."""


def smallest(schema: Mapping[str, Any]) -> Any:
    """Return a valid instance with required members only. Raises NoInstanceError."""
    try:
        return _Search(schema).instance(schema, _DEPTH)
    except (AttributeError, TypeError, ValueError):
        raise NoInstanceError from None  # not a schema


class _Search:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._parts = _PARTS

    def instance(self, schema: Any, depth: int) -> Any:
        self._parts -= 1
        if not (self._parts and depth) or not isinstance(schema, Mapping | bool) or schema is False:
            raise NoInstanceError
        if schema is True or not (rules := schema.keys() - _NOTES):
            return None
        if rules == {"$ref"}:
            return self.instance(self._referred(schema["$ref"]), depth - 1)
        if rules == {"anyOf"}:
            return self._any_of(schema["anyOf"], depth)
        if rules <= {"const", "type"} and "const" in rules:
            return self._typed([schema["const"]], schema)
        if rules <= {"enum", "type"} and "enum" in rules:
            return self._typed(schema["enum"], schema)
        kind: Any = schema.get("type")
        if isinstance(kind, list):
            return self._any_of(({**schema, "type": name} for name in kind), depth)
        if kind not in _RULES or not rules <= _RULES[kind] | {"type"}:
            raise NoInstanceError
        return self._of_type(kind, schema, depth)

    def _of_type(self, kind: str, schema: Mapping[str, Any], depth: int) -> Any:
        match kind:
            case "null":
                return None
            case "boolean":
                return False
            case "integer":
                return _number(schema, whole=True)
            case "number":
                return _number(schema, whole=False)
            case "string":
                return "x" * _length(schema, "minLength", "maxLength")
            case "array":
                length = _length(schema, "minItems", "maxItems")
                return [self.instance(schema.get("items", True), depth - 1) for _ in range(length)]
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return {name: self.instance(properties.get(name, others), depth - 1) for name in schema.get("required", ())}

    def _any_of(self, schemas: Iterable[Any], depth: int) -> Any:
        for schema in schemas:
            try:
                return self.instance(schema, depth - 1)
            except NoInstanceError:
                continue
        raise NoInstanceError

    @staticmethod
    def _typed(values: Iterable[Any], schema: Mapping[str, Any]) -> Any:
        kinds = schema.get("type", list(_RULES))
        wanted = {kinds} if isinstance(kinds, str) else set(kinds)
        for value in values:
            if wanted & _kinds(value):
                return value
        raise NoInstanceError

    def _referred(self, reference: str) -> Any:
        """Resolve a reference into the same document; `~` and `%` are not supported."""
        found: Any = self._root
        for name in reference.removeprefix("#").split("/")[1:] if reference.startswith("#") else [reference]:
            if not isinstance(found, Mapping) or name not in found:
                raise NoInstanceError
            found = found[name]
        return found


def _kinds(value: Any) -> set[str]:
    match value:
        case None:
            return {"null"}
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number"}
        case str():
            return {"string"}
        case list():
            return {"array"}
    return {"object"}


def _length(schema: Mapping[str, Any], least: str, most: str) -> int:
    length: int = schema.get(least, 0)
    if not length <= min(schema.get(most, length), _PARTS):
        raise NoInstanceError
    return length


def _number(schema: Mapping[str, Any], *, whole: bool) -> int | float:
    """Return the number nearest to 0 within the limits."""
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    number: int | float = min(max(least, 0), most)
    if whole:
        number = math.ceil(number) if number > 0 else math.floor(number)
    if not least <= number <= most:
        raise NoInstanceError
    return number
