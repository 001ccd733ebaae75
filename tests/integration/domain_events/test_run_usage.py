"""What runs have used, counted from the table's stream, and as users and operators are told it (EVB-05)."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.divination_runs import end, execute, submit
from tests.support.domain_events.deployment import Deployment
from tests.support.models.provider_formats import USAGE, OpenAI
from tests.support.models.server import ModelServer
from tests.support.runners.asking import Asker, answered, interrupts_of
from tests.support.runners.scripted import install
from yarrow.domain_events import publish_events
from yarrow.protocol.caller import Caller
from yarrow.protocol.domain_events import EndedRun
from yarrow.protocol.problems import Problem
from yarrow.protocol.response_body import to_json
from yarrow.protocol.runner.api import ModelMessage
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.protocol.usage import TokenCounts
from yarrow.runs import end_run, get_usage
from yarrow.settings import settings
from yarrow.store import clock, run_usage, runs, table
from yarrow.store.limits import usage
from yarrow.web import api_keys

ALICE, BOB = Caller("alice"), Caller("bob")
OPERATOR = Caller("olga", operates=True)
COUNTS = ("runs", "inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens", "cacheWriteInputTokens")


def told(caller: Caller = ALICE, **query: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_json(get_usage.get_usage(caller, query)))
    return document


def sums(rows: list[Mapping[str, Any]]) -> Counter[str]:
    return sum((Counter({name: row.get(name, 0) for name in COUNTS}) for row in rows), Counter())


def ended(number: int, user: str = "alice", day: str = "2026-11-27", agent: str = "a", **more: Any) -> EndedRun:
    at = f"{day}T12:00:00.000+00:00"
    ids: dict[str, Any] = {
        "user_id": user,
        "thread_id": "t",
        "run_id": "r",
        "run_key": f"{user}-{day}-{agent}-{number}",
    }
    return EndedRun(**ids, agent=agent, sequence=1, created_at=at, ended_at=at, **more)


async def _ask(api: AgentRunAPIProxy, text: str = "a") -> None:
    await api.models.invoke("reading", [ModelMessage(role="user", content=text)])


def test_the_sums_are_what_the_provider_counted(
    deployment: Deployment, provider: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVB-05: over runs that finish, ask and go on, fail, are cancelled, and whose first worker died."""
    answers = 0

    def begin(act: Any, run_id: str) -> str:
        install(monkeypatch, lambda: Asker(act))
        return submit(runId=run_id).task_id

    def will(count: int) -> None:
        nonlocal answers
        answers += count
        provider.will(*(OpenAI().whole("one") for _ in range(count)))

    async def finishes(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api, "a")
        await _ask(api, "b")
        return "done"

    will(2)
    execute(begin(finishes, "finished"))

    lives = iter([True, False])

    async def dies(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api, "a")
        if next(lives):
            raise KeyboardInterrupt
        await _ask(api, "b")
        return "done"

    will(2)
    taken_over = begin(dies, "taken-over")
    with pytest.raises(KeyboardInterrupt):
        execute(taken_over)
    execute(taken_over)

    async def fails(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api)
        raise RuntimeError("no")

    will(1)
    execute(begin(fails, "failed"))

    async def is_cancelled(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api)
        end_run.end_with_error(key, end_run.CANCELED)
        raise RuntimeError("no")

    will(1)
    key = begin(is_cancelled, "cancelled")
    execute(key)

    async def asks(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api, "before")
        await api.ask("Shall I?")
        await _ask(api, "after")
        return "done"

    will(2)
    asked = begin(asks, "asked")
    execute(asked)
    execute(answered(interrupts_of(asked)[0]["id"], {"approved": True}).task_id)

    changes = deployment.changes()
    assert deployment.deliver(changes) == []
    assert deployment.deliver(changes) == []
    assert len(provider.requests) == answers
    page = told()
    (row,) = page["days"]
    assert (row["model"], row["runs"]) == ("reading", 6)
    assert sums(page["days"]) == Counter(
        runs=6, inputTokens=answers * USAGE[0], outputTokens=answers * USAGE[1]
    ) + Counter({name: row[name] for name in COUNTS[3:] if name in row})
    assert told(BOB)["days"] == []
    assert told(OPERATOR, by="user")["days"] == [{**row, "userId": "alice"}]


def test_a_counted_run_has_its_cost_in_a_metric(
    deployment: Deployment,
    provider: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """EVB-05: once, by agent and without the user; a run whose model has no price has none."""

    async def answers(_: Asker, api: AgentRunAPIProxy) -> str:
        await _ask(api)
        return "done"

    provider.will(OpenAI().whole("one"))
    install(monkeypatch, lambda: Asker(answers))
    run_key = submit().task_id
    execute(run_key)
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    monkeypatch.setattr(settings, "model_prices", json.dumps({"models": {"reading": {"input": 1, "output": 4}}}))
    changes = deployment.changes()
    for _ in range(2):
        assert deployment.deliver(changes) == []
    unpriced = ended(1, usage=(TokenCounts(model="m", input_tokens=3),))
    publish_events._emit_cost(unpriced)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "RunCost" in line]
    (line,) = lines
    assert line["RunCost"] == [pytest.approx((USAGE[0] + 4 * USAGE[1]) / 1_000_000)]
    assert (line["agent"], line["run_key"]) == (runs.must_read(run_key).agent, run_key)
    assert "alice" not in json.dumps(line)


def test_a_run_without_models_is_counted_as_such(deployment: Deployment) -> None:
    """EVB-05: under its agent, with no tokens rather than none."""
    run_key = submit().task_id
    end(run_key)
    deployment.published()
    run = runs.must_read(run_key)
    assert told()["days"] == [{"day": str(run.ended_at)[:10], "agent": run.agent, "runs": 1}]


def test_what_could_not_be_counted_comes_again(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-05: a record is done when its event is sent and its run is counted."""
    end(submit().task_id)
    changes = deployment.changes()
    with monkeypatch.context() as patch:
        patch.setattr(table, "transact", _throttled)
        assert deployment.deliver(changes) == [f"{changes[0].sequence:021}"]
    assert told()["days"] == []
    assert deployment.deliver(changes) == []
    assert sums(told()["days"])["runs"] == 1


def _throttled(*_: Any) -> None:
    raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"}}, "TransactWriteItems")


def test_each_run_is_in_the_sums_once(deployment: Deployment) -> None:
    """EVB-05: with its first model, whoever counts it how often; users with similar names are not mixed up."""
    two = (TokenCounts(model="m", input_tokens=3, cached_input_tokens=1), TokenCounts(provider="p", model="n"))
    assert run_usage.count(ended(1, usage=two))
    assert not run_usage.count(ended(1, usage=two))
    assert run_usage.count(ended(2, user="alice#a"))
    first, second = told(ALICE, **{"from": "2026-11-27", "to": "2026-11-27"})["days"]
    rows = {row["model"]: row for row in (first, second)}
    assert rows == {
        "m": {
            "day": "2026-11-27",
            "agent": "a",
            "model": "m",
            "runs": 1,
            "inputTokens": 3,
            "cachedInputTokens": 1,
        },
        "n": {"day": "2026-11-27", "agent": "a", "model": "n", "provider": "p", "runs": 0},
    }


def test_runs_of_an_api_key_have_rows_of_their_own(deployment: Deployment) -> None:
    """EVB-05, SEC-02: from the key's authorization to the sums, for its user and for operators."""
    _, key = api_keys.create("alice", "the kitchen")
    caller = api_keys.identify(f"Bearer {key}")
    assert caller == Caller("alice", api_key=key.split("_")[1])
    by_key = submit(caller, runId="by-key").task_id
    end(by_key)
    end(submit(ALICE, runId="by-token").task_id)
    ended_by_key, ended_by_token = (event["data"] for event in deployment.published())
    assert (ended_by_key["apiKey"], "apiKey" in ended_by_token) == (caller.api_key, False)
    for rows in (told()["days"], told(OPERATOR, by="user")["days"]):
        assert sorted((row.get("apiKey", ""), row["runs"]) for row in rows) == [("", 1), (caller.api_key, 1)]
    assert key not in str(deployment.published())


def test_costs_are_by_the_deployments_prices(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-05: cached tokens are a part of the input with a price of their own; a model without a price has no cost."""
    prices = {"chat": {"input": 1, "output": 4, "cachedInput": 0.5}, "plain": {"input": 2, "output": 2}}
    monkeypatch.setattr(settings, "model_prices", json.dumps({"currency": "EUR", "models": prices}))
    used = [
        TokenCounts(model=model, input_tokens=1_000_000, output_tokens=250_000, cached_input_tokens=400_000)
        for model in ("chat", "plain", "free")
    ]
    run_usage.count(ended(1, usage=tuple(used)))
    page = told(to="2026-11-27")
    costs = {row["model"]: row.get("cost") for row in page["days"]}
    assert costs == {"chat": 0.6 + 0.2 + 1.0, "plain": 2.5, "free": None}
    assert page["currency"] == "EUR"
    monkeypatch.setattr(settings, "model_prices", "{}")
    assert "currency" not in told(to="2026-11-27")


def test_what_is_left_of_the_limits_is_told(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-05: what the next submit and the next recording are measured by; without a limit nothing is left of it."""
    for name, value in {
        "tokens_per_user_per_day": 1_000,
        "transcription_seconds_per_day": 60,
        "runs_per_minute": 10,
    }.items():
        monkeypatch.setattr(settings, name, value)
    assert told()["left"] == {"tokensToday": 1_000, "speechSecondsToday": 60, "runsThisMinute": 20}
    usage.reserve_tokens("alice", 400, 1_000)
    table.transact(usage.add_seconds("alice", 25, 60))
    submit()
    left = told()["left"]
    assert (left["tokensToday"], left["speechSecondsToday"]) == (600, 35)
    assert left["runsThisMinute"] == 19
    today = clock.now().date().isoformat()
    assert told()["speech"] == [{"day": today, "seconds": 25}]
    for name in ("tokens_per_user_per_day", "transcription_seconds_per_day", "runs_per_minute"):
        monkeypatch.setattr(settings, name, 0)
    assert told()["left"] == {}
    assert "left" not in told(OPERATOR, by="user")


def test_pages_have_every_row_once(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-05: of one user, and of all."""
    for day in ("2026-11-25", "2026-11-26", "2026-11-27"):
        for user in ("alice", "bob", "carol"):
            for agent in ("a", "b", "c"):
                run_usage.count(ended(1, user, day, agent))
    monkeypatch.setattr(get_usage, "PAGE", 2)
    for caller, by, count in ((ALICE, {}, 9), (OPERATOR, {"by": "user"}, 27)):
        found: list[tuple[str, ...]] = []
        after: dict[str, str] = {}
        for _ in range(count):
            page = told(caller, to="2026-11-28", **by, **after)
            assert len(page["days"]) <= 2
            found += [(row["day"], row.get("userId", "alice"), row["agent"]) for row in page["days"]]
            if not page["hasMore"]:
                break
            after = {"after": page["next"]}
        assert len(found) == len(set(found)) == count
        assert [day for day, *_ in found] == sorted(day for day, *_ in found)


def test_a_place_in_the_list_of_all_opens_nobody_elses(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    """EVB-05, SEC-06: a user who has an operator's `next` sees the own rows alone."""
    for user in ("alice", "bob", "carol", "dave"):
        run_usage.count(ended(1, user))
    monkeypatch.setattr(get_usage, "PAGE", 1)
    after = ""
    for _ in range(3):
        page = told(OPERATOR, to="2026-11-27", by="user", **({"after": after} if after else {}))
        after = page["next"]
        assert {row["agent"] for row in told(BOB, to="2026-11-27", after=after)["days"]} <= {"a"}
        assert sum(row["runs"] for row in told(BOB, to="2026-11-27", after=after)["days"]) <= 1


@pytest.mark.parametrize(
    ("caller", "query", "status"),
    [
        (ALICE, {"by": "user"}, 403),
        (OPERATOR, {"by": "agent"}, 422),
        (ALICE, {"from": "20261101"}, 422),
        (ALICE, {"from": "2026-02-30"}, 422),
        (ALICE, {"from": "2026-11-27", "to": "2026-11-26"}, 422),
        (ALICE, {"from": "2026-10-01", "to": "2026-11-01"}, 422),
        (ALICE, {"from": "٢٠٢٦-١١-٠١"}, 422),
        (ALICE, {"to": "2026-11-27", "after": "2026-11-27"}, 422),
        (ALICE, {"to": "2026-11-27", "after": "2026-11-28." + "0" * 64}, 422),
    ],
)
def test_a_bad_query_is_refused(deployment: Deployment, caller: Caller, query: dict[str, str], status: int) -> None:
    """EVB-05."""
    with pytest.raises(Problem) as refusal:
        told(caller, **query)
    assert refusal.value.status == status


def test_the_first_day_of_all_is_no_error(deployment: Deployment) -> None:
    """EVB-05."""
    assert told(to="0001-01-01")["days"] == []
