"""One stack and one browser for the console's tests."""

from collections.abc import Iterator

import pytest

from tests.browser.console import Page, browsing
from tests.clients.front_ends import Browser
from tests.clients.scenes_stack import scenes_stack


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="package")
def served(browser: Browser) -> Iterator[str]:
    """The base URL of a stack with the agent that plays scenes."""
    with scenes_stack() as url:
        yield url


@pytest.fixture
def page(browser: Browser, served: str) -> Page:
    """The console on a desktop, before anybody signs in."""
    return Page(browser, served)
