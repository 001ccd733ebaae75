"""What tests of the AG-UI door share."""

import pytest

from tests.support.agui.app import App
from tests.support.agui.conversation import Client
from tests.support.runners.scripted import Use


@pytest.fixture
def client(app: App, use: Use) -> Client:
    return Client(app, use)
