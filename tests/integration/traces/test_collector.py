"""What the OTLP receiver of the OpenTelemetry Collector makes of a trace (EVB-02)."""

import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.support.divination_runs import execute, submit
from tests.support.paths import ROOT
from tests.support.runners.asking import Asker
from tests.support.runners.scripted import install
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.settings import settings

RECEIVER = ROOT / ".cache/otlp-receiver/receiver"
PATIENCE_SECONDS = 20


@pytest.fixture
def collector() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The receiver, and its address."""
    if not RECEIVER.exists():
        pytest.skip("needs the OTLP receiver: make otlp-receiver")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
    with subprocess.Popen([RECEIVER, address], stdout=subprocess.PIPE, text=True) as process:
        try:
            _await(address)
            yield f"http://{address}/v1/traces", process
        finally:
            process.terminate()


def _await(address: str) -> None:
    host, _, port = address.partition(":")
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection((host, int(port))).close()
        except ConnectionRefusedError:
            assert time.monotonic() < until, "the receiver does not listen"
            time.sleep(0.02)
        else:
            return


def test_the_collector_takes_the_trace(
    collector: tuple[str, "subprocess.Popen[str]"], export: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-02: its own decoder reads the spans, and writes them in OTLP's JSON."""
    url, process = collector
    monkeypatch.setitem(settings.__dict__, "traces_endpoint", url)

    async def act(_: Asker, api: AgentRunAPIProxy) -> str:
        await api.step("book", lambda: 1)
        return "done"

    install(monkeypatch, lambda: Asker(act))
    run_key = submit().task_id
    execute(run_key)
    assert export() == []
    assert process.stdout is not None
    (resource,) = json.loads(process.stdout.readline())["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    spans = {span["name"]: span for span in scope["spans"]}
    assert spans.keys() == {"invoke_agent divination", "queue", "worker 1", "step prepare", "step book"}
    run, worker, step = spans["invoke_agent divination"], spans["worker 1"], spans["step book"]
    assert (worker["parentSpanId"], step["parentSpanId"]) == (run["spanId"], worker["spanId"])
    assert {span["traceId"] for span in spans.values()} == {run["traceId"]}
    assert _attributes(run)["yarrow.run.key"] == {"stringValue": run_key}
    assert int(run["startTimeUnixNano"]) <= int(step["startTimeUnixNano"]) <= int(run["endTimeUnixNano"])
    assert scope["scope"]["name"] == "yarrow"


def _attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {entry["key"]: entry["value"] for entry in span["attributes"]}
