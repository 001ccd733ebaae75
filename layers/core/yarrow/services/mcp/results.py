"""Results of calls of MCP tools as JSON for a runner.

Source: MCP 2026-07-28, `server/tools`. A result has content blocks, structured content, or both. Servers should repeat
structured content as a text block; such a repetition is left out, any other content reaches the model beside it.
Pictures come to a runner twice: as a line in the result, and, if they are kept, as parts of `contents_of`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from yarrow.formats import json_text
from yarrow.protocol.runner.vocabulary import UNOPENED
from yarrow.services.mcp.pictures import KeptPicture
from yarrow.services.tools.registry import MAX_RESULT_BYTES, shortened

CONTENT: Final = "content"
STRUCTURED: Final = "structuredContent"
"""The members of a result that has both; their names are those of MCP."""

_NUMBERED: Final = "(image {number})"

_HALF_BYTES: Final = MAX_RESULT_BYTES // 2 - 1024
"""What each of the two gets if they do not fit together; the rest is for names and marks."""


_NONE: Final[Mapping[int, KeptPicture]] = {}


def blocks_of(answer: Mapping[str, Any]) -> Sequence[Any]:
    """Return the content blocks of a result; none if it has no list of them."""
    listed = answer.get("content")
    return listed if isinstance(listed, list) else []


def result_of(answer: Mapping[str, Any], shown: Mapping[int, KeptPicture] = _NONE) -> Any:
    """Return what a model reads, as JSON of at most MAX_RESULT_BYTES.

    That is the text, the structured content, or `{"content": text, "structuredContent": …}`; a failure is
    `{"error": text}`, with its structured content beside it. `shown` are the pictures, by the places of their blocks,
    that the model sees beside it: they are named by their numbers.
    """
    if answer.get("resultType", "complete") != "complete":
        return {"error": "the tool asks for input that this agent cannot give"}
    blocks = blocks_of(answer)
    numbers = {place: _NUMBERED.format(number=number) for number, place in enumerate(shown, 1)}
    text = "\n".join(numbers.get(place) or _text(block) for place, block in enumerate(blocks))
    structured = answer.get("structuredContent")
    is_error = answer.get("isError") is True
    if structured is None:
        return shortened({"error": text or "the tool failed"} if is_error else text)
    if is_error:
        return _both("error", text or "the tool failed", structured)
    if not text or _repeats(blocks, structured):
        return shortened(structured)
    return _both(CONTENT, text, structured)


def contents_of(answer: Mapping[str, Any], kept: Mapping[int, KeptPicture]) -> tuple[dict[str, Any], ...]:
    """Return the result as parts of a ModelMessage, with its pictures after the text; nothing without pictures."""
    if not kept:
        return ()
    result = result_of(answer, kept)
    text = result if isinstance(result, str) else json_text.dumps(result)
    pictures = (
        {"type": "artifact", "artifact_id": picture.artifact_id, "mime_type": picture.mime_type}
        for picture in kept.values()
    )
    return ({"type": "text", "text": text}, *pictures)


def _both(name: str, text: str, structured: Any) -> dict[str, Any]:
    """Return both; if they are too large together, each that takes more than half is cut."""
    both = {name: text, STRUCTURED: structured}
    if _size(both) <= MAX_RESULT_BYTES:
        return both
    room = {name: _HALF_BYTES, STRUCTURED: _HALF_BYTES}
    for one, other in ((name, STRUCTURED), (STRUCTURED, name)):
        room[one] += max(0, _HALF_BYTES - _size(both[other]))
    return {member: shortened(value, room[member]) for member, value in both.items()}


def _size(value: Any) -> int:
    return len(json_text.dumps(value).encode())


def _repeats(blocks: Sequence[Any], structured: Any) -> bool:
    """Whether the blocks are nothing but the structured content as text: whole or, of a list, an item each.

    Servers put a value that is no object into one of a single member (`result` in Python's `mcp`): text is its value.
    """
    texts: list[str] = []
    for block in blocks:
        match block:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case _:
                return False
    said = [[text, _read(text)] for text in texts]
    is_wrapped = isinstance(structured, dict) and len(structured) == 1
    for value in (structured, *structured.values()) if is_wrapped else (structured,):
        if len(said) == 1 and any(_same(one, value) for one in said[0]):
            return True
        if isinstance(value, list) and len(value) == len(said):
            return all(any(_same(one, item) for one in read) for read, item in zip(said, value, strict=True))
    return False


def _read(text: str) -> Any:
    try:
        return json_text.loads(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return None


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: `True` is not 1."""
    return one is not None and json_text.canonical(one) == json_text.canonical(other)


def _text(block: Any) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "resource", "resource": {"text": str(text)}}:
            return text
        case {"type": "resource", "resource": {"blob": str(), "mimeType": str(mime_type)}}:
            return UNOPENED.format(kind=_kind(mime_type))
        case {"type": "resource_link", "uri": str(uri)}:
            return uri
        case {"type": str(kind)}:
            return UNOPENED.format(kind=kind[:40])
    return ""


def _kind(mime_type: str) -> str:
    """Return the kind of a file, as blocks of media name theirs."""
    kind = mime_type.partition("/")[0].lower()
    return kind if kind in ("audio", "image", "video") else "resource"
