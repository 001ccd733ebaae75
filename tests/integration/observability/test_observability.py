"""What the metrics and the log say of real requests and runs: every ending once, and every id that is known."""

import json
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.divination_runs import THREAD, submit
from tests.support.functions import api_calls
from tests.support.functions.calls import invoke, work
from tests.support.functions.payloads import Case
from tests.support.journals import numbered
from tests.support.log_lines import LogLines
from tests.support.models.provider_formats import USAGE, OpenAI
from tests.support.models.server import ModelServer, serving
from tests.support.runners.divination import READING
from tests.support.runners.scripted import DONE, Use, completed, delta
from yarrow.runs import end_run, lost_runs
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.stream_events import stream_events
from yarrow.settings import settings
from yarrow.worker import heartbeat, journal_writer
from yarrow_agents.divination import opinion

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]
"""On moto alone: the table has no part of its own in this."""


class Metrics:
    """The metrics that were written since they were last taken; `lines` are those that were taken last."""

    def __init__(self, captured: pytest.CaptureFixture[str]) -> None:
        self._captured = captured
        self.lines: list[dict[str, Any]] = []

    def take(self) -> dict[str, list[float]]:
        """The values of each, in the order they were written."""
        self.lines = [json.loads(line) for line in self._captured.readouterr().out.splitlines()]
        values: dict[str, list[float]] = {}
        for line in self.lines:
            for metric in line["_aws"]["CloudWatchMetrics"][0]["Metrics"]:
                values.setdefault(metric["Name"], []).extend(line[metric["Name"]])
        return values


@pytest.fixture
def metrics(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Metrics:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    return Metrics(capsys)


# ---- Metrics ---------------------------------------------------------------------------------------------------------
def test_a_run_that_finishes_is_counted_once(use: Use, metrics: Metrics) -> None:
    """CMP-11: with its length, its events and the time to the first, whoever else works on it or wants it ended."""
    use(delta("一"), completed("一二"), DONE)
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    for _ in range(2):
        work(case)
    invoke("end_run", case.payload("event_bridge_execution_status"))
    counted = metrics.take()
    assert set(counted) == {"TimeToFirstEvent", "RunsFinished", "RunsFailed", "RunDuration", "Events"}
    assert (counted["RunsFinished"], counted["RunsFailed"]) == ([1], [0])
    assert counted["Events"] == [len(numbered(case.key))]
    (first,), (whole,) = counted["TimeToFirstEvent"], counted["RunDuration"]
    assert 0 <= first <= whole < 60_000
    for line in metrics.lines:
        assert line["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["Service"], ["Service", "agent"]]
        assert (line["agent"], line["run_key"]) == ("divination", case.key)


@pytest.mark.parametrize("by", ["its agent", "its machine"])
def test_a_run_that_fails_is_counted_once(by: str, use: Use, metrics: Metrics) -> None:
    """CMP-11."""
    use(delta("一"), RuntimeError("no"))
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    if by == "its agent":
        work(case)
    invoke("execute_run", case.payload("execute_run_fail"))
    invoke("end_run", case.payload("event_bridge_execution_status"))
    counted = metrics.take()
    assert (counted["RunsFailed"], counted["Events"]) == ([1], [len(numbered(case.key))])
    assert counted["RunsFinished"] == [0]
    assert not {"RunsCanceled", "RunsLost"} & set(counted)


def test_of_many_cancels_one_ends_the_run_and_all_were_asked_for(metrics: Metrics) -> None:
    """CAN-05."""
    submit()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: cancel_run("alice", THREAD, "run-1"), range(4)))
    counted = metrics.take()
    assert (counted["Cancels"], counted["RunsCanceled"]) == ([1] * 4, [1])
    assert (counted["RunsFinished"], counted["RunsFailed"]) == ([0], [0])


def test_a_run_that_is_cancelled_while_it_ends_has_one_ending(
    use: Use, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CAN-06: the cancelled one, before whichever call of its worker the cancel comes; when none comes, its own."""
    # However slow the machine is, a run makes the same calls.
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 3_600.0)
    use(delta("一"), completed("一二"), DONE)
    endings = []
    with api_calls.watched() as calls:
        for at in count(1):
            case = Case()
            invoke("submit_run", case.payload("api_gateway_submit_run"))
            metrics.take()
            cancel = case.payload("api_gateway_cancel_run")
            calls.reset(at, api_calls.interrupted_by(partial(invoke, "cancel_run", cancel)))
            work(case)
            struck = calls.struck
            calls.reset()
            counted = metrics.take()
            endings.append(
                {name: counted[name] for name in counted if name.startswith(("Runs", "Cancels")) and any(counted[name])}
            )
            if not struck:
                break
    assert at > 5
    assert endings[:-1] == [{"Cancels": [1], "RunsCanceled": [1]}] * (at - 1)
    assert endings[-1] == {"RunsFinished": [1]}


def test_a_lost_run_is_counted_as_that_and_under_its_own_key(metrics: Metrics, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-08: The submit of another run finds it."""
    lost = submit().task_id
    monkeypatch.setattr(lost_runs, "MARGIN", -lost_runs.MARGIN)
    submit(runId="run-2")
    assert not end_run.end_with_error(lost, end_run.LOST)
    counted = metrics.take()
    assert counted["RunsLost"] == [1]
    assert counted["RunsFailed"] == counted["RunsFinished"] == [0]
    assert "RunsCanceled" not in counted
    assert [line["run_key"] for line in metrics.lines] == [lost]


def test_the_first_event_is_timed_once_however_many_workers_there_are(
    use: Use, metrics: Metrics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CMP-11."""
    monkeypatch.setattr(journal_writer, "FLUSH_SECONDS", 0.0)
    use(delta("一"), KeyboardInterrupt())
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    with pytest.raises(KeyboardInterrupt):
        work(case)
    use(delta("一"), completed("一二"), DONE)
    work(case)
    assert len(metrics.take()["TimeToFirstEvent"]) == 1


def test_a_stream_that_goes_on_after_a_cursor_is_counted(metrics: Metrics) -> None:
    """EVT-04."""
    submit()
    metrics.take()
    stream_events("alice", THREAD, "run-1", None, None)
    assert metrics.take() == {}
    stream_events("alice", THREAD, "run-1", "1", None)
    assert metrics.take() == {"StreamResumes": [1]}


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Yield the provider of the model `reading`."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setattr(opinion, "SECONDS", 60.0)  # or a busy machine gives its answer to the next request
        monkeypatch.setitem(settings.models, "reading", OpenAI().model)
        yield server


def test_the_tokens_of_a_model_are_counted_by_its_id(provider: ModelServer, metrics: Metrics) -> None:
    """RNR-52."""
    wire = OpenAI()
    provider.will(wire.whole("{}"), wire.streamed(*wire.begun(READING), *wire.ended()))
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    work(case)
    assert metrics.take()["ModelTokens"] == [sum(USAGE)] * 2  # its opinion on the question, and its words
    line, _ = [line for line in metrics.lines if "ModelTokens" in line]
    assert (line["model"], line["run_key"]) == ("reading", case.key)


# ---- From a run, or a problem, to its lines --------------------------------------------------------------------------
def test_every_line_of_a_run_is_found_by_what_its_client_calls_it(use: Use, log: LogLines) -> None:
    """ERR-12: the line of the submit leads from the runId to the key that the others carry, in every function."""
    use(delta("一"), completed("一二"), DONE)
    case = Case()
    invoke("submit_run", case.payload("api_gateway_submit_run"))
    work(case)
    invoke("stream_events", case.payload("api_gateway_stream_events"))
    ours = [record for record in log.records if "library" not in record]
    assert (ours[0]["run_id"], ours[0]["thread_id"]) == (case.run, case.thread)
    assert {our["run_key"] for our in ours} == {case.key}
    assert {our["function_name"] for our in ours} == {"submit_run", "execute_run", "stream_events"}
    assert len({our["user"] for our in ours if "user" in our}) == 1


def test_the_trace_id_of_a_problem_finds_its_cause(log: LogLines, metrics: Metrics) -> None:
    """ERR-12, CMP-11: and it is counted, whichever route it was on."""

    def fail(*_: object) -> None:
        raise RuntimeError

    with api_calls.watched() as calls:
        calls.reset(1, fail)
        answer = invoke("submit_run", Case().payload("api_gateway_submit_run"))
    assert (answer.status, answer.document["code"]) == (500, "INTERNAL_ERROR")
    found = [record for record in log.records if record.get("request_id") == answer.document["traceId"]]
    (cause,) = [item for item in found if item["level"] == "ERROR"]
    assert cause["message"] == "unhandled error"
    assert "in fail\n" in cause["exception"]
    assert metrics.take() == {"RequestsFailed": [1]}
    assert metrics.lines[0]["request_id"] == answer.document["traceId"]


def test_a_limit_that_is_reached_is_counted_by_its_code(metrics: Metrics, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12: and told of no user."""
    monkeypatch.setitem(settings.__dict__, "runs_per_minute", 1)
    case = Case()
    for _ in range(2):
        assert invoke("submit_run", case.payload("api_gateway_submit_run")).status == 202
        case = replace(case, thread=str(uuid.uuid4()))
    metrics.take()
    assert invoke("submit_run", case.payload("api_gateway_submit_run")).document["code"] == "AGENT_RATE_LIMIT"
    assert metrics.take() == {"LimitsReached": [1]}
    assert metrics.lines[-1]["code"] == "AGENT_RATE_LIMIT"
    assert case.user not in json.dumps(metrics.lines)


def test_a_service_that_is_busy_is_no_failure_of_ours(metrics: Metrics) -> None:
    """ERR-06: the alarm for those would take a deployment back."""

    def shut_out(*_: object) -> None:
        raise ClientError({"Error": {"Code": "ThrottlingException"}}, "PutItem")

    with api_calls.watched() as calls:
        calls.reset(1, shut_out)
        answer = invoke("submit_run", Case().payload("api_gateway_submit_run"))
    assert (answer.status, answer.document["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert metrics.take() == {}
