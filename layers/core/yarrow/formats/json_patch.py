"""JSON Patch (RFC 6902)."""

import copy
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict

from msgspec import Meta

from yarrow.formats import json_text

POINTER: Final = r"^(/([^/~]|~[01])*)*$"
"""The form of a pointer (RFC 6901); the empty one is the whole document."""

Pointer = Annotated[str, Meta(pattern=POINTER)]


class PatchError(ValueError):
    """The patch cannot be applied."""


Operation = TypedDict(
    "Operation",
    {
        "path": Pointer,
        "op": Literal["add", "replace", "test", "remove", "move", "copy"],
        "value": NotRequired[Any],
        "from": NotRequired[Pointer],
    },
)
"""`add`, `replace` and `test` have a value, `move` and `copy` a source; members are in the order of writing."""


def pointer(*names: str) -> str:
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)


def apply(document: Any, operations: Iterable[Operation], max_bytes: int | None = None) -> Any:
    """Return a patched copy. Raises PatchError for a failing operation, or JSON over `max_bytes`."""
    from jsonpatch import JsonPatch, JsonPatchException  # here: few runs have a shared state
    from jsonpointer import JsonPointerException

    document = copy.deepcopy(document)
    try:
        for operation in operations:
            if "__proto__" in operation["path"].split("/"):  # clients refuse it
                raise PatchError("__proto__ is not allowed in a path")
            document = JsonPatch([operation]).apply(document, in_place=True)
            if operation["op"] == "copy":  # repeated copies grow exponentially
                _check(document, max_bytes)
    except (JsonPatchException, JsonPointerException) as error:
        raise PatchError("the operation cannot be applied") from error
    _check(document, max_bytes)
    return document


def without_tests(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return what an applied patch changes: its tests have passed, and a client may compare numbers differently."""
    return tuple(operation for operation in operations if operation["op"] != "test")


def _check(document: Any, max_bytes: int | None) -> None:
    try:
        raw = json_text.dumps(document).encode()
        json_text.loads(raw)  # limits its depth
    except (ValueError, RecursionError) as error:
        raise PatchError("the document is not JSON, or too deep") from error
    if max_bytes is not None and len(raw) > max_bytes:
        raise PatchError("the document is too large")
