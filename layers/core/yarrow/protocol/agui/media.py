"""The parts of a message that are no text, as AG-UI clients of every release write them: what they are, and where.

Source: `agui-http-agent.md` (MSG-02, C7). Clients before 1.0 send `binary` with a URL, with the bytes or with an id;
later ones a medium with a source that is one of these. Whether anything is there is not asked here.
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
    """One part: a `kind` of medium, at its place in the request.

    `url`, `data` (base64, padded) and `id` say where its bytes are, and several of them may do so. A `handle` is an id
    that may be another service's, such as a model provider's: one of 1.0, or one that stands beside a URL.
    """

    where: str
    kind: str
    url: str | None = None
    data: str | None = None
    id: str | None = None
    handle: str | None = None


def medium_of(part: Any, where: str) -> Medium | None:
    """The medium that a part is; None for what is none that is known."""
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
        data = "".join(found["data"].split())  # some clients break lines, and some leave out the padding
        found["data"] = data + "=" * (-len(data) % 4)
    return Medium(where, _kind(part["type"], mime_type), **found)


def _kind(type_: str, mime_type: Any) -> str:
    """A picture is one if either says so; else the part's own word goes first."""
    said = mime_type.strip().lower().partition("/")[0] if isinstance(mime_type, str) else ""
    if "image" in (type_, said):
        return "image"
    return next((each for each in (type_, said) if each in _KINDS), "document")
