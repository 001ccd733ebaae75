"""The lines that the log would hold, as it would hold them: those of Yarrow and those of libraries."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from yarrow.observability.logs import Line


class LogLines(logging.Handler):
    """Every line of INFO and above, and of DEBUG where it is on."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(Line())
        self._lines: list[str] = []

    @classmethod
    @contextmanager
    def captured(cls) -> Iterator["LogLines"]:
        """What is logged in the body, by anyone."""
        lines, root, ours = cls(), logging.getLogger(), logging.getLogger("yarrow")
        levels = root.level, ours.level
        root.addHandler(lines)
        root.setLevel(logging.INFO)
        ours.setLevel(logging.INFO)
        try:
            yield lines
        finally:
            root.removeHandler(lines)
            root.setLevel(levels[0])
            ours.setLevel(levels[1])

    def emit(self, record: logging.LogRecord) -> None:
        self._lines += self.format(record).split("\n")

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._lines]

    @property
    def text(self) -> str:
        """The lines as they are."""
        return "\n".join(self._lines)


class Context:
    """Lambda's context, as far as the log looks at it."""

    def __init__(self, request: str = "request-1", function: str = "SubmitRunFunction") -> None:
        self.aws_request_id = request
        self.function_name = function
