"""The console in Chromium, as a user has it before them (`driver.mjs`)."""

import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.clients.front_ends import Browser
from tests.support.paths import ROOT
from tests.support.stack.browser import chromium, whole_chromium

INSTALLED = ROOT / ".cache" / "browser-tools"
DRIVER = Path(__file__).with_name("driver.mjs")
SPEECH = ROOT / "tests/speech/weather.wav"
PHONE = {"viewport": {"width": 360, "height": 740}, "isMobile": True, "hasTouch": True}


@contextmanager
def browsing(*, shows_notifications: bool = False) -> Iterator[Browser]:
    """Chromium; skips where something of it is missing. Its headless shell shows no notifications."""
    if shutil.which("node") is None:
        pytest.skip("needs Node 20 or newer")
    wanted, there = Path(__file__).with_name("package.json"), INSTALLED / "package.json"
    if not (INSTALLED / ".ready").exists() or there.read_text() != wanted.read_text():
        pytest.skip("needs axe-core and Playwright: make browser-tools")
    path = whole_chromium() if shows_notifications else chromium()
    command = ["node", str(DRIVER), str(INSTALLED), path, str(SPEECH)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield Browser(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()  # it closes the browser, and ends
            process.wait(timeout=20)


class Page:
    """The console in a browser of its own, on which `user` signs in."""

    def __init__(self, browser: Browser, base: str, *, language: str = "en", **options: Any) -> None:
        self._browser = browser
        self.base = base
        self.user = f"ada-{uuid.uuid4()}"
        self._faults: dict[str, list[str]] = {}
        self.do("open", url=f"{base}/", options={"locale": language, **options})

    def do(self, name: str, /, **options: Any) -> Any:
        return self._browser.do(name, **options)

    def click(self, name: str, role: str = "button") -> None:
        self.do("click", role=role, name=name)

    def sees(self, selector: str, text: str = "") -> str:
        """Wait until it is shown with this text in it; all its text."""
        return str(self.do("sees", selector=selector, text=text))

    def has(self, command: str, expected: object, **options: Any) -> None:
        """Wait until what a command of the driver reads is this: a page is drawn in parts, as answers and frames come.

        Raises:
            AssertionError: It was something else until a page's limit.
        """
        self.do("becomes", command=command, expected=expected, **options)

    def sign_in(self) -> None:
        """Sign in by the form of the local issuer."""
        self.do("click", selector=".welcome .primary")
        self.do("fill", selector="#name", text=self.user)
        self.do("click", selector="form button")
        self.sees("header .account")

    def cast(self, question: str) -> tuple[str, str]:
        """Cast by coins and return the reading's session and run."""
        self.do("fill", selector="#question", text=question)
        for _ in range(6):
            self.do("press", selector=".coins", key="Enter")
        self.do("click", selector=".submit button")
        self.sees("main.reading h1")
        _, _, thread, *_ = str(self.do("hash")).split("/")
        return thread, question

    def at(self, hash_: str) -> None:
        self.do("goto", url=f"{self.base}/{hash_}")

    def look(self, name: str, *, desktop: bool = False) -> None:
        """Note what axe-core finds in a view and whether it is too wide, in both themes; `check` fails for it."""
        self.sees("main h1")  # every view has one: before it there is no view yet
        self.do("look", theme="light", width=360)
        self._faults[f"{name} on a phone"] = self.do("faults")
        self.do("look", theme="dark")
        self._faults[f"{name} in the dark"] = self.do("faults", rules=["color-contrast"])
        if desktop:
            self.do("look", theme="light", width=1280)
            self._faults[f"{name} on a desktop"] = self.do("faults")

    def check(self, *forgiven: str) -> None:
        """`look` found nothing, nothing was asked of anyone else, and the page complains of nothing but these texts."""
        log = self.do("log")
        hosts = {
            urlsplit(request).hostname for request in log["requests"] if not request.startswith(("data:", "blob:"))
        }
        assert hosts <= {"127.0.0.1"}
        complaints = [complaint for complaint in log["complaints"] if not any(text in complaint for text in forgiven)]
        faults = {name: found for name, found in self._faults.items() if found}
        assert not complaints, complaints
        assert not faults, faults
