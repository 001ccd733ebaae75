"""A policy allows a request only if a statement covers its method ARN and none denies it."""

from typing import Any

import pytest

from local.api_gateway.authorizer import allows

ARN = "arn:aws:execute-api:us-east-1:123456789012:local/live/GET/runs/7"
STAGE = "arn:aws:execute-api:us-east-1:123456789012:local/live"


def statement(effect: str, resource: str | list[str], action: str | list[str] = "execute-api:Invoke") -> dict[str, Any]:
    return {"Effect": effect, "Action": action, "Resource": resource}


@pytest.mark.parametrize(
    ("statements", "allowed"),
    [
        ([statement("Allow", ARN)], True),
        ([statement("Allow", f"{STAGE}/*/*")], True),
        ([statement("Allow", "*")], True),
        ([statement("Allow", f"{STAGE}/G?T/runs/?")], True),
        ([statement("Allow", ["other", f"{STAGE}/GET/*"])], True),
        ([statement("Allow", "*", "*")], True),
        ([statement("Allow", "*", ["s3:GetObject", "execute-api:*"])], True),
        (statement("Allow", ARN), True),
        ([], False),
        ([statement("Allow", f"{STAGE}/POST/*")], False),
        ([statement("Allow", f"{STAGE}/GET/runs")], False),
        ([statement("Allow", "*", "s3:GetObject")], False),
        ([statement("Deny", "*")], False),
        ([statement("Allow", "*"), statement("Deny", f"{STAGE}/GET/*")], False),
        ([statement("Allow", "*"), statement("Deny", f"{STAGE}/POST/*")], True),
    ],
)
def test_a_policy_allows_what_its_statements_say(statements: Any, allowed: bool) -> None:
    assert allows({"Version": "2012-10-17", "Statement": statements}, ARN) is allowed
