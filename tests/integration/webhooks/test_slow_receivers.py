"""Receivers that would keep the function that delivers: together they cost it the time of one attempt (EVB-04)."""

import socket
import time
from collections.abc import Iterator

import pytest

from tests.support.webhooks.deployment import OPERATOR, WebhookDeployment, event
from yarrow.outbound import posting
from yarrow.settings import settings
from yarrow.store.webhooks import deliveries
from yarrow.webhooks import deliver

SECONDS = 0.5


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the URL of a server that takes connections and never answers."""
    monkeypatch.setattr(posting, "SECONDS", SECONDS)
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


def test_a_batch_of_silent_receivers_takes_the_time_of_one(
    deployment: WebhookDeployment, monkeypatch: pytest.MonkeyPatch, silent: str
) -> None:
    """EVB-04: ten events, each for ten webhooks."""
    monkeypatch.setattr(deliver, "post", posting.post)
    monkeypatch.setitem(settings.__dict__, "webhooks_per_deployment", 10)
    made = [deployment.create(OPERATOR, f"{silent}{number}") for number in range(10)]
    deployment.publish(*map(event, range(10)))
    begun = time.monotonic()
    deployment.run(deployment.now)
    assert time.monotonic() - begun < 10 * SECONDS
    found = [delivery for webhook in made for delivery in deliveries.latest(webhook.id, 20, None)]
    assert len(found) == 100
    assert {delivery.attempts[0].error for delivery in found} == {"no answer within 0 seconds"}
    assert {delivery.status for delivery in found} == {"pending"}
