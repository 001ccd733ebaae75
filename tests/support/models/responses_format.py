"""OpenAI's Responses: the server-sent events of answers."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tests.support.models.server import Answer

_RESPONSE: Final[Mapping[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "gpt-5-mini",
    "output": [],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}

_USAGE: Final[Mapping[str, Any]] = {
    "input_tokens": 1,
    "output_tokens": 2,
    "total_tokens": 3,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 1},
}


def answered(summary: tuple[str, ...], encrypted: str, text: str) -> Answer:
    """Return a streamed answer: parts of a reasoning summary, each in two pieces, its encrypted content, and a text."""
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    at = {"item_id": "rs_1", "output_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**_RESPONSE, "status": "in_progress"}},
        {"type": "response.output_item.added", "output_index": 0, "item": reasoning},
    ]
    for index, part in enumerate(summary):
        first, second = part[: len(part) // 2], part[len(part) // 2 :]
        empty = {"type": "summary_text", "text": ""}
        events.append({"type": "response.reasoning_summary_part.added", **at, "summary_index": index, "part": empty})
        events += [
            {"type": "response.reasoning_summary_text.delta", **at, "summary_index": index, "delta": piece}
            for piece in (first, second)
        ]
    done = {
        **reasoning,
        "summary": [{"type": "summary_text", "text": part} for part in summary],
        "encrypted_content": encrypted,
    }
    content = {"type": "output_text", "text": text, "annotations": []}
    whole = {**message, "status": "completed", "content": [content]}
    at = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    events += [
        {"type": "response.output_item.done", "output_index": 0, "item": done},
        {"type": "response.output_item.added", "output_index": 1, "item": message},
        {"type": "response.content_part.added", **at, "part": {**content, "text": ""}},
        {"type": "response.output_text.delta", **at, "delta": text, "logprobs": []},
        {"type": "response.output_item.done", "output_index": 1, "item": whole},
        {"type": "response.completed", "response": _completed(done, whole)},
    ]
    return _streamed(events)


def said(*pieces: str) -> Answer:
    """Return a streamed answer: a text in pieces."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    content = {"type": "output_text", "text": "".join(pieces), "annotations": []}
    whole = {**message, "status": "completed", "content": [content]}
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    return _streamed(
        [
            {"type": "response.created", "response": {**_RESPONSE, "status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": message},
            {"type": "response.content_part.added", **at, "part": {**content, "text": ""}},
            *({"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []} for piece in pieces),
            {"type": "response.output_item.done", "output_index": 0, "item": whole},
            {"type": "response.completed", "response": _completed(whole)},
        ]
    )


def called(call: tuple[str, str, str]) -> Answer:
    """Return a streamed answer: a call of a function by its id, name and arguments."""
    call_id, name, arguments = call
    item = {"id": "fc_1", "type": "function_call", "call_id": call_id, "name": name, "arguments": ""}
    at = {"item_id": "fc_1", "output_index": 0}
    done = {**item, "arguments": arguments, "status": "completed"}
    return _streamed(
        [
            {"type": "response.created", "response": {**_RESPONSE, "status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
            {"type": "response.function_call_arguments.delta", **at, "delta": arguments},
            {"type": "response.output_item.done", "output_index": 0, "item": done},
            {"type": "response.completed", "response": _completed(done)},
        ]
    )


def _completed(*output: dict[str, Any]) -> dict[str, Any]:
    return {**_RESPONSE, "status": "completed", "output": [*output], "usage": _USAGE}


def _streamed(events: Iterable[dict[str, Any]]) -> Answer:
    frames = (
        f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': number})}\n\n".encode()
        for number, event in enumerate(events)
    )
    return Answer(tuple(frames), headers=(("Content-Type", "text/event-stream"),))
