"""A tool's result as parts of AG-UI: texts, and media by URL, in base64 or by an opaque handle (EVT-33)."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator

from yarrow.protocol.runner.vocabulary import PROVIDER, UNOPENED

MAX_PARTS: Final = 50

_MEDIA: Final = frozenset({"image", "audio", "video", "document"})
_SOURCES: Final = {
    "data": ("value", "mimeType"),
    "url": ("value",),
    "file": ("value",),
}
"""The required members of a source, by its type."""
_OPTIONAL: Final = ("mimeType", "provider")

Part = dict[str, Any]


def _read(value: Any) -> tuple[Part, ...]:
    """Return the valid parts, without unknown members; none if all are texts, as the result has these."""
    listed = value[:MAX_PARTS] if isinstance(value, list) else []
    parts = tuple(part for item in listed if isinstance(item, dict) and (part := _part(item)) is not None)
    return parts if any(part["type"] != "text" for part in parts) else ()


ResultParts = Annotated[tuple[Part, ...], BeforeValidator(_read)]


def _part(item: Part) -> Part | None:
    kept = {name: item[name] for name in ("id",) if isinstance(item.get(name), str)}
    if isinstance(item.get("metadata"), dict):
        kept["metadata"] = item["metadata"]
    if item.get("type") == "text":
        text = item.get("text")
        return {"type": "text", "text": text, **kept} if isinstance(text, str) else None
    source = item.get("source")
    if item.get("type") not in _MEDIA or not isinstance(source, dict):
        return None
    required = _SOURCES.get(str(source.get("type")), ())
    names = dict.fromkeys((*required, *_OPTIONAL))
    members = {name: text for name in names if isinstance(text := source.get(name), str) and text}
    if not required or not members.keys() >= set(required):
        return None
    if source["type"] != "file":
        members.pop("provider", None)
    return {"type": item["type"], "source": {"type": source["type"], **members}, **kept}


def inline(part: Part) -> tuple[str, str] | None:
    """Return the MIME type and base64 of a part that has its bytes with it."""
    source = part.get("source", {})
    return (source["mimeType"], source["value"]) if source.get("type") == "data" else None


def unopened(part: Part) -> Part:
    """Return a line in place of a part that has its bytes with it."""
    return part if inline(part) is None else {"type": "text", "text": UNOPENED.format(kind=part["type"])}


def by_handle(part: Part, artifact_id: str) -> Part:
    """Return the part with the id of an artifact in place of its bytes."""
    source = {"type": "file", "value": artifact_id, "provider": PROVIDER, "mimeType": part["source"]["mimeType"]}
    return {**part, "source": source}


def text_of(parts: Sequence[Part]) -> str:
    """Return the texts of parts, with a line for each kind of media."""
    texts = [part["text"] for part in parts if part["type"] == "text"]
    kinds = dict.fromkeys(part["type"] for part in parts if part["type"] != "text")
    return "\n".join((*texts, *(UNOPENED.format(kind=kind) for kind in kinds)))
