"""Parses server-sent events by the HTML standard.

`httpx2.EventSource` hides comments, which show that a stream is alive, and reads a BOM as part of the first name.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from yarrow_client.errors import Dropped

MAX_FRAME: Final = 16 * 1024 * 1024
"""Characters; the service's events are far smaller."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Frame:
    """The fields of an event, or a comment, which has none."""

    id: str | None = None
    event: str | None = None
    data: str | None = None
    retry: int | None = None


class FrameDecoder:
    """Decodes one stream; an unfinished frame at its end is dropped."""

    def __init__(self) -> None:
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._is_first = True
        self._is_after_cr = False
        self._rest = ""
        self._lines: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        """Return the frames that these bytes complete."""
        text = self._text.decode(chunk)
        if self._is_first and text:
            self._is_first = False
            text = text.removeprefix("\ufeff")
        if self._is_after_cr and text:
            text = text.removeprefix("\n")
            self._is_after_cr = False
        self._is_after_cr = text.endswith("\r") if text else self._is_after_cr
        held, start = len(self._rest), 0
        pending = self._rest + text
        for end in _LINE_END.finditer(pending, held):
            line, start = pending[start : end.start()], end.end()
            if line:
                self._lines.append(line)
                self._size += len(line)
            elif self._lines:
                yield self._frame()
        self._rest = pending[start:]
        if self._size + len(self._rest) > MAX_FRAME:
            raise Dropped("an event of the stream is too large")

    def _frame(self) -> Frame:
        lines, self._lines, self._size = self._lines, [], 0
        data: list[str] = []
        number: str | None = None
        event: str | None = None
        retry: int | None = None
        for line in lines:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "event":
                event = value
            elif name == "id" and "\0" not in value:
                number = value
            elif name == "retry" and value.isascii() and value.isdigit():
                retry = int(value)
        return Frame(number, event, "\n".join(data) if data else None, retry)
