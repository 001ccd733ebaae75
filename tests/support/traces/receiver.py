"""An OTLP endpoint: keeps what it is sent, and reads it with the messages that OpenTelemetry has released."""

import gzip
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage


@dataclass(frozen=True)
class ReceivedSpan:
    """A span as the endpoint reads it; ids are hexadecimal, times are nanoseconds."""

    trace_id: str
    id: str
    parent_id: str
    name: str
    kind: int
    begins: int
    ends: int
    attributes: Mapping[str, Any]
    links: tuple[tuple[str, str, Mapping[str, Any]], ...]
    is_error: bool


@dataclass
class Receiver:
    """The endpoint. `answers` are the statuses to come; 200 after them. `bodies` are of the requests that it took."""

    url: str = ""
    answers: deque[int] = field(default_factory=deque)
    requests: int = 0
    headers: list[Mapping[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    @property
    def messages(self) -> list[ExportTraceServiceRequest]:
        return [ExportTraceServiceRequest.FromString(body) for body in self.bodies]

    @property
    def spans(self) -> list[ReceivedSpan]:
        return [
            _received(span)
            for message in self.messages
            for resource in message.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def named(self, name: str) -> list[ReceivedSpan]:
        """Return the spans with this name, which may be the operation's alone."""
        return [span for span in self.spans if name in (span.name, span.name.partition(" ")[0])]

    def one(self, name: str) -> ReceivedSpan:
        (span,) = self.named(name)
        return span


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.requests += 1
            status = receiver.answers.popleft() if receiver.answers else 200
            if status == 200:
                receiver.headers.append(dict(self.headers))
                receiver.bodies.append(gzip.decompress(body))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.socket.close()


def _received(span: SpanMessage) -> ReceivedSpan:
    return ReceivedSpan(
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.name,
        span.kind,
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        attributes_of(span),
        tuple((link.trace_id.hex(), link.span_id.hex(), attributes_of(link)) for link in span.links),
        span.status.code == 2,
    )


def attributes_of(message: Any) -> dict[str, Any]:
    return {entry.key: _value(entry.value) for entry in message.attributes}


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    assert kind is not None
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return getattr(value, kind)
