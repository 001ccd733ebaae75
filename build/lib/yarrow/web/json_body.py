"""The body of a request that must be JSON, before anything is read of it."""

from starlette.requests import Request

from yarrow.protocol.problems import Code, Problem


async def json_body(request: Request) -> bytes:
    """The bytes of the body. Raises Problem 415 when its content type says that it is something else (ERR-11)."""
    media_type = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, "the body must be application/json")
    return await request.body()
