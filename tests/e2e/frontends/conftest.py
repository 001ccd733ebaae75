"""CopilotKit, assistant-ui and TanStack AI in Chromium, as their users set them up, against the local stack.

The assistant's model is in the test, so that each scene knows what it was asked, and how often.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.clients.front_ends import FRONT_ENDS, Browser, Open, Page, browsing, stack_with_model
from tests.support.models.server import ModelServer


@pytest.fixture(scope="package")
def served() -> Iterator[tuple[str, ModelServer]]:
    """Yield the stack's base URL, and its model."""
    with stack_with_model() as served:
        yield served


@pytest.fixture(scope="package")
def browser(served: tuple[str, ModelServer]) -> Iterator[Browser]:
    with browsing(served[0]) as browser:
        yield browser


@pytest.fixture
def model(served: tuple[str, ModelServer]) -> ModelServer:
    """The model, which has not been asked yet."""
    model = served[1]
    model.answers.clear()
    model.requests.clear()
    model.left.clear()
    return model


@pytest.fixture
def opened(browser: Browser, served: tuple[str, ModelServer]) -> Iterator[Open]:
    """Opens pages; what they asked for is checked in the end."""
    pages: list[Page] = []

    def opened(front: str, **settings: Any) -> Page:
        pages.append(Page(browser, served[0], front, **settings))
        return pages[-1]

    yield opened
    for page in pages:
        page.http.close()
    for page in pages:
        page.check()


@pytest.fixture(params=FRONT_ENDS)
def page(request: pytest.FixtureRequest, opened: Open) -> Page:
    return opened(request.param)
