"""Any process of a stack with a data folder may be killed at any moment: what was acknowledged is there afterwards."""

import os
import random
import signal
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Final

import httpx
import pytest

from tests.support.effort import examples
from tests.support.stack.app import App, upload
from tests.support.stack.kept_stack import KeptStack
from tests.support.uploads import PNG

QUESTION: Final = '{"pieces": 4, "every": 0.05}'
USERS: Final = 2
PAUSE: Final = 0.1
VICTIMS: Final = ("stack", "emulator", "fork server", "sandbox", "emulator")
SECONDS: Final = 60


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptStack]:
    stack = KeptStack(tmp_path / "data")
    stack.start()
    yield stack
    stack.stop()


class Traffic:
    """Users who submit runs and upload files until they are stopped, and what they were told is there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._stopped = Event()
        self._pool = ThreadPoolExecutor(USERS)
        self.runs: list[tuple[str, str]] = []
        self.uploads: list[tuple[str, str, bytes]] = []
        self.answered = Event()
        names = [f"user-{uuid.uuid4()}" for _ in range(USERS)]
        self._users = [self._pool.submit(self._use, name) for name in names]

    def close(self) -> None:
        self._stopped.set()
        for user in self._users:
            user.result(SECONDS)
        self._pool.shutdown()

    def _use(self, name: str) -> None:
        steps: list[Callable[[App, str], None]] = [self._submit, self._upload]
        while not self._stopped.is_set():
            try:
                app = App(self._url, name, locale="en-US")
                with closing(app.http):
                    # Paced, since without a pause two users keep all processors busy; a run lasts for two rounds.
                    while not self._stopped.wait(PAUSE):
                        for step in steps:
                            step(app, name)
            except (httpx.HTTPError, KeyError, ValueError):
                self._stopped.wait(0.02)  # the stack is away

    def _submit(self, app: App, name: str) -> None:
        thread = str(uuid.uuid4())
        body = {
            "threadId": thread,
            "runId": "run-1",
            "state": {},
            "messages": [{"id": "m", "role": "user", "content": QUESTION}],
            "tools": [],
            "context": [],
            "forwardedProps": {"runtime_mode": "chat"},
        }
        if app.http.post("/api/v1/agent/runs", params={"agent": "pacer"}, json=body).status_code == 202:
            self.runs.append((name, thread))
            self.answered.set()

    def _upload(self, app: App, name: str) -> None:
        data = PNG + uuid.uuid4().bytes
        answer = upload(app, str(uuid.uuid4()), data)
        if answer.is_success:
            self.uploads.append((name, answer.json()["attachment"]["path"], data))


def check(stack: KeptStack, traffic: Traffic) -> None:
    """Every run has all its events, one of which is terminal; every upload has its bytes."""
    for name, thread in traffic.runs:
        app = App(stack.url, name)
        app.http.timeout = SECONDS
        with closing(app.http):
            events = list(app.watch(thread, "run-1"))
        assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
        kinds = [kind for _, kind, _ in events]
        assert [kind for kind in kinds if kind in ("RUN_FINISHED", "RUN_ERROR")] == kinds[-1:], kinds
    for name, path, data in traffic.uploads:
        with closing(App(stack.url, name).http) as http:
            query = {"bucket": "agent-inputs", "path": path}
            url = http.get("/api/v1/agent/attachments/signed-url", params=query).json()["url"]
            assert http.get(url).content == data


@pytest.mark.timeout(900)
def test_nothing_acknowledged_is_lost_whichever_process_is_killed(kept: KeptStack) -> None:
    """The stack itself, its emulator, what starts sandboxes, or a sandbox; `EFFORT=2` is ten rounds."""
    draw = random.Random()
    for number in range(examples(5)):
        victim = VICTIMS[number % len(VICTIMS)]
        with closing(Traffic(kept.url)) as traffic:
            assert traffic.answered.wait(SECONDS)
            Event().wait(draw.uniform(0, 1))
            os.kill(kept.process_of(victim), signal.SIGKILL)
            if victim in ("stack", "fork server"):
                assert kept.process is not None
                kept.process.wait(SECONDS)  # it ends rather than being half alive
                kept.stop()
                kept.start()
            traffic.answered.clear()
            assert traffic.answered.wait(SECONDS), f"nothing is answered after the {victim} was killed"
        check(kept, traffic)


def test_without_a_folder_the_stack_ends_with_its_emulator(tmp_path: Path) -> None:
    """And says why in its last line: it has lost everything."""
    stack = KeptStack(None, tmp_path / "log")
    stack.start()
    os.kill(stack.process_of("emulator"), signal.SIGKILL)
    assert stack.process is not None
    try:
        assert stack.process.wait(SECONDS) == 1
    finally:
        stack.stop()
    last = (tmp_path / "log").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "stopped: the emulator ended with exit code -9, and all data with it"
