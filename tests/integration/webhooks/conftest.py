from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.webhooks.deployment import WebhookDeployment


@pytest.fixture
def deployment(stack: Stack) -> Iterator[WebhookDeployment]:
    found = WebhookDeployment()
    with configured(stack), found.installed():
        yield found
