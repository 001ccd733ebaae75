"""JSON bodies of requests and responses."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json

NO_STORE: Final[Mapping[str, str]] = {"Cache-Control": "no-store"}


async def json_body(request: Request) -> bytes:
    """Return the body. Raises Problem 415 for another content type (ERR-11)."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, "the body must be application/json")
    return await request.body()


class BodyResponse(Response):
    """Sends a struct or a pydantic model as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        if isinstance(content, Struct):
            return to_json(content)
        text: str = content.model_dump_json()
        return text.encode()
