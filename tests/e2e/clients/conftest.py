"""One stack for all clients, with the agent that plays scenes, and a bad network before it."""

from collections.abc import Iterator

import pytest

from tests.clients.dropping_proxy import DroppingProxy, dropping
from tests.clients.scenes_stack import scenes_stack


@pytest.fixture(scope="session")
def stack() -> Iterator[str]:
    with scenes_stack() as url:
        yield url


@pytest.fixture
def proxy(stack: str) -> Iterator[DroppingProxy]:
    """What cuts streams before it."""
    with dropping(stack) as server:
        yield server
