"""A runner in a thread of its own: heard like any other, and never in the way."""

import asyncio
import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
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
from yarrow.protocol.runner.turn import ASK_SECONDS, Turn
from yarrow.store.runs import RunOutcome
from yarrow.worker.invocation import runner_loops
from yarrow.worker.invocation.isolation import MAX_AHEAD, IsolatedRunner
from yarrow.worker.invocation.runner_loops import MAX_ABANDONED
from yarrow.worker.orchestrator import Orchestrator
from yarrow.worker.runner_loop import RunnerFailedError, TurnEndedError, read_results

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
    monkeypatch.setattr(runner_loops, "GRACE_SECONDS", SOON)


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What an obstinate runner waits for: set in the end, so that no run outlives its test."""
    event = threading.Event()
    yield event
    event.set()
    wait_until_free()


def wait_until_free() -> None:
    deadline = time.monotonic() + LIMIT
    while runner_loops._closing or not runner_loops.are_free():
        assert time.monotonic() < deadline
        time.sleep(0.01)


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


def answer_of(done: RunOutcome) -> str:
    return done.messages[-1].content if done.messages else ""


@pytest.mark.usefixtures("released")
def test_an_isolated_runner_is_heard_like_any_other() -> None:
    """RNR-13, RNR-72: Many results or few keep their order."""
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
    assert "the agent does not stop; its thread is abandoned" in [record.message for record in caplog.records]
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


@pytest.mark.parametrize("kind", KINDS)
def test_a_process_whose_loop_is_held_leaves_before_it_takes_another_run(kind: str, released: threading.Event) -> None:
    """RNR-72: and takes runs again when it is free."""
    assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"
    _, lines = orchestrate(obstinate(kind, released), due(LATER / 4))
    assert "in time" in lines[-1]
    with pytest.raises(SystemExit):
        IsolatedRunner(Scripted([]))
    released.set()
    wait_until_free()
    assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"


def test_a_process_in_which_too_many_threads_go_on_leaves_before_it_takes_another_run(
    released: threading.Event,
) -> None:
    """RNR-72: the loop is free, though calls in other threads cannot be cancelled."""

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        yield result(*delta("in time"))
        await asyncio.to_thread(released.wait)

    for _ in range(MAX_ABANDONED):
        assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"
        assert "in time" in orchestrate(run, due(LATER / 4))[1][-1]
    with pytest.raises(SystemExit):
        IsolatedRunner(Scripted([]))


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
    assert len(runner_loops._closing) == 1


# ---- One run after another -------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("released")
def test_all_runs_have_one_loop_so_that_a_client_can_be_kept() -> None:
    """RNR-72: a connection and a lock of the loop, as a cached HTTP client has them."""
    theirs, ours = socket.socketpair()
    clients: list[tuple[asyncio.Lock, asyncio.StreamReader, asyncio.StreamWriter]] = []
    runs = 10

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        if not clients:
            clients.append((asyncio.Lock(), *await asyncio.open_connection(sock=ours)))
        lock, reader, writer = clients[0]
        async with lock:
            yield result(*delta((await reader.readline()).decode().strip()))
        if number == runs - 1:
            writer.close()
            await writer.wait_closed()

    with theirs:
        for number in range(runs):
            theirs.sendall(f"{number}\n".encode())
            assert answer_of(orchestrate(run)[0]) == str(number)


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("leaves", ["returns", "raises", "exits", "is cancelled"])
def test_what_a_run_leaves_behind_does_not_go_on_in_the_next(leaves: str) -> None:
    """RNR-72."""
    left: list[asyncio.Task[None]] = []
    cancelled: list[str] = []

    async def background() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(leaves)
            raise

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        left.append(asyncio.create_task(background()))
        await asyncio.sleep(0)
        yield result(*delta("一"))
        match leaves:
            case "raises":
                raise ValueError
            case "exits":
                await asyncio.create_task(leave())
            case "is cancelled":
                await asyncio.Event().wait()

    async def leave() -> None:
        raise SystemExit(1)

    orchestrate(run, due(SOON) if leaves == "is cancelled" else CONTEXT)
    assert [task.cancelled() for task in left] == [True]
    assert cancelled == [leaves]
    assert answer_of(orchestrate(Scripted([completed("好")]).run)[0]) == "好"


@pytest.mark.usefixtures("released")
def test_a_run_sees_no_context_variable_of_the_one_before() -> None:
    """RNR-72: not even if it has set it outside all tasks' contexts but its own."""
    variable: ContextVar[str] = ContextVar("variable", default="unset")
    seen: list[str] = []

    async def run(_context: AgentRunContext, _api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        seen.append(variable.get())
        variable.set("set")
        yield result(*delta("一"))

    for _ in range(2):
        orchestrate(run)
    assert seen == ["unset", "unset"]


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
    wait_until_free()
    assert [str(base_exception) for base_exception in refused] == ["unauthorized: the run has ended"]


@pytest.mark.usefixtures("released")
def test_a_call_that_is_under_way_ends_with_the_run() -> None:
    """RNR-72."""

    async def run(_context: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
        await api.tools.call("t", {})
        yield result(*delta("never"))

    assert orchestrate(run, due(SOON))[0].code == "runner.timeout"


def test_what_a_runner_said_before_it_asks_is_heard_by_a_slow_host() -> None:
    """ASK-01: the question comes while results wait to be stored; they are the run's that asks."""
    heard: list[Any] = []

    async def main() -> None:
        turn, asks = Turn(), asyncio.Event()

        class Asked(Host):
            async def call(self, action: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
                async with turn.call():
                    asks.set()
                    await turn.until_answered()

        async def run(_: AgentRunContext, api: AgentRunAPIProxy) -> AsyncGenerator[AgentRunResult]:
            for text in ("one", "two", "three"):
                yield result(*completed(text))
            await api.ask("Shall I?")

        async def take(taken: Any) -> bool:
            await asks.wait()
            await asyncio.sleep(2 * ASK_SECONDS)  # a write that takes longer than a question waits
            heard.append(taken.data["message"]["content"])
            return False

        api = AgentRunAPIProxy(RUN.key, Asked())
        with pytest.raises(TurnEndedError) as ended:
            await read_results(IsolatedRunner(Runner(run)), CONTEXT, api, take, turn)
        assert ended.value.hand_over.asks

    asyncio.run(main())
    assert heard == ["one", "two", "three"]
