"""Workspace connections to the whole product: how they open, end and open again, and fifty at once."""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from socket import SHUT_RDWR

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stack.app import App
from tests.support.workspace.comparison import comparable
from tests.support.workspace.live import SECONDS, LivePage, address_of, bearer_of, ticket_of

TASK = "assistant"
USERS, PAGES = 10, 5
PATIENCE_SECONDS = 60


def status_of(url: str, headers: dict[str, str] | None = None) -> int:
    try:
        with connect(url, additional_headers=headers or {}, proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def kinds_until_snapshot(socket: Connection) -> list[str]:
    kinds: list[str] = []
    while "agent_state_snapshot" not in kinds:
        kinds.append(json.loads(socket.recv(timeout=SECONDS))["type"])
    return kinds


def init(socket: Connection) -> None:
    socket.send(json.dumps({"type": "agent_init", "taskName": TASK, "payload": {"language": "en", "model": ""}}))


def test_a_ticket_opens_one_connection(alice: App) -> None:
    """C52: It opens no further one, nor one of another task."""
    url = ticket_of(alice, TASK)["url"]
    assert status_of(url.replace(f"taskName={TASK}", "taskName=cast")) == 401
    assert status_of(url) == 101
    assert status_of(url) == 401
    assert status_of(f"{url}&clientTag=renderer-1") == 401


def test_a_page_reconnects_with_the_address_it_has(alice: App) -> None:
    """C52, C54, WSP-38: it says nothing when it is back, and is shown its sessions by itself."""
    url = ticket_of(alice, TASK)["url"]
    with connect(f"{url}&clientTag=renderer-1", proxy=None) as socket:
        init(socket)
        assert kinds_until_snapshot(socket)[-2:] == ["agent_session_list", "agent_state_snapshot"]
    for _ in range(2):
        with connect(f"{url}&clientTag=renderer-1", proxy=None) as socket:
            assert kinds_until_snapshot(socket) == ["agent_session_list", "agent_state_snapshot"]
    assert status_of(f"{url}&clientTag=renderer-2") == 401
    assert status_of(url) == 401


def test_a_native_client_sends_its_token(alice: App, stack: str) -> None:
    """SEC-04."""
    assert status_of(address_of(stack, taskName=TASK), bearer_of(alice)) == 101
    assert status_of(address_of(stack, taskName="nobody"), bearer_of(alice)) == 404
    assert status_of(address_of(stack, taskName=TASK), {"Authorization": "Bearer forged"}) == 401
    assert status_of(address_of(stack, taskName=TASK, ticket="t" * 43)) == 401
    assert status_of(address_of(stack, taskName=TASK)) == 401


def test_what_is_too_large_ends_the_connection_and_no_other(alice: App) -> None:
    """WSP-37: with 1009, after which the page is back."""
    with LivePage(alice, TASK) as page, LivePage(alice, TASK) as other:
        page.dial(taskName=TASK)
        other.dial(taskName=TASK)
        page.start()
        page.wait(lambda: page.state.active)
        with connect(
            address_of(page.base, taskName=TASK, clientTag="large"), additional_headers=bearer_of(alice), proxy=None
        ) as socket:
            kinds_until_snapshot(socket)
            socket.send("x" * (32 * 1024 + 1))
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(timeout=SECONDS)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        other.wait(lambda: any("too large" in message["content"] for message in other.messages()))
        page.create("after it")
        other.wait(lambda: [session for session in other.state.sessions if session["name"] == "after it"])


def test_a_connection_that_vanishes_holds_up_no_other(alice: App) -> None:
    """WSP-38, WSP-39: nobody says goodbye, and what the others do is shown to the others."""
    with LivePage(alice, TASK) as page, LivePage(alice, TASK) as other:
        page.dial(taskName=TASK)
        other.dial(taskName=TASK)
        page.start()
        page.wait(lambda: page.state.active)
        address = address_of(page.base, taskName=TASK, clientTag="gone")
        with connect(address, additional_headers=bearer_of(alice), proxy=None) as gone:
            kinds_until_snapshot(gone)
            gone.socket.shutdown(SHUT_RDWR)  # no close frame
        page.say("hello")
        for tab in (page, other):
            tab.wait(partial(_says, tab, page.state.active, "hello"))


def test_fifty_connections_lose_no_frame(stack: str) -> None:
    """WSP-21, WSP-39: ten users with five pages each, all at once; each page shows the same as the user's others."""
    with ExitStack() as here:

        def pages_of(number: int) -> list[LivePage]:
            app = App(stack, f"user-{number}-{uuid.uuid4()}")
            here.callback(app.http.close)
            pages = [here.enter_context(LivePage(app, TASK)) for _ in range(PAGES)]
            for page in pages:
                page.dial(taskName=TASK)
            return pages

        users = [pages_of(number) for number in range(USERS)]
        with ThreadPoolExecutor(USERS) as pool:
            for _ in pool.map(_work, users):
                pass


def _work(pages: list[LivePage]) -> None:
    """A message on one page and a session from each other; in the end all pages show the same, which is all of it."""
    first, *others = pages
    first.start()
    session = first.wait(lambda: first.state.active)
    first.say("hello", session)
    for number, page in enumerate(others):
        page.wait(partial(_names, page))
        page.create(f"of page {number}")
    names = {f"of page {number}" for number in range(len(others))}
    for page in pages:
        page.wait(partial(_shows, page, names, session), PATIENCE_SECONDS)
    for page in others:
        page.wait(partial(_is_like, page, first), PATIENCE_SECONDS)
    for page in pages:
        assert (page.faults, page.alerts) == ([], [])


def _says(page: LivePage, session: str, text: str) -> bool:
    return text in [message["content"] for message in page.messages(session)]


def _names(page: LivePage) -> set[str]:
    return {session["name"] for session in page.state.sessions}


def _shows(page: LivePage, names: set[str], session: str) -> bool:
    roles = [message["role"] for message in page.messages(session)]
    return names <= _names(page) and roles[-2:] == ["user", "assistant"] and not page.is_thinking(session)


def _is_like(page: LivePage, other: LivePage) -> bool:
    return comparable(page) == comparable(other)
