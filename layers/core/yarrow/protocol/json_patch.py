"""JSON Patch (RFC 6902): the operations of a change to a JSON document, in their shape. Nothing here applies them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Pointer = Annotated[str, StringConstraints(pattern=r"^(/([^/~]|~[01])*)*$")]
"""A place in a document (RFC 6901); empty is the whole of it."""


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
