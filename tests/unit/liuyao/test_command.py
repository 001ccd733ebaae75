"""`python -m liuyao`: JSON lines in, JSON lines out, a problem in the place of a bad line."""

import json
import os
import subprocess
import sys

import pytest

from liuyao import Divination, derive
from liuyao.chart import draw
from tests.support.casts import payload
from tests.support.example_cast import EXAMPLE


def run(lines: bytes, *arguments: str) -> list[str]:
    """What the command prints, in a host whose locale knows no Chinese."""
    command = [sys.executable, "-m", "liuyao", *arguments]
    host = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "America/Los_Angeles"}
    done = subprocess.run(command, input=lines, capture_output=True, check=True, env=host, timeout=30)
    assert done.stderr == b""
    return done.stdout.decode("utf-8").splitlines()


def encoded(**changes: object) -> bytes:
    return json.dumps(EXAMPLE | changes, ensure_ascii=False).encode() + b"\n"


def test_each_payload_is_answered_by_its_divination() -> None:
    first, second = run(encoded() + b"\n  \n" + encoded(questionType="财运"))
    assert Divination.model_validate_json(first) == derive(payload())
    assert json.loads(second)["questionType"] == "财运"
    assert '"guaName":"水火既济"' in first


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        (b"{", "Invalid JSON"),
        (b"[]", "Input should be an object"),
        (b"null", "Input should be an object"),
        (b'{"question": "\xff"}', "Invalid JSON"),
        (b"[" * 5000, "Invalid JSON"),
        (encoded(divinationTimeIso="2026-04-03T20:30:00").strip(), "divinationTimeIso: not an RFC 3339 date-time"),
        (encoded(divinationTimeIso="2101-01-01T00:00:00Z").strip(), "divinationTimeIso: outside 1900-2100"),
        (encoded(yaoLines=["少阳"] * 5 + ["太阳"]).strip(), "yaoLines.5: Input should be"),
        (encoded(extra=1).strip(), "extra: Extra inputs are not permitted"),
    ],
    ids=["cut", "list", "null", "bad UTF-8", "deep", "naive time", "far time", "bad line", "extra key"],
)
def test_a_bad_line_is_answered_by_a_problem_and_the_next_goes_on(line: bytes, detail: str) -> None:
    problem, divination = map(json.loads, run(line + b"\n" + encoded()))
    assert {key: problem[key] for key in ("type", "title", "status", "code")} == {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "code": "AGENT_RUN_INPUT_INVALID",
    }
    assert problem["detail"].startswith(detail)
    assert divination["guaName"] == "水火既济"


def test_show_draws_each_plate() -> None:
    printed = run(encoded() + b"{}\n" + encoded(), "--show")
    plate = [*draw(derive(payload())).splitlines(), ""]
    assert printed[: len(plate)] == printed[-len(plate) :] == plate
    assert json.loads(printed[len(plate)])["code"] == "AGENT_RUN_INPUT_INVALID"


def test_no_input_prints_nothing() -> None:
    assert run(b"\n \n") == []
