"""Generates `docs/shapes.json`: every public shape, with its members, which are required, and their types.

Run `python -m tools.make_shapes` after changing a route, an event or a frame; a test compares the two (DIV-35). A
change that clients notice is written only once the changelog's migration notes name it, as `Shape.member`.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter

from tools import make_event_schemas
from tools.make_openapi import document
from yarrow.protocol.workspace import commands, frames, models, surface
from yarrow.protocol.workspace.errors import CommandError, ErrorCode
from yarrow.workspace.state import entry_frames
from yarrow.workspace.state.state import WorkspaceState

ROOT: Final = Path(__file__).parent.parent
TARGET: Final = ROOT / "docs/shapes.json"
CHANGELOG: Final = ROOT / "CHANGELOG.md"

REQUIRED: Final = "required "
OPTIONAL: Final = "optional "

Schema = Mapping[str, Any]
Shapes = dict[str, dict[str, str]]
"""By name: members with `required` or `optional`, and their types."""
Snapshot = dict[str, Shapes]
"""`requests` are the shapes that clients send, `responses` those they read."""

_REF: Final = "#/components/schemas/"


def snapshot() -> Snapshot:
    described = document()
    shapes = {name: dict(_members(schema)) for name, schema in described["components"]["schemas"].items()}
    requests, responses = _operations(described["paths"])
    reach = _Reach(described["components"]["schemas"])
    every_operation = [operation for methods in described["paths"].values() for operation in methods.values()]
    used = {
        "requests": reach.of(operation.get("requestBody") for operation in every_operation),
        "responses": reach.of(operation["responses"] for operation in every_operation),
    }
    requests |= {name: shapes[name] for name in used["requests"]}
    responses |= {name: shapes[name] for name in used["responses"] | (shapes.keys() - used["requests"])}
    requests["workspace command"] = {"type": REQUIRED + _text(frozenset(map(json.dumps, commands.COMMANDS)))}
    responses |= _frames()
    responses |= {f"event {name}": dict(_members(schema)) for name, schema in make_event_schemas.named().items()}
    return {"requests": dict(sorted(requests.items())), "responses": dict(sorted(responses.items()))}


def _operations(paths: Schema) -> tuple[Shapes, Shapes]:
    requests, responses = Shapes(), Shapes()
    for path, methods in paths.items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            requests[name] = {
                f"{parameter['in']} {parameter['name']}": _member(
                    parameter["schema"], is_required=parameter.get("required", False)
                )
                for parameter in operation.get("parameters", ())
            }
            body = operation.get("requestBody", {})
            for media, content in body.get("content", {}).items():
                requests[name][media] = _member(content["schema"], is_required=len(body["content"]) == 1)
            responses[name] = dict(_responses(operation["responses"]))
    return requests, responses


def _responses(responses: Schema) -> Iterator[tuple[str, str]]:
    for status, response in responses.items():
        if "$ref" in response:
            yield status, _member(response, is_required=True)
        for media, content in response.get("content", {}).items():
            yield f"{status} {media}", _member(content.get("schema", {}), is_required=True)


class _Reach:
    """Finds the shapes that a part of the description refers to, directly or indirectly."""

    def __init__(self, schemas: Schema) -> None:
        self._schemas = schemas

    def of(self, parts: Iterator[Any]) -> set[str]:
        found: set[str] = set()
        left = set(re.findall(rf'"{_REF}(\w+)"', json.dumps(list(parts))))
        while left:
            name = left.pop()
            found.add(name)
            left |= set(re.findall(rf'"{_REF}(\w+)"', json.dumps(self._schemas[name]))) - found
        return found


def _members(schema: Schema, prefix: str = "") -> Iterator[tuple[str, str]]:
    if "properties" not in schema:
        yield prefix or "*", _member(schema, is_required=True)
        return
    for name, member in schema["properties"].items():
        is_required = name in schema.get("required", ())
        yield f"{prefix}{name}", _member(member, is_required=is_required)
        if is_required and "properties" in member:
            yield from _members(member, f"{prefix}{name}.")


def _member(schema: Schema, *, is_required: bool) -> str:
    return (REQUIRED if is_required else OPTIONAL) + _text(_types(schema))


def _types(schema: Schema) -> frozenset[str]:
    """Return the alternatives of a schema; the values of an enumeration as JSON."""
    if "$ref" in schema:
        return frozenset({schema["$ref"].rsplit("/", 1)[-1]})
    if "contentSchema" in schema:
        return frozenset({f"JSON text of {_text(_types(schema['contentSchema']))}"})
    if "const" in schema:
        return frozenset({json.dumps(schema["const"], ensure_ascii=False)})
    if "enum" in schema:
        return frozenset(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return frozenset().union(*map(_types, schema[union]))
    kinds = schema.get("type", "any")
    return frozenset(_plain(schema, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _plain(schema: Schema, kind: str) -> str:
    if kind == "array":
        return f"array of ({_text(_types(schema.get('items', {})))})"
    values = schema.get("additionalProperties")
    if kind == "object" and isinstance(values, Mapping):
        return f"object of ({_text(_types(values))})"
    return f"{kind} {schema['format']}" if "format" in schema else kind


def _text(types: frozenset[str]) -> str:
    return " | ".join(sorted(types))


def _frames() -> Shapes:
    """Return the frames of a workspace, from examples without and with their optional members."""
    made = frames.Frames("task", 0)
    one: list[Any] = [{}]
    state: Any = {}
    error = CommandError(next(iter(ErrorCode)), "")
    pairs = (
        (made.error(error), made.error(error, "request")),
        (made.session_list(one, "s"),) * 2,
        (*made.conversation("s", one), *made.conversation("s", one, {})),
        (*made.artifacts("s", one),) * 2,
        (*made.logs("s", one),) * 2,
        (made.subtasks("s", one),) * 2,
        (made.execution("s", state),) * 2,
        (*made.snapshot(entry_frames.snapshot(WorkspaceState(), "s", {})),) * 2,
    )
    shapes = Shapes()
    for least, most in pairs:
        document = json.loads(most)
        always = dict(_values(json.loads(least)))
        name = f"workspace {document.pop('type')}"
        shapes[name] = {
            member: (REQUIRED if member in always else OPTIONAL) + type_ for member, type_ in _values(document)
        }
    for name, kind in _PARTS.items():
        schema = TypeAdapter(kind).json_schema()
        inner = {f"workspace {part_name}": dict(_members(part)) for part_name, part in schema.get("$defs", {}).items()}
        shapes |= {**inner, f"workspace {name}": dict(_members(schema))}
    return shapes


_PARTS: Final[Mapping[str, Any]] = {
    **{f"CUSTOM {name}": kind for name, kind in surface.RESULTS.items()},
    f"CUSTOM {surface.MESSAGE}": surface.MessageParts,
    **{
        kind.__name__: kind
        for kind in (
            *(models.Message, models.Attachment, models.Log, models.Subtask),
            *(models.Artifact, models.SessionEntry, models.Execution),
        )
    },
}
"""What frames and events hold; a page's own shapes come last, where others have their names."""


def _values(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in document.items():
        kinds = {str: "string", int: "integer", list: "array", dict: "object", bool: "boolean"}
        yield f"{prefix}{name}", kinds[type(value)]
        if name == "data":
            yield from _values(value, f"{name}.")


# ---- Breaking changes ------------------------------------------------------------------------------------------------
class Break(NamedTuple):
    """A change that breaks older clients."""

    name: str
    what: str


def breaks(old: Snapshot, new: Snapshot) -> list[Break]:
    """Yield the breaking changes.

    In responses, a required member was removed, became optional or changed its types. In requests, a member was
    removed, became required or lost a type. Values may be added to enumerations.
    """
    return [
        Break(f"{shape}.{member}", what)
        for direction in ("requests", "responses")
        for shape, members in old[direction].items()
        for member, what in _changes(direction, members, new[direction].get(shape, {}))
    ]


def _changes(direction: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    sent = direction == "requests"
    for member, before in old.items():
        after = new.get(member)
        was_required = before.startswith(REQUIRED)
        if after is None:
            if was_required or sent:
                yield member, "is gone"
        elif sent and not was_required and after.startswith(REQUIRED):
            yield member, "is required"
        elif not sent and was_required and not after.startswith(REQUIRED):
            yield member, "is optional"
        elif (was_required or sent) and _is_other(_alternatives(before), _alternatives(after), sent=sent):
            yield member, f"was {before}, is {after}"
    for member, after in new.items():
        if sent and member not in old and after.startswith(REQUIRED):
            yield member, "is required"


def _alternatives(text: str) -> set[str]:
    return set(text.split(" ", 1)[1].split(" | "))


def _is_other(old: set[str], new: set[str], *, sent: bool) -> bool:
    added = new - old
    return bool(old - new) or not (sent or all(value.startswith('"') for value in added))


def migration_notes(changelog: str) -> str:
    unreleased = re.search(r"^## \[Unreleased\]$(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    notes = unreleased and re.search(r"^### Migration notes$(.*?)(?=^### |\Z)", unreleased[1], re.MULTILINE | re.DOTALL)
    return notes[1] if notes else ""


def unnoted(old: Snapshot, new: Snapshot, changelog: str) -> list[Break]:
    """Return the breaking changes that the migration notes do not name as `Shape.member`."""
    notes = migration_notes(changelog)
    return [change for change in breaks(old, new) if f"`{change.name}`" not in notes]


def text(shapes: Snapshot) -> str:
    return json.dumps(shapes, ensure_ascii=False, indent=1) + "\n"


def stored() -> Snapshot:
    shapes: Snapshot = json.loads(TARGET.read_text(encoding="utf-8"))
    return shapes


def main() -> int:
    """Write the file, unless the migration notes lack a breaking change."""
    current = snapshot()
    missing = unnoted(stored(), current, CHANGELOG.read_text(encoding="utf-8")) if TARGET.exists() else []
    for change in missing:
        sys.stderr.write(f"the migration notes of CHANGELOG.md do not name `{change.name}`, which {change.what}\n")
    if not missing:
        TARGET.write_text(text(current), encoding="utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
