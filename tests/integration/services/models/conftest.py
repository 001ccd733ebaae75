"""A provider on this machine, and the variables of a deployment that asks it for everything."""

import json
from collections.abc import Iterator

import pytest

from tests.support.models.provider_formats import SECRET, WIRES, Wire
from tests.support.models.server import ModelServer, serving
from yarrow.services.models import attempts
from yarrow.settings import settings
from yarrow.store import clients


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as server:
        yield server


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    return WIRES[request.param]


@pytest.fixture(autouse=True)
def deployment(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The logical ids are the names of the wires, `rank` and `offline`."""
    models = {name: wire.model for name, wire in WIRES.items()}
    variables = {
        "MODELS": json.dumps({**models, "rank": "bedrock-rerank:amazon.rerank-v1:0", "offline": None}),
        "OPENAI_BASE_URL": server.address,
        "OPENAI_API_KEY": SECRET,
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": server.address,
        "AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME": server.address,
        "AWS_DEFAULT_REGION": "us-west-2",
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": SECRET,
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(attempts, "FIRST_WAIT_SECONDS", 0.01)
    _forget()
    yield
    _forget()


def _forget() -> None:
    for made in (clients._session, clients._bedrock_runtime, clients._bedrock_agent_runtime):
        made.cache_clear()
    settings.__dict__.clear()
