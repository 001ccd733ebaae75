"""The log: the one logger of the service, the ids that every line carries, and what no line holds (SEC-05, ERR-12).

`logger` is the parent of every `logging.getLogger("yarrow…")`, so that runners, which know nothing of AWS, log the same
way. From INFO on, an exception is told by `failures.in_brief` and a line of a library by its first line without its
values; at any level, secrets and what looks like one are redacted. At DEBUG everything else is logged in full.

What a runner raised is logged with its message, for its author; with `extra={"heard": …}`, users' words are redacted.
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
from yarrow.observability.failures import in_brief, words_of

_SERVICE: Final = "yarrow"

HEARD: Final = "heard"
"""The member of a record with the words of users that whoever raised its exception had heard (`extra=`)."""

_NO_MEMBERS: Final = {"taskName": None, HEARD: None}

_known: ContextVar[dict[str, object] | None] = ContextVar("known", default=None)
"""The ids of this invocation: one dict for all its threads and tasks, so that what one finds out every line tells."""

_warm: Final[set[str | None]] = set()
"""The functions of this process that have been invoked."""


class Line(LambdaPowertoolsFormatter):
    """A record as one line of JSON. Where DEBUG is on, a second one follows with the words of the exception."""

    def __init__(self) -> None:
        super().__init__(utc=True, use_rfc3339=True, service=_SERVICE)

    def format(self, record: logging.LogRecord) -> str:
        """As in the description of this module."""
        if record.levelno < logging.INFO:
            return self._line(record)
        line = self._line(record, **_discreet(record))
        if record.exc_info and logging.getLogger(record.name).isEnabledFor(logging.DEBUG):
            line += "\n" + self._line(record, levelno=logging.DEBUG, levelname="DEBUG")
        return line

    def serialize(self, log: Any) -> str:
        """The JSON, without secrets and credentials."""
        return redaction.without_secrets(super().serialize(log))

    def _line(self, record: logging.LogRecord, **instead: object) -> str:
        return super().format(logging.makeLogRecord(correlation() | vars(record) | _NO_MEMBERS | instead))


def _discreet(record: logging.LogRecord) -> dict[str, object]:
    """What stands in a line instead of what a record has."""
    instead: dict[str, object] = {}
    if record.exc_info and record.exc_info[1] is not None:
        error = record.exc_info[1]
        instead = {"exc_info": None, "exception": in_brief(error), "exception_name": type(error).__name__}
        if (heard := vars(record).get(HEARD)) is not None:
            instead["said"] = [f"{kind}: {redaction.without_words(said, heard)}" for kind, said in words_of(error)]
    if _is_of_a_library(record):
        instead |= {"msg": str(record.msg).partition("\n")[0], "args": None, "library": record.name}
    return instead


def _is_of_a_library(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] != _SERVICE


@contextmanager
def invocation(context: object, *, request_id: str | None = None, user_id: str | None = None) -> Iterator[None]:
    """Have every line of the body tell which invocation it is of: the function, Lambda's id and API Gateway's.

    `context` is Lambda's. The user is told by `user_of`. Within an invocation, the same one is continued.
    """
    given = {"request_id": request_id, "user": None if user_id is None else user_of(user_id)}
    name, number = getattr(context, "function_name", None), getattr(context, "aws_request_id", None)
    outer = _known.get()
    if outer is not None and outer["function_request_id"] == number:
        outer.update(given)
        yield
        return
    lambdas = {"function_name": name, "function_request_id": number, "cold_start": name not in _warm}
    _warm.add(name)
    token = _known.set(lambdas | given)
    try:
        yield
    finally:
        _known.reset(token)


def correlate(**ids: str) -> None:
    """Have every later line of this invocation carry these ids, whichever thread or task it is of."""
    known = _known.get()
    if known is not None:
        known.update(ids)


def correlation() -> dict[str, object]:
    """The ids of this invocation; none outside of one."""
    return dict(_known.get() or {})


def user_of(user_id: str) -> str:
    """How the log tells users apart: the first 12 hexadecimal digits of the SHA-256 of the id."""
    return hashlib.sha256(user_id.encode()).hexdigest()[:12]


def for_libraries() -> logging.Handler:
    """What a process whose root logger writes nothing yet gives it, so that libraries' lines are like our own."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_line)
    handler.addFilter(_is_of_a_library)
    return handler


logger: Final = Logger(service=_SERVICE, stream=sys.stderr)
_line: Final = Line()
logger.registered_handler.setFormatter(_line)
for _handler in logging.root.handlers:
    if hasattr(_handler, "log_sink"):  # what the managed runtime has put there
        _handler.setFormatter(_line)
