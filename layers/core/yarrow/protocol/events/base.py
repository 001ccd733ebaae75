"""The base of AG-UI events, RUN_STARTED, and the JSON form.

Source: `agui-http-agent.md` (EVT-07, EVT-16, EVT-25, EVT-29). Unset members are omitted.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

_Value = TypeVar("_Value")
Optional = Annotated[_Value | None, Field(exclude_if=lambda value: value is None)]
Milliseconds = Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]
"""Since the epoch; exact in JavaScript (EVT-29)."""


class BaseEvent(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    type: str
    thread_id: str
    run_id: str
    timestamp: Optional[Milliseconds] = None


class RunStarted(BaseEvent):
    """The first event (EVT-07)."""

    type: Literal["RUN_STARTED"] = "RUN_STARTED"
    parent_run_id: Optional[str] = None


def encode(event: BaseEvent) -> str:
    """With `type` first."""
    return event.model_dump_json()
