"""What operators are told of the runs that ended and of a day's users (EVB-12)."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.domain_events.deployment import Deployment
from yarrow.access import limits
from yarrow.observability.logs import user_of
from yarrow.protocol.caller import Caller
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.usage import TokenCounts
from yarrow.runs import get_operations
from yarrow.runs.get_operations import get_ended_runs, get_users_of_day, percentile
from yarrow.settings import settings
from yarrow.store import clock, run_hours, run_usage, table
from yarrow.store.webhooks import deliveries, webhooks

OPERATOR = Caller("olga", operates=True)
DAYS = {"from": "2026-11-26", "to": "2026-11-27"}


def told(caller: Caller = OPERATOR, **query: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(get_ended_runs(caller, query)))
    return document


def users(caller: Caller = OPERATOR, **query: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(get_users_of_day(caller, query)))
    return document


def end(key: str, at: str, how: run_hours.End = "run.completed", **more: Any) -> None:
    """Count a run that began four seconds before it ended at `at`, such as `27T12:30:04`."""
    times = {"created_at": f"2026-11-{at[:-1]}0.000+00:00", "ended_at": f"2026-11-{at}.000+00:00"}
    ids: dict[str, Any] = {"user_id": "alice", "thread_id": "t", "run_id": "r", "run_key": key, "sequence": 1}
    run = EndedRun(**(ids | {"agent": "a"} | times | more))
    assert run_usage.count(run, run_hours.writes(run, how))


def test_runs_are_told_by_hour_or_day_and_agent(deployment: Deployment) -> None:
    """EVB-12: a run of each end, in the hour in which it ended; days have the same sums."""
    end("k-1", "26T23:59:54")
    end("k-2", "27T00:00:04", "run.failed", code="RUN_LOST", job_id="j")
    end("k-3", "27T00:59:54", "run.canceled")
    end("k-4", "27T01:00:04", outcome="interrupt", agent="b")
    none = {"runs": 1, "completed": 0, "asked": 0, "failed": 0, "canceled": 0, "byJobs": 0}
    first, b_row = told(OPERATOR, **DAYS)["times"][0], told(OPERATOR, **DAYS)["times"][-1]
    assert first == {"at": "2026-11-26T23:00Z", "agent": "a"} | none | {"completed": 1}
    assert b_row == {"at": "2026-11-27T01:00Z", "agent": "b"} | none | {"asked": 1}
    by_day = told(OPERATOR, **DAYS, per="day")["times"]
    assert [(row["at"], row["agent"], row["runs"], row["byJobs"]) for row in by_day] == [
        ("2026-11-26", "a", 1, 0),
        ("2026-11-27", "a", 2, 1),
        ("2026-11-27", "b", 1, 0),
    ]
    assert told(to="2026-11-25")["times"] == []


def test_an_agent_has_its_failures_times_tokens_and_cost(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-12: over all days and shards, with the latest run of each code."""
    prices = {"models": {"m": {"input": 1, "output": 4}}, "currency": "EUR"}
    monkeypatch.setattr(settings, "model_prices", json.dumps(prices))
    used = (TokenCounts(model="m", input_tokens=1_000_000, output_tokens=250_000),)
    for number in range(20):
        end(f"k-{number}", "26T10:00:04", usage=used)
    end("early", "26T11:00:04", "run.failed", code="RUN_LOST")
    end("late", "27T11:00:04", "run.failed", code="RUN_LOST")
    end("other", "27T12:00:04", "run.failed", code="RUN_FAILED")
    page = told(OPERATOR, **DAYS)
    (agent,) = page["agents"]
    assert [(failure["code"], failure["count"], failure["latestRun"]) for failure in agent["failures"]] == [
        ("RUN_LOST", 2, "late"),
        ("RUN_FAILED", 1, "other"),
    ]
    assert sum(agent["duration"]["counts"]) == 23
    assert (agent["duration"]["p50"], agent["duration"]["p95"]) == (4_000, 4_000)
    (model,) = agent["models"]
    assert (model["model"], model["inputTokens"], model["cost"]) == ("m", 20_000_000, 40.0)
    assert (page["currency"], page["isWhole"]) == ("EUR", True)


def test_refusals_are_told_by_code_and_limit(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-12: each is counted once, of all users; one that cannot be counted is refused all the same."""
    monkeypatch.setattr(settings, "requests_per_minute", 1)

    def asks(user: str, times: int) -> int:
        refused: list[Problem] = []
        for _ in range(times):
            try:
                limits.count(user, "usage_reads")
            except Problem as problem:
                refused.append(problem)
        assert {(problem.status, problem.code.name) for problem in refused} == {(429, "AGENT_RATE_LIMIT")}
        return len(refused)

    expected = asks("alice", 5) + asks("bob", 4)
    assert expected > 2
    limits.refusal(Code.AGENT_RUN_LIMIT, "too many", params={"limit": 1})
    with monkeypatch.context() as patch:
        patch.setattr(table, "update_returning", _throttled)
        limits.refusal(Code.AGENT_RUN_LIMIT, "too many", params={"limit": 1})
    assert told()["limits"] == [
        {"code": "AGENT_RATE_LIMIT", "limit": "usage_reads", "count": expected},
        {"code": "AGENT_RUN_LIMIT", "count": 1},
    ]
    assert told(to="2026-11-20")["limits"] == []


def test_deliveries_that_wait_are_told_whatever_the_days(deployment: Deployment) -> None:
    """EVB-12: how many, and since when the oldest waits."""
    assert told()["waitingDeliveries"] == {"count": 0, "isWhole": True}
    webhook = webhooks.StoredWebhook("w", "ops", 1, "https://a.example/", ("run.completed",), "0", "", "")
    now = clock.now_iso()
    for number in range(3):
        event = {"id": f"e-{number}", "type": "run.completed", "timestamp": now, "data": {}}
        made = deliveries.create(webhook.id, event, f"user-{number}")
        attempt = deliveries.StoredAttempt(1, now, 9, 503)
        assert deliveries.record(webhook, made, attempt, "pending", now) is not None
    expected = {"count": 3, "since": now, "isWhole": True}
    assert told()["waitingDeliveries"] == told(to="2026-11-20")["waitingDeliveries"] == expected


def _throttled(*_: Any) -> None:
    raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}, "UpdateItem")


def test_the_log_group_is_told_where_there_is_one(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-12: so that a page can lead to the lines of a run."""
    assert "logGroup" not in told()
    monkeypatch.setattr(settings, "log_group", "/aws/vendedlogs/yarrow/functions")
    monkeypatch.setattr(settings, "region", "eu-west-1")
    assert told()["logGroup"] == {"region": "eu-west-1", "name": "/aws/vendedlogs/yarrow/functions"}


@pytest.mark.parametrize(
    ("counts", "percent", "expected"),
    [((), 50, None), ((0, 0, 0), 95, None), ((1, 1, 0), 50, 1), ((1, 1, 0), 51, 2), ((1, 1, 8), 95, None)],
)
def test_a_percentile_is_the_bound_of_its_bucket(counts: tuple[int, ...], percent: int, expected: int | None) -> None:
    """EVB-12: nothing is said of what is above all bounds."""
    assert percentile(counts, (1, 2), percent) == expected


def test_users_have_pseudonyms_and_one_is_found_by_the_subject(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-12, SEC-06: the server hashes the subject, and no page has an id; pages have each row once."""
    for user in ("alice", "bob", "carol"):
        for agent in ("a", "b"):
            end(f"{user}-{agent}", "27T12:00:04", user_id=user, agent=agent)
    monkeypatch.setattr(get_operations, "PAGE", 2)
    found: list[tuple[str, str]] = []
    after: dict[str, str] = {}
    for _ in range(3):
        page = users(OPERATOR, day="2026-11-27", **after)
        found += [(row["user"], row["agent"]) for row in page["users"]]
        assert not {"alice", "bob", "carol"} & set(json.dumps(page).split('"'))
        after = {"after": page.get("next", "")}
    assert sorted(found) == sorted((user_of(user), agent) for user in ("alice", "bob", "carol") for agent in ("a", "b"))
    assert not page["hasMore"]
    of_bob = users(day="2026-11-27", subject="bob")
    assert [(row["user"], row["agent"]) for row in of_bob["users"]] == [
        (user_of("bob"), row["agent"]) for row in of_bob["users"]
    ]
    assert {row["agent"] for row in of_bob["users"]} == {"a", "b"}
    assert users(day="2026-11-27", subject="bo")["users"] == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"per": "minute"}, 422),
        ({"from": "2026-11-20", "to": "2026-11-27"}, 422),
        ({"from": "2026-11-28", "to": "2026-11-27"}, 422),
        ({"to": "27"}, 422),
    ],
)
def test_a_bad_query_of_runs_is_refused(deployment: Deployment, query: dict[str, str], status: int) -> None:
    """EVB-12: also a longer range than seven days; others than operators are refused before."""
    for caller, expected in ((OPERATOR, status), (Caller("alice"), 403)):
        with pytest.raises(Problem) as refusal:
            told(caller, **query)
        assert refusal.value.status == expected


@pytest.mark.parametrize("query", [{"subject": ""}, {"subject": "a" * 129}, {"after": "x"}, {"day": "2026-02-30"}])
def test_a_bad_query_of_users_is_refused(deployment: Deployment, query: dict[str, str]) -> None:
    """EVB-12."""
    for caller, expected in ((OPERATOR, 422), (Caller("alice"), 403)):
        with pytest.raises(Problem) as refusal:
            users(caller, **query)
        assert refusal.value.status == expected
