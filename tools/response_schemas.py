"""Generates schemas of responses that are structs (`yarrow.protocol.response_body`), as pydantic would write them.

msgspec describes only what it can decode, which excludes unions of structs whose discriminator is not the first member.
"""

import inspect
from collections.abc import Iterable, Iterator
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct

from functions.openapi import ref

Schema = dict[str, Any]

_SIMPLE: Final[dict[Any, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
}


def schemas(bodies: Iterable[type[Struct]]) -> dict[str, Schema]:
    """Return the schemas of the structs and their nested structs by name."""
    found: dict[str, Schema] = {}
    waiting = list(bodies)
    while waiting:
        body = waiting.pop()
        if body.__name__ not in found:
            found[body.__name__] = _object(body)
            waiting += [part for hint in get_type_hints(body).values() for part in _structs(hint)]
    return found


def _object(body: type[Struct]) -> Schema:
    """Return the schema of a struct; a member is required unless it has a default, with which it is omitted."""
    hints, members = get_type_hints(body), msgspec.structs.fields(body)
    omitted = {member.name for member in members if member.default is not NODEFAULT}
    return {
        "description": inspect.getdoc(body),
        "properties": {
            member.encode_name: _type(_present(hints[member.name]) if member.name in omitted else hints[member.name])
            for member in members
        },
        "required": [member.encode_name for member in members if member.name not in omitted],
        "title": body.__name__,
        "type": "object",
    }


def _present(hint: Any) -> Any:
    """Return a type without the null of an omitted member."""
    return Union[tuple(part for part in get_args(hint) if part is not NoneType)]  # noqa: UP007


def _type(hint: Any) -> Schema:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    kind, parts = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return ref(hint.__name__)
    if kind is Literal:
        return ({"const": parts[0]} if len(parts) == 1 else {"enum": list(parts)}) | {"type": "string"}
    if kind is tuple:
        return {"items": _type(parts[0]), "type": "array"}
    if kind is dict:
        return {"additionalProperties": _type(parts[1]) or True, "type": "object"}
    if kind in (Union, UnionType):
        every = [_type(part) for part in parts]
        return {"anyOf": every} if NoneType in parts else {"discriminator": _by_role(parts), "oneOf": every}
    raise TypeError(f"no schema is known for {hint}")


def _by_role(items: Iterable[type[Struct]]) -> Schema:
    roles = {get_args(get_type_hints(item)["role"])[0]: ref(item.__name__)["$ref"] for item in items}
    return {"mapping": dict(sorted(roles.items())), "propertyName": "role"}


def _structs(hint: Any) -> Iterator[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs(part)
