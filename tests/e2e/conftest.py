"""The whole product on this machine, started once for all end-to-end tests, and its users."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.stack.app import App, SignIn
from tests.support.stack.process import free_port, running
from tests.support.stack.scheduler_clock import SchedulerClock


@pytest.fixture(scope="session")
def internal_port() -> str:
    return free_port()


@pytest.fixture(scope="session")
def stack(internal_port: str) -> Iterator[str]:
    """Yield the base URL of `python -m local`."""
    with running(internal_port=internal_port) as url:
        yield url


@pytest.fixture
def scheduler_clock(stack: str, internal_port: str) -> SchedulerClock:
    return SchedulerClock(internal_port)


@pytest.fixture
def sign_in(stack: str) -> Iterator[SignIn]:
    with ExitStack() as open_clients:

        def make(name: str, **claims: str) -> App:
            app = App(stack, f"{name}-{uuid.uuid4()}", **claims)
            open_clients.callback(app.http.close)
            return app

        yield make


@pytest.fixture
def alice(sign_in: SignIn) -> App:
    return sign_in("alice", locale="zh-CN", zoneinfo="Asia/Shanghai")
