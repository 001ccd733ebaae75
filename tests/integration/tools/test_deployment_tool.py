"""Which deployment an admin command is about: what its stack's outputs say, and what it says of other stacks."""

import json
import os

import boto3
import pytest
from botocore.exceptions import ClientError

from local.stack import REGION
from tools import deployment

NAMES = (
    "TABLE_NAME",
    "BUCKET_NAME",
    "STATE_MACHINE_ARN",
    "SCHEDULE_GROUP",
    "QUESTION_TIMERS",
    "POWERTOOLS_METRICS_DISABLED",
)


def stack(name: str, **outputs: str) -> None:
    template = {
        "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}},
        "Outputs": {output: {"Value": value} for output, value in outputs.items()},
    }
    boto3.client("cloudformation", region_name=REGION).create_stack(StackName=name, TemplateBody=json.dumps(template))


@pytest.fixture(autouse=True)
def environment(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command sets is unset after the test."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    for name in NAMES:
        monkeypatch.setenv(name, "of another deployment")


def test_a_command_works_on_what_the_outputs_of_its_stack_name() -> None:
    """SEC-07: its table, bucket and state machine, and nothing the shell happened to have; it counts no metrics."""
    named = {"TableName": "table-1", "BucketName": "bucket-1", "StateMachineArn": "arn:1", "JobSchedules": "jobs"}
    stack("mine", **named, QuestionTimers="timers", Other="x")
    deployment.use("mine")
    assert [os.environ[name] for name in NAMES] == ["table-1", "bucket-1", "arn:1", "jobs", "timers", "true"]


def test_a_stack_of_something_else_is_refused() -> None:
    """SEC-07: before anything is touched."""
    stack("other", TableName="table-1")
    with pytest.raises(LookupError, match="the stack other has no output BucketName"):
        deployment.use("other")
    with pytest.raises(ClientError):
        deployment.use("none")
    assert {os.environ[name] for name in NAMES} == {"of another deployment"}
