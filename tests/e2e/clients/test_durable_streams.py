"""Durable Streams on the local stack: the protocol's conformance suite, and its released clients over cut lines.

Of the suite, the groups that are about reading. What the clients read is compared with `GET …/events`.
"""

import json
import os
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import durable_streams
import httpx
import pytest

from tests.clients.dropping_proxy import DroppingProxy, random_cuts
from tests.clients.durable_streams.adapter import adapted
from tests.support.effort import examples
from tests.support.paths import ROOT
from tests.support.stack.app import SignIn
from tests.support.stack.runs import submit

INSTALLED: Final = ROOT / ".cache/durable-streams"
DRIVER: Final = ROOT / "tests/clients/durable_streams/read.mjs"
SUITE_SECONDS: Final = 300
GROUPS: Final = (
    *("Read Operations", "Long-Poll Operations", "Long-Poll Edge Cases", "HEAD Metadata", "HEAD Metadata Edge Cases"),
    *("Offset Validation and Resumability", "Caching and ETag", "SSE Mode", "JSON Mode", "Browser Security Headers"),
    *("Stream Closure HEAD with Stream Closure", "Stream Closure Read Closed Streams (Catch-up)"),
    *("Stream Closure Long-poll with Stream Closure", "Stream Closure SSE with Stream Closure"),
)
RUNS: Final = examples(10)
CUTS: Final = 8
TEXTS: Final = ("slowly", "two at once", "北京天气怎么样?", "slowly", "fail")

Event = dict[str, Any]
Live = Literal["sse", "long-poll"]
Read = Callable[[str, dict[str, str], Live], list[Event]]


def installed() -> Path:
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    if not (INSTALLED / ".ready").exists():
        pytest.skip("needs the packages of Durable Streams: make durable-streams")
    return INSTALLED


@pytest.mark.timeout(SUITE_SECONDS + 30)
def test_it_reads_as_the_protocol_has_it(stack: str, tmp_path: Path) -> None:
    folder, report = installed(), tmp_path / "report.json"
    names = "|".join(group.replace("(", "\\(").replace(")", "\\)") for group in GROUPS)
    command = ["node_modules/.bin/vitest", "run", "reading.test.mjs", "--testTimeout=30000", f"-t=^({names}) "]
    with adapted(stack) as url:
        suite = subprocess.run(
            [*command, "--reporter=json", f"--outputFile={report}"],
            cwd=folder,
            env={**os.environ, "CONFORMANCE_URL": url},
            capture_output=True,
            text=True,
            timeout=SUITE_SECONDS,
        )
    assert report.exists(), suite.stderr
    (file,) = json.loads(report.read_text(encoding="utf-8"))["testResults"]
    events = [result for result in file["assertionResults"] if result["status"] in ("passed", "failed")]
    failed = {event["fullName"]: event["failureMessages"] for event in events if event["status"] == "failed"}
    assert failed == {}
    assert {" ".join(event["ancestorTitles"]).strip() for event in events} == set(GROUPS)


@pytest.fixture(scope="module")
def node() -> Iterator["subprocess.Popen[str]"]:
    """Yield the released client for JavaScript."""
    command = ["node", str(DRIVER), str(installed() / "node_modules/@durable-streams/client")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture(params=["javascript", "python"])
def read(request: pytest.FixtureRequest) -> Read:
    """Everything of a stream, as one of the released clients reads it."""
    if request.param == "python":
        return read_in_python
    node: subprocess.Popen[str] = request.getfixturevalue("node")
    assert node.stdin is not None
    assert node.stdout is not None
    to, of = node.stdin, node.stdout

    def read_in_node(url: str, headers: dict[str, str], live: Live) -> list[Event]:
        to.write(json.dumps({"url": url, "headers": headers, "live": live}) + "\n")
        to.flush()
        items: list[Event] = json.loads(of.readline())["items"]
        return items

    return read_in_node


def read_in_python(url: str, headers: dict[str, str], live: Live) -> list[Event]:
    read: list[Event] = []
    saved = "-1"
    while True:
        try:
            with durable_streams.stream(url, offset=saved, live=live, headers={**headers}) as response:
                for event in response.iter_events(mode="json"):
                    # One that ends where the last one did, or nowhere, was cut, and comes again.
                    if event.next_offset in ("", saved):
                        continue
                    read += event.data
                    saved = event.next_offset
                    if read[-1]["type"] in ("RUN_FINISHED", "RUN_ERROR"):
                        return read
        except (httpx.TransportError, durable_streams.DurableStreamError, json.JSONDecodeError):
            pass


@pytest.mark.timeout(SUITE_SECONDS)
@pytest.mark.parametrize("live", ["sse", "long-poll"])
def test_its_clients_lose_nothing_over_cut_lines(read: Read, live: Live, sign_in: SignIn, proxy: DroppingProxy) -> None:
    for number in range(RUNS):
        app, thread = sign_in("reader"), str(uuid.uuid4())
        submit(app, "scenes", thread, "run", TEXTS[number % len(TEXTS)])
        proxy.cuts = random_cuts(number, CUTS, most=3_000)
        path = f"/api/v1/agent/runs/{thread}/stream?runId=run"
        found = read(f"{proxy.url}{path}", {"Authorization": app.http.headers["Authorization"]}, live)
        assert found == [event for _, _, event in app.watch(thread, "run")]
    assert proxy.made.total() >= RUNS
