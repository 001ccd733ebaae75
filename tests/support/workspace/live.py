"""Pages of the double over real WebSockets, to the local stack."""

import itertools
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from tests.support.stack.app import App
from tests.support.workspace.page import Page
from tests.support.workspace.rendering import WhitePageError

SECONDS = 30
_TAGS = itertools.count(1)
_changed = threading.Condition()
"""One for all pages, since what a test waits for may be that two pages show the same."""


def address_of(base: str, **query: str) -> str:
    """Return the workspace's address on the local stack."""
    return f"{base.replace('http', 'ws', 1)}/workspace?{urlencode(query)}"


def bearer_of(app: App) -> dict[str, str]:
    """What a native client sends when it connects."""
    return {"Authorization": str(app.http.headers["Authorization"])}


def ticket_of(app: App, task: str) -> dict[str, Any]:
    """What a browser's page asks for before it connects."""
    answer = app.http.post("/api/v1/workspace/tickets", json={"taskName": task})
    assert answer.status_code in (200, 201), answer.text
    ticket: dict[str, Any] = answer.json()
    return ticket


class LivePage(Page):
    """A page with a socket: frames are taken as they come, and a test waits for what it wants to see."""

    def __init__(self, app: App, task: str, language: str = "en") -> None:
        super().__init__(task, f"renderer-{next(_TAGS)}", language)
        self.app, self.base = app, str(app.http.base_url).rstrip("/")
        self.arrivals: list[float] = []
        """When each frame came, by `time.monotonic`."""
        self._socket: Connection | None = None
        self._closing = ExitStack()
        self._reader: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.hang_up()

    def dial(self, **query: str) -> Self:
        """Connect by bearer, with the page's own query and more."""
        self.open_at(address_of(self.base, **self.query, **query), bearer_of(self.app))
        return self

    def dial_with_ticket(self) -> Self:
        url = ticket_of(self.app, self.task)["url"]
        self.open_at(f"{url}&{urlencode(self.query)}", {})
        return self

    def open_at(self, url: str, headers: dict[str, str]) -> None:
        opening = connect(url, additional_headers=headers, open_timeout=SECONDS, max_size=None, proxy=None)
        self._closing = ExitStack()
        socket = self._closing.enter_context(opening)
        self._socket = socket
        self._reader = threading.Thread(target=self._read, args=(socket,), daemon=True)
        self._reader.start()
        with _changed:
            self.opened(socket.send)

    def hang_up(self) -> None:
        """The connection ends, as when a network goes."""
        if self._socket is not None:
            self._closing.close()
            assert self._reader is not None
            self._reader.join(SECONDS)
            self._socket = None

    def wait(self, what: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Wait until something holds of what the page shows; what it was."""
        limit = time.monotonic() + seconds
        with _changed:
            while not (seen := self._seen(what)):
                left = limit - time.monotonic()
                assert left > 0, f"not seen in {seconds} s: {self.frames[-3:]} {self.alerts} {self.faults}"
                _changed.wait(left)
            return seen

    def shows(self, text: str) -> None:
        """Wait until the active session shows a message with this text, and the agent thinks no more."""
        self.wait(
            lambda: any(text in str(message["content"]) for message in self.messages()) and not self.is_thinking()
        )

    def asks(self, question: str) -> dict[str, Any]:
        """Wait until the prompt has a question that is not answered; the question."""

        def pending() -> dict[str, Any] | None:
            for item in self.prompt().get("questions", []):
                if item["id"] == question:
                    return dict(item)
            return None

        found: dict[str, Any] = self.wait(pending)
        return found

    @staticmethod
    def _seen(what: Callable[[], Any]) -> Any:
        try:
            return what()
        except (KeyError, IndexError, RuntimeError):  # not there yet, or just being replaced
            return None

    def _read(self, socket: Connection) -> None:
        try:
            for frame in socket:
                with _changed:
                    self.arrivals.append(time.monotonic())
                    try:
                        self.receive(frame)
                    except WhitePageError as error:
                        self.faults.append(str(error))
                    _changed.notify_all()
        except ConnectionClosed as error:
            reason = error.rcvd.reason if error.rcvd else ""
        else:
            reason = ""
        with _changed:
            self.closed(reason)
            _changed.notify_all()
