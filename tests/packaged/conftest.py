"""The packaged application, deployed once on the emulator."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.packaged import agents_layer
from tests.packaged.deployment import BUILD, Deployment, running
from tests.support.stack.app import App, SignIn


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--last-release", type=Path, help="the folder of the last release's package, as `sam build` leaves it"
    )


@pytest.fixture(scope="session")
def deployment() -> Iterator[Deployment]:
    with running("product") as started:
        layer = started.emulator.publish_layer("agents", agents_layer.packed())
        started.deploy(BUILD, AgentsLayer=layer)
        yield started


@pytest.fixture
def sign_in(deployment: Deployment) -> Iterator[SignIn]:
    with ExitStack() as open_clients:

        def make(name: str, **claims: str) -> App:
            app = deployment.sign_in(name, **claims)
            open_clients.callback(app.http.close)
            return app

        yield make


@pytest.fixture
def alice(sign_in: Callable[..., App]) -> App:
    return sign_in("alice", locale="zh-CN", zoneinfo="Asia/Shanghai")
