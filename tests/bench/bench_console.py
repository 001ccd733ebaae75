"""The console in Chromium: what its first view takes, its longest task while a run of 20,000 deltas is shown, and how
far what is read moves while an answer streams (cumulative layout shift; 0.1 is good)."""

import uuid

import pytest

from tests.bench.row import Row
from tests.browser.console import Page, browsing
from tests.clients.scenes_stack import scenes_stack

DELTAS = 20_000
_OBSERVE = """
(() => {
  window.longTasks = [0];
  const note = (list) => longTasks.push(...list.getEntries().map((each) => each.duration));
  new PerformanceObserver(note).observe({ type: "longtask" });
  window.shifts = 0;
  const add = (list) => (shifts += list.getEntries().reduce((sum, each) => sum + each.value, 0));
  new PerformanceObserver(add).observe({ type: "layout-shift" });
})()
"""


def measure() -> list[Row]:
    """Kilobytes, and milliseconds that the page does not answer. Nothing where there is no browser."""
    try:
        with browsing() as browser, scenes_stack() as base:
            page = Page(browser, base)
            kilobytes = page.do("transferred") / 1_000
            page.sign_in()
            longest = {view: _longest_task(page, view) for view in ("glass", "reading")}
            shift = _shift(page)
    except pytest.skip.Exception as reason:
        print(f"the console is not measured: {reason}")
        return []
    return [
        Row("first view of the console", "kB sent", kilobytes),
        *(Row(f"longest task, {DELTAS:,} deltas in {view}", "ms", longest[view]) for view in longest),
        Row("layout shift while an answer streams", "", shift),
    ]


def _longest_task(page: Page, view: str) -> float:
    thread = str(uuid.uuid4())
    deltas = [{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "word "}] * DELTAS
    events = [{"type": "RUN_STARTED"}, *deltas, {"type": "RUN_FINISHED"}]
    page.do("stream", path=f"/api/v1/agent/runs/{thread}/events", events=events)
    page.do("value", expression=_OBSERVE)
    page.at(f"#/{view}/{thread}/run-1")
    if view == "glass":
        page.do("reads", text=f"{DELTAS + 2:,} events")
    else:
        page.sees("article [aria-busy=false]")
    return float(page.do("value", expression="Math.max(...longTasks)"))


def _shift(page: Page) -> float:
    page.at("#/talk")
    page.do("check", selector=".agents input[value=scenes]")
    page.do("fill", selector="#words", text="slowly")
    page.do("value", expression=_OBSERVE)
    page.do("press", selector="#words", key="Enter")
    page.do("reads", text="done")
    return float(page.do("value", expression="shifts"))
