"""The metrics: each a line that CloudWatch reads, whole and by itself."""

import io
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.log_lines import Context
from tests.support.paths import ROOT
from yarrow.observability.logs import correlate, invocation, logger
from yarrow.observability.metrics import Metric, emit

DOCUMENT = ROOT / "docs/observability.md"

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")


def written(captured: Captured) -> list[dict[str, Any]]:
    return [json.loads(line) for line in captured.readouterr().out.splitlines()]


def test_a_moment_is_one_line_of_metrics_and_of_the_log(capsys: Captured) -> None:
    """No dimension tells of a user or a run; the ids are there for who searches."""
    with invocation(Context(), request_id="gateway-1", user_id="alice"):
        correlate(run_key="run")
        emit("the run has ended", {Metric.RUNS_FINISHED: 1, Metric.RUN_DURATION: 1234.5}, by={"agent": "divination"})
    (line,) = written(capsys)
    (described,) = line["_aws"]["CloudWatchMetrics"]
    assert described == {
        "Namespace": "Yarrow",
        "Dimensions": [["Service"], ["Service", "agent"]],
        "Metrics": [{"Name": "RunsFinished", "Unit": "Count"}, {"Name": "RunDuration", "Unit": "Milliseconds"}],
    }
    assert line["Service"] == "yarrow"
    assert (line["agent"], line["RunsFinished"], line["RunDuration"]) == ("divination", [1.0], [1234.5])
    assert (line["message"], line["run_key"], line["request_id"]) == ("the run has ended", "run", "gateway-1")
    assert "alice" not in json.dumps(line)


class Pieces(io.StringIO):
    """Standard output, and what was written to it at once each time."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    def write(self, text: str) -> int:
        self.written.append(text)
        return len(text)


def test_lines_of_many_threads_are_whole_and_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the local stack, where all functions share a process: each is written at once."""
    output = Pieces()
    monkeypatch.setattr(sys, "stdout", output)

    def invoke(number: int) -> None:
        with invocation(Context(str(number))):
            emit("it happened", {Metric.EVENTS: number}, by={"agent": str(number)})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(invoke, range(200)))
    assert all(text.endswith("}\n") for text in output.written)
    lines = [json.loads(text) for text in output.written]
    assert sorted(line["Events"][0] for line in lines) == list(range(200))
    for line in lines:
        assert line["agent"] == line["function_request_id"] == str(int(line["Events"][0]))


def test_a_metric_without_a_dimension_is_of_all_together(capsys: Captured) -> None:
    emit("cancellation was requested", {Metric.CANCELS: 1})
    (line,) = written(capsys)
    assert line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["Service"]]


def test_metrics_do_not_depend_on_the_log_level(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    level = logger.log_level
    logger.setLevel("ERROR")
    try:
        emit("cancellation was requested", {Metric.CANCELS: 1})
    finally:
        logger.setLevel(level)
    assert len(written(capsys)) == 1
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    emit("cancellation was requested", {Metric.CANCELS: 1})
    assert written(capsys) == []


def test_every_metric_is_described() -> None:
    """As it is written: by its name and with its unit."""
    table = re.findall(r"^\| `(\w+)` \| (\w+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(table) == sorted((metric.title, metric.unit) for metric in Metric)
