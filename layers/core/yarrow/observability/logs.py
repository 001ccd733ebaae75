"""The service's logger, the ids on every line, and redaction (SEC-05, ERR-12).

Runners log the same way without AWS: `logger` is the parent of every `logging.getLogger("yarrow…")`. From INFO on,
exceptions have no message and library lines no values; DEBUG logs the rest. Secrets are always redacted;
`extra={"heard": …}` redacts users' words in a runner's exception.
"""

import hashlib
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from yarrow.observability import redaction
from yarrow.observability.failures import in_brief, messages_of

_SERVICE: Final = "yarrow"

USER_TEXT: Final = "heard"
"""Record member (`extra=`) with users' text to redact."""

_NO_MEMBERS: Final = {"taskName": None, USER_TEXT: None}

_known: ContextVar[dict[str, object] | None] = ContextVar("known", default=None)
"""Ids of this invocation, shared by its threads and tasks."""

_warm: Final[set[str | None]] = set()
"""Functions this process has served."""


class Line(LambdaPowertoolsFormatter):
    """JSON lines; at DEBUG, a second line has the exception's messages."""

    def __init__(self) -> None:
        super().__init__(utc=True, use_rfc3339=True, service=_SERVICE)

    def format(self, record: logging.LogRecord) -> str:
        if record.levelno < logging.INFO:
            return self._line(record)
        line = self._line(record, **_redacted_fields(record))
        if record.exc_info and logging.getLogger(record.name).isEnabledFor(logging.DEBUG):
            line += "\n" + self._line(record, levelno=logging.DEBUG, levelname="DEBUG")
        return line

    def serialize(self, log: Any) -> str:
        return redaction.without_secrets(super().serialize(log))

    def _line(self, record: logging.LogRecord, **instead: object) -> str:
        return super().format(logging.makeLogRecord(correlation() | vars(record) | _NO_MEMBERS | instead))


def _redacted_fields(record: logging.LogRecord) -> dict[str, object]:
    """Return replacements for a record's values."""
    instead: dict[str, object] = {}
    if record.exc_info and record.exc_info[1] is not None:
        error = record.exc_info[1]
        instead = {"exc_info": None, "exception": in_brief(error), "exception_name": type(error).__name__}
        if (user_text := vars(record).get(USER_TEXT)) is not None:
            instead["said"] = [
                f"{kind}: {redaction.without_words(message, user_text)}" for kind, message in messages_of(error)
            ]
    if _is_of_a_library(record):
        instead |= {"msg": str(record.msg).partition("\n")[0], "args": None, "library": record.name}
    return instead


def _is_of_a_library(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] != _SERVICE


@contextmanager
def invocation(context: object, *, request_id: str | None = None, user_id: str | None = None) -> Iterator[None]:
    """Add the ids of Lambda and API Gateway to every line of the body.

    `context` is Lambda's. Nested calls keep the current invocation.
    """
    request_ids = {"request_id": request_id, "user": None if user_id is None else user_of(user_id)}
    name, number = getattr(context, "function_name", None), getattr(context, "aws_request_id", None)
    outer = _known.get()
    if outer is not None and outer["function_request_id"] == number:
        outer.update(request_ids)
        yield
        return
    lambdas = {"function_name": name, "function_request_id": number, "cold_start": name not in _warm}
    _warm.add(name)
    token = _known.set(lambdas | request_ids)
    try:
        yield
    finally:
        _known.reset(token)


def correlate(**ids: str) -> None:
    """Add ids to later lines of this invocation, in any thread or task."""
    known = _known.get()
    if known is not None:
        known.update(ids)


def correlation() -> dict[str, object]:
    return dict(_known.get() or {})


def user_of(user_id: str) -> str:
    """Return a pseudonym: the first 12 hex digits of the id's SHA-256."""
    return hashlib.sha256(user_id.encode()).hexdigest()[:12]


def for_libraries() -> logging.Handler:
    """Return a handler for libraries' records, for a root logger that has none."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_line)
    handler.addFilter(_is_of_a_library)
    return handler


logger: Final = Logger(service=_SERVICE, stream=sys.stderr)
_line: Final = Line()
logger.registered_handler.setFormatter(_line)
for _handler in logging.root.handlers:
    if hasattr(_handler, "log_sink"):  # the managed runtime's
        _handler.setFormatter(_line)


def unworded(name: str, message: str) -> Exception:
    """Return an error of a class with this name: Lambda logs the message of what a handler raises (SEC-05)."""
    kind: type[Exception] = type(name, (Exception,), {})
    return kind(message)
