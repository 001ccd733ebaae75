"""Files of a function's package over HTTP: ETags, gzip, and names that change with the contents. A folder's version is
a hash of all its files; under `<version>/` a file may be cached for good.
"""

import gzip
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

_SMALL = 1_000
"""Bytes; smaller files are not compressed."""
_COMPRESSIBLE = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
FOR_GOOD = "public, max-age=31536000, immutable"
CHECKED = "no-cache"
"""Revalidated by ETag."""

_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}


@dataclass(frozen=True)
class StaticFile:
    content: bytes
    media_type: str

    @cached_property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()

    @cached_property
    def compressed(self) -> bytes | None:
        """The gzipped contents, if they are smaller."""
        if len(self.content) < _SMALL or not self.media_type.startswith(_COMPRESSIBLE):
            return None
        return gzip.compress(self.content, 9, mtime=0)

    def response(self, request: Request, cache_control: str, headers: dict[str, str] | None = None) -> Response:
        """Respond 200, or 304 if the client has the file."""
        accepted = [
            coding.partition(";")[0].strip() for coding in request.headers.get("accept-encoding", "").split(",")
        ]
        encoded = self.compressed if "gzip" in accepted else None
        etag = f'"{self.digest[:32]}{"-gzip" if encoded else ""}"'
        sent = {"ETag": etag, "Cache-Control": cache_control, "Vary": "Accept-Encoding", **(headers or {})}
        known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
        if etag in known or "*" in known:
            return Response(status_code=304, headers=sent)
        if encoded:
            sent["Content-Encoding"] = "gzip"
        return Response(encoded or self.content, headers=sent, media_type=self.media_type)


class StaticFiles:
    """All files below a folder, read once; hidden ones are not served."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): StaticFile(path.read_bytes(), _media_type(path))
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
        together = "".join(f"{name} {file.digest}\n" for name, file in self._files.items())
        self.version = sha256(together.encode()).hexdigest()[:16]

    def __getitem__(self, name: str) -> StaticFile:
        return self._files[name]

    def find(self, path: str) -> tuple[StaticFile, str] | None:
        """Return the file of a path and its Cache-Control. Another version gets the current file: during a deployment
        two versions are in use.
        """
        if file := self._files.get(path):
            return file, CHECKED
        version, _, name = path.partition("/")
        file = self._files.get(name)
        return (file, FOR_GOOD if version == self.version else "no-store") if file else None


def _media_type(path: Path) -> str:
    return _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
