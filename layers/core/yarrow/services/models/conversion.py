"""Converts calls to pydantic_ai and answers back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from pydantic_ai import messages as theirs
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from yarrow.protocol.runner.api import (
    AgentAPIException,
    FinishReason,
    FunctionCall,
    ModelChunk,
    ModelMessage,
    ModelReasoning,
    ModelReply,
    ModelToolCall,
    ModelUsage,
)
from yarrow.services.models.call import ChatMessage, ModelCall, ModelPicture
from yarrow.services.models.reasoning import BETWEEN, parts_of, reasoning_of
from yarrow.services.models.tool_names import ANSWER

_FINISH_REASONS: Final[Mapping[str, FinishReason]] = {
    "length": "length",
    "content_filter": "content_filter",
    "tool_call": "tool_call",
}

_REASONING: Final = ("reasoning_effort", "reasoning_summary")

_NO_PARAMETERS: Final = {"type": "object", "properties": {}, "additionalProperties": False}


def history(messages: Iterable[ChatMessage], model: str) -> list[theirs.ModelMessage]:
    """Convert the messages for `model` (PROVIDER:MODEL); those between two answers become one request."""
    converted: list[theirs.ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            converted.append(theirs.ModelResponse(parts=list(_response_parts(message, model))))
        elif converted and isinstance(converted[-1], theirs.ModelRequest):
            converted[-1].parts = [*converted[-1].parts, _request_part(message)]
        else:
            converted.append(theirs.ModelRequest(parts=[_request_part(message)]))
    return converted


def _request_part(message: ChatMessage) -> theirs.ModelRequestPart:
    match message.role:
        case "system":
            return theirs.SystemPromptPart(message.text)
        case "tool":
            content: Any = [_user_content(part) for part in message.content] if message.pictures else message.text
            return theirs.ToolReturnPart(message.tool_name, content, tool_call_id=message.tool_call_id)
    if not message.pictures:
        return theirs.UserPromptPart(message.text)
    return theirs.UserPromptPart([_user_content(part) for part in message.content])


def _user_content(part: str | ModelPicture) -> theirs.UserContent:
    return part if isinstance(part, str) else theirs.BinaryContent(part.data, media_type=part.mime_type)


def _response_parts(message: ChatMessage, model: str) -> Iterator[theirs.ModelResponsePart]:
    text, at = f"{message.name}: {message.text}" if message.name and message.text else message.text, 0
    for before, thought in parts_of(message.reasoning, model):
        if text[at:before]:
            yield theirs.TextPart(text[at:before])
            at = before
        yield thought
    if text[at:]:
        yield theirs.TextPart(text[at:])
    for call in message.tool_calls:
        yield theirs.ToolCallPart(call.function.name, call.function.arguments, tool_call_id=call.id)


def parameters(call: ModelCall) -> ModelRequestParameters:
    """Return the tools, and the output format the model supports."""
    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.parameters or _NO_PARAMETERS,
            strict=_strict(tool.parameters or _NO_PARAMETERS),
        )
        for tool in call.tools
    ]
    schema = call.options.response_schema
    if schema is None:
        return ModelRequestParameters(function_tools=tools)
    strict = _strict(schema)
    answer = ToolDefinition(
        name=ANSWER, description="Gives the answer.", parameters_json_schema=schema, kind="output", strict=strict
    )
    return ModelRequestParameters(
        function_tools=tools,
        output_mode="auto",
        output_object=OutputObjectDefinition(json_schema=schema, name="answer", strict=strict),
        output_tools=[answer],
    )


def _strict(schema: Any) -> bool | None:
    """Return False if an object in the schema has optional or additional members, which strict mode would forbid.

    None lets the provider's client decide. By default, that client sets `additionalProperties: false` on every object,
    in strict mode or not.
    """
    return None if _is_strict(schema) else False


def _is_strict(schema: Any) -> bool:
    match schema:
        case list():
            return all(map(_is_strict, schema))
        case dict():
            return _has_all_members(schema) and all(map(_is_strict, schema.values()))
    return True


def _has_all_members(schema: dict[str, Any]) -> bool:
    """Whether an object of this schema has all its named members and no other; true for other types."""
    kind, properties = schema.get("type"), schema.get("properties")
    kinds = kind if isinstance(kind, list) else [kind]
    if "object" not in kinds and not isinstance(properties, dict):
        return True
    is_closed = schema.get("additionalProperties", not properties) is False
    return is_closed and set(properties or ()) == set(schema.get("required") or ())


def settings(call: ModelCall, model: Model, name: str, seconds: float) -> ModelSettings:
    """Return the options this model supports; `name` is PROVIDER:MODEL, `seconds` the timeout, without retries.

    Claude rejects reasoning in a request that continues its tool calls without the thoughts before them.

    Raises `invalid_argument` for `stop_sequences` on a model without them: ignoring them would return text the caller
    excluded.
    """
    options = call.options.model_dump(exclude={"response_schema", *_REASONING}, exclude_none=True)
    may_think = model.canonical_system != "anthropic" or not _lacks_thoughts(call.messages, name)
    if call.options.reasoning_effort is not None and may_think:
        options["thinking"] = call.options.reasoning_effort
    if call.options.reasoning_summary:
        options["openai_reasoning_summary"] = "auto"
    if "stop_sequences" in options and "stop_sequences" in model.unsupported_settings:
        raise AgentAPIException("invalid_argument", "extra_args.stop_sequences: not supported by this model.")
    chosen = {**options, "max_retries": 0}
    known = {name: value for name, value in chosen.items() if name not in model.unsupported_settings}
    return cast(ModelSettings, {**known, "request_timeout": seconds})


def _lacks_thoughts(messages: Sequence[ChatMessage], model: str) -> bool:
    """Whether the messages end with tool results and the turn began without a thought of this model."""
    question = max((index for index, message in enumerate(messages) if message.role == "user"), default=-1)
    turn = messages[question + 1 :]
    if not turn or turn[-1].role != "tool":
        return False
    return not any(parts_of(turn[0].reasoning, model))


def reply(response: theirs.ModelResponse, model: str) -> ModelReply:
    """Convert the whole answer of `model`; a structured instance from a tool call becomes its content."""
    text: list[str] = []
    instance: str | None = None
    calls: list[ModelToolCall] = []
    for part in response.parts:
        match part:
            case theirs.TextPart():
                text.append(part.content)
            case theirs.ToolCallPart(tool_name=name) if name == ANSWER:
                instance = _arguments(part)
            case theirs.ToolCallPart():
                function = FunctionCall(name=part.tool_name, arguments=_arguments(part))
                calls.append(ModelToolCall(id=part.tool_call_id, function=function))
    refusal = (response.provider_details or {}).get("refusal")
    content = instance or "".join(text) or refusal or None
    return ModelReply(
        message=ModelMessage(
            role="assistant",
            content=content,
            tool_calls=tuple(calls),
            reasoning=reasoning_of(response.parts, model),
        ),
        finish_reason="refusal" if refusal else _FINISH_REASONS.get(response.finish_reason or "stop", "stop"),
        usage=_usage(response),
    )


def _usage(response: theirs.ModelResponse) -> ModelUsage:
    """Return the tokens; providers' clients give 0 for details that were not reported."""
    used = response.usage
    return ModelUsage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_input_tokens=used.cache_read_tokens or None,
        cache_write_tokens=used.cache_write_tokens or None,
        reasoning_tokens=used.details.get("reasoning_tokens") or None,
    )


def _arguments(part: theirs.ToolCallPart) -> str:
    """Return a call's arguments unchanged, valid JSON or not: pydantic_ai would coerce them to an object."""
    return part.args if isinstance(part.args, str) and part.args.strip() else part.args_as_json_str()


class Pieces:
    """The chunks of a streamed answer; their `content`, joined, is the reply's.

    `parts` gives the parts of the answer so far.
    """

    def __init__(self, *, by_tool: bool, model: str, parts: Callable[[], Sequence[theirs.ModelResponsePart]]) -> None:
        self._by_tool = by_tool
        self._model = model
        self._parts = parts
        self._instance: int | None = None
        self._has_text = False
        self._is_thinking = False
        """Whether reasoning has begun that was not yielded as a whole yet."""
        self._thought: int | None = None
        """The index of the part that the latest piece of reasoning belongs to."""
        self._reasoned = 0
        """How many complete thoughts were yielded."""

    def of(self, event: theirs.ModelResponseStreamEvent) -> Iterator[ModelChunk]:
        """Yield the chunks for an event. Text is withheld if the instance comes by a tool call."""
        chunk = self._added(event)
        self._is_thinking |= _thinks(event)
        if self._is_thinking and ((chunk is not None and chunk.content) or _calls(event)):
            yield from self._thought_so_far(reasoning_of(self._parts(), self._model))
        if chunk is not None:
            self._has_text |= chunk.content is not None
            yield chunk

    def last(self, whole: ModelReply) -> Iterator[ModelChunk]:
        """Yield the remaining reasoning and text, then the whole reply."""
        yield from self._thought_so_far(whole.message.reasoning)
        if not self._has_text and isinstance(whole.message.content, str):
            yield ModelChunk(content=whole.message.content)
        yield ModelChunk(reply=whole)

    def _thought_so_far(self, reasoning: Sequence[ModelReasoning]) -> Iterator[ModelChunk]:
        self._is_thinking, self._thought = False, None
        for thought in reasoning[self._reasoned :]:
            self._reasoned += 1
            yield ModelChunk(reasoned=thought)

    def _added(self, event: theirs.ModelResponseStreamEvent) -> ModelChunk | None:
        match event:
            case (
                theirs.PartStartEvent(part=theirs.TextPart(content=text))
                | theirs.PartDeltaEvent(delta=theirs.TextPartDelta(content_delta=text))
            ) if text and not self._by_tool:
                return ModelChunk(content=text)
            case (
                theirs.PartStartEvent(part=theirs.ThinkingPart(content=text))
                | theirs.PartDeltaEvent(delta=theirs.ThinkingPartDelta(content_delta=str(text)))
            ) if text:
                between = "" if self._thought in (None, event.index) else BETWEEN
                self._thought = event.index
                return ModelChunk(reasoning=between + text)
            case theirs.PartStartEvent(part=theirs.ToolCallPart(tool_name=name, args=args)) if name == ANSWER:
                self._instance = event.index
                return ModelChunk(content=args) if args and isinstance(args, str) else None
            case theirs.PartDeltaEvent(delta=theirs.ToolCallPartDelta(args_delta=str(args))) if (
                args and event.index == self._instance
            ):
                return ModelChunk(content=args)
        return None


def _calls(event: theirs.ModelResponseStreamEvent) -> bool:
    return isinstance(event, theirs.PartStartEvent) and isinstance(event.part, theirs.ToolCallPart)


def _thinks(event: theirs.ModelResponseStreamEvent) -> bool:
    match event:
        case theirs.PartStartEvent(part=part):
            return isinstance(part, theirs.ThinkingPart)
        case theirs.PartDeltaEvent(delta=delta):
            return isinstance(delta, theirs.ThinkingPartDelta)
    return False
