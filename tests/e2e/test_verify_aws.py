"""What verifies a deployment: it holds for the local stack, and says what does not hold."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest

from tests.support.stack.app import App
from tools import verify_aws
from tools.verify_aws import Deployment, DoesNotHold


class Answers:
    """A client of AWS that answers from a table: operations as they are called, pages as a list of one."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda **_: self._answers[name]() if callable(self._answers[name]) else self._answers[name]

    def get_paginator(self, name: str) -> Any:
        operation = getattr(self, name)
        return type("Pages", (), {"paginate": staticmethod(lambda **_: iter([operation()]))})


@dataclass
class Told(Deployment):
    """A deployment of which AWS says what `answers` has."""

    answers: dict[str, dict[str, Any]] = field(default_factory=dict)

    def aws(self, service: str) -> Any:
        return Answers(self.answers[service])


RESOURCES = {
    "StackResourceSummaries": [
        {"ResourceType": "AWS::CodeDeploy::Application", "PhysicalResourceId": "application"},
        {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": "yarrow-RepairSchedulesFunction-1X"},
        {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": "yarrow-SubmitRunFunction-1X"},
    ]
}


def told(status: str | None = "Succeeded", *, lines: bool = True, sums: tuple[int, ...] = (1, 2)) -> Told:
    latest = {} if status is None else {"lastAttemptedDeployment": {"status": status}}
    answers: dict[str, dict[str, Any]] = {
        "cloudformation": {"list_stack_resources": RESOURCES},
        "codedeploy": {
            "list_deployment_groups": {"deploymentGroups": ["one", "two"]},
            "get_deployment_group": {"deploymentGroupInfo": latest},
        },
        "logs": {
            "describe_log_groups": {"logGroups": [{"logGroupName": name} for name in ("functions", "executions")]},
            "describe_log_streams": {"logStreams": [{}] if lines else []},
        },
        "cloudwatch": {"get_metric_statistics": {"Datapoints": [{"Sum": count} for count in sums]}},
    }
    return Told("yarrow", {"LogGroup": "functions", "ExecutionLogGroup": "executions"}, "", answers=answers)


@pytest.fixture
def deployment(stack: str, alice: App) -> Told:
    """The local stack as an operator has a deployment; its scheduler is asked through the list of jobs."""
    token = str(alice.http.headers["Authorization"]).removeprefix("Bearer ")
    outputs = {
        "ApiUrl": f"{stack}/",
        "WorkspaceUrl": f"ws{stack.removeprefix('http')}/workspace",
        "JobSchedules": "jobs",
    }
    one = Told("yarrow", outputs, token)

    def schedules() -> dict[str, Any]:
        with one.yarrow() as yarrow:
            return {"Schedules": [{"Name": f"job-{job['id']}"} for job in yarrow.list_jobs()]}

    one.answers["scheduler"] = {"list_schedules": schedules}
    return one


AS_A_CLIENT = (
    verify_aws.a_run_ends,
    verify_aws.events_are_streamed,
    verify_aws.a_form_is_redirected,
    verify_aws.a_socket_is_authorized,
    verify_aws.a_job_is_scheduled,
)


def test_a_stack_that_works_holds_for_a_client(deployment: Told, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is left of it but the picture."""
    assert verify_aws.verify(deployment, AS_A_CLIENT), capsys.readouterr().out
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == len(AS_A_CLIENT)
    assert all(line.startswith("holds ") for line in shown)
    with deployment.yarrow() as yarrow:
        assert yarrow.list_jobs() == []
        assert yarrow.sessions()["messages"] == []


def test_a_stack_that_refuses_the_user_does_not_hold(deployment: Told, capsys: pytest.CaptureFixture[str]) -> None:
    """Each check says so, and the next one is made."""
    deployment.token = "of nobody"
    assert not verify_aws.verify(deployment, AS_A_CLIENT)
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == len(AS_A_CLIENT)
    assert all(line.startswith("FAILS ") for line in shown)
    assert "of nobody" not in "".join(shown)


def test_a_form_that_is_not_redirected_does_not_hold(deployment: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpx2, "post", lambda *_, **__: httpx2.Response(200, text="stored"))
    with pytest.raises(DoesNotHold, match="answered with 200: stored"):
        verify_aws.a_form_is_redirected(deployment)


def test_a_job_without_a_schedule_does_not_hold(deployment: Told) -> None:
    deployment.answers["scheduler"] = {"list_schedules": {"Schedules": []}}
    with pytest.raises(DoesNotHold, match="no schedule"):
        verify_aws.a_job_is_scheduled(deployment)
    with deployment.yarrow() as yarrow:
        assert yarrow.list_jobs() == []


def test_what_aws_says_holds() -> None:
    assert verify_aws.functions_were_deployed(told()) == "2 deployment groups"
    assert verify_aws.functions_were_deployed(told(None)) == "2 deployment groups"  # never changed since it was made
    assert verify_aws.logs_are_delivered(told()) == "functions has lines"
    assert verify_aws.the_sweep_has_run(told()) == "3 invocations in two days"


@pytest.mark.parametrize(
    ("check", "deployment_", "seen"),
    [
        (verify_aws.functions_were_deployed, told("Failed"), "the latest deployment of one is Failed"),
        (verify_aws.logs_are_delivered, told(lines=False), "no function has written"),
        (verify_aws.the_sweep_has_run, told(sums=()), "not invoked"),
    ],
)
def test_what_aws_says_does_not_hold(check: Callable[[Deployment], str], deployment_: Told, seen: str) -> None:
    with pytest.raises(DoesNotHold, match=seen):
        check(deployment_)


def test_a_missing_log_group_does_not_hold() -> None:
    deployment = told()
    deployment.answers["logs"]["describe_log_groups"] = {"logGroups": []}
    with pytest.raises(DoesNotHold, match="no log group functions"):
        verify_aws.logs_are_delivered(deployment)


def test_it_needs_a_token(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("YARROW_TOKEN", raising=False)
    assert verify_aws.main(["yarrow"]) == 2
    assert "YARROW_TOKEN" in capsys.readouterr().err
