"""The console's connections to MCP servers, in Chromium: a user signs in on the server's page, and comes back."""

import json
import uuid
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlencode

import pytest

from tests.browser.console import Page
from tests.clients.front_ends import Browser
from tests.e2e.adapters.counted_runs import said, watched
from tests.support.stack.app import App
from tests.support.stack.mcp_sign_in import SignInStack, sign_in_stack
from tests.support.stack.runs import submit

ALL = "/api/v1/mcp-connections"
CALL = f"/call calc_add {json.dumps({'a': 1, 'b': 2})}"
NAMED = "nav.views a[href='#/connections']"
TRACES = "JSON.stringify([navigation.entries().map(({ url }) => url), { ...sessionStorage }, { ...localStorage }])"
"""All that the tab keeps of where it was."""


@pytest.fixture(scope="module")
def stack() -> Iterator[SignInStack]:
    with sign_in_stack() as stack:
        yield stack


@pytest.fixture
def page(browser: Browser, stack: SignInStack) -> Page:
    stack.fake.is_declining = False
    return Page(browser, stack.url)


def answered(app: App) -> str:
    """What a run says whose model calls the server's tool."""
    thread = str(uuid.uuid4())
    submit(app, "helper", thread, "run-1", CALL)
    return " ".join(said(watched(app, thread, "run-1")))


def returned(app: App, stack: SignInStack) -> str:
    """The address to which a browser of the app's user comes back."""
    begun = app.http.post(ALL, json={"agent": "helper", "server": "calc"}).raise_for_status().json()
    return f"{stack.url}/?{urlencode(stack.fake.authorize(begun['authorizationUrl']))}"


def keeps_nothing(page: Page) -> None:
    traces = str(page.do("value", expression=TRACES))
    assert "mcp-" not in traces
    assert "code-" not in traces
    assert "#/connections" in traces


def test_a_user_connects_from_a_question_goes_on_and_removes_the_connection(page: Page, stack: SignInStack) -> None:
    """MCP-01, ASK-01: the question leads to the view, its button to the server's page, and that one back; then the run
    goes on with the tool.
    """
    page.sign_in()
    page.at("#/talk")
    page.do("fill", selector="#words", text=CALL)
    page.do("press", selector="#words", key="Enter")
    page.do("click", selector="main.talk a[href='#/connections']")
    page.sees(".connection", "Not connected")
    page.sees(f"{NAMED} span")
    page.look("connections", desktop=True)
    page.click("Connect calc")
    page.sees(".told-of:not(:empty)", "“calc” is connected")
    page.sees(".connection:has(.standing.done)", "Connected since")
    page.has("hash", "#/connections")
    keeps_nothing(page)
    page.look("a connection", desktop=True)
    page.at("#/inbox")
    page.sees(".question-card", "Sign in to calc")
    page.click("Go on")
    page.sees(".question-card.done")
    page.at("#/connections")
    app = App(stack.url, page.user)
    with closing(app.http):
        assert "3" in answered(app)
        page.click("Remove calc")
        page.look("a connection is to be removed")
        page.click("Cancel")
        assert len(app.http.get(ALL).json()["connections"]) == 1
        page.click("Remove calc")
        page.click("Remove")
        page.sees(".told-of:not(:empty)", "is removed")
        page.sees(".connection:has(.standing.pending)")
        assert app.http.get(ALL).json()["connections"] == []
        assert len(stack.fake.revoked) == 1
        assert "Sign in to calc" in answered(app)
    page.check()


def test_a_call_without_a_sign_in_leads_to_the_view(page: Page) -> None:
    """By its code: whoever has said no may think better of it."""
    page.sign_in()
    page.at("#/talk")
    page.do("fill", selector="#words", text=CALL)
    page.do("press", selector="#words", key="Enter")
    page.sees(".question-card")
    page.click("No")
    page.click("No")
    page.sees("main.talk .call.failed")
    page.do("click", selector="main.talk a[href='#/connections']")
    page.sees(".connection", "Not connected")
    page.check()


def test_who_declines_is_told_so_and_may_try_again(page: Page, stack: SignInStack) -> None:
    stack.fake.is_declining = True
    page.sign_in()
    page.at("#/connections")
    page.click("Connect calc")
    page.sees(".problem", "declined")
    page.sees(".problem code", "MCP_SIGN_IN_REFUSED")
    keeps_nothing(page)
    page.look("a declined sign-in", desktop=True)
    stack.fake.is_declining = False
    page.click("Try again")
    page.sees(".connection:has(.standing.done)")
    page.check("409")


def test_a_return_of_another_user_connects_nobody(page: Page, stack: SignInStack) -> None:
    """It is kept while the page signs its user in again; then the one who began may no longer be lured."""
    page.sign_in()
    alice, mallory = App(stack.url, page.user), App(stack.url, f"mallory-{uuid.uuid4()}")
    with closing(alice.http), closing(mallory.http):
        page.do("goto", url=returned(mallory, stack))
        page.sees(".problem", "another user")
        page.sees(".connection", "Not connected")
        keeps_nothing(page)
        assert alice.http.get(ALL).json()["connections"] == mallory.http.get(ALL).json()["connections"] == []
    page.check("404")


def test_a_return_to_a_page_without_a_user_waits_for_one(page: Page, stack: SignInStack) -> None:
    """And is sent once: the page shown again says nothing of it."""
    app = App(stack.url, page.user)
    with closing(app.http):
        page.do("goto", url=returned(app, stack))
        page.sees(".welcome")
        page.sign_in()
        page.sees(".told-of:not(:empty)", "is connected")
        keeps_nothing(page)
        page.do("reload")
        page.sees(".connection:has(.standing.done)")
        page.has("texts", [], selector=".problem")
    page.check()


def test_the_navigation_leaves_out_what_no_agent_needs(browser: Browser, served: str) -> None:
    """Its address has the view, which says so."""
    page = Page(browser, served)
    page.sign_in()
    page.at("#/connections")
    page.sees(".empty", "No agent here")
    page.has("texts", [], selector=NAMED)
    page.check()
