"""Reads JSON bodies of requests into pydantic models."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from yarrow.protocol import validation_errors
from yarrow.protocol.problems import Code, Problem, ProblemCode

_Body = TypeVar("_Body", bound=BaseModel)


def check_size(raw: bytes, most: int, what: str) -> None:
    """Raise Problem 413 for a body of more than `most` bytes; `what` is named in its detail."""
    if len(raw) > most:
        raise Problem(Code.REQUEST_TOO_LARGE, f"the {what} is too large", params={"limitBytes": most})


def read(raw: bytes, body: type[_Body], code: ProblemCode) -> _Body:
    """Read a body. Raises Problem with this code, which names the first invalid member."""
    try:
        return body.model_validate_json(raw)
    except ValidationError as error:
        raise validation_errors.of_body(code, error) from error
