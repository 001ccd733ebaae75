"""The errors of the clients."""

from collections.abc import Mapping
from typing import Any


class YarrowError(Exception):
    """Any failure of a request."""


class Refused(YarrowError):
    """The service responded with an error; `code` is one of `docs/errors.md`."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None = None) -> None:
        super().__init__(str(problem.get("detail") or f"HTTP {status}"))
        self.status = status
        self.code: str | None = problem.get("code")
        self.params: Mapping[str, Any] = problem.get("params") or {}
        self.retry_after = retry_after
        """Seconds, where the service says so."""


class Dropped(YarrowError):
    """The connection failed; for a stream, too many times in a row."""
