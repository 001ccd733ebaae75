"""Results of calls of MCP tools as JSON for a runner."""

from collections.abc import Mapping
from typing import Any

from yarrow.protocol.runner.vocabulary import UNOPENED


def result_of(answer: Mapping[str, Any]) -> Any:
    """Return what a model reads: structured content if there is any, else the text; a failure as `{"error": …}`."""
    if answer.get("resultType", "complete") != "complete":
        return {"error": "the tool asks for input that this agent cannot give"}
    content = answer.get("content")
    text = "\n".join(_text(block) for block in (content if isinstance(content, list) else ()))
    if answer.get("isError") is True:
        return {"error": text or "the tool failed"}
    structured = answer.get("structuredContent")
    return text if structured is None else structured


def _text(block: Any) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "resource", "resource": {"text": str(text)}}:
            return text
        case {"type": "resource_link", "uri": str(uri)}:
            return uri
        case {"type": str(kind)}:
            return UNOPENED.format(kind=kind[:40])
    return ""
