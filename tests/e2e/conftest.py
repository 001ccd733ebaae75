"""The whole product on this machine, started once for all end-to-end tests."""

from collections.abc import Iterator

import pytest

from ..stack_process import running


@pytest.fixture(scope="session")
def stack() -> Iterator[str]:
    """The base URL of `python -m local`."""
    with running() as url:
        yield url
