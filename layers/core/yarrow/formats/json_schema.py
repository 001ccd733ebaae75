"""Checks JSON against a foreign JSON schema (2020-12), within limits.

What `jsonschema` leaves open is bounded here: no reference leads out of a schema or in a circle, none is fetched, a
schema is small even with its references written out, and no regular expression runs.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError as MalformedError
from jsonschema.exceptions import best_match
from referencing import Registry

MAX_DEPTH: Final = 32
MAX_PARTS: Final = 2_000

_REFUSED: Final = frozenset(
    {"pattern", "patternProperties", "$dynamicRef", "$dynamicAnchor", "$anchor", "$id", "$recursiveRef", "$vocabulary"}
)
"""Keywords with regular expressions, or with references that cannot be followed here."""
_VALUES: Final = frozenset({"const", "enum", "default", "examples"})
_NAMED: Final = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose members are schemas, by names of the schema's own."""


class SchemaError(ValueError):
    """The schema is malformed, too large, or has a keyword that is not supported."""


def check_schema(schema: Any) -> int:
    """Raise SchemaError unless `mismatch` can check values by the schema; returns how many parts it has, with its
    references written out.
    """
    try:
        Draft202012Validator.check_schema(schema)
        parts = sum(1 for _ in islice(_parts(schema, schema, MAX_DEPTH), MAX_PARTS + 1))
        if parts > MAX_PARTS:
            raise SchemaError("is too large")
    except MalformedError as error:
        raise SchemaError(f"is not valid: {error.message[:200]}") from error
    except RecursionError as error:
        raise SchemaError("is nested too deep") from error
    return parts


def mismatch(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Return why a value does not match a checked schema, beginning with its path; None if it matches."""
    try:
        error = best_match(Draft202012Validator(schema, registry=Registry()).iter_errors(value))
    except RecursionError:
        return "$ is nested too deep"
    return None if error is None else f"{error.json_path}: {error.message[:200]}"


def _parts(schema: Any, root: Any, depth: int) -> Iterator[None]:
    """Yield once for each part of a schema, with references written out. Raises SchemaError."""
    if depth == 0:
        raise SchemaError("is nested too deep, or refers to itself")
    yield
    if isinstance(schema, list):
        for part in schema:
            yield from _parts(part, root, depth - 1)
    if not isinstance(schema, Mapping):
        return
    for keyword, rule in schema.items():
        if keyword in _REFUSED:
            raise SchemaError(f"has the keyword {keyword}, which is not supported")
        if keyword == "$ref":
            yield from _parts(_referred(root, rule), root, depth - 1)
        elif keyword in ("$defs", "definitions"):
            continue  # what refers to them counts
        elif keyword in _NAMED:
            for part in rule.values():
                yield from _parts(part, root, depth - 1)
        elif keyword not in _VALUES:
            yield from _parts(rule, root, depth - 1)


def _referred(root: Any, ref: Any) -> Any:
    """Return the part of the schema that is referred to. Raises SchemaError if it is not in it."""
    found = root
    parts = str(ref).split("/")
    for part in parts[1:] if parts[0] == "#" else [""]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            raise SchemaError("has a reference that leads out of it")
        found = found[name]
    return found
