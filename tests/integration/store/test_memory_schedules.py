"""The schedules in memory against moto's, call for call."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moto import mock_aws

from local.stack import REGION
from tests.support.effort import examples
from tests.support.memory_aws.aws import MemoryAws

pytestmark = pytest.mark.moto

GROUP = "jobs"
TARGET = {"Arn": "arn:aws:lambda:us-east-1:123456789012:function:f", "RoleArn": "arn:aws:iam::123456789012:role/r"}
CALLS = st.tuples(
    st.sampled_from(["create_schedule", "update_schedule", "get_schedule", "delete_schedule", "list_schedules"]),
    st.sampled_from(["job-a", "job-b", "other"]),
    st.sampled_from(["cron(0 8 * * ? *)", "cron(30 1 ? * MON *)"]),
)
COMPARED = ("GroupName", "Name", "ScheduleExpression", "ScheduleExpressionTimezone", "FlexibleTimeWindow")
"""Not the state, which moto loses in an update."""


def answers(calls: list[tuple[str, str, str]], prepare: Callable[[Any], object]) -> list[Any]:
    client: Any = boto3.client("scheduler", region_name=REGION)
    prepare(client)
    return [_answer(client, *call) for call in calls]


def _answer(client: Any, operation: str, name: str, expression: str) -> Any:
    if operation == "list_schedules":
        pages = client.get_paginator(operation).paginate(GroupName=GROUP, NamePrefix="job-")
        return sorted(schedule["Name"] for page in pages for schedule in page["Schedules"])
    more: dict[str, Any] = {}
    if operation in ("create_schedule", "update_schedule"):
        more = {
            "ScheduleExpression": expression,
            "ScheduleExpressionTimezone": "Europe/Berlin",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "Target": TARGET,
        }
    try:
        answer = getattr(client, operation)(GroupName=GROUP, Name=name, **more)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return answer.get("ScheduleArn") or {member: answer.get(member) for member in COMPARED}


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls=st.lists(CALLS, max_size=12))
def test_the_same_calls_have_the_same_answers(calls: list[tuple[str, str, str]]) -> None:
    with mock_aws():
        expected = answers(calls, lambda client: client.create_schedule_group(Name=GROUP))
    with MemoryAws().installed():
        assert answers(calls, lambda _: None) == expected
