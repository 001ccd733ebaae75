"""Messages of AG-UI as Strands', and results of tools the other way."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from yarrow.protocol.runner.vocabulary import UNOPENED

Document = dict[str, Any]

_PICTURES: Final = frozenset({"png", "jpeg", "gif", "webp"})
_DOCUMENTS: Final = {
    "application/pdf": "pdf",
    "text/csv": "csv",
    "text/html": "html",
    "text/plain": "txt",
    "text/markdown": "md",
}


def from_agui(messages: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the conversation that an agent goes on with, in which users and assistant take turns.

    System messages, reasoning and activities are left out: the agent has its own prompt.
    """
    turns: list[Document] = []
    for message in messages:
        role = "user" if message["role"] == "tool" else message["role"]
        blocks = list(_blocks(message)) if role in ("user", "assistant") else []
        if blocks and turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    return turns


def _blocks(message: Mapping[str, Any]) -> Iterator[Document]:
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
    blocks = [_block(part) for part in parts]
    if message["role"] == "tool":
        result = {"toolUseId": message["toolCallId"], "status": "success", "content": blocks or [{"text": ""}]}
        yield {"toolResult": result}
        return
    yield from blocks
    for call in message.get("toolCalls") or ():
        function = call["function"]
        yield {"toolUse": {"toolUseId": call["id"], "name": function["name"], "input": _arguments(function)}}


def _arguments(function: Mapping[str, Any]) -> Any:
    try:
        return json.loads(function["arguments"] or "{}")
    except ValueError:
        return {"arguments": function["arguments"]}


def _block(part: Mapping[str, Any]) -> Document:
    """Return a part as a block; models of Strands get bytes, no URLs."""
    source = part.get("source")
    if not isinstance(source, Mapping):
        return {"text": str(part.get("text", ""))}
    mime_type = str(source.get("mimeType"))
    if source["type"] == "data" and mime_type.removeprefix("image/") in _PICTURES:
        return {"image": {"format": mime_type.removeprefix("image/"), "source": _bytes(source)}}
    if source["type"] == "data" and mime_type in _DOCUMENTS:
        return {"document": {"format": _DOCUMENTS[mime_type], "name": "document", "source": _bytes(source)}}
    return {"text": UNOPENED.format(kind=part["type"])}


def _bytes(source: Mapping[str, Any]) -> dict[str, bytes]:
    return {"bytes": base64.b64decode(source["value"])}


def shown_result(result: Mapping[str, Any]) -> str | list[Document]:
    """Return the result of a call as the content of AG-UI's tool message: its text, or parts if there are pictures."""
    parts = [_shown(block) for block in result["content"]]
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts


def _shown(block: Mapping[str, Any]) -> Document:
    if "json" in block:
        return {"type": "text", "text": json.dumps(block["json"], ensure_ascii=False, default=str)}
    image = block.get("image")
    if image is not None and "bytes" in image["source"]:
        value = base64.b64encode(image["source"]["bytes"]).decode()
        return {"type": "image", "source": {"type": "data", "mimeType": f"image/{image['format']}", "value": value}}
    return {"type": "text", "text": str(block.get("text", ""))}
