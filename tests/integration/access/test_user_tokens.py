"""The tokens that models may use for a user a day: over all runs, refused at submit and within a run."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.divination_runs import ALICE, BOB, body
from tests.support.journals import numbered
from tests.support.models.provider_formats import USAGE, OpenAI
from tests.support.models.server import ModelServer, serving
from tests.support.runners.divination import READING
from tests.support.runners.scripted import Scripted, delta, install
from yarrow.protocol.caller import Caller
from yarrow.protocol.problems import Code, Problem
from yarrow.protocol.runner.api import AgentAPIException, ModelUsage
from yarrow.runs.submit_run import TaskAccepted, submit_run
from yarrow.services.models.user_tokens import Reservation, UserTokens
from yarrow.settings import settings
from yarrow.store import clock, runs, table
from yarrow.store.limits import usage
from yarrow.worker import execute_run
from yarrow_agents.divination import opinion

pytestmark = [pytest.mark.usefixtures("aws"), pytest.mark.memory]

PER_DAY = 1_000


@pytest.fixture(autouse=True)
def limit(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "tokens_per_user_per_day", PER_DAY)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "key")
        monkeypatch.setattr(opinion, "SECONDS", 60.0)  # or a busy machine gives its answer to the next request
        for name in ("reading", "chat"):
            monkeypatch.setitem(settings.models, name, OpenAI().model)
        yield server


def used(user: str = "alice") -> int:
    return usage.tokens(table.get(usage.key(user)))


def use_up(amount: int = PER_DAY, user: str = "alice") -> None:
    assert usage.reserve_tokens(user, amount, 10 * PER_DAY) is not None


def begin(caller: Caller = ALICE, agent: str = "divination") -> TaskAccepted:
    """Return a run in a session of its own."""
    props = body()["forwardedProps"] if agent == "divination" else {"runtime_mode": "chat"}
    arguments = body(threadId=str(uuid.uuid4()), forwardedProps=props)
    return submit_run(json.dumps(arguments).encode(), caller, agent)


def spend(tokens: int) -> ModelUsage:
    return ModelUsage(input_tokens=tokens - 1, output_tokens=1)


@asynccontextmanager
async def call(expected: int, user: str = "alice") -> AsyncIterator[Reservation]:
    async with UserTokens(user, PER_DAY).reserved(expected) as reservation:
        yield reservation


async def made(expected: int, tokens: int | None, user: str = "alice") -> bool:
    """Whether a call was made, which used so many tokens; None for one of which nobody knows."""
    try:
        async with call(expected, user) as reservation:
            if tokens is not None:
                reservation.spend(spend(tokens))
    except AgentAPIException as error:
        if (error.error.code, error.error.retryable) == ("rate_limited", False):
            return False
        raise
    return True


# ---- The count -------------------------------------------------------------------------------------------------------
def test_what_calls_use_is_counted_to_the_token() -> None:
    """RNR-52: Calls use more or less than expected; each user has a count of their own."""
    assert asyncio.run(made(100, 30))
    assert asyncio.run(made(100, 250))
    assert asyncio.run(made(100, 100, "bob"))
    assert (used(), used("bob")) == (280, 100)


def test_when_all_is_used_no_call_is_made() -> None:
    """RNR-52: the one that uses the last is answered."""
    assert asyncio.run(made(10, PER_DAY - 1))
    assert asyncio.run(made(10, 20))
    assert not asyncio.run(made(10, 1))
    assert used() == PER_DAY + 19
    assert asyncio.run(made(10, 1, "bob"))


def test_calls_at_once_pass_the_limit_by_no_more_than_one_and_what_they_did_not_expect() -> None:
    """RNR-52: however many are under way, those that would come after the last token see what the others reserved."""
    expected, really = 300, 350

    async def all_at_once() -> int:
        decided: asyncio.Queue[bool] = asyncio.Queue()
        go_on = asyncio.Event()

        async def one() -> None:
            try:
                async with call(expected) as reservation:
                    decided.put_nowait(True)
                    await go_on.wait()
                    reservation.spend(spend(really))
            except AgentAPIException:
                decided.put_nowait(False)

        async with asyncio.TaskGroup() as group:
            for _ in range(20):
                group.create_task(one())
            answers = [await decided.get() for _ in range(20)]
            go_on.set()
        return sum(answers)

    admitted = asyncio.run(all_at_once())
    assert admitted == PER_DAY // expected + 1
    assert used() == admitted * really < PER_DAY + expected + admitted * (really - expected)


@pytest.mark.parametrize(("code", "counted"), [("runtime_error", 0), ("rate_limited", 0), ("deadline_exceeded", 100)])
def test_a_call_that_is_refused_costs_nothing(code: str, counted: int) -> None:
    """RNR-52: one that took too long may have cost anything."""

    async def failing() -> None:
        async with call(100):
            raise AgentAPIException(code, "no")  # type: ignore[arg-type] # one of the codes

    with pytest.raises(AgentAPIException):
        asyncio.run(failing())
    assert used() == counted


def test_a_call_that_is_broken_off_keeps_what_it_reserved() -> None:
    """RNR-52, CAN-01: submit and cancel is no way to models without end."""

    async def cancelled() -> None:
        begun = asyncio.Event()

        async def one() -> None:
            async with call(100):
                begun.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(one())
        await begun.wait()
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(cancelled())
    assert used() == 100


def test_a_day_begins_at_midnight_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-08: a call counts where it was begun."""
    midnight = datetime(2026, 11, 23, tzinfo=UTC)

    def at(moment: datetime) -> None:
        monkeypatch.setattr(clock, "now_ms", lambda: int(moment.timestamp() * 1000))

    async def over_midnight() -> None:
        at(midnight - timedelta(seconds=1))
        async with call(10) as reservation:
            at(midnight)
            reservation.spend(spend(PER_DAY))

    asyncio.run(over_midnight())
    assert used() == 0
    at(midnight - timedelta(milliseconds=1))
    assert used() == PER_DAY
    assert usage.seconds_left() == 1


# ---- Runs ------------------------------------------------------------------------------------------------------------
def test_a_submit_is_refused_until_the_next_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12, RUN-23: but not one that was accepted before, and not those of others."""
    accepted = begin()
    use_up()
    with pytest.raises(Problem) as caught:
        begin()
    problem = caught.value
    assert (problem.code, problem.status, problem.params) == (
        Code.AGENT_TOKEN_LIMIT,
        429,
        {"tokensPerDay": PER_DAY},
    )
    again = body(threadId=accepted.thread_id)
    assert submit_run(json.dumps(again).encode(), ALICE, "divination") == accepted
    begin(BOB)
    assert problem.retry_after is not None
    tomorrow = clock.now_ms() + problem.retry_after * 1000
    monkeypatch.setattr(clock, "now_ms", lambda: tomorrow)
    begin()


def test_a_run_counts_what_its_model_used(provider: ModelServer) -> None:
    """RNR-52, CARE-07: Both its opinion on the question and its words count."""
    wire = OpenAI()
    provider.will(wire.whole("{}"), wire.streamed(*wire.begun(READING), *wire.ended()))
    execute_run.work(begin().task_id)
    assert used() == 2 * sum(USAGE)


@pytest.mark.parametrize("end", ["run.completed", "run.failed"])
def test_what_a_runner_reports_counts_once_when_its_run_ends(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    """RNR-52: of models that it called by a client of its own, whoever makes them. The next run is refused."""
    reported = [
        {"model": "m", "inputTokens": PER_DAY - 300, "outputTokens": 200, "cachedInputTokens": 50, "totalTokens": 1},
        {"model": "n", "totalTokens": 100},
        {"model": "o", "reasoningTokens": 7},
    ]
    install(monkeypatch, lambda: Scripted(delta("Yes."), (end, {"usage": reported})))
    run = begin()
    execute_run.work(run.task_id)
    assert runs.must_read(run.task_id).phase == ("finished" if end == "run.completed" else "failed")
    assert used() == PER_DAY
    execute_run.work(run.task_id)  # the task is tried again
    assert used() == PER_DAY
    with pytest.raises(Problem) as caught:
        begin()
    assert caught.value.code == Code.AGENT_TOKEN_LIMIT


def test_nothing_is_counted_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.__dict__, "tokens_per_user_per_day", 0)
    install(monkeypatch, lambda: Scripted(delta("Yes."), ("run.completed", {"usage": [{"inputTokens": 7}]})))
    execute_run.work(begin().task_id)
    assert used() == 0


def test_a_run_that_runs_out_ends_with_a_code_that_says_so(provider: ModelServer) -> None:
    """RNR-52, ERR-03: and its model is not asked."""
    run = begin(agent="assistant")
    use_up()
    execute_run.work(run.task_id)
    last = json.loads(numbered(run.task_id)[-1][1])
    assert (last["type"], last["code"]) == ("RUN_ERROR", "AGENT_TOKEN_LIMIT")
    assert last["message"] == "the user's model tokens of the day are used up"
    assert provider.requests == []
    assert runs.must_read(run.task_id).phase == "failed"


def test_a_reading_needs_no_model(provider: ModelServer) -> None:
    """DIV-11: without tokens its rules phrase it."""
    run = begin()
    use_up()
    execute_run.work(run.task_id)
    assert runs.must_read(run.task_id).phase == "finished"
    assert provider.requests == []


def test_a_script_uses_nothing() -> None:
    """RNR-52: nor does a run without a model write a word of it."""
    execute_run.work(begin(agent="assistant").task_id)
    assert table.get(usage.key("alice")) is None


def test_no_limit_counts_nothing(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMP-12."""
    monkeypatch.setitem(settings.__dict__, "tokens_per_user_per_day", 0)
    wire = OpenAI()
    provider.will(wire.whole("{}"), wire.streamed(*wire.begun(READING), *wire.ended()))
    execute_run.work(begin().task_id)
    assert len(provider.requests) == 2
    assert table.get(usage.key("alice")) is None
