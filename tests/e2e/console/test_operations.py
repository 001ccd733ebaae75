"""The console's page for operators, in Chromium."""

import uuid
from contextlib import closing
from typing import Any

from tests.browser.console import Page
from tests.clients.front_ends import Browser
from tests.support.stack.app import App
from tests.support.stack.runs import submit

ENTRIES = "header nav a"


def test_only_an_operator_is_asked_for_the_scope_and_shown_the_page(page: Page, served: str) -> None:
    """EVB-12: a user's sign-in asks for no more than before; the page leads an operator to one that does."""
    app = App(served, f"user-{uuid.uuid4()}")
    with closing(app.http):
        submit(app, "assistant", str(uuid.uuid4()), "run-1", "Tell me about tea")
    page.sign_in()
    assert "Operations" not in page.do("texts", selector=ENTRIES)
    page.at("#/operations")
    page.sees("main .problem", "for operators")
    page.look("the page of others")
    log = page.do("log")["requests"]
    assert not [request for request in log if "/api/v1/operations/" in request or "operate" in request]
    page.click("Sign in as an operator")
    page.sees(".used .figures, .used > .empty")
    page.sees(f"{ENTRIES}:has-text('Operations')")
    page.has("hash", "#/operations")
    page.do("reload")
    page.sees(".used .figures, .used > .empty")
    page.do("fill", selector="#operations-subject", text="nobody")
    page.click("Find")
    page.sees("section .empty", "did not end on this day")
    page.check()


def runs_told() -> dict[str, Any]:
    counts = {"completed": 90, "asked": 4, "failed": 5, "canceled": 1}
    long = "an-agent-with-a-long-name-of-its-own"
    times = [
        {"at": "2026-11-28T14:00Z", "agent": "assistant", "runs": 100, "byJobs": 30, **counts},
        {"at": "2026-11-28T15:00Z", "agent": long, "runs": 1, "byJobs": 0, **dict.fromkeys(counts, 0), "failed": 1},
    ]
    run = str(uuid.UUID(int=7))
    model = {"model": "chat", "inputTokens": 1_200_000, "outputTokens": 300, "cost": 12.5}
    failures = [{"code": "AGENT_TOKEN_LIMIT", "count": 5, "latestRun": run}]
    agents = [
        {"agent": "assistant", "failures": failures, "models": [model]},
        {"agent": long, "failures": [{"code": "RUN_LOST", "count": 1, "latestRun": run}], "models": []},
    ]
    measured = {"firstEvent": {"counts": [60, 39, 1]}, "duration": {"counts": [0, 0, 1]}}
    return {
        "times": times,
        "agents": [{**agent, **measured} for agent in agents],
        "firstEventBounds": [250, 500],
        "durationBounds": [1_000, 2_000],
        "limits": [
            {"code": "AGENT_RATE_LIMIT", "limit": "usage_reads", "count": 1234},
            {"code": "AGENT_RUN_LIMIT", "count": 2},
        ],
        "waitingDeliveries": {"count": 1234, "since": "2026-11-28T13:00:00Z", "isWhole": True},
        "logGroup": {"region": "eu-west-1", "name": "/aws/vendedlogs/yarrow/functions"},
        "currency": "EUR",
        "isWhole": False,
    }


def test_ends_failures_times_money_and_users_are_shown(browser: Browser, served: str) -> None:
    """EVB-12: on a phone and a desktop, light and dark; a subject is sent to the service alone."""
    page = Page(browser, served)
    page.sign_in()
    page.at("#/operations")
    page.do("answer", path="/api/v1/operations/runs", document=runs_told())
    users = [{"user": f"{number:012x}", "agent": "assistant", "model": "chat", "runs": number} for number in range(3)]
    told = {"day": "2026-11-28", "users": users, "currency": "EUR", "hasMore": True, "next": "next"}
    page.do("answer", path="/api/v1/operations/users", document=told)
    failing = {"id": "w", "url": "https://hooks.example/in", "events": ["run.completed"], "status": "active"}
    hooks = [failing | {"failingSince": "2026-11-28T14:00:00Z"}, failing | {"id": "v", "status": "disabled"}]
    page.do("answer", path="/api/v1/webhooks", document={"webhooks": hooks})
    page.click("Sign in as an operator")
    figures = page.sees(".figures").split("\n")
    assert figures[:3] == ["Runs", "101", "of them by jobs: 30"]
    assert figures[figures.index("Failed") :][:3] == ["Failed", "6", "5.9% of all"]
    assert "€12.50" in figures
    page.sees(".note", "some sums are too low")
    page.has("value", 24, expression="document.querySelectorAll('.chart g').length")
    page.sees("#operations-webhooks")
    page.sees("#operations-users ~ table")
    page.sees(".used tbody tr:has-text('Assistant')")  # names of agents come later than figures
    tables = [text.split("\n") for text in page.do("texts", selector=".used tbody")]
    by_agent, failures, models, limits, webhooks, _ = tables
    assert " ".join(" ".join(limits).split()) == "AGENT_RATE_LIMIT usage_reads 1,234 AGENT_RUN_LIMIT 2"
    assert " ".join(webhooks).count("hooks.example") == 2
    assert "fail since 11/28/26" in " ".join(webhooks)
    page.sees("section[aria-labelledby=operations-webhooks] > p", "1,234, the oldest since 11/28/26")
    address = page.do("value", expression="document.querySelector('.run-key ~ a').href")
    assert address.startswith("https://eu-west-1.console.aws.amazon.com/cloudwatch/")
    assert " ".join(by_agent[0].split()) == "Assistant 100 5 ≤ 0.25 s ≤ 0.5 s > 2 s > 2 s"
    assert "AGENT_TOKEN_LIMIT" in failures[0]
    assert "1.2M in" in " ".join(models)
    page.click("More users")
    page.sees("section:last-of-type tbody tr:nth-of-type(6)")
    tops = f"new Set([...document.querySelectorAll('{ENTRIES}')].map((link) => link.getBoundingClientRect().top)).size"
    for language in ("en", "zh-TW"):
        page.do("choose", selector=".languages select", value=language)
        page.sees(f"html[lang={language}] header")
        for width in (800, 1200, 1440):
            page.do("look", theme="light", width=width)
            page.has("value", 1, expression=tops)
    page.look("operations", desktop=True)
    page.check()
