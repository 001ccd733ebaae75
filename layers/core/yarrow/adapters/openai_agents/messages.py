"""Messages of AG-UI as input items of OpenAI's Responses, and outputs of tools the other way."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Document = dict[str, Any]

_DATA_URL: Final = re.compile(r"data:([^;,]+);base64,(.*)", re.DOTALL)


def input_items(messages: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the conversation that an agent goes on with; reasoning and activities are left out."""
    return [item for message in messages for item in _items(message)]


def _items(message: Mapping[str, Any]) -> Iterator[Document]:
    role, content = message["role"], message.get("content")
    if role == "tool":
        yield {"type": "function_call_output", "call_id": message["toolCallId"], "output": _input_content(content)}
    elif role in ("user", "system", "developer", "assistant"):
        if content:
            yield {"role": role, "content": _input_content(content)}
        for call in message.get("toolCalls") or ():
            yield {"type": "function_call", "call_id": call["id"], **call["function"]}


def _input_content(content: Any) -> str | list[Document]:
    if not isinstance(content, list):
        return content or ""
    return [_input_part(part) for part in content]


def _input_part(part: Mapping[str, Any]) -> Document:
    source = part.get("source")
    if not isinstance(source, Mapping):
        return {"type": "input_text", "text": str(part.get("text", ""))}
    url = source["value"] if source["type"] == "url" else f"data:{source['mimeType']};base64,{source['value']}"
    if part["type"] == "image":
        return {"type": "input_image", "image_url": url, "detail": "auto"}
    return {"type": "input_file", **({"file_url": url} if source["type"] == "url" else {"file_data": url})}


def shown_output(output: Any) -> str | list[Document]:
    """Return the output of a call as the content of AG-UI's tool message."""
    if not isinstance(output, list):
        return str(output)
    return [_shown_part(part) for part in output]


def _shown_part(part: Mapping[str, Any]) -> Document:
    url = part.get("image_url") or part.get("file_data") or part.get("file_url")
    kind = "image" if part["type"] == "input_image" else "document"
    if not isinstance(url, str):
        return {"type": "text", "text": str(part.get("text", ""))}
    if data := _DATA_URL.fullmatch(url):
        return {"type": kind, "source": {"type": "data", "mimeType": data[1], "value": data[2]}}
    return {"type": kind, "source": {"type": "url", "value": url}}
