"""Chat completions on the wire: their bodies as requests of `api.models`, its answers and errors as theirs.

Source: OpenAI's API reference, chat completions. Parameters that would change an answer and that the host does not
have are refused, not ignored.
"""

import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final

from yarrow.adapters.openai_chat.requests import model_messages
from yarrow.protocol.runner.api import AgentAPIException, FinishReason, ModelChunk, ModelReply, ModelToolCall
from yarrow.protocol.runner.proxy import Artifacts

Document = dict[str, Any]

_SAME: Final = ("temperature", "top_p", "seed", "reasoning_effort")
_READ: Final = frozenset(
    {
        *_SAME,
        *("model", "messages", "tools", "tool_choice", "response_format", "stop", "stream", "stream_options"),
        *("max_tokens", "max_completion_tokens"),
    }
)
_WITHOUT_EFFECT: Final = frozenset(
    {
        *("metadata", "parallel_tool_calls", "prompt_cache_key", "prompt_cache_retention", "safety_identifier"),
        *("service_tier", "store", "user", "verbosity"),
    }
)
"""What may be left out: hints, and notes for OpenAI."""
_DEFAULTS: Final[Mapping[str, Any]] = {"n": 1, "modalities": ["text"]}

_FINISH: Final[Mapping[FinishReason, str]] = {"tool_call": "tool_calls", "refusal": "stop"}
_STATUS: Final[Mapping[str, int]] = {
    "invalid_argument": 400,
    "unauthorized": 403,
    "not_found": 404,
    "payload_too_large": 413,
    "rate_limited": 429,
    "deadline_exceeded": 504,
}
_TYPES: Final[Mapping[int, str]] = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class RefusedError(Exception):
    """A request is refused with a status; `param` is the member at fault, if one is."""

    def __init__(self, status: int, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.param = param
        self.code = code

    def document(self) -> Document:
        """Return the body of the answer."""
        kind = _TYPES.get(self.status, "invalid_request_error" if self.status < 500 else "server_error")
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}


def refused(error: AgentAPIException) -> RefusedError:
    """Return the host's refusal as an answer."""
    code = "insufficient_quota" if error.code == "rate_limited" and not error.retryable else error.code
    return RefusedError(_STATUS.get(error.code, 502), error.message, code=code)


def request_of(body: Any, artifacts: Artifacts) -> Document:
    """Return the arguments of `api.models.stream`. Raises RefusedError."""
    if not isinstance(body, dict):
        raise RefusedError(400, "the body is not a JSON object")
    for name, value in body.items():
        if name not in _READ | _WITHOUT_EFFECT and value and value != _DEFAULTS.get(name):
            raise RefusedError(400, f"{name} is not supported", name, "unsupported_parameter")
    messages, model = body.get("messages"), body.get("model")
    if not isinstance(model, str):
        raise RefusedError(400, "model is not a string", "model")
    if not (isinstance(messages, list) and all(isinstance(message, dict) for message in messages)):
        raise RefusedError(400, "messages is not a list of objects", "messages")
    if not isinstance(body.get("stream_options") or {}, dict):
        raise RefusedError(400, "stream_options is not an object", "stream_options")
    tools, choice = _tools(body.get("tools"), body.get("tool_choice"))
    stop = body.get("stop")
    chosen = {
        **{name: body.get(name) for name in _SAME},
        "max_tokens": body.get("max_completion_tokens") or body.get("max_tokens"),
        "stop_sequences": [stop] if isinstance(stop, str) else stop,
        "response_schema": _schema(body.get("response_format")),
        "tool_choice": choice,
    }
    return {
        "model_id": model,
        "messages": model_messages(messages, artifacts),
        "tools": tools,
        "extra_args": {name: value for name, value in chosen.items() if value is not None},
    }


def _tools(tools: Any, choice: Any) -> tuple[list[Document] | None, str | None]:
    """Return the tools to offer, and the host's choice: of one tool that has to be called, that one alone."""
    offered = []
    for tool in tools if isinstance(tools, list) else [tools] if tools else ():
        match tool:
            case {"type": "function", "function": {"name": str()} as function}:
                known = {"name", "description", "parameters"}
                offered.append({name: value for name, value in function.items() if name in known and value is not None})
            case _:
                raise RefusedError(400, "only tools of the type function are supported", "tools")
    match choice:
        case None | "auto" | "none" | "required":
            return offered or None, choice
        case {"type": "function", "function": {"name": str(name)}}:
            return [tool for tool in offered if tool["name"] == name], "required"
    raise RefusedError(400, "this choice of tools is not supported", "tool_choice")


def _schema(response_format: Any) -> Any:
    match response_format:
        case None | {"type": "text"}:
            return None
        case {"type": "json_schema", "json_schema": {"schema": dict(schema)}}:
            return schema
    raise RefusedError(400, "only formats of the types text and json_schema are supported", "response_format")


class Completion:
    """One answer: whole, or as chunks."""

    def __init__(self, model: str) -> None:
        self._head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": model}
        self._has_begun = False

    def whole(self, reply: ModelReply) -> Document:
        calls = [_call(call) for call in reply.message.tool_calls]
        is_refusal = reply.finish_reason == "refusal"
        message = {
            "role": "assistant",
            "content": None if is_refusal else reply.message.content,
            "refusal": reply.message.content if is_refusal else None,
            **({"tool_calls": calls} if calls else {}),
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(reply)}
        return {**self._head, "object": "chat.completion", "choices": [choice], "usage": _usage(reply)}

    def chunks(self, chunk: ModelChunk, *, with_usage: bool) -> Iterator[Document]:
        """Yield the chunks for one of the host's; after the last, the usage if it is asked for."""
        if chunk.content:
            yield self._chunk({"content": chunk.content})
        if chunk.reasoning:
            yield self._chunk({"reasoning_content": chunk.reasoning})
        if (reply := chunk.reply) is None:
            return
        for index, call in enumerate(reply.message.tool_calls):
            yield self._chunk({"tool_calls": [{"index": index, **_call(call)}]})
        yield self._chunk({}, _finish(reply))
        if with_usage:
            yield {**self._head, "object": "chat.completion.chunk", "choices": [], "usage": _usage(reply)}

    def _chunk(self, delta: Document, finish: str | None = None) -> Document:
        role = {} if self._has_begun else {"role": "assistant"}
        self._has_begun = True
        choice = {"index": 0, "delta": {**role, **delta}, "logprobs": None, "finish_reason": finish}
        return {**self._head, "object": "chat.completion.chunk", "choices": [choice]}


def _finish(reply: ModelReply) -> str:
    return _FINISH.get(reply.finish_reason, reply.finish_reason)


def _call(call: ModelToolCall) -> Document:
    return call.model_dump(mode="json")


def _usage(reply: ModelReply) -> Document:
    used = reply.usage
    return {
        "prompt_tokens": used.input_tokens,
        "completion_tokens": used.output_tokens,
        "total_tokens": used.input_tokens + used.output_tokens,
        "prompt_tokens_details": {"cached_tokens": used.cached_input_tokens or 0},
        "completion_tokens_details": {"reasoning_tokens": used.reasoning_tokens or 0},
    }
