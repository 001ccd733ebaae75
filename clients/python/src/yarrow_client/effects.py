"""The effects that flows request. Flows hold all rules of the protocol and do no I/O; the clients drive them."""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from yarrow_client.errors import Refused, YarrowError


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a run. `id` is its number in the run, to resume after; `data` is the decoded JSON."""

    id: int
    data: dict[str, Any]

    @property
    def type(self) -> str:
        """The AG-UI type, such as TEXT_MESSAGE_CONTENT."""
        return str(self.data.get("type"))


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request to a path, or to an absolute URL, which gets no token."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, str] | None = None
    file: tuple[str, bytes, str] | None = None
    """Sent as `file` after the fields of the form: name, content, type."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; an open stream's has no content."""

    status: int
    headers: Mapping[str, str]
    content: bytes = b""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def refusal(self) -> Refused:
        """Return the error for this response."""
        try:
            problem = json.loads(self.content)
        except ValueError:
            problem = None
        seconds = self.headers.get("retry-after", "")
        wait = float(seconds) if seconds.isascii() and seconds.isdigit() else None
        return Refused(self.status, problem if isinstance(problem, dict) else {}, wait)


@dataclass(frozen=True, slots=True)
class Token:
    """Get the bearer token; if one was refused, a different one."""

    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Send a request and read its whole Answer."""

    request: Request
    token: str | None


@dataclass(frozen=True, slots=True)
class Open:
    """Send a request and leave the Answer's content to Read, if it is a success."""

    request: Request
    token: str | None


@dataclass(frozen=True, slots=True)
class Read:
    """The next bytes of the open stream; none at its end."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close the open stream."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait, because of a failure or of the end of a stream."""

    seconds: float
    failure: Exception | None


Effect: TypeAlias = Token | Send | Open | Read | Close | Wait | Event
T = TypeVar("T")
Flow: TypeAlias = Generator[Effect, Any, T]
"""Yields effects, is sent their outcomes, and is thrown Dropped where a connection broke. Events are for the caller."""


def advance(flow: Flow[Any], outcome: Any) -> Effect:
    """Return the next effect of a flow, given the outcome of the last. Raises StopIteration with the result."""
    return flow.throw(outcome) if isinstance(outcome, YarrowError) else flow.send(outcome)
