from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.support.functions.deployment import configured
from tests.support.notifications.deployment import NotificationDeployment


@pytest.fixture
def deployment(stack: Stack) -> Iterator[NotificationDeployment]:
    found = NotificationDeployment()
    with configured(stack, REQUESTS_PER_MINUTE="0"), found.installed():
        yield found
