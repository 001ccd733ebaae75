"""The JSON Schema of the divination agent's runs, for OpenAPI."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from liuyao.payload import DivinationPayload
from yarrow.protocol.run_input.message_models import ContextEntry, Tool
from yarrow.protocol.run_input.schema import TEXT, AgentProps, CommonRunInput, says


class DivinationProps(AgentProps):
    """The run's mode, the client's time, and the cast."""

    runtime_mode: Annotated[
        Literal["chat", "follow_up"],
        Field(description="`chat` for the first run of a session; `follow_up` for a further question, never blank."),
    ]
    divination_payload: Annotated[DivinationPayload, Field(alias="divinationPayload")]


_FOLLOW_UP_ASKS: dict[str, Any] = {
    "if": {"properties": {"forwardedProps": {"properties": {"runtime_mode": {"const": "follow_up"}}}}},
    "then": says(TEXT),
}


class DivinationRunInput(CommonRunInput):
    """The input of the divination agent, which the cast implies.

    A `follow_up` needs an existing session (`threadId`).
    """

    model_config = ConfigDict(json_schema_extra=_FOLLOW_UP_ASKS)

    state: dict[str, Any]
    tools: list[Tool]
    context: list[ContextEntry]
    forwarded_props: DivinationProps
