"""JSON Patch (RFC 6902)."""

import copy
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from yarrow.formats import json_text

Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^/~]|~[01])*)*$")]
"""RFC 6901; empty is the whole document."""


class PatchError(ValueError):
    """The patch cannot be applied."""


class _Operation(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    path: Pointer


class PatchValue(_Operation):
    """Sets or tests a value; null is a value."""

    op: Literal["add", "replace", "test"]
    value: Any


class PatchRemove(_Operation):
    """Removes a value."""

    op: Literal["remove"]


class PatchMove(_Operation):
    """Moves or copies a value."""

    op: Literal["move", "copy"]
    source: Pointer = Field(alias="from")


PatchOperation = Annotated[PatchValue | PatchRemove | PatchMove, Field(discriminator="op")]


def pointer(*names: str) -> str:
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)


def apply(document: Any, operations: Iterable[PatchOperation], max_bytes: int | None = None) -> Any:
    """A patched copy. Raises PatchError for a failing operation, or JSON over `max_bytes`."""
    from jsonpatch import JsonPatch, JsonPatchException  # here: few runs have a shared state
    from jsonpointer import JsonPointerException

    document = copy.deepcopy(document)
    try:
        for each in operations:
            if "__proto__" in each.path.split("/"):  # clients refuse it
                raise PatchError("__proto__ is not allowed in a path")
            document = JsonPatch([each.model_dump()]).apply(document, in_place=True)
            if each.op == "copy":  # repeated copies grow exponentially
                _check(document, max_bytes)
    except (JsonPatchException, JsonPointerException) as error:
        raise PatchError("the operation cannot be applied") from error
    _check(document, max_bytes)
    return document


def _check(document: Any, max_bytes: int | None) -> None:
    try:
        raw = json_text.dumps(document).encode()
        json_text.loads(raw)  # limits its depth
    except (ValueError, RecursionError) as error:
        raise PatchError("the document is not JSON, or too deep") from error
    if max_bytes is not None and len(raw) > max_bytes:
        raise PatchError("the document is too large")
