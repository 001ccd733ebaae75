import json
from collections.abc import Callable, Iterator

import pytest

from functions.export_traces import app as export_app
from local.stack import Stack
from tests.support.domain_events.deployment import Deployment
from tests.support.functions.calls import Context
from tests.support.functions.deployment import configured
from tests.support.models.provider_formats import OpenAI
from tests.support.models.server import ModelServer
from tests.support.traces.receiver import Receiver, receiving
from yarrow.settings import settings

Export = Callable[[], list[str]]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def deployment(stack: Stack, receiver: Receiver) -> Iterator[Deployment]:
    found = Deployment(stack)
    with configured(stack, TRACES_ENDPOINT=receiver.url, RUNNER_SECRETS=""), found.aws.installed():
        yield found


@pytest.fixture
def chat(deployment: Deployment, provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """The provider of the model `chat`."""
    monkeypatch.setitem(settings.models, "chat", OpenAI().model)
    return provider


@pytest.fixture
def export(deployment: Deployment) -> Export:
    """Hand all events of runs so far to the function; returns the ids of the messages that are to come again."""

    def exported() -> list[str]:
        events = [event for event in deployment.published() if event["type"].startswith("run.")]
        records = [
            {"messageId": event["id"], "body": json.dumps({"source": "yarrow", "detail": event})} for event in events
        ]
        answer = export_app.handler({"Records": records}, Context("export_traces"))
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    return exported
