"""Executions are forgotten some time after they have ended; that of a run goes through as many turns as it takes."""

import io
import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws
from moto.core.config import default_user_config
from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.timestamp import Timestamp

from local.emulator import executions
from tests.support.state_machine import MACHINE

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

ROLE = "arn:aws:iam::123456789012:role/m"
SECONDS = 30
WAIT = '{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 60, "End": true}}}'


class Unreported(executions.ReportedExecution):
    """One whose events go nowhere."""

    def _post_status(self) -> None:
        pass


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator["SFNClient"]:
    monkeypatch.setitem(default_user_config, "stepfunctions", {"execute_state_machine": True})
    monkeypatch.setattr(models, "Execution", Unreported)
    monkeypatch.setattr(executions, "KEPT", 3)
    with mock_aws(config=default_user_config):
        yield boto3.client("stepfunctions", region_name="us-east-1")


def test_the_latest_that_ended_and_all_that_run_are_known(client: "SFNClient") -> None:
    machine = client.create_state_machine(name="m", definition=WAIT, roleArn=ROLE)
    arn = machine["stateMachineArn"]

    def start(name: str) -> str:
        started: Any = client.start_execution(stateMachineArn=arn, name=name)
        return str(started["executionArn"])

    running = start("runs")
    for number in range(8):
        client.stop_execution(executionArn=start(f"ended-{number}"))
    last = start("last")
    known = {
        execution["name"]: execution["status"]
        for execution in client.list_executions(stateMachineArn=arn)["executions"]
    }
    assert known == {"runs": "RUNNING", "last": "RUNNING"} | {f"ended-{number}": "ABORTED" for number in (5, 6, 7)}
    for execution in (running, last):
        client.stop_execution(executionArn=execution)


# ---- The state machine of runs ---------------------------------------------------------------------------------------
class Worker:
    """The function of the tasks: it answers each turn with the next of these. `began_at` has when they began."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.began_at: list[float] = []
        self.tasks: list[str] = []

    def invoke(self, *, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803 (as boto3 has it)
        self.began_at.append(time.time())
        event = json.loads(Payload)
        assert event["runKey"] == "run"
        self.tasks.append(event["task"])
        answer = self._answers.pop(0)
        failed = {"FunctionError": "Unhandled"} if "errorType" in (answer or {}) else {}
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(answer).encode()), **failed}


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set when an execution has ended."""
    event = threading.Event()
    monkeypatch.setattr(executions.Communication, "reflect", _then(executions.Communication.reflect, event.set))
    monkeypatch.setattr(Timestamp, "_eval_body", executions._wait_until)
    return event


def _then(first: Any, then: Any) -> Any:
    def both(self: Any) -> None:
        first(self)
        then()

    return both


def begin(client: "SFNClient", monkeypatch: pytest.MonkeyPatch, worker: Worker) -> str:
    monkeypatch.setattr(lambda_eval_utils, "boto_client_for", lambda **_: worker)
    definition = json.dumps(MACHINE).replace("${Partition}", "aws").replace("${ExecuteRunFunctionArn}", "work")
    machine = client.create_state_machine(name="runs", definition=definition, roleArn=ROLE)
    started = client.start_execution(stateMachineArn=machine["stateMachineArn"], name="run", input='{"runKey": "run"}')
    return str(started["executionArn"])


def states(client: "SFNClient", arn: str) -> list[str]:
    """The states that an execution has entered."""
    events = client.get_execution_history(executionArn=arn, maxResults=200)["events"]
    return [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event]


AT_ONCE = {"until": None}


def until(seconds: float) -> dict[str, str]:
    at = datetime.fromtimestamp(time.time() + seconds, UTC)
    return {"until": at.isoformat(timespec="milliseconds").replace("+00:00", "Z")}


def test_a_worker_that_hands_over_is_followed_by_another(
    client: "SFNClient", monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    """STP-05: at once, or at its time, in whatever time zone; a dead one is replaced in between, and counts apart."""
    worker = Worker(AT_ONCE, {"errorType": "Runtime.ExitError"}, AT_ONCE, until(1.5), until(-60), None)
    wakes_at = time.time() + 1.4
    arn = begin(client, monkeypatch, worker)
    assert ended.wait(SECONDS)
    assert client.describe_execution(executionArn=arn)["status"] == "SUCCEEDED"
    assert worker.tasks == ["work"] * 6
    assert " ".join(states(client, arn)) == "Work Turn Work Turn Work Turn Sleep Work Turn Sleep Work Turn Done"
    assert worker.began_at[4] >= wakes_at > worker.began_at[3]
    assert worker.began_at[5] - worker.began_at[4] < 1


def test_a_turn_that_fails_ends_the_run(
    client: "SFNClient", monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    """RUN-27: a later one as the first."""
    worker = Worker(AT_ONCE, {"errorType": "ValueError"}, None)
    arn = begin(client, monkeypatch, worker)
    assert ended.wait(SECONDS)
    assert client.describe_execution(executionArn=arn)["status"] == "FAILED"
    assert worker.tasks == ["work", "work", "fail"]


def test_an_execution_that_is_stopped_while_it_sleeps_wakes_nobody(
    client: "SFNClient", monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    """STP-04."""
    worker = Worker(until(3_600), None)
    arn = begin(client, monkeypatch, worker)
    deadline = time.monotonic() + SECONDS
    while states(client, arn)[-1:] != ["Sleep"] and time.monotonic() < deadline:
        ended.wait(0.01)
    client.stop_execution(executionArn=arn, error="RunCanceled")
    assert client.describe_execution(executionArn=arn)["status"] == "ABORTED"
    assert worker.tasks == ["work"]
