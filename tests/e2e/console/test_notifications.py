"""Notifications of the console in Chromium: offered, shown by its service worker, opened, and turned off.

Chromium has no push service here: the local stack's stands in for it, and what it gets is pushed to the worker.
"""

import uuid
from collections.abc import Iterator
from contextlib import closing
from operator import itemgetter
from typing import Any

import pytest

from tests.browser.console import Page, browsing
from tests.clients.front_ends import Browser
from tests.support.stack.app import App

DEVICES = "/api/v1/devices"

SUBSCRIBES = """
(() => {
  const KEY = "test.subscription";
  const made = (json) => json && {
    ...json,
    toJSON: () => json,
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return (await fetch(json.endpoint, { method: "DELETE" })).ok;
    },
  };
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 87) throw new TypeError("not a subscription");
    const kept = localStorage.getItem(KEY);
    const json = kept ?? (await (await fetch("/local/push-subscriptions", { method: "POST" })).text());
    localStorage.setItem(KEY, json);
    return made(JSON.parse(json));
  };
  PushManager.prototype.getSubscription = async () => made(JSON.parse(localStorage.getItem(KEY)));
})();
"""
"""`PushManager` with the local stack's push service."""

SHOWN = """navigator.serviceWorker.getRegistrations().then(async ([worker]) => {
  const shown = await worker?.getNotifications();
  const told = (shown ?? []).map(({ title, body, tag, data }) => [title, body, tag, data]);
  return told.sort(([, , one], [, , other]) => (one < other ? -1 : 1));
})"""
"""The notifications that the browser shows, by their sessions."""
LANGUAGE_OF_WORKER = """navigator.serviceWorker.getRegistrations().then(async ([{ scope }]) => {
  const cache = await caches.open("yarrow.notifications");
  const kept = await cache.match(new URL("words", scope).href);
  return (await kept?.json())?.lang ?? null;
})"""


@pytest.fixture(scope="module")
def whole_browser() -> Iterator[Browser]:
    with browsing(shows_notifications=True) as browser:
        yield browser


@pytest.fixture
def notified(whole_browser: Browser, served: str) -> Page:
    """A page that may notify, on which somebody has signed in."""
    page = Page(whole_browser, served)
    page.do("grant", permissions=["notifications"])
    page.do("script", source=SUBSCRIBES)
    page.do("reload")
    page.sign_in()
    return page


@pytest.fixture
def app(notified: Page, served: str) -> Iterator[App]:
    """The same user, by the API."""
    app = App(served, notified.user)
    with closing(app.http):
        yield app


def shows(page: Page, *notifications: list[str]) -> None:
    """Wait until the browser shows these notifications, and no others."""
    page.has("value", sorted(notifications, key=itemgetter(2)), expression=SHOWN)


def devices(app: App) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = app.http.get(DEVICES).json()["devices"]
    return found


def turn_on(page: Page) -> None:
    page.do("click", selector="nav a[href='#/inbox']")
    page.click("Turn on")
    page.do("reads", text="On: it tells you")


def message(thread: str, type_: str = "run.completed", **more: str) -> dict[str, str]:
    return {"type": type_, "threadId": thread, "runId": "run-1", "agent": "assistant", **more}


def test_notifications_are_turned_on_and_off_in_the_inbox(notified: Page, app: App) -> None:
    """EVB-07: the service has the device as long as they are on."""
    turn_on(notified)
    (device,) = devices(app)
    assert (device["kind"], device["whileWatched"], device["include"]) == ("web", True, [])
    notified.look("the inbox with notifications")
    notified.click("Turn off")
    notified.do("reads", text="Notifications in this browser\n\nOff")
    assert devices(app) == []
    assert notified.do("value", expression="localStorage.getItem('test.subscription')") is None
    notified.check()


def test_the_worker_shows_what_no_page_shows_and_a_new_message_replaces_an_earlier_one(notified: Page) -> None:
    """EVB-09: in the language of the page; of the content only what the message has."""
    turn_on(notified)
    thread, other = (str(uuid.uuid4()) for _ in range(2))
    notified.do("push", message=message(thread))
    shows(notified, ["Your answer is ready", "Yarrow", thread, f"#/talk/{thread}/run-1"])
    notified.do("push", message=message(thread, "interrupt.opened", question="Shall I send it?"))
    notified.do("push", message=message(other, agent="divination", answer="Do it."))
    earlier = [
        ["Shall I send it?", "Yarrow", thread, f"#/talk/{thread}/run-1"],
        ["Your answer is ready", "Do it.", other, f"#/reading/{other}/run-1"],
    ]
    shows(notified, *earlier)
    notified.do("choose", selector="header select", value="zh-CN")
    notified.has(
        "value", "zh-CN", expression=LANGUAGE_OF_WORKER
    )  # a page keeps its words for the worker in its own time
    third = str(uuid.uuid4())
    notified.do("push", message=message(third, "run.failed"))
    shows(notified, *earlier, ["出了问题，没有得到回答", "Yarrow", third, f"#/talk/{third}/run-1"])


def test_what_a_page_shows_is_not_shown_again(notified: Page) -> None:
    """EVB-09: by a page that is seen."""
    turn_on(notified)
    notified.do("click", selector="nav a[href='#/cast']")
    thread, _ = notified.cast("Shall I go?")
    notified.do("push", message=message(thread, agent="divination"))
    other = str(uuid.uuid4())
    notified.do("push", message=message(other))
    shows(notified, ["Your answer is ready", "Yarrow", other, f"#/talk/{other}/run-1"])


def test_signing_out_ends_the_notifications(notified: Page, app: App) -> None:
    """EVB-07: the next user of the browser must not see those of the last."""
    turn_on(notified)
    assert len(devices(app)) == 1
    notified.click("Sign out")
    notified.sees(".welcome")
    assert devices(app) == []


def test_a_browser_that_another_user_has_left_subscribes_anew(notified: Page, app: App, served: str) -> None:
    """EVB-07: its subscription is still that user's."""
    turn_on(notified)
    notified.do("value", expression="localStorage.removeItem('yarrow.notifications')")
    notified.click("Sign out")
    notified.user = f"ada-{uuid.uuid4()}"
    notified.sign_in()
    turn_on(notified)
    other = App(served, notified.user)
    with closing(other.http):
        (theirs,) = devices(other)
    assert theirs["id"] not in {device["id"] for device in devices(app)}


def test_one_is_asked_while_an_answer_is_written(notified: Page, app: App) -> None:
    """EVB-07: at the moment when it is of use, and told that it will be so."""
    notified.do("hold", parameter="runId")
    notified.do("click", selector="nav a[href='#/talk']")
    notified.do("fill", selector=".composer textarea, textarea", text="Hello")
    notified.click("Send")
    notified.click("Tell me when it is ready")
    notified.do("reads", text="This browser will tell you.")
    assert len(devices(app)) == 1
    notified.do("release")


def test_a_click_opens_the_run_in_the_page_that_is_there(notified: Page) -> None:
    """EVB-09: as the worker tells the page, which no test can have a person click outside of it."""
    turn_on(notified)
    thread = str(uuid.uuid4())
    notified.do("push", message=message(thread))
    shows(notified, ["Your answer is ready", "Yarrow", thread, f"#/talk/{thread}/run-1"])
    notified.do("notification_click")
    notified.has("hash", f"#/talk/{thread}/run-1")
    shows(notified)
