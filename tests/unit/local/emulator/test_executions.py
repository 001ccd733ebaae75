"""Executions are forgotten some time after they have ended."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from moto import mock_aws
from moto.core.config import default_user_config
from moto.stepfunctions.parser import models

from local.emulator import executions

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

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
    machine = client.create_state_machine(name="m", definition=WAIT, roleArn="arn:aws:iam::123456789012:role/m")
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
