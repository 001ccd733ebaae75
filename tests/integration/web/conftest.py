"""The public API below its HTTP server, and a run in it."""

import pytest

from local.api_gateway.gateway import Gateway
from local.stack import Stack
from tests.support.divination_runs import end, submit
from tests.support.raw_requests import OpenHost


@pytest.fixture(scope="module")
def gateway(stack: Stack) -> Gateway:
    """Return the public API on the template's functions."""
    return Gateway(stack.api, OpenHost(stack))


@pytest.fixture
def ended_run(aws: None) -> None:
    """A run of the user's session, so that some requests name what is there. Its streams end at once."""
    end(submit().task_id)
