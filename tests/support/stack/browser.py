"""A page of another origin in Chromium: it is given a task, and tells what came of it."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

_ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_ARGUMENTS += ["--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions"]


def chromium() -> str:
    """Where Chromium is, its headless shell if there: the whole browser takes half as long again. Skips without."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell")
    return found


def whole_chromium() -> str:
    """Where the whole of Chromium is. Skips without."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("needs all of Chromium, for notifications: apt-get install chromium")
    return found


def report_of(files: Mapping[str, tuple[str, Path]], task: Any, profile: Path, seconds: float) -> Any:
    """What the page at `/` among these files posts to `/told`, given the task; skips where there is no Chromium."""
    command = [chromium(), *_ARGUMENTS, f"--user-data-dir={profile}"]
    with _serving(files, task) as (url, answers):
        browser = subprocess.Popen(
            [*command, url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return answers.get(timeout=seconds)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()


@contextmanager
def _serving(files: Mapping[str, tuple[str, Path]], task: Any) -> Iterator[tuple[str, Queue[Any]]]:
    """The page's address, on another origin than the stack's, and what it posts."""
    answers: Queue[Any] = Queue()

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/task":
                self._answer("application/json", json.dumps(task).encode())
            elif self.path in files:
                kind, path = files[self.path]
                self._answer(kind, path.read_bytes())
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self._answer("text/plain", b"")

        def _answer(self, kind: str, content: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        serving.start()
        try:
            yield f"http://localhost:{server.server_address[1]}/", answers
        finally:
            server.shutdown()
            serving.join()
