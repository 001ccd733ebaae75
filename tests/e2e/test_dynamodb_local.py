"""The local stack with its table in Amazon's own DynamoDB Local, as `AWS_ENDPOINT_URL_DYNAMODB=… make run` has it."""

import uuid
from collections.abc import Iterator
from contextlib import closing

import boto3
import pytest

from local.stack import REGION
from tests.engines import dynamodb_local
from tests.support.stack.app import App
from tests.support.stack.process import running
from tests.support.workspace.live import LivePage


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Of the engine; skips where it is missing."""
    if reason := dynamodb_local.missing():
        pytest.skip(reason)
    with dynamodb_local.running() as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def stack(endpoint: str) -> Iterator[str]:
    with running(environment={"AWS_ENDPOINT_URL_DYNAMODB": endpoint}) as url:
        yield url


def kinds(endpoint: str) -> set[str]:
    """The kinds of item that the one table of an engine holds."""
    session = boto3.session.Session("local", "local", region_name=REGION)
    with closing(session.client("dynamodb", endpoint_url=endpoint)) as dynamodb:
        (table,) = dynamodb.list_tables()["TableNames"]
        return {item["sk"]["S"].partition("#")[0] for item in dynamodb.scan(TableName=table)["Items"]}


def test_a_run_is_told_and_kept_by_the_given_engine(endpoint: str, alice: App) -> None:
    """RUN-01, RUN-20, EVT-05, EVT-27, HIS-01: submitted, watched, resumed and read back."""
    thread = str(uuid.uuid4())
    assert alice.submit(thread, "run-1").status_code == 202
    events = list(alice.watch(thread, "run-1"))
    assert events[-1][1] == "RUN_FINISHED"
    assert list(alice.watch(thread, "run-1", after=2)) == events[2:]
    assert [message["role"] for message in alice.history(threadId=thread)["messages"]] == ["user", "assistant"]
    assert kinds(endpoint) >= {"SESSION", "MESSAGE", "RUN", "INPUT", "EVENT"}


def test_pages_are_shown_what_the_engines_stream_tells(alice: App) -> None:
    """WSP-21, WSP-39: The stream carries a page's session and answer to the user's other page."""
    with LivePage(alice, "assistant") as page, LivePage(alice, "assistant") as other:
        page.dial(taskName="assistant")
        other.dial(taskName="assistant")
        page.start()
        page.wait(lambda: page.state.active)
        page.say("hello")
        other.wait(lambda: [message["role"] for message in other.messages(page.state.active)][-1:] == ["assistant"])
        other.wait(lambda: not other.is_thinking(page.state.active))
