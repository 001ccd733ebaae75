"""The local stack with its table in Amazon's own DynamoDB Local, as `AWS_ENDPOINT_URL_DYNAMODB=… make run` has it."""

import uuid
from contextlib import closing

import boto3
import pytest

from local.stack import REGION
from tests.engines import dynamodb_local
from tests.support.stack.app import App
from tests.support.stack.process import running


def kinds(endpoint: str) -> set[str]:
    """The kinds of item that the one table of an engine holds."""
    session = boto3.session.Session("local", "local", region_name=REGION)
    with closing(session.client("dynamodb", endpoint_url=endpoint)) as dynamodb:
        (table,) = dynamodb.list_tables()["TableNames"]
        return {item["sk"]["S"].partition("#")[0] for item in dynamodb.scan(TableName=table)["Items"]}


def test_a_run_is_told_and_kept_by_the_given_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUN-01, RUN-20, EVT-05, EVT-27, HIS-01: submitted, watched, resumed and read back."""
    if reason := dynamodb_local.missing():
        pytest.skip(reason)
    thread = str(uuid.uuid4())
    with dynamodb_local.running() as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
        with running() as url:
            alice = App(url, "alice")
            with closing(alice.http):
                assert alice.submit(thread, "run-1").status_code == 202
                told = list(alice.watch(thread, "run-1"))
                assert told[-1][1] == "RUN_FINISHED"
                assert list(alice.watch(thread, "run-1", after=2)) == told[2:]
                assert [each["role"] for each in alice.history(threadId=thread)["messages"]] == ["user", "assistant"]
        assert kinds(endpoint) >= {"SESSION", "MESSAGE", "RUN", "INPUT", "EVENT"}
