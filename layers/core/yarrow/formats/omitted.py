"""Members of pydantic models that are left out while they are not set (EVT-16)."""

from typing import Annotated, TypeVar

from pydantic import Field

_Value = TypeVar("_Value")
Optional = Annotated[_Value | None, Field(exclude_if=lambda value: value is None)]
