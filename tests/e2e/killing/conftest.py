"""The user of the runs that are killed, on the stack of each file."""

from collections.abc import Iterator

import pytest

from tests.support.stack.app import App


@pytest.fixture(scope="module")
def user(stack: str) -> Iterator[App]:
    """The user of all runs of a file; what one test leaves, another does not need."""
    app = App(stack, "alice")
    yield app
    app.http.close()
