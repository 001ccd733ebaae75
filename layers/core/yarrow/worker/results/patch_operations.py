"""The operations of JSON Patch (RFC 6902) as runners yield them, checked."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from yarrow.formats.json_patch import POINTER

Pointer = Annotated[str, StringConstraints(pattern=POINTER)]


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
