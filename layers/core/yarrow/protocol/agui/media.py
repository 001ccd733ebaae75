"""Media parts of a message, in every released AG-UI form (`agui-http-agent.md`, MSG-02, C7).

Before 1.0, they are `binary` with a URL, bytes or an id.
"""

from dataclasses import dataclass
from typing import Any, Final

_KINDS: Final = ("image", "audio", "video", "document")
_BINARY: Final = {"url": "url", "data": "data", "id": "id"}
_SOURCES: Final = {"url": "url", "data": "data", "file": "handle"}
_INLINE: Final = "data:"
_BASE64: Final = ";base64"


@dataclass(frozen=True, slots=True)
class Medium:
    """A part with media. `where` is its place in the request, `data` padded base64.

    `handle` may be another service's id: a file id of 1.0, or an id beside a URL.
    """

    where: str
    kind: str
    url: str | None = None
    data: str | None = None
    id: str | None = None
    handle: str | None = None


def medium_of(part: Any, where: str) -> Medium | None:
    match part:
        case {"type": "binary"}:
            source, names = part, _BINARY
        case {
            "type": "image" | "audio" | "video" | "document",
            "source": {"type": "url" | "data" | "file" as place} as source,
        }:
            names = {"value": _SOURCES[place]}
        case _:
            return None
    found = {ours: text for name, ours in names.items() if isinstance(text := source.get(name), str) and text}
    mime_type = source.get("mimeType", source.get("mime_type"))
    for name in ("url", "data"):
        header, comma, data = found.get(name, "").partition(",")
        if comma and header.startswith(_INLINE) and header.endswith(_BASE64):
            del found[name]
            found["data"] = data
            mime_type = header.removeprefix(_INLINE).partition(";")[0] or mime_type
    if "url" in found and "id" in found:
        found["handle"] = found.pop("id")
    if "data" in found:
        data = "".join(found["data"].split())  # some clients break lines or omit the padding
        found["data"] = data + "=" * (-len(data) % 4)
    return Medium(where, _kind(part["type"], mime_type), **found)


def _kind(type_: str, mime_type: Any) -> str:
    """Return the kind: an image if type or MIME type says so; else the type counts first."""
    top_level = mime_type.strip().lower().partition("/")[0] if isinstance(mime_type, str) else ""
    if "image" in (type_, top_level):
        return "image"
    return next((kind for kind in (type_, top_level) if kind in _KINDS), "document")
