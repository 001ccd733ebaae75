"""Messages of AG-UI as LangChain's."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AnyMessage, ToolMessage, convert_to_messages

_KINDS: Final = {"image": "image", "audio": "audio", "video": "video", "file": "document"}


def from_agui(messages: Sequence[Mapping[str, Any]]) -> list[AnyMessage]:
    """Return the messages that a graph takes, under their own ids; reasoning and activities are left out."""
    roles = ("user", "assistant", "tool", "system")
    converted: list[AnyMessage] = convert_to_messages([_openai(one) for one in messages if one["role"] in roles])
    return converted


def shown_content(message: ToolMessage) -> str | list[dict[str, Any]]:
    """Return a tool's result as the content of AG-UI's tool message: its text, or parts if it has pictures or files."""
    parts = [part for block in message.content_blocks if (part := _shown(block)) is not None]
    return parts if any(part["type"] != "text" for part in parts) else str(message.text)


def _shown(block: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return one of LangChain's standard blocks as a part; None for one that is neither text nor a file."""
    if block["type"] == "text":
        return {"type": "text", "text": block["text"]}
    if (kind := _KINDS.get(block["type"])) is None:
        return None
    if data := block.get("base64"):
        return {"type": kind, "source": {"type": "data", "value": data, "mimeType": block.get("mime_type", "")}}
    return {"type": kind, "source": {"type": "url", "value": block["url"]}} if block.get("url") else None


def arguments_of(arguments: Any) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def _openai(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content") or ""
    return {
        "id": message["id"],
        "role": message["role"],
        "content": content if isinstance(content, str) else [_part(part) for part in content],
        **({"name": message["name"]} if message.get("name") else {}),
        **({"tool_calls": list(message["toolCalls"])} if message.get("toolCalls") else {}),
        **({"tool_call_id": message["toolCallId"]} if message.get("toolCallId") else {}),
    }


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of a content as one of LangChain's standard blocks."""
    source = part.get("source")
    if not isinstance(source, Mapping):
        return dict(part)
    if source["type"] == "url":
        return {"type": part["type"], "url": source["value"]}
    return {"type": part["type"], "base64": source["value"], "mime_type": source["mimeType"]}
