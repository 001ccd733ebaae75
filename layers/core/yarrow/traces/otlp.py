"""Encodes spans as the body of an OTLP request, in Protocol Buffers' binary form.

Source: `opentelemetry/proto/collector/trace/v1/trace_service.proto` 1.x and what it imports. The binary form is the one
that every receiver takes: Phoenix takes no JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from yarrow.formats import protobuf
from yarrow.traces.semantic_conventions import ERROR_TYPE, SCHEMA_URL
from yarrow.traces.spans import Link, Span, Value

CONTENT_TYPE: Final = "application/x-protobuf"

SCOPE: Final = "yarrow"
"""The name of the instrumentation."""

_ERROR: Final = 2
"""OTLP's number of the status."""

_IS_SAMPLED: Final = 1


def request_of(resource: Mapping[str, Value], spans: Iterable[bytes]) -> bytes:
    """Return an ExportTraceServiceRequest with these spans, as `encoded` returns them."""
    scope = protobuf.data(1, protobuf.text(1, SCOPE))
    in_scope = scope + b"".join(spans) + protobuf.text(3, SCHEMA_URL)
    of_resource = protobuf.data(1, _attributes(1, resource)) + protobuf.data(2, in_scope)
    return protobuf.data(1, of_resource + protobuf.text(3, SCHEMA_URL))


def encoded(spans: Iterable[Span]) -> bytes:
    """Return spans as the fields of a ScopeSpans."""
    return b"".join(protobuf.data(2, _span(span)) for span in spans)


def _span(span: Span) -> bytes:
    failed = {} if span.error is None else {ERROR_TYPE: span.error}
    parts = [
        protobuf.data(1, bytes.fromhex(span.trace_id)),
        protobuf.data(2, bytes.fromhex(span.id)),
        b"" if span.parent_id is None else protobuf.data(4, bytes.fromhex(span.parent_id)),
        protobuf.text(5, span.name),
        protobuf.integer(6, span.kind),
        protobuf.fixed64(7, span.begins),
        protobuf.fixed64(8, span.ends),
        _attributes(9, {**span.attributes, **failed}),
        *(protobuf.data(13, _link(link)) for link in span.links),
        b"" if span.error is None else protobuf.data(15, protobuf.integer(3, _ERROR)),
        protobuf.fixed32(16, _IS_SAMPLED),
    ]
    return b"".join(parts)


def _link(link: Link) -> bytes:
    return (
        protobuf.data(1, bytes.fromhex(link.trace_id))
        + protobuf.data(2, bytes.fromhex(link.span_id))
        + _attributes(4, link.attributes)
    )


def _attributes(field: int, attributes: Mapping[str, Value]) -> bytes:
    return b"".join(
        protobuf.data(field, protobuf.text(1, name) + protobuf.data(2, _value(value)))
        for name, value in attributes.items()
    )


def _value(value: Value) -> bytes:
    match value:
        case str():
            return protobuf.text(1, value)
        case bool():
            return protobuf.integer(2, value)
        case int():
            return protobuf.integer(3, value)
        case float():
            return protobuf.double(4, value)
        case _:
            return protobuf.data(5, b"".join(protobuf.data(1, protobuf.text(1, item)) for item in value))
