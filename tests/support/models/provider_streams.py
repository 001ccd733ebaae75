"""Streamed answers of Anthropic's Messages and Google's Gemini API: a text in pieces, then a call of a tool.

Source: the public references of both APIs; the members here are those that their clients require.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tests.support.models.server import Answer

TOKENS: Final = (11, 7)
"""Tokens in and out of every answer."""
_STREAM: Final = (("Content-Type", "text/event-stream"),)


def anthropic(*texts: str, call: tuple[str, Mapping[str, Any]] | None = None) -> Answer:
    """Return an answer of Messages: a text block and, if there is a `call`, a block of its name and arguments."""
    usage = {"input_tokens": TOKENS[0], "output_tokens": 1}
    message: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    events += _block(0, {"type": "text", "text": ""}, ({"type": "text_delta", "text": text} for text in texts))
    if call is not None:
        name, arguments = call
        block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
        events += _block(1, block, [{"type": "input_json_delta", "partial_json": json.dumps(arguments)}])
    reason = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
    events += [
        {"type": "message_delta", "delta": reason, "usage": {"output_tokens": TOKENS[1]}},
        {"type": "message_stop"},
    ]
    return Answer(tuple(_named(event) for event in events), headers=_STREAM)


def gemini(*texts: str, call: tuple[str, Mapping[str, Any]] | None = None) -> Answer:
    """Return an answer of `streamGenerateContent`; a `call` comes with its last piece."""
    parts: list[dict[str, Any]] = [{"text": text} for text in texts]
    if call is not None:
        parts.append({"functionCall": {"name": call[0], "args": dict(call[1])}})
    chunks: list[dict[str, Any]] = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    total = {"promptTokenCount": TOKENS[0], "candidatesTokenCount": TOKENS[1], "totalTokenCount": sum(TOKENS)}
    chunks[-1]["usageMetadata"] = total
    return Answer(tuple(f"data: {json.dumps(chunk)}\r\n\r\n".encode() for chunk in chunks), headers=_STREAM)


def _block(index: int, block: Mapping[str, Any], deltas: Iterable[Mapping[str, Any]]) -> Iterable[dict[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _named(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
