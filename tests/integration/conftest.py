"""The table and the state machine of the template, made in moto within the test's own process."""

import os
from collections.abc import Iterator

import pytest
from moto import mock_aws

from local import environment, resources, template
from local.__main__ import TEMPLATE
from local.stack import Stack
from yarrow.settings import settings
from yarrow.store import clients


@pytest.fixture(scope="session")
def stack() -> Stack:
    """What the template says."""
    return template.load(TEMPLATE, {"OidcIssuer": "http://127.0.0.1:1/local", "OidcAudience": "yarrow"})


@pytest.fixture
def aws(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A fresh deployment of the template's state, and the variables its functions get."""
    variables = environment.of_functions(stack.functions.values())
    for name, value in (environment.isolated(os.environ) | variables).items():
        monkeypatch.setenv(name, value)
    _forget()
    with mock_aws():
        resources.create(stack)
        yield
    _forget()


def _forget() -> None:
    for made in (clients._session, clients._dynamodb, clients._step_functions):
        made.cache_clear()
    settings.__dict__.clear()
