"""A runner in a thread of its own: heard like any other, and never in the way."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest

from tests.support.runners.work import (
    CONTEXT,
    RUN,
    SOON,
    STARTED,
    Journal,
    Scripted,
    Watched,
    answer,
    call,
    completed,
    delta,
    due,
    result,
)
from yarrow.protocol.runner.api import AgentAPIException
from yarrow.protocol.runner.models import AgentRunContext, AgentRunResult
from yarrow.protocol.runner.proxy import AgentRunAPIProxy
from yarrow.store.runs import Outcome
from yarrow.worker.invocation import isolation
from yarrow.worker.invocation.isolation import MAX_ABANDONED, MAX_AHEAD, IsolatedRunner
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.runner_loop import RunnerFailedError

LIMIT = 5.0
"""Seconds, far more than anything here takes."""
LATER = 0.5
"""Seconds, enough for a thread to start and say something."""

Run = Callable[[AgentRunContext, AgentRunAPIProxy], AsyncGenerator[AgentRunResult]]


class Host:
    """A transport; it remembers where it was called and how its streams ended."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        self.ended: list[str] = []

    async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.threads.add(threading.get_ident())
        if action == "state.get":
            raise AgentAPIException("not_found", "no such key")
        if action == "tools.call":
            await asyncio.Event().wait()
        return {"value": "aGk=", **arguments}

    async def stream(self, _action: str, _arguments: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any]]:
        self.threads.add(threading.get_ident())
        try:
            async with asyncio.timeout(LIMIT):
                yield {"content": "一"}
                yield {"content": "二"}
        finally:
            self.ended.append("stream")


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "GRACE_SECONDS", SOON)


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What an obstinate runner waits for: set in the end, so that no thread outlives its test."""
    event = threading.Event()
    yield event
    event.set()
    for thread in threading.enumerate():
        if thread.name == "runner":
            thread.join(LIMIT)
            assert not thread.is_alive()


class Runner:
    def __init__(self, run: Run) -> None:
        self.run = run


def orchestrate(run: Run, context: AgentRunContext = CONTEXT, host: Host | None = None) -> tuple[Any, list[str]]:
    """What an isolated runner came to, or the error, and its journal; it takes far less than LIMIT."""
    journal = Journal(STARTED, None)
    api = AgentRunAPIProxy(CONTEXT.run_id, host or Host())
    started = time.monotonic()
    try:
        done: Any = asyncio.run(Orchestrator(RUN, (), journal).run(IsolatedRunner(Runner(run)), context, api))
    except RunnerFailedError as error:
        done = error
    assert time.monotonic() - started < LIMIT / 2
    return done, journal.lines


def answer_of(done: Outcome) -> str:
    """The last message of a run."""
    return done.messages[-1].content if done.messages else ""


@pytest.mark.usefixtures("released")
def test_an_isolated_runner_is_heard_like_any_other() -> None:
    """RNR-13, RNR-72: many results or few, in their order."""
    script = [delta(str(number)) for number in range(20 * MAX_AHEAD)] + [call("c"), answer("c", 1), completed("好")]
    apart, lines = orchestrate(Scripted(script).run)
    here = asyncio.run(Orchestrator(RUN, (), Journal(STARTED, None)).run(Scripted(script), CONTEXT, NO_HOST))
    assert answer_of(apart) == answer_of(here) == "好"
    assert len(lines) == len(STARTED) + 20 * MAX_AHEAD + 1 + 4 + 4
    assert answer_of(orchestrate(Scripted([]).run)[0]) == ""


NO_HOST = AgentRunAPIProxy(CONTEXT.run_id, Host())


@pytest.mark.usefixtures("released")
def test_a_runner_is_at_most_a_few_results_ahead() -> None:
    """RNR-42: a host that is slow is not flooded."""
    made = []

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        for number in range(10 * MAX_AHEAD):
            made.append(number)
            yield result(*delta("x"))

    async def listen() -> None:
        heard = IsolatedRunner(Runner(run)).run(CONTEXT, NO_HOST)
        for number in range(3 * MAX_AHEAD):
            await anext(heard)
            await asyncio.sleep(0.001)
            assert len(made) <= number + 1 + 2 * MAX_AHEAD
        await heard.aclose()

    asyncio.run(listen())
    assert len(made) < 10 * MAX_AHEAD


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (ValueError("secret"), "runner.error"),
        (SystemExit(1), "runner.error"),
        (KeyboardInterrupt(), "runner.error"),
        (asyncio.CancelledError(), "cancelled"),
    ],
)
def test_what_an_isolated_runner_raises_does_not_end_the_host(raised: BaseException, code: str) -> None:
    """RNR-40, RNR-72."""

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("一"))
        raise raised

    done, lines = orchestrate(run)
    assert (done.code, done.message != str(raised)) == (code, True)
    assert "一" in lines[-1]


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("made", [None, 5, ValueError("secret")])
def test_what_is_no_runner_at_all_fails_the_run(made: Any) -> None:
    """RNR-40."""

    def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> Any:
        if isinstance(made, Exception):
            raise made
        return made

    assert orchestrate(run)[0].code == "runner.error"


# ---- Runners that will not stop --------------------------------------------------------------------------------------
def obstinate(kind: str, released: threading.Event) -> Run:
    """A runner that says something, takes no notice of its deadline, and says something else when it is too late."""

    async def deaf() -> None:
        while not released.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.01)

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("in time"))
        try:
            match kind:
                case "blocks its thread":
                    released.wait()
                case "swallows its cancellation":
                    await deaf()
                case _:
                    await asyncio.Event().wait()
            yield result(*delta("too late"))
        finally:
            await deaf()

    return run


KINDS = ["blocks its thread", "swallows its cancellation", "blocks in its finally"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_runner_that_does_not_stop_is_abandoned(
    kind: str, released: threading.Event, caplog: pytest.LogCaptureFixture
) -> None:
    """RNR-70, RNR-72: the run fails in its time, and nothing that comes later is heard."""
    done, lines = orchestrate(obstinate(kind, released), due(LATER))
    assert done.code == "runner.timeout"
    assert "the agent does not stop and was abandoned" in [each.message for each in caplog.records]
    released.set()
    assert "in time" in lines[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancel_does_not_wait_for_a_runner_that_does_not_stop(kind: str, released: threading.Event) -> None:
    """RNR-71, RNR-72: and the host's own work goes on meanwhile."""
    beats: list[int] = []

    async def beat() -> None:
        while True:
            await asyncio.sleep(0.01)
            beats.append(len(beats))

    async def cancel() -> None:
        journal = Watched()
        runner = IsolatedRunner(Runner(obstinate(kind, released)))
        running = asyncio.create_task(Orchestrator(RUN, (), journal).run(runner, CONTEXT, NO_HOST))
        beating = asyncio.create_task(beat())
        await journal.written.wait()
        await asyncio.sleep(SOON)
        running.cancel()
        async with asyncio.timeout(LIMIT):
            with pytest.raises(asyncio.CancelledError):
                await running
        beating.cancel()

    asyncio.run(cancel())
    assert len(beats) >= 3


def test_a_process_in_which_too_many_go_on_leaves_before_it_takes_another_run(released: threading.Event) -> None:
    """RNR-72: and takes runs again when they are gone; a runner that ends is none of them."""
    for _ in range(MAX_ABANDONED):
        assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"
        _, lines = orchestrate(obstinate("blocks its thread", released), due(LATER / 4))
        assert "in time" in lines[-1]
    with pytest.raises(SystemExit):
        IsolatedRunner(Scripted([]))
    released.set()
    for thread in tuple(isolation._abandoned):
        thread.join(LIMIT)
    assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"


def test_a_runner_whose_wait_was_cancelled_is_left_as_well(released: threading.Event) -> None:
    """RNR-72."""

    async def leave_at_once() -> None:
        heard = IsolatedRunner(Runner(obstinate("blocks its thread", released))).run(CONTEXT, NO_HOST)
        await anext(heard)
        closing = asyncio.ensure_future(heard.aclose())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing

    asyncio.run(leave_at_once())
    assert any(thread.is_alive() for thread in isolation._abandoned)


def test_a_call_that_a_runner_made_in_another_thread_goes_on_in_its_own(
    released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RNR-72: though the loop waits for it no longer, as loops do after 300 s."""

    async def give_up(loop: Any, _seconds: float | None = None) -> None:
        if loop._default_executor is not None:
            loop._default_executor.shutdown(wait=False)

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("一"))
        await asyncio.to_thread(released.wait)

    monkeypatch.setattr(asyncio.BaseEventLoop, "shutdown_default_executor", give_up)
    assert orchestrate(run, due(LATER))[0].code == "runner.timeout"
    (thread,) = (each for each in threading.enumerate() if each.name == "runner")
    thread.join(LATER)
    assert thread.is_alive()


# ---- Its calls -------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("released")
def test_its_calls_are_made_on_the_hosts_loop() -> None:
    """RNR-72: whatever the transport keeps there; errors come back as they are."""
    host, seen = Host(), []

    async def run(_context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        seen.append(threading.get_ident())
        assert await api.storage.get("plugin", "k") == b"hi"
        with pytest.raises(AgentAPIException, match="not_found"):
            await api.state.get("conversation", "k")
        async for chunk in api.models.stream("m", [{"role": "user", "content": "?"}]):
            yield result(*delta(chunk.content))

    done, _ = orchestrate(run, host=host)
    assert answer_of(done) == "一二"
    assert host.threads == {threading.get_ident()}
    assert host.threads.isdisjoint(seen)


@pytest.mark.usefixtures("released")
def test_a_stream_that_is_not_heard_out_is_closed_on_the_host() -> None:
    """RNR-72."""
    host = Host()

    async def run(_context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        stream = api.models.stream("m", [{"role": "user", "content": "?"}])
        yield result(*delta((await anext(stream)).content))
        await stream.aclose()
        await api.storage.get("plugin", "k")

    assert answer_of(orchestrate(run, host=host)[0]) == "一"
    assert host.ended == ["stream"]


def test_a_runner_that_was_abandoned_can_call_the_host_no_more(released: threading.Event) -> None:
    """RNR-64, RNR-72."""
    refused: list[BaseException] = []

    async def run(_context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("一"))
        released.wait()
        try:
            await api.storage.get("plugin", "k")
        except AgentAPIException as error:
            refused.append(error)

    assert orchestrate(run, due(LATER))[0].code == "runner.timeout"
    released.set()
    for thread in threading.enumerate():
        if thread.name == "runner":
            thread.join(LIMIT)
    assert [str(each) for each in refused] == ["unauthorized: the run has ended"]


@pytest.mark.usefixtures("released")
def test_a_call_that_is_under_way_ends_with_the_run() -> None:
    """RNR-72."""

    async def run(_context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        await api.tools.call("t", {})
        yield result(*delta("never"))

    assert orchestrate(run, due(SOON))[0].code == "runner.timeout"
