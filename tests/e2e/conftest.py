"""The whole product on this machine, started once for all end-to-end tests, and its users."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.support.stack.app import App, SignIn
from tests.support.stack.process import running


@pytest.fixture(scope="session")
def stack() -> Iterator[str]:
    """The base URL of `python -m local`."""
    with running() as url:
        yield url


@pytest.fixture
def sign_in(stack: str) -> Iterator[SignIn]:
    """Make clients of new users."""
    with ExitStack() as open_clients:

        def make(name: str, **claims: str) -> App:
            app = App(stack, f"{name}-{uuid.uuid4()}", **claims)
            open_clients.callback(app.http.close)
            return app

        yield make


@pytest.fixture
def alice(sign_in: SignIn) -> App:
    return sign_in("alice", locale="zh-CN", zoneinfo="Asia/Shanghai")
