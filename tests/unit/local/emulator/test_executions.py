"""Executions are forgotten some time after they have ended; those of runs work at once or when the run wakes."""

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
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
from tests.support.state_machine import MACHINE, TURN_MACHINE, TURN_MACHINE_ARN

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


# ---- The state machines of runs --------------------------------------------------------------------------------------
class Worker:
    """The function of the tasks: it answers with one of these after the other. `began_at` has when the tasks began."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.began_at: list[float] = []
        self.tasks: list[str] = []

    def invoke(self, *, Payload: bytes, **_: Any) -> dict[str, Any]:  # noqa: N803 (as boto3 has it)
        self.began_at.append(time.time())
        event = json.loads(Payload)
        assert event["runKey"] == "run"
        assert event["turnMachine"] == TURN_MACHINE_ARN
        self.tasks.append(f"{event['task']} {event['turn']}")
        answer = self._answers.pop(0)
        failed = {"FunctionError": "Unhandled"} if "errorType" in (answer or {}) else {}
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(answer).encode()), **failed}


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    event = threading.Event()
    monkeypatch.setattr(executions.Communication, "reflect", _then(executions.Communication.reflect, event.set))
    monkeypatch.setattr(Timestamp, "_eval_body", executions._wait_until)
    return event


def _then(first: Any, then: Any) -> Any:
    def both(self: Any) -> None:
        first(self)
        then()

    return both


Begin = Callable[..., str]


@pytest.fixture
def begin(client: "SFNClient", monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Starts the execution of the first turn, or of the third one, which begins at a time; returns its ARN."""

    def begin(worker: Worker, until: str | None = None) -> str:
        monkeypatch.setattr(lambda_eval_utils, "boto_client_for", lambda **_: worker)
        machine, later = (MACHINE, {}) if until is None else (TURN_MACHINE, {"turn": 2, "until": until})
        definition = json.dumps(machine).replace("${Partition}", "aws").replace("${ExecuteRunFunctionArn}", "work")
        arn = client.create_state_machine(name="m", definition=definition, roleArn=ROLE)["stateMachineArn"]
        started = client.start_execution(stateMachineArn=arn, name="run", input=json.dumps({"runKey": "run", **later}))
        return str(started["executionArn"])

    return begin


def states(client: "SFNClient", arn: str) -> list[str]:
    events = client.get_execution_history(executionArn=arn, maxResults=200)["events"]
    return [event["stateEnteredEventDetails"]["name"] for event in events if "stateEnteredEventDetails" in event]


def moment(seconds: float) -> str:
    """The time in so many seconds, as a worker gives it."""
    at = datetime.fromtimestamp(time.time() + seconds, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


DEAD = {"errorType": "Runtime.ExitError"}


def test_a_run_of_one_turn_is_in_one_state(client: "SFNClient", begin: Begin, ended: threading.Event) -> None:
    """STP-06: a dead worker is replaced in it."""
    worker = Worker(DEAD, None)
    arn = begin(worker)
    assert ended.wait(SECONDS)
    assert client.describe_execution(executionArn=arn)["status"] == "SUCCEEDED"
    assert worker.tasks == ["work 0"] * 2
    assert states(client, arn) == ["Work"]


@pytest.mark.parametrize("seconds", [1.5, -60])
def test_a_later_turn_begins_at_its_time(
    client: "SFNClient", begin: Begin, ended: threading.Event, seconds: float
) -> None:
    """STP-04, STP-05: at once if that has passed; in whatever time zone; a dead worker is replaced without a wait."""
    worker, began = Worker(DEAD, None), time.time()
    arn = begin(worker, moment(seconds))
    assert ended.wait(SECONDS)
    assert client.describe_execution(executionArn=arn)["status"] == "SUCCEEDED"
    assert worker.tasks == ["work 2"] * 2
    assert states(client, arn) == ["Sleep", "Work"]
    assert max(0, seconds) - 0.1 <= worker.began_at[0] - began < max(0, seconds) + 1


@pytest.mark.parametrize("is_later", [False, True])
def test_a_turn_that_fails_ends_the_run(
    client: "SFNClient", begin: Begin, ended: threading.Event, is_later: bool
) -> None:
    """RUN-27: a later one as the first."""
    worker = Worker({"errorType": "ValueError"}, None)
    arn = begin(worker, moment(-60) if is_later else None)
    assert ended.wait(SECONDS)
    assert client.describe_execution(executionArn=arn)["status"] == "FAILED"
    assert worker.tasks == (["work 2", "fail 2"] if is_later else ["work 0", "fail 0"])


def test_an_execution_that_is_stopped_while_it_sleeps_wakes_nobody(
    client: "SFNClient", begin: Begin, ended: threading.Event
) -> None:
    """STP-04."""
    worker = Worker(None)
    arn = begin(worker, moment(3_600))
    deadline = time.monotonic() + SECONDS
    while states(client, arn)[-1:] != ["Sleep"] and time.monotonic() < deadline:
        ended.wait(0.01)
    client.stop_execution(executionArn=arn, error="RunCanceled")
    assert client.describe_execution(executionArn=arn)["status"] == "ABORTED"
    assert worker.tasks == []
