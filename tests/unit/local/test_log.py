"""What clients send cannot forge lines of the stack's log or control the terminal that shows it (SEC-05)."""

import io
import logging

import pytest

from local import log


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The log of a process that has only this one."""
    stream, root = io.StringIO(), logging.getLogger()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    log.configure()
    return stream


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("/a\r\n12:00:00 GET /forged 200", r"/a\r\n12:00:00 GET /forged 200"),
        ("/\x1b[2J\x07\x00\x7f", r"/\x1b[2J\x07\x00\x7f"),
        ("/\x9b31m\x85", r"/\x9b31m\x85"),
        ("/\u202eabc\u2028\u2066", r"/\u202eabc\u2028\u2066"),
        ("/\ud800", r"/\ud800"),
        ("六爻 é", "六爻 é"),
        (r"C:\x1b", r"C:\x1b"),
    ],
    ids=["line breaks", "controls", "more controls", "directions", "a surrogate", "letters", "a backslash"],
)
def test_what_a_terminal_would_not_print_is_escaped(
    written: io.StringIO, sent: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # pytest's own handlers come after that of the fixture; what they capture, a worker of xdist could not send.
    monkeypatch.setattr(logging.getLogger(), "handlers", logging.getLogger().handlers[:1])
    logging.getLogger("local").warning("%s", sent)
    assert written.getvalue().partition(" ")[2] == f"{shown}\n"


def test_a_traceback_cannot_forge_a_line(written: io.StringIO) -> None:
    error = ValueError("bad\n12:00:00 GET /forged 200\x1b[2J")
    logging.getLogger("local").error("a function failed", exc_info=error)
    first, *rest = written.getvalue().splitlines()
    assert first.endswith(" a function failed")
    assert all(line.startswith("    ") for line in rest)
    assert "\x1b" not in written.getvalue()
