"""The console's view of what the user's runs have used, in Chromium."""

import time
import uuid
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from tests.browser.console import Page
from tests.clients.front_ends import Browser
from tests.support.stack.app import App
from tests.support.stack.runs import submit

TODAY = datetime.now(UTC).date().isoformat()


def counted(app: App, runs: int) -> dict[str, Any]:
    """What the service counts, once it has so many runs: it does so some seconds after they end."""
    until = time.monotonic() + 60
    while True:
        usage: dict[str, Any] = app.http.get("/api/v1/usage").raise_for_status().json()
        if sum(row["runs"] for row in usage["days"]) >= runs:
            return usage
        assert time.monotonic() < until, usage
        time.sleep(0.3)


def figure(page: Page, name: str) -> str:
    return page.sees(f".figures div:has(dt:text-is('{name}')) dd")


def test_what_runs_have_used_is_shown_by_day_agent_and_model(page: Page, served: str) -> None:
    """EVB-05: as the service counts it; before any run the view says that there is nothing."""
    page.sign_in()
    page.click("Usage", "link")
    page.sees(".used .empty", "Nothing was used")
    app = App(served, page.user)
    with closing(app.http):
        for number in range(2):
            submit(app, "assistant", str(uuid.uuid4()), f"run-{number}", "Tell me about tea")
        usage = counted(app, 2)
    rows = usage["days"]
    assert {row["agent"] for row in rows} == {"assistant"}
    page.do("reload")
    page.sees(".used table")
    assert figure(page, "Runs") == "2"
    for name, member in (("Input tokens", "inputTokens"), ("Output tokens", "outputTokens")):
        reported = [row[member] for row in rows if member in row]
        shown = figure(page, name).splitlines()[0]
        assert shown == (f"{sum(reported):,}" if reported else "–")
    page.sees("tbody th", "Assistant")
    left = usage["left"]
    for name, member in (("Tokens", "tokensToday"), ("Runs this minute", "runsThisMinute")):
        if member in left:
            assert figure(page, name)
    page.check()


def test_absent_numbers_money_and_a_limit_are_told_kindly(browser: Browser, served: str) -> None:
    """What nobody reported is a dash and not 0, and a model without a price is not free."""
    page = Page(browser, served)
    page.sign_in()
    priced = {"inputTokens": 1_200, "outputTokens": 300, "cachedInputTokens": 800, "cost": 0.0042}
    rows = [
        {"day": TODAY, "agent": "assistant", "model": "chat", "runs": 3, **priced},
        {"day": TODAY, "agent": "other", "model": "own", "runs": 1, "outputTokens": 50},
        {"day": TODAY, "agent": "divination", "runs": 2},
    ]
    page.do("refuse", path="/api/v1/usage", status=429, code="AGENT_RATE_LIMIT")
    page.at("#/usage")
    page.sees(".problem", "That was too much at once")
    usage = {"days": rows, "speech": [{"day": TODAY, "seconds": 90}], "left": {}, "currency": "EUR", "hasMore": False}
    page.do("answer", path="/api/v1/usage", document=usage)
    page.click("Try again")
    page.sees(".used table")
    assert figure(page, "Input tokens").split("\n") == ["1,200", "of them cached: 800"]
    assert figure(page, "Output tokens") == "350"
    assert figure(page, "Minutes of speech") == "1.5"
    assert figure(page, "Cost").split("\n") == ["€0.0042", "without models that have no price"]
    cells = [text.split() for text in page.do("texts", selector="table:first-of-type tbody tr td")]
    assert cells[:9] == [
        *(["3"], ["1,200", "in", "300", "out"], ["€0.0042"]),
        *(["1"], ["–", "in", "50", "out"], ["–"]),
        *(["2"], ["–"], ["–"]),
    ]
    page.has("value", 0, expression="document.querySelectorAll('#usage-left').length")
    page.do("click", selector=".used summary")
    page.look("usage", desktop=True)
    page.do("check", role="radio", name="90 days")
    page.sees(".used[aria-busy=false] figure:has(g:nth-of-type(90))")
    page.look("usage of ninety days", desktop=True)
    page.check("429")
