"""Translates model messages between the SDK and us.

The SDK's are `langbot_plugin.api.entities.builtin.provider.message`, ours `protocol.runner.api`. A stored picture is
base64 if its data URL is known, else an image with the URL `artifact:ID`; both are recognised on the way back.
Provider-specific members are dropped.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from yarrow.protocol.runner.api import AgentAPIException

Document = Mapping[str, Any]

_ARTIFACT: Final = "artifact:"
_BASE64: Final = ";base64,"
_NONE: Final[Mapping[str, str]] = {}


def text_of(content: Any) -> str:
    """Join the text of a content, which is text or parts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content or () if part.get("type") == "text" and part.get("text"))


def to_sdk_parts(parts: Iterable[Document], data_urls: Mapping[str, str] = _NONE) -> Iterator[dict[str, Any]]:
    """Translate parts, leaving out unknown ones; `data_urls` are by artifact id."""
    for part in parts:
        match part.get("type"):
            case "text" | "image_url":
                yield dict(part)
            case "artifact" if part["artifact_id"] in data_urls:
                yield {"type": "image_base64", "image_base64": data_urls[part["artifact_id"]]}
            case "artifact":
                yield {"type": "image_url", "image_url": {"url": _ARTIFACT + part["artifact_id"]}}


def with_references(messages: Iterable[Document], artifact_ids: Mapping[str, str]) -> list[Document]:
    """Replace known pictures, found by their base64, by references."""

    def refer(part: Document) -> Document:
        known = artifact_ids.get(base64_of(part["image_url"]["url"])) if part["type"] == "image_url" else None
        return part if known is None else {"type": "artifact", "artifact_id": known}

    return [
        {**message, "content": [refer(part) for part in message["content"]]}
        if isinstance(message.get("content"), list)
        else message
        for message in messages
    ]


def base64_of(data_url: str) -> str:
    return data_url.partition(_BASE64)[2]


def from_sdk_message(message: Document) -> dict[str, Any]:
    """Translate a message to a model. Raises AgentAPIException for an unsupported part."""
    kept = {name: message.get(name) for name in ("role", "content", "name", "tool_calls", "tool_call_id")}
    if isinstance(kept["content"], list):
        kept["content"] = [_from_sdk_part(part) for part in kept["content"]]
    if kept["tool_calls"]:
        kept["tool_calls"] = [{name: call[name] for name in ("id", "type", "function")} for call in kept["tool_calls"]]
    return {name: value for name, value in kept.items() if value is not None}


def to_sdk_message(message: Document) -> dict[str, Any]:
    content = message.get("content")
    return {
        "role": message["role"],
        "content": list(to_sdk_parts(content)) if isinstance(content, list) else content,
        "tool_calls": list(message.get("tool_calls") or ()) or None,
    }


def _from_sdk_part(part: Document) -> dict[str, Any]:
    match part.get("type"):
        case "text":
            return {"type": "text", "text": part.get("text") or ""}
        case "image_url":
            url = part["image_url"]["url"]
            if url.startswith(_ARTIFACT):
                return {"type": "artifact", "artifact_id": url.removeprefix(_ARTIFACT)}
            return {"type": "image_url", "image_url": {"url": url}}
        case "image_base64":
            data = part["image_base64"]
            return {
                "type": "image_url",
                "image_url": {"url": data if data.startswith("data:") else f"data:image/png;base64,{data}"},
            }
        case other:
            raise AgentAPIException("invalid_argument", f"a part of type {other!r} cannot be sent to a model")
