"""The trace of a run: the header `traceparent`, and the ids of the spans that a run has.

Source: W3C Trace Context, level 1. Ids are derived from the run's key, so that whoever makes a span again, in another
process or at another time, makes the same one.
"""

import hashlib
import re
from dataclasses import dataclass
from typing import Final

HEADER: Final = "traceparent"

_FORM: Final = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[ -~]*)?")
_VERSION: Final = "00"
_UNKNOWN_VERSION: Final = "ff"
_SAMPLED: Final = 1
_TRACE_DIGITS: Final = 32
_SPAN_DIGITS: Final = 16
_MAX_LENGTH: Final = 256

RUN: Final = "run"
"""The span of the whole run, among those of the run."""


@dataclass(frozen=True, slots=True)
class TraceContext:
    """The trace that a run belongs to, and the client's span in it, if a client named one."""

    trace_id: str
    parent_id: str | None = None
    is_sampled: bool = True


def read(header: str | None) -> str | None:
    """Return a valid `traceparent` in the form of version 00; None for any other, which starts a new trace."""
    found = None if header is None or len(header) > _MAX_LENGTH else _FORM.fullmatch(header.strip())
    if found is None:
        return None
    version, trace_id, parent_id, flags, rest = found.groups()
    if version == _UNKNOWN_VERSION or (version == _VERSION and rest is not None):
        return None
    if not int(trace_id, 16) or not int(parent_id, 16):
        return None
    return _written(trace_id, parent_id, is_sampled=bool(int(flags, 16) & _SAMPLED))


def context_of(run_key: str, trace_parent: str | None) -> TraceContext:
    """Return the trace of a run, whose client sent this `traceparent`, as `read` returned it."""
    if trace_parent is None:
        return TraceContext(_digest("trace", run_key)[:_TRACE_DIGITS])
    _, trace_id, parent_id, flags = trace_parent.split("-")
    return TraceContext(trace_id, parent_id, is_sampled=bool(int(flags, 16) & _SAMPLED))


def span_id(run_key: str, *names: str) -> str:
    """Return the id of one of the run's spans."""
    return _digest("span", run_key, *names)[:_SPAN_DIGITS]


def worker_span_id(run_key: str, attempt: int) -> str:
    """Return the id of the span of one of the run's workers."""
    return span_id(run_key, "worker", str(attempt))


def passed_on(run_key: str, attempt: int, trace_parent: str | None) -> str:
    """Return the `traceparent` that a worker of the run sends to what it calls."""
    context = context_of(run_key, trace_parent)
    return _written(context.trace_id, worker_span_id(run_key, attempt), is_sampled=context.is_sampled)


def _written(trace_id: str, parent_id: str, *, is_sampled: bool) -> str:
    return f"{_VERSION}-{trace_id}-{parent_id}-{_SAMPLED if is_sampled else 0:02x}"


def _digest(*names: str) -> str:
    return hashlib.sha256("/".join(names).encode()).hexdigest()
