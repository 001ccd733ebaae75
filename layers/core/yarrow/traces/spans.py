"""Spans as OpenTelemetry has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

Value = str | bool | int | float | Sequence[str]


class Kind(IntEnum):
    """OTLP's numbers of the kinds of spans."""

    INTERNAL = 1
    SERVER = 2
    CLIENT = 3


@dataclass(frozen=True, slots=True)
class Link:
    """A span of another trace that this one has to do with."""

    trace_id: str
    span_id: str
    attributes: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """A span; times are nanoseconds since the epoch. `error` is the `error.type` of one that failed."""

    trace_id: str
    id: str
    parent_id: str | None
    name: str
    kind: Kind
    begins: int
    ends: int
    attributes: Mapping[str, Value]
    links: Sequence[Link] = ()
    error: str | None = None


def known(attributes: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the attributes that have a value."""
    return {name: value for name, value in attributes.items() if value is not None}
