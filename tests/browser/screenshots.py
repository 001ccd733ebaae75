"""Pictures of the console's views: phone and desktop, light and dark; empty, busy, failed, long.

`python -m tests.browser.screenshots <folder>` starts a local stack of its own.
"""

import sys
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from tests.browser.console import PHONE, Page, browsing
from tests.clients.front_ends import Browser
from tests.clients.scenes_stack import scenes_stack
from tests.support.stack.app import App, cancel
from tests.support.stack.runs import submit

QUESTIONS = {
    "en": "Should I change my job this spring?",
    "zh-CN": "我儿子这次考试能考上吗？",
    "zh-TW": "今年換工作合適嗎？",
}
MARKDOWN = """Three ways:

1. **Ask** first
2. then *wait*

| month | what |
|---|---|
| May | `cast` |

```sh
make run
```"""
CALENDAR = '/call calendar_write {"title": "Standup", "starts_at": "2026-12-01T09:00:00", "event_timezone": "UTC"}'

LOOKS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "phone-light": ("zh-TW", {**PHONE, "colorScheme": "light"}),
    "phone-dark": ("zh-CN", {**PHONE, "colorScheme": "dark"}),
    "desktop-light": ("en", {"viewport": {"width": 1280, "height": 860}, "colorScheme": "light"}),
    "desktop-dark": ("en", {"viewport": {"width": 1280, "height": 860}, "colorScheme": "dark"}),
}
USERS = dict(zip(LOOKS, ("Ada", "Grace", "Alan", "Barbara"), strict=True))


class Album:
    """One look of every view, in the order a newcomer comes to them."""

    def __init__(self, browser: Browser, base: str, look: str, folder: Path) -> None:
        self._language, options = LOOKS[look]
        self._look, self._folder, self._number = look, folder, 0
        self._page = Page(browser, base, language=self._language, **options)
        self._page.user = USERS[look]
        self._base = base

    def take(self, name: str) -> None:
        self._number += 1
        self._page.do("picture", path=str(self._folder / f"{self._look}-{self._number:02}-{name}.png"))

    def all(self) -> None:
        page = self._page
        self.take("welcome")
        page.do("click", selector=".welcome .primary")
        page.sees("#name")
        self.take("sign-in")
        page.do("fill", selector="#name", text=page.user)
        page.do("click", selector="form button")
        page.sees("header .account")
        self._empty()
        self._readings()
        self._talk()
        self._inbox()
        self._workspace()
        self._jobs()
        with self._waiting() as thread:
            self._busy(thread)
        self._failed()

    def _empty(self) -> None:
        page = self._page
        self.take("cast-empty")
        page.at("#/history")
        page.sees(".empty")
        self.take("history-empty")
        page.at("#/talk")
        page.sees(".composer")
        self.take("talk-empty")
        page.at("#/jobs")
        page.sees(".empty")
        self.take("jobs-empty")
        page.at("#/glass")
        page.sees("form.ids")
        self.take("glass-empty")
        page.at("#/cast")

    def _readings(self) -> None:
        page, question = self._page, QUESTIONS[self._language]
        page.do("fill", selector="#question", text=question)
        for _ in range(4):
            page.do("press", selector=".coins", key="Enter")
        self.take("cast-coins")
        page.at("#/history")
        page.at("#/cast")
        thread, _ = page.cast(question)
        page.sees(".whole")
        page.do("click", selector=".plate .hit")
        self.take("reading")
        page.do("click", selector=".whole details summary")
        page.do("fill", selector="#on", text=question)
        page.do("press", selector="#on", key="Enter")
        page.do("sees", selector="article", nth=1)
        page.sees(".asking-on")
        self.take("reading-long")
        for number in range(3):
            page.at("#/cast")
            page.cast(f"{question * 4} {number}"[:300])
            page.sees(".whole")
        page.at("#/history")
        page.do("sees", selector=".entry", nth=3)
        self.take("history-long")
        page.do("click", selector=".entry button")
        page.sees(".offer button")
        self.take("history-undo")
        page.do("click", selector=".offer button")
        page.at(f"#/glass/{thread}")
        page.do("click", selector=".entry a")
        page.sees(".state.ended")
        page.do("click", selector=".event button", nth=2)
        self.take("glass-run")

    def _talk(self) -> None:
        page = self._page
        page.at("#/talk")
        for number, text in enumerate((MARKDOWN, CALENDAR), 1):
            page.do("fill", selector="#words", text=text)
            page.do("press", selector="#words", key="Enter")
            page.do("sees", selector="article[aria-busy=false]", nth=number - 1)
        page.sees(".schema")
        page.do("click", selector=".call summary")
        page.do("fill", selector="#words", text='/call confirm_action {"action": "Delete 15 files"}')
        page.do("press", selector="#words", key="Enter")
        page.sees(".confirm")
        self.take("talk-long")

    def _inbox(self) -> None:
        page = self._page
        page.at("#/inbox")
        page.sees(".empty")
        self.take("inbox-empty")
        app = App(self._base, page.user)
        with closing(app.http):
            for kind in ("yes", "text", "choice", "form"):
                thread = str(uuid.uuid4())
                submit(app, "scenes", thread, "run-1", f"ask for a {kind}")
                list(app.watch(thread, "run-1"))
        page.do("reload")
        page.do("sees", selector=".question-card", nth=3)
        self.take("inbox-open")
        page.do("click", selector=".question-card form button.primary")
        page.sees(".fault")
        page.do("click", selector=".question-card:has(> .buttons) .primary")
        page.sees(".question-card.done")
        self.take("inbox-answered")

    def _workspace(self) -> None:
        page = self._page
        page.at("#/workspace/cast")
        page.sees(".panel .answer, .panel button")
        self.take("workspace-begun")
        if self._language != "en":
            return
        page.click("You throw the coins for me")
        page.click("Career")
        page.do("fill", selector=".panel .answer input", nth=1, text=QUESTIONS["en"])
        page.do("press", selector=".panel .answer input", nth=1, key="Enter")
        page.sees(".panel a[download]")
        self.take("workspace-done")

    def _jobs(self) -> None:
        page = self._page
        page.at("#/jobs/new")
        page.do("fill", selector="#title", text="Morning")
        page.do("fill", selector="#text", text="What is on {{date}}?")
        page.do("choose", selector="#type", value="weekly")
        self.take("jobs-form")
        page.do("press", selector="#title", key="Enter")
        page.sees(".job-runs .empty")
        page.do("click", selector="main button.primary")
        page.sees(".standing.finished")
        self.take("jobs-job")
        page.at("#/jobs")
        page.sees("main a[href*=jobs]")
        self.take("jobs-list")

    @contextmanager
    def _waiting(self) -> Iterator[str]:
        app, thread = App(self._base, self._page.user), str(uuid.uuid4())
        with closing(app.http):
            submit(app, "scenes", thread, "run-1", "wait")
            yield thread
            cancel(app, thread)

    def _busy(self, thread: str) -> None:
        page = self._page
        page.at(f"#/reading/{thread}/run-1")
        page.do("reads", text="Waiting")
        self.take("reading-busy")
        page.at(f"#/glass/{thread}/run-1")
        page.do("reads", text="TEXT_MESSAGE_CONTENT")
        page.do("click", selector=".switch")
        page.sees(".state.cut")
        self.take("glass-cut")

    def _failed(self) -> None:
        page = self._page
        page.at(f"#/reading/{uuid.uuid4()}")
        page.sees(".problem")
        self.take("reading-failed")
        page.do("refuse", path="/api/v1/agent/history", status=503, code="SERVICE_UNAVAILABLE")
        page.at("#/history")
        page.sees(".problem")
        self.take("history-failed")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with scenes_stack() as base, browsing() as browser:
        for look in LOOKS:
            Album(browser, base, look, folder).all()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
