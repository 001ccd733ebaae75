"""The body of a JSON request."""

from starlette.requests import Request

from yarrow.protocol.problems import Code, Problem


async def json_body(request: Request) -> bytes:
    """Return the body. Raises Problem 415 for another content type (ERR-11)."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, "the body must be application/json")
    return await request.body()
