"""Problem documents of `/local`, in the API's format (RFC 9457)."""

from http import HTTPStatus

from pydantic import ValidationError
from starlette.responses import JSONResponse, Response


def problem(status: int, code: str, detail: str, path: str) -> Response:
    """Return the response to a request for `path`."""
    document = {
        "type": "about:blank",
        "title": "Unprocessable Content" if status == 422 else HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "instance": path,
    }
    return JSONResponse(document, status, media_type="application/problem+json")


def first_error(error: ValidationError) -> str:
    """Return the location and message of the first error."""
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the body"
    return f"{where}: {first['msg']}"
