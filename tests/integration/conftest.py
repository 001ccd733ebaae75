"""The template's state machine, in moto within the test's own process; its table, there and in DynamoDB Local."""

import functools
from collections.abc import Iterator
from pathlib import Path
from threading import RLock
from typing import Any

import botocore.session
import pytest
from moto.dynamodb.responses import DynamoHandler

from local import template
from local.__main__ import TEMPLATE
from local.stack import Stack
from tests.engines import dynamodb_local
from tests.support.agui.app import App
from tests.support.functions.deployment import MEMORY, Engine, emulated
from tests.support.log_lines import LogLines
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import ModelServer, serving
from tests.support.runners.scripted import Result, Scripted, Use, install
from yarrow.settings import settings

STORE = Path(__file__).with_name("store")


@pytest.fixture(scope="session")
def stack() -> Stack:
    """What the template says; jobs start at their time, as on the local stack."""
    parameters = {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow", "JobSpreadMinutes": "0"}
    return template.load(TEMPLATE, parameters | {"WebPushContact": "mailto:ops@example.com"})


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
    chosen = any("dynamodb" in marker.args for marker in metafunc.definition.iter_markers("parametrize"))
    marked = {marker.name for marker in metafunc.definition.iter_markers()} & {"moto", "memory"}
    if "dynamodb" in metafunc.fixturenames and not chosen and not marked:
        engines = ["moto"] if metafunc.definition.path.is_relative_to(STORE) else []
        engines += ["memory"] if dynamodb_local.missing() else ["dynamodb_local"]
        metafunc.parametrize("dynamodb", engines, indirect=True, scope="session")


@pytest.fixture(scope="session")
def local_dynamodb() -> Iterator[str]:
    if reason := dynamodb_local.missing():
        pytest.skip(reason)
    with dynamodb_local.running() as endpoint:
        yield endpoint


@pytest.fixture(scope="session")
def dynamodb(request: pytest.FixtureRequest) -> Engine:
    name = getattr(request, "param", "moto")
    if name == "dynamodb_local":
        return Engine(request.getfixturevalue("local_dynamodb"))
    return MEMORY if name == "memory" else Engine()


@pytest.fixture
def aws(stack: Stack, dynamodb: Engine, request: pytest.FixtureRequest) -> Iterator[None]:
    """A fresh deployment of the template's state, and the variables its functions get."""
    with emulated(stack, MEMORY if request.node.get_closest_marker("memory") else dynamodb):
        yield


@pytest.fixture(autouse=True)
def memory_is_meant(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table that is said to be in memory is not in moto, whose transactions copy all of it."""
    node = request.node
    engine = node.callspec.params.get("dynamodb") if hasattr(node, "callspec") else None
    if engine != "memory" and not node.get_closest_marker("memory"):
        yield
        return

    def refuse(_: DynamoHandler) -> Any:
        raise AssertionError("a call for a table in memory came to moto")

    # Not the test's own monkeypatch, which would then be undone after the fixtures that are undone before it now.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DynamoHandler, "call_action", refuse)
        yield


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
    return App()


@pytest.fixture
def log() -> Iterator[LogLines]:
    with LogLines.captured() as lines:
        yield lines


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Yield the provider of the model `reading`."""
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setitem(settings.models, "reading", OpenAI().model)
        yield server
