"""A model of the OpenAI Agents SDK that follows a script, whole or streamed."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents import Model, ModelResponse, Usage
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

_EVENT: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
_RESPONSE: TypeAdapter[Any] = TypeAdapter(Response)


@dataclass(frozen=True)
class Call:
    """A call that the model makes."""

    name: str
    id: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """What the model says in place of an answer."""

    text: str


@dataclass(frozen=True)
class Thought:
    """A piece of the summary of the model's reasoning."""

    text: str


Said = str | Call | Refusal | Thought
Script = Callable[[list[Any]], Awaitable[Sequence[Said]]]
"""From the input items of a request to the texts and calls of its response; its texts are pieces of one message."""


class ScriptedModel(Model):
    model = "scripted"

    def __init__(self, script: Script, pause: Callable[[], Awaitable[None]] | None = None) -> None:
        """`pause` is awaited after each piece of text."""
        self._script = script
        self._pause = pause

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        response = _response(_items(await self._script(_listed(input))))
        counts = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
        return ModelResponse(output=response.output, usage=Usage(requests=1, **counts), response_id=response.id)

    async def stream_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> AsyncGenerator[Any]:  # noqa: A002
        said = await self._script(_listed(input))
        at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        of_thought = {"item_id": "rs_1", "output_index": 0, "summary_index": 0}
        for number, piece in enumerate(said):
            if isinstance(piece, Thought):
                delta = {"type": "response.reasoning_summary_text.delta", **of_thought, "delta": piece.text}
                yield _EVENT.validate_python({**delta, "sequence_number": number})
            elif isinstance(piece, str):
                delta = {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
                yield _EVENT.validate_python({**delta, "sequence_number": number})
                if self._pause is not None:
                    await self._pause()
        for item in _items(said):
            done = {"type": "response.output_item.done", "item": item, "output_index": 0, "sequence_number": 0}
            yield _EVENT.validate_python(done)
        whole = _response(_items(said)).model_dump(mode="json", by_alias=True, exclude_unset=True)
        yield _EVENT.validate_python({"type": "response.completed", "response": whole, "sequence_number": 0})


def _listed(given: Any) -> list[Any]:
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _items(said: Sequence[Said]) -> list[dict[str, Any]]:
    text = "".join(piece for piece in said if isinstance(piece, str))
    content: list[dict[str, Any]] = [{"type": "output_text", "text": text, "annotations": []}] if text else []
    content += [{"type": "refusal", "refusal": piece.text} for piece in said if isinstance(piece, Refusal)]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": content}
    calls = [
        {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": json.dumps(call.arguments)}
        for call in said
        if isinstance(call, Call)
    ]
    summary = [{"type": "summary_text", "text": piece.text} for piece in said if isinstance(piece, Thought)]
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": summary}
    return [*([reasoning] if summary else []), *([message] if content else []), *calls]


def _response(output: list[dict[str, Any]]) -> Response:
    details = {
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    response: Response = _RESPONSE.validate_python(
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": "scripted",
            "status": "completed",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12, **details},
        }
    )
    return response
