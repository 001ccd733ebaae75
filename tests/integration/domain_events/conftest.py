from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.support.domain_events.deployment import Deployment
from tests.support.functions.deployment import configured


@pytest.fixture
def deployment(stack: Stack) -> Iterator[Deployment]:
    found = Deployment(stack)
    with configured(stack), found.aws.installed():
        yield found
