"""The template's state machine, in moto within the test's own process; its table, there and in DynamoDB Local."""

import functools
from collections.abc import Iterator
from threading import RLock
from typing import Any

import boto3
import botocore.session
import pytest
from moto import mock_aws
from moto.dynamodb.responses import DynamoHandler

from local import resources, template
from local.__main__ import TEMPLATE
from local.stack import REGION, Stack
from tests.engines import dynamodb_local
from tests.support.agui.app import App
from tests.support.functions.deployment import configured
from tests.support.log_lines import LogLines
from tests.support.runners.scripted import Result, Scripted, Use, install


@pytest.fixture(scope="session")
def stack() -> Stack:
    """What the template says."""
    return template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})


@pytest.fixture(scope="session", autouse=True)
def one_loader() -> Iterator[None]:
    """botocore reads AWS's models, megabytes of JSON, for each session; the tests make hundreds, and read them once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(botocore.session, "create_loader", functools.cache(botocore.session.create_loader))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_request_at_a_time() -> Iterator[None]:
    """moto does not keep transactions apart: one that is undone would undo what other threads wrote in the meantime."""
    turn = RLock()
    call_action = DynamoHandler.call_action

    def alone(handler: DynamoHandler) -> Any:
        with turn:
            return call_action(handler)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DynamoHandler, "call_action", alone)
        yield


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of the table runs on every engine there is; one that is marked `moto`, on moto alone."""
    chosen = any("dynamodb" in each.args for each in metafunc.definition.iter_markers("parametrize"))
    if "dynamodb" in metafunc.fixturenames and not chosen and not any(metafunc.definition.iter_markers("moto")):
        engines = ["moto"] if dynamodb_local.missing() else ["moto", "dynamodb_local"]
        metafunc.parametrize("dynamodb", engines, indirect=True, scope="session")


@pytest.fixture(scope="session")
def local_dynamodb() -> Iterator[str]:
    """The endpoint of DynamoDB Local."""
    if reason := dynamodb_local.missing():
        pytest.skip(reason)
    with dynamodb_local.running() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def dynamodb(request: pytest.FixtureRequest) -> str:
    """The endpoint of the engine that keeps the table; moto takes the place of AWS's own."""
    if getattr(request, "param", "moto") == "moto":
        return f"https://dynamodb.{REGION}.amazonaws.com"
    endpoint: str = request.getfixturevalue("local_dynamodb")
    return endpoint


@pytest.fixture
def aws(stack: Stack, dynamodb: str) -> Iterator[None]:
    """A fresh deployment of the template's state, and the variables its functions get."""
    with configured(stack, AWS_ENDPOINT_URL_DYNAMODB=dynamodb), mock_aws():
        resources.create(stack)
        yield
        for table in stack.tables:
            boto3.client("dynamodb").delete_table(TableName=table.definition["TableName"])


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Put a scripted runner in the place of every agent's own."""

    def put(*results: Result) -> Scripted:
        runner = Scripted(*results)
        install(monkeypatch, lambda: runner)
        return runner

    return put


@pytest.fixture
def app() -> App:
    """An AG-UI client."""
    return App()


@pytest.fixture
def log() -> Iterator[LogLines]:
    """What is logged."""
    with LogLines.captured() as lines:
        yield lines
