"""The AG-UI events of a run, and the JSON text they are stored and sent as.

Source: `agui-http-agent.md` and `divination-run.md` (EVT-07 … EVT-18, EVT-25, DIV-11, DIV-28). An optional member that
is not set is omitted, never null (EVT-16). `threadId` and `runId` stand on every event (EVT-25). Which event may follow
which is in `event_order`; framing for the wire is in `sse`.
"""

from typing import Annotated, Any, Literal, TypedDict, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from pydantic.alias_generators import to_camel

from yarrow.protocol.divination import Divination

_Value = TypeVar("_Value")
Optional = Annotated[_Value | None, Field(exclude_if=lambda value: value is None)]
Delta = Annotated[str, StringConstraints(min_length=1)]


class RunIds(TypedDict):
    """The two names of a run that every event carries (EVT-25)."""

    thread_id: str
    run_id: str


class _Event(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, serialize_by_alias=True
    )

    type: str
    thread_id: str
    run_id: str
    timestamp: Optional[int] = None


class RunStarted(_Event):
    """The first event of every run (EVT-07)."""

    type: Literal["RUN_STARTED"] = "RUN_STARTED"
    parent_run_id: Optional[str] = None


class RunFinished(_Event):
    """The run ended well; nothing follows (EVT-08)."""

    type: Literal["RUN_FINISHED"] = "RUN_FINISHED"
    result: Optional[dict[str, Any]] = None


class RunError(_Event):
    """The run ended otherwise; nothing follows (EVT-08). `message` is public."""

    type: Literal["RUN_ERROR"] = "RUN_ERROR"
    message: str
    code: Optional[str] = None


class StepStarted(_Event):
    """A stage of the run began (EVT-15)."""

    type: Literal["STEP_STARTED"] = "STEP_STARTED"
    step_name: str


class StepFinished(_Event):
    """A stage of the run ended (EVT-15)."""

    type: Literal["STEP_FINISHED"] = "STEP_FINISHED"
    step_name: str


class TextMessageStart(_Event):
    """A message begins (EVT-09)."""

    type: Literal["TEXT_MESSAGE_START"] = "TEXT_MESSAGE_START"
    message_id: str
    role: Literal["developer", "system", "assistant", "user"] = "assistant"


class TextMessageContent(_Event):
    """A piece of a message, never empty (EVT-18)."""

    type: Literal["TEXT_MESSAGE_CONTENT"] = "TEXT_MESSAGE_CONTENT"
    message_id: str
    delta: Delta


class TextMessageEnd(_Event):
    """A message is complete; the agent's structured output rides on it as further members (DIV-28, C10)."""

    model_config = ConfigDict(extra="allow")

    type: Literal["TEXT_MESSAGE_END"] = "TEXT_MESSAGE_END"
    message_id: str


class DivinationDerived(_Event):
    """The hexagrams of the run's cast (DIV-11, DIV-12)."""

    type: Literal["DIVINATION_DERIVED"] = "DIVINATION_DERIVED"
    divination: Divination


Event = Annotated[
    RunStarted
    | RunFinished
    | RunError
    | StepStarted
    | StepFinished
    | TextMessageStart
    | TextMessageContent
    | TextMessageEnd
    | DivinationDerived,
    Field(discriminator="type"),
]

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def encode(event: _Event) -> str:
    """The event as one line of JSON; `type` is its first member."""
    return event.model_dump_json()


def decode(line: str) -> Event:
    """The event that `encode` wrote. Raises ValueError for anything else."""
    return _EVENT.validate_json(line)
