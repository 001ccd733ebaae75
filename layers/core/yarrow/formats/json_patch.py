"""JSON Patch (RFC 6902): the operations of a change to a JSON document, and applying them."""

import copy
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from yarrow.formats import json_text

Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^/~]|~[01])*)*$")]
"""A place in a document (RFC 6901); empty is the whole of it."""


class PatchError(ValueError):
    """A change that cannot be applied."""


class _Operation(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, serialize_by_alias=True)

    path: Pointer


class PatchValue(_Operation):
    """Put a value at `path`, or test that it is there; null is a value."""

    op: Literal["add", "replace", "test"]
    value: Any


class PatchRemove(_Operation):
    """Remove what is at `path`."""

    op: Literal["remove"]


class PatchMove(_Operation):
    """Bring what is at another place to `path`."""

    op: Literal["move", "copy"]
    source: Pointer = Field(alias="from")


PatchOperation = Annotated[PatchValue | PatchRemove | PatchMove, Field(discriminator="op")]


def pointer(*names: str) -> str:
    """The place that these members lead to (RFC 6901)."""
    return "".join(f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names)


def apply(document: Any, operations: Iterable[PatchOperation], max_bytes: int | None = None) -> Any:
    """The document after all of the operations; the given one stays as it is.

    Raises PatchError for an operation that cannot be applied, and where the document's JSON exceeds `max_bytes`.
    """
    from jsonpatch import JsonPatch, JsonPatchException  # here: few runs change a state
    from jsonpointer import JsonPointerException

    document = copy.deepcopy(document)
    try:
        for each in operations:
            if "__proto__" in each.path.split("/"):  # clients refuse it
                raise PatchError("__proto__ is no place")
            document = JsonPatch([each.model_dump()]).apply(document, in_place=True)
            if each.op == "copy":  # a few of them make a small document huge
                _check(document, max_bytes)
    except (JsonPatchException, JsonPointerException) as error:
        raise PatchError("the operation cannot be applied") from error
    _check(document, max_bytes)
    return document


def _check(document: Any, max_bytes: int | None) -> None:
    try:
        raw = json_text.dumps(document).encode()
        json_text.loads(raw)  # which bounds its depth
    except (ValueError, RecursionError) as error:
        raise PatchError("the document is not JSON, or too deep") from error
    if max_bytes is not None and len(raw) > max_bytes:
        raise PatchError("the document is too large")
