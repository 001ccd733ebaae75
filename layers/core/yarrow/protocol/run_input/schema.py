"""The JSON Schema of `RunAgentInput`, for OpenAPI.

It cannot express the sum of texts, time zone names, leap seconds and second spellings (RUN-02).
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer
from pydantic.alias_generators import to_camel

from yarrow.formats.rfc3339 import parse_rfc3339
from yarrow.protocol.run_ids import MAX_RUN_ID_LENGTH
from yarrow.protocol.run_input.body import MAX_ATTACHMENTS, MAX_MESSAGES, MAX_USER_TEXT_LENGTH, RuntimeMode
from yarrow.protocol.run_input.message_models import (
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

Rfc3339 = Annotated[datetime, BeforeValidator(parse_rfc3339), PlainSerializer(datetime.isoformat, return_type=str)]
ThreadId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
RunId = Annotated[str, Field(min_length=1, max_length=MAX_RUN_ID_LENGTH)]


class UserText(TextBlock):
    """A text; all texts together share the limit."""

    text: Annotated[str, Field(max_length=MAX_USER_TEXT_LENGTH)]


class UserPicture(BinaryBlock):
    """A picture, by a URL signed by this service."""

    mime_type: Annotated[str, Field(pattern=r"^[Ii][Mm][Aa][Gg][Ee]/[A-Za-z0-9_.+-]+$")]
    url: Annotated[str, Field(min_length=1)]
    data: None = None


_FEW_PICTURES: dict[str, Any] = {
    "contains": {"properties": {"type": {"const": "binary"}}},
    "minContains": 0,
    "maxContains": MAX_ATTACHMENTS,
}


class Question(BaseMessage):
    """The user's message."""

    role: Literal["user"]
    content: (
        Annotated[str, Field(max_length=MAX_USER_TEXT_LENGTH)]
        | Annotated[
            list[Annotated[UserText | UserPicture, Field(discriminator="type")]],
            Field(json_schema_extra=_FEW_PICTURES),
        ]
    )


def _question_first(schema: dict[str, Any]) -> None:
    """Require that only the first message is the user's."""
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
    """The client's time."""

    device_timezone: Annotated[str, Field(examples=["Asia/Shanghai"], json_schema_extra={"format": "iana-time-zone"})]
    client_now_iso: Rfc3339
    client_epoch_ms: Annotated[int, Field(gt=-(2**53), lt=2**53)]


class AgentProps(BaseModel):
    """The run's mode and the client's time."""

    model_config = ConfigDict(extra="forbid")

    runtime_mode: Annotated[
        RuntimeMode,
        Field(
            description="`chat`: what the user says; `follow_up`: a further question of the session; `automation`: "
            "what a job asks. Every agent that comes with Yarrow takes `chat`."
        ),
    ]
    client_time: ClientTime | None = None


_SOMETHING = {"pattern": r"[^\s\x1c-\x1f\x85]"}  # ECMA's \s lacks these, which are space here
TEXT = {"properties": {"type": {"const": "text"}, "text": _SOMETHING}}
_PICTURE = {"properties": {"type": {"const": "binary"}}}


def says(*parts: dict[str, Any]) -> dict[str, Any]:
    """The first message has non-blank text, or one of these parts."""
    content = {"anyOf": [{"type": "string", **_SOMETHING}, {"type": "array", "contains": {"anyOf": [*parts]}}]}
    return {"properties": {"messages": {"prefixItems": [{"properties": {"content": content}}]}}}


_SAYS_SOMETHING: dict[str, Any] = {"allOf": [says(TEXT, _PICTURE)]}


class CommonRunInput(BaseModel):
    """What the runs of every agent have."""

    model_config = ConfigDict(alias_generator=to_camel)

    thread_id: ThreadId
    run_id: RunId
    parent_run_id: Annotated[str, Field(max_length=MAX_RUN_ID_LENGTH)] | None = None
    protocol_version: (
        Annotated[str, Field(description="The AG-UI version of a client that can answer questions, such as `1.0`.")]
        | None
    ) = None
    messages: Messages


class AgentRunInput(CommonRunInput):
    """The input of agents that need only a non-empty message, such as the assistant.

    The default agent unless one is named or implied.
    """

    model_config = ConfigDict(json_schema_extra=_SAYS_SOMETHING)

    state: Any = None
    tools: list[Tool] | None = None
    context: list[ContextEntry] | None = None
    forwarded_props: AgentProps
