"""The heartbeat of a worker: it goes on beating, and stops the work that is of no use any more."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from tests.support.virtual_time import VirtualTimeLoop
from yarrow.store import runs
from yarrow.store.runs import ReplacedError
from yarrow.worker import heartbeat as heartbeats
from yarrow.worker.heartbeat import heartbeat

RUN = runs.Run("key", "alice", "thread", "run-1", "divination", "chat", "", made_session=True, created_at="")
THROTTLED = ClientError({"Error": {"Code": "ThrottlingException"}}, "UpdateItem")
UNANSWERED = ReadTimeoutError(endpoint_url="https://dynamodb")

Answers = Callable[..., list[runs.Run]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Have the beats answered so, one after another; returns the list of beats."""

    def put(*args: bool | Exception) -> list[runs.Run]:
        beats: list[runs.Run] = []
        coming: Iterator[bool | Exception] = iter(args)

        def beat(run: runs.Run) -> bool:
            beats.append(run)
            answer = next(coming)
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(runs, "beat", beat)
        monkeypatch.setattr(heartbeats, "BEAT_SECONDS", 0.001)
        monkeypatch.setattr(heartbeats, "WATCH_SECONDS", 60)
        return beats

    return put


async def work_forever() -> None:
    async with heartbeat(RUN):
        await asyncio.Event().wait()


@pytest.mark.parametrize("values", [(False,), (True, True, False), (THROTTLED, UNANSWERED, True, THROTTLED, False)])
def test_it_beats_until_the_run_is_no_longer_this_workers(
    answers: Answers, values: tuple[bool | Exception, ...]
) -> None:
    """CAN-04, CMP-11: a beat that is lost is not the last."""
    beats = answers(*values)
    with pytest.raises(ReplacedError):
        asyncio.run(work_forever())
    assert beats == [RUN] * len(values)


def test_it_ends_with_the_work(answers: Answers) -> None:
    """CMP-11: nothing beats for a worker that is done."""
    beats = answers()

    async def work() -> int:
        async with heartbeat(RUN):
            return 1

    assert asyncio.run(work()) == 1
    assert beats == []


def test_what_the_work_raises_comes_out(answers: Answers) -> None:
    """RNR-40."""
    answers(*[True] * 1000)

    async def work() -> None:
        async with heartbeat(RUN):
            await asyncio.sleep(0.01)
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the type is all there is
        asyncio.run(work())


def test_a_cancel_from_elsewhere_stays_a_cancel(answers: Answers) -> None:
    """RNR-71: only the heartbeat's own means that the worker was replaced."""
    answers(*[True] * 1000)

    async def work() -> None:
        working = asyncio.create_task(work_forever())
        await asyncio.sleep(0.01)
        working.cancel()
        await working

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())


def test_a_time_limit_within_it_holds(answers: Answers) -> None:
    """RNR-70."""
    answers(*[True] * 1000)

    async def work() -> None:
        async with heartbeat(RUN), asyncio.timeout(0.01):
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(work())


# ---- The run's end, by a clock of its own -------------------------------------------------------------------------
class Watched:
    """A run that ends at a moment; what was asked of it and when, in seconds."""

    def __init__(self, ends_at: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends_at = ends_at
        self.beats: list[float] = []
        self.reads: list[float] = []
        self.writes: list[float] = []
        monkeypatch.setattr(runs, "beat", lambda _: self._ask(self.beats))
        monkeypatch.setattr(runs, "is_active", lambda _: self._ask(self.reads))

    def _ask(self, requests: list[float]) -> bool:
        requests.append(now())
        return now() < self.ends_at

    async def work(self, *, stores_every: float | None = None) -> None:
        """Store something every so often, or nothing at all, until the run is known to have ended."""
        stored_at = float("-inf")
        async with heartbeat(RUN, lambda: stored_at, lambda: self.writes.append(now())):
            while True:
                await asyncio.sleep(stores_every or 3_600)
                if now() >= self.ends_at:
                    await asyncio.Event().wait()  # an append fails from now on
                stored_at = now()


def now() -> float:
    return asyncio.get_running_loop().time()


def seconds_until_replaced(main: Coroutine[Any, Any, None]) -> float:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        with pytest.raises(ReplacedError):
            runner.run(main)
        return runner.get_loop().time()


@pytest.mark.parametrize("stores_every", [None, 0.11, 0.5, 0.95])
@pytest.mark.parametrize("ends_at", [0.0, 0.3, 0.89, 0.91, 7.25, 9.99, 10.0, 10.01, 31.4])
def test_an_end_is_known_within_a_second(
    ends_at: float, stores_every: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C51, CAN-04: whether the runner says something or not; its API is closed before the work is cancelled."""
    run = Watched(ends_at, monkeypatch)
    over = seconds_until_replaced(run.work(stores_every=stores_every))
    assert ends_at <= over <= ends_at + 1
    assert run.writes == [over]


def test_nothing_is_read_while_something_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """C51: an append tells as much; beats go on for those who watch the worker."""
    run = Watched(60.0, monkeypatch)
    seconds_until_replaced(run.work(stores_every=0.11))
    assert [read for read in run.reads if read < 59] == []
    assert [round(beat) for beat in run.beats if beat < 59] == [10, 20, 30, 40, 50]


def test_a_silent_run_is_read_about_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """C51: which is what it costs."""
    run = Watched(60.0, monkeypatch)
    seconds_until_replaced(run.work())
    assert 60 <= len(run.reads) + len(run.beats) <= 75
