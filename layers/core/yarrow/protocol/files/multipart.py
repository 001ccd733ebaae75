"""Parses multipart/form-data (RFC 7578) from a stream, without buffering."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from yarrow.protocol.problems import Code, Problem

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

MAX_PARTS: Final = 8

Sink = Callable[[memoryview], object]
"""Takes a piece of a part, which is valid during the call only."""
Invalid = Callable[[str], Problem]
"""Makes a 422 problem from a detail."""


@dataclass(frozen=True, slots=True)
class FormPart:
    filename: str | None
    media_type: str | None


def read_form(
    content_type: str, chunks: Iterable[bytes], sinks: Mapping[str, Sink], invalid: Invalid
) -> dict[str, FormPart]:
    """Pass each part's bytes to the sink of its name; skip others.

    Raises Problem: 415 unless multipart/form-data, `invalid` for a malformed form or a missing or repeated part, and as
    the sinks.
    """
    media_type, options = parse_options_header(content_type)
    if media_type != b"multipart/form-data":
        raise Problem(Code.REQUEST_CONTENT_TYPE_UNSUPPORTED, "the body must be multipart/form-data")
    if not options.get(b"boundary"):
        raise invalid("the content type has no boundary")
    reader = _Reader(sinks, invalid)
    try:
        parser = MultipartParser(options[b"boundary"], reader.callbacks())
        for chunk in chunks:
            parser.write(chunk)
        parser.finalize()
    except FormParserError as error:
        raise invalid("the body is not a multipart/form-data form") from error
    return reader.parts()


class _Reader:
    def __init__(self, sinks: Mapping[str, Sink], invalid: Invalid) -> None:
        self._sinks = sinks
        self._invalid = invalid
        self._parts: dict[str, FormPart] = {}
        self._sink: Sink | None = None
        self._headers: dict[str, str] = {}
        self._name = bytearray()
        self._value = bytearray()
        self._begun = 0
        self._ended = False

    def callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda data, start, end: self._name.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._write,
            "on_end": self._end,
        }

    def parts(self) -> dict[str, FormPart]:
        if not self._ended:
            raise self._invalid("the form ends before its closing boundary")
        for name in self._sinks:
            if name not in self._parts:
                raise self._invalid(f"the form has no part {name}")
        return self._parts

    def _begin_part(self) -> None:
        self._begun += 1
        if self._begun > MAX_PARTS:
            raise self._invalid(f"the form has more than {MAX_PARTS} parts")
        self._sink, self._headers = None, {}

    def _end_header(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._value.decode("latin-1")
        self._name.clear()
        self._value.clear()

    def _end_headers(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition"))
        name = options.get(b"name", b"").decode(errors="replace")
        if name not in self._sinks:
            return
        if name in self._parts:
            raise self._invalid(f"the form has more than one part {name}")
        filename = options.get(b"filename")
        self._parts[name] = FormPart(
            None if filename is None else filename.decode(errors="replace"), self._headers.get("content-type")
        )
        self._sink = self._sinks[name]

    def _write(self, data: bytes, start: int, end: int) -> None:
        if self._sink is not None:
            self._sink(memoryview(data)[start:end])

    def _end(self) -> None:
        self._ended = True
