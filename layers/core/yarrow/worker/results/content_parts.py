"""A message's content as parts, in the format of SDK runners. A file's URL becomes a link; the host fetches nothing. A
base64 file becomes an artifact.
"""

import binascii
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

MAX_PARTS: Final = 200

_DATA_URL: Final = re.compile(
    r"data:([A-Za-z0-9!#$&^_.+-]{1,64}/[A-Za-z0-9!#$&^_.+-]{1,64})?(?:;[^,;]{0,64})*?;base64,"
)
_LINK: Final = re.compile(r"https?://[^\s<>]{1,4096}")
_MAGIC: Final = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Address(_Shape):
    url: str


class ContentPart(_Shape):
    type: str
    text: str | None = None
    image_url: Address | None = None
    image_base64: str | None = None
    file_url: str | None = None
    file_base64: str | None = None
    file_name: str | None = None


Parts = Annotated[tuple[ContentPart, ...], Field(max_length=MAX_PARTS)]


class File(NamedTuple):
    """`source` is base64 or a data URL."""

    artifact_type: str
    source: str
    name: str | None

    def decoded(self, max_bytes: int) -> tuple[str, bytes]:
        """Return MIME type and content. Raises ValueError with a message for the log."""
        head = _DATA_URL.match(self.source)
        start = head.end() if head else 0
        if (len(self.source) - start) // 4 * 3 > max_bytes + 2:
            raise ValueError(too_large(max_bytes))
        try:
            content = binascii.a2b_base64(self.source[start:].encode("ascii"), strict_mode=True)
        except ValueError:
            raise ValueError("a file of a message is not base64") from None
        if len(content) > max_bytes:
            raise ValueError(too_large(max_bytes))
        return (head and head[1]) or _type_of(content), content


def too_large(max_bytes: int) -> str:
    return f"an artifact exceeds {max_bytes} bytes and is not kept"


def text_of(parts: Iterable[ContentPart]) -> str:
    """Return the text of the parts, with links to remote files."""
    return "".join(_texts(parts))


def files_of(parts: Iterable[ContentPart]) -> Iterator[File]:
    for part in parts:
        match part:
            case ContentPart(type="image_base64", image_base64=str(source)):
                yield File("image", source, part.file_name)
            case ContentPart(type="image_url", image_url=Address(url=url)) if url.startswith("data:"):
                yield File("image", url, part.file_name)
            case ContentPart(type="file_base64", file_base64=str(source)):
                yield File("file", source, part.file_name)


def _texts(parts: Iterable[ContentPart]) -> Iterator[str]:
    for part in parts:
        match part:
            case ContentPart(type="text", text=str(text)):
                yield text
            case ContentPart(type="image_url", image_url=Address(url=url)) if _LINK.fullmatch(url):
                yield f"\n\n![](<{url}>)\n\n"
            case ContentPart(type="file_url", file_url=str(url)) if _LINK.fullmatch(url):
                name = re.sub(r"[\[\]\\\s]+", " ", part.file_name or "").strip()
                yield f"\n\n[{name or url}](<{url}>)\n\n"


def _type_of(content: bytes) -> str:
    return next((type_ for magic, type_ in _MAGIC if content.startswith(magic)), "application/octet-stream")
