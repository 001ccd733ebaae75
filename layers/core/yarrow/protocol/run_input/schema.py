"""`RunAgentInput` as a schema: what the API's description says of the body of `POST /api/v1/agent/runs`.

It declares what `run_input` and the agents' bindings check by hand, for their order and exact messages; nothing is
validated with it, and a test holds the two together. Left to those is what JSON Schema cannot say or says badly: the
sum of several texts, the names of time zones, leap seconds, and the other spelling of every name (RUN-02).
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from yarrow.formats.rfc3339 import Rfc3339
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS, MAX_MESSAGES, MAX_USER_TEXT_LENGTH, RuntimeMode
from yarrow.protocol.run_input.divination_payload import DivinationPayload
from yarrow.protocol.run_input.messages import (
    ActivityMessage,
    AssistantMessage,
    BaseMessage,
    BinaryBlock,
    ContextEntry,
    DeveloperMessage,
    ReasoningMessage,
    SystemMessage,
    TextBlock,
    Tool,
    ToolMessage,
)

ThreadId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
RunId = Annotated[str, Field(min_length=1, max_length=MAX_RUN_ID_LENGTH)]


class UserText(TextBlock):
    """A piece of text in the user's message; the pieces together keep to the limit of one."""

    text: Annotated[str, Field(max_length=MAX_USER_TEXT_LENGTH)]


class UserPicture(BinaryBlock):
    """A picture in the user's message, by a URL this service signed."""

    mime_type: Annotated[str, Field(pattern=r"^[Ii][Mm][Aa][Gg][Ee]/[A-Za-z0-9_.+-]+$")]
    url: Annotated[str, Field(min_length=1)]
    data: None = None


_FEW_PICTURES: dict[str, Any] = {
    "contains": {"properties": {"type": {"const": "binary"}}},
    "minContains": 0,
    "maxContains": MAX_ATTACHMENTS,
}


class Question(BaseMessage):
    """What the user asks: text, or blocks of text and pictures."""

    role: Literal["user"]
    content: (
        Annotated[str, Field(max_length=MAX_USER_TEXT_LENGTH)]
        | Annotated[
            list[Annotated[UserText | UserPicture, Field(discriminator="type")]],
            Field(json_schema_extra=_FEW_PICTURES),
        ]
    )


def _question_first(schema: dict[str, Any]) -> None:
    """Turn a list of messages of any role into one that begins with the user's and goes on without another."""
    message = schema["items"]
    question, *others = message["oneOf"]
    roles = {role: ref for role, ref in message["discriminator"]["mapping"].items() if role != "user"}
    schema["prefixItems"] = [question]
    schema["items"] = {"discriminator": {**message["discriminator"], "mapping": roles}, "oneOf": others}


Messages = Annotated[
    list[
        Annotated[
            Question
            | AssistantMessage
            | SystemMessage
            | DeveloperMessage
            | ToolMessage
            | ReasoningMessage
            | ActivityMessage,
            Field(discriminator="role"),
        ]
    ],
    Field(min_length=1, max_length=MAX_MESSAGES, json_schema_extra=_question_first),
]


class ClientTime(BaseModel):
    """When and where the client says it is."""

    device_timezone: Annotated[str, Field(examples=["Asia/Shanghai"], json_schema_extra={"format": "iana-time-zone"})]
    client_now_iso: Rfc3339
    client_epoch_ms: Annotated[int, Field(gt=-(2**53), lt=2**53)]


class AgentProps(BaseModel):
    """The mode of the run, which has to be one that its agent takes, and the client's time."""

    model_config = ConfigDict(extra="forbid")

    runtime_mode: Annotated[
        RuntimeMode,
        Field(
            description="`chat`: what the user says; `follow_up`: a further question of the session; `automation`: "
            "what a job asks. Every agent that comes with Yarrow takes `chat`."
        ),
    ]
    client_time: ClientTime | None = None


class DivinationProps(AgentProps):
    """The mode of the run, the client's time, and the cast."""

    runtime_mode: Annotated[
        Literal["chat", "follow_up"],
        Field(description="`chat` for the first run of a session; `follow_up` for a further question, never blank."),
    ]
    divination_payload: Annotated[DivinationPayload, Field(alias="divinationPayload")]


_SOMETHING = {"pattern": r"\S"}
_TEXT = {"properties": {"type": {"const": "text"}, "text": _SOMETHING}}
_PICTURE = {"properties": {"type": {"const": "binary"}}}


def _says(*parts: dict[str, Any]) -> dict[str, Any]:
    """The first message is no blank text, or has one of these parts."""
    content = {"anyOf": [{"type": "string", **_SOMETHING}, {"type": "array", "contains": {"anyOf": [*parts]}}]}
    return {"properties": {"messages": {"prefixItems": [{"properties": {"content": content}}]}}}


_SAYS_SOMETHING: dict[str, Any] = {"allOf": [_says(_TEXT, _PICTURE)]}
_FOLLOW_UP_ASKS: dict[str, Any] = {
    "if": {"properties": {"forwardedProps": {"properties": {"runtime_mode": {"const": "follow_up"}}}}},
    "then": _says(_TEXT),
}


class _RunInput(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)

    thread_id: ThreadId
    run_id: RunId
    parent_run_id: Annotated[str, Field(max_length=MAX_RUN_ID_LENGTH)] | None = None
    messages: Messages


class AgentRunInput(_RunInput):
    """A run of any agent: what the assistant takes, and every agent that wants no more than the user's message.

    The message is not empty. One that names no agent, nor by its mode, goes to the deployment's default.
    """

    model_config = ConfigDict(json_schema_extra=_SAYS_SOMETHING)

    state: Any = None
    tools: list[Tool] | None = None
    context: list[ContextEntry] | None = None
    forwarded_props: AgentProps


class DivinationRunInput(_RunInput):
    """A run of the divination agent, which the cast implies.

    `threadId` is the session, which a `follow_up` must find there.
    """

    model_config = ConfigDict(json_schema_extra=_FOLLOW_UP_ASKS)

    state: dict[str, Any]
    tools: list[Tool]
    context: list[ContextEntry]
    forwarded_props: DivinationProps
