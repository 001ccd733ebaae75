"""One validated model call with its pictures, for any provider (`agent-runner.md` §7.1, RNR-52)."""

import asyncio
import base64
import binascii
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from yarrow.formats.pictures import SHOWN_TYPES
from yarrow.protocol.runner.api import (
    AgentAPIException,
    ModelChunk,
    ModelMessage,
    ModelReasoning,
    ModelReply,
    ModelTool,
    ModelToolCall,
    ModelUsage,
)
from yarrow.protocol.runner.vocabulary import UNOPENED
from yarrow.services.models.budget import estimated

PICTURES = 20
"""The most pictures in a request."""
PICTURE_BYTES = 5 << 20
PICTURE_TOKENS: Final = 1_600

USUAL_ANSWER_TOKENS: Final = 2_048

_SHOWING: Final = frozenset({"user", "tool"})
"""Roles whose messages may have pictures."""

_LEFT_OUT: Final = UNOPENED.format(kind="image")

_DATA_URL: Final = re.compile(r"data:([a-z]+/[a-z0-9.+-]+);base64,", re.IGNORECASE)

ReadArtifact = Callable[[str], tuple[bytes, str]]
"""Returns bytes and MIME type of a readable artifact; may block. Raises AgentAPIException."""


Effort = Literal["minimal", "low", "medium", "high"]


class ModelOptions(BaseModel):
    """The `extra_args` a runner may pass; models without `seed`, `temperature` or reasoning ignore them.

    `reasoning_effort` has the model reason; `reasoning_summary` asks those that only summarise it to do so.
    `response_schema` is the JSON schema of an object; the answer is then JSON text that matches it. `tool_choice`
    `required` has the model call a tool, `none` has it call none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    seed: int | None = None
    stop_sequences: Annotated[list[Annotated[str, Field(min_length=1, max_length=256)]], Field(max_length=4)] | None = (
        None
    )
    reasoning_effort: Effort | None = None
    reasoning_summary: bool | None = None
    response_schema: dict[str, Any] | None = None
    tool_choice: Literal["auto", "none", "required"] | None = None


@dataclass(frozen=True)
class ModelPicture:
    data: bytes
    mime_type: str


@dataclass(frozen=True)
class ChatMessage:
    """One message. A `tool` message has the `tool_call_id` and `tool_name` of its call."""

    role: Literal["system", "user", "assistant", "tool"]
    content: tuple[str | ModelPicture, ...]
    tool_calls: tuple[ModelToolCall, ...] = ()
    tool_call_id: str = ""
    tool_name: str = ""
    name: str = ""
    """The agent that wrote an assistant message, if it is another one."""
    reasoning: tuple[ModelReasoning, ...] = ()

    @property
    def text(self) -> str:
        """The content without pictures."""
        return "\n".join(part for part in self.content if isinstance(part, str))

    @property
    def pictures(self) -> int:
        return sum(isinstance(part, ModelPicture) for part in self.content)

    def in_words(self) -> "ChatMessage":
        """Return the message with a line in place of each picture."""
        return replace(self, content=tuple(part if isinstance(part, str) else _LEFT_OUT for part in self.content))


@dataclass(frozen=True)
class ModelCall:
    messages: tuple[ChatMessage, ...]
    tools: tuple[ModelTool, ...]
    options: ModelOptions

    @property
    def shows_results(self) -> bool:
        return any(message.role == "tool" and message.pictures for message in self.messages)

    def without_result_pictures(self) -> "ModelCall":
        """Return the call with a line in place of each picture in a tool result."""
        return replace(
            self, messages=tuple(message.in_words() if message.role == "tool" else message for message in self.messages)
        )

    def estimate(self, answered: str) -> ModelUsage:
        texts = [message.text for message in self.messages]
        texts += [call.function.arguments for message in self.messages for call in message.tool_calls]
        texts += [thought.content for message in self.messages for thought in message.reasoning]
        return ModelUsage(input_tokens=estimated("".join(texts)), output_tokens=estimated(answered))

    def expected(self) -> int:
        """Return the tokens to expect: the request plus the usual or allowed answer length."""
        tools = estimated("".join(tool.model_dump_json() for tool in self.tools))
        pictures = sum(message.pictures for message in self.messages)
        request = self.estimate("").input_tokens + tools + pictures * PICTURE_TOKENS
        return request + (self.options.max_tokens or USUAL_ANSWER_TOKENS)


class StreamLimits(NamedTuple):
    """Seconds: to the first event, between two events, and in all."""

    first: float
    silence: float
    whole: float


class ModelClient(Protocol):
    """Answers a call within `seconds`. Raises AgentAPIException; `retryable` says whether to try again."""

    async def invoke(self, call: ModelCall, seconds: float, /) -> ModelReply: ...

    def stream(self, call: ModelCall, limits: StreamLimits, /) -> AsyncGenerator[ModelChunk]:
        """The last chunk has the whole reply."""
        ...


def options(extra_args: Mapping[str, Any] | None) -> ModelOptions:
    """Validate the options. Raises `invalid_argument`, which names the option but not its value."""
    try:
        read = ModelOptions.model_validate(dict(extra_args or {}))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, ("extra_args", *first["loc"])))
        raise AgentAPIException("invalid_argument", f"{name}: {first['msg']}.") from None
    if read.response_schema is not None and read.response_schema.get("type") != "object":
        raise AgentAPIException("invalid_argument", "extra_args.response_schema must describe an object.")
    return read


async def chat_messages(messages: Iterable[ModelMessage], read_artifact: ReadArtifact) -> tuple[ChatMessage, ...]:
    """Return the messages with their pictures.

    Raises `invalid_argument`, `payload_too_large` for too many or too large pictures, and what `read_artifact` raises.
    """
    read: list[ChatMessage] = []
    called: dict[str, str] = {}
    pictures = 0
    for message in messages:
        content = await _content(message, read_artifact)
        pictures += sum(isinstance(part, ModelPicture) for part in content)
        if pictures > PICTURES:
            raise AgentAPIException("payload_too_large", f"A request may have at most {PICTURES} pictures.")
        called |= {call.id: call.function.name for call in message.tool_calls}
        tool_call_id = message.tool_call_id or ""
        tool_name = message.name or called.get(tool_call_id, "")
        if message.role == "tool" and not (tool_call_id and tool_name):
            raise AgentAPIException("invalid_argument", "A tool message must answer a call of an earlier message.")
        name, reasoning = (message.name or "", message.reasoning) if message.role == "assistant" else ("", ())
        read.append(ChatMessage(message.role, content, message.tool_calls, tool_call_id, tool_name, name, reasoning))
    return tuple(read)


async def _content(message: ModelMessage, read_artifact: ReadArtifact) -> tuple[str | ModelPicture, ...]:
    if message.content is None or isinstance(message.content, str):
        return (message.content,) if message.content else ()
    parts: list[str | ModelPicture] = []
    for part in message.content:
        match part:
            case {"type": "text", "text": str(text)}:
                parts.append(text)
            case {"type": "artifact", "artifact_id": str(artifact_id)} if message.role in _SHOWING:
                data, mime_type = await asyncio.to_thread(read_artifact, artifact_id)
                is_left_out = message.role == "tool" and len(data) > PICTURE_BYTES  # no client can repair a result
                parts.append(_LEFT_OUT if is_left_out else _picture(data, mime_type))
            case {"type": "image_url", "image_url": {"url": str(url)}} if message.role in _SHOWING:
                parts.append(_inline(url))
            case _:
                raise AgentAPIException("invalid_argument", f"A {message.role} message has a part of an unknown kind.")
    return tuple(parts)


def _inline(url: str) -> ModelPicture:
    """Return the picture in a data URL. Other URLs are never fetched (SSRF)."""
    head = _DATA_URL.match(url)
    if not head:
        raise AgentAPIException("invalid_argument", "A picture must be a base64 data URL or an artifact.")
    try:
        return _picture(base64.b64decode(url[head.end() :], validate=True), head[1].lower())
    except binascii.Error:
        raise AgentAPIException("invalid_argument", "A picture is not base64.") from None


def _picture(data: bytes, mime_type: str) -> ModelPicture:
    if mime_type not in SHOWN_TYPES:
        raise AgentAPIException("invalid_argument", "A picture must be a GIF, JPEG, PNG or WebP.")
    if len(data) > PICTURE_BYTES:
        raise AgentAPIException("payload_too_large", f"A picture must have at most {PICTURE_BYTES >> 20} MiB.")
    return ModelPicture(data, mime_type)
