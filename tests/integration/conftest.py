"""The template's state machine, in moto within the test's own process; its table, there and in DynamoDB Local."""

import functools
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
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
from tests.support.memory_aws.aws import table_in_memory
from tests.support.runners.scripted import Result, Scripted, Use, install

STORE = Path(__file__).with_name("store")


@pytest.fixture(scope="session")
def stack() -> Stack:
    """What the template says; jobs start at their time, as on the local stack."""
    parameters = {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow", "JobSpreadMinutes": "0"}
    return template.load(TEMPLATE, parameters)


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
    """Each test of the table runs on DynamoDB Local if it is there, else in memory; the store's own, on moto too."""
    chosen = any("dynamodb" in each.args for each in metafunc.definition.iter_markers("parametrize"))
    marked = {each.name for each in metafunc.definition.iter_markers()} & {"moto", "memory"}
    if "dynamodb" in metafunc.fixturenames and not chosen and not marked:
        engines = ["moto"] if metafunc.definition.path.is_relative_to(STORE) else []
        engines += ["memory"] if dynamodb_local.missing() else ["dynamodb_local"]
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
    """The endpoint of the engine that keeps the table; moto, or a table in memory, takes the place of AWS's own."""
    if getattr(request, "param", "moto") != "dynamodb_local":
        return f"https://dynamodb.{REGION}.amazonaws.com"
    endpoint: str = request.getfixturevalue("local_dynamodb")
    return endpoint


@pytest.fixture
def aws(stack: Stack, dynamodb: str, request: pytest.FixtureRequest) -> Iterator[None]:
    """A fresh deployment of the template's state, and the variables its functions get.

    Nothing here asks for its queues and its own schedules, which take as long to make as the rest.
    """
    engine = request.node.callspec.params.get("dynamodb") if hasattr(request.node, "callspec") else None
    in_memory = engine == "memory" or request.node.get_closest_marker("memory")
    tables = () if in_memory else stack.tables
    with configured(stack, AWS_ENDPOINT_URL_DYNAMODB=dynamodb), mock_aws():
        resources.create(replace(stack, tables=tables, queues=(), schedules=()))
        with table_in_memory() if in_memory else nullcontext():
            yield
        for table in tables:
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
