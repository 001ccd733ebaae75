"""The heartbeat of a worker: it goes on beating, and stops the work that is of no use any more."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from yarrow.host import heartbeat as heartbeats
from yarrow.host.heartbeat import ReplacedError, heartbeat
from yarrow.store import runs

RUN = runs.Run("key", "alice", "thread", "run-1", "divination", "chat", "", made_session=True, created_at="")
THROTTLED = ClientError({"Error": {"Code": "ThrottlingException"}}, "UpdateItem")
UNANSWERED = ReadTimeoutError(endpoint_url="https://dynamodb")

Answers = Callable[..., list[runs.Run]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Have the beats answered so, one after another; returns the list of beats."""

    def put(*given: bool | Exception) -> list[runs.Run]:
        beats: list[runs.Run] = []
        coming: Iterator[bool | Exception] = iter(given)

        def beat(run: runs.Run) -> bool:
            beats.append(run)
            answer = next(coming)
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(runs, "beat", beat)
        monkeypatch.setattr(heartbeats, "BEAT_SECONDS", 0.001)
        return beats

    return put


async def work_forever() -> None:
    async with heartbeat(RUN):
        await asyncio.Event().wait()


@pytest.mark.parametrize("given", [(False,), (True, True, False), (THROTTLED, UNANSWERED, True, THROTTLED, False)])
def test_it_beats_until_the_run_is_no_longer_this_workers(
    answers: Answers, given: tuple[bool | Exception, ...]
) -> None:
    """CAN-04, CMP-11: a beat that is lost is not the last."""
    beats = answers(*given)
    with pytest.raises(ReplacedError):
        asyncio.run(work_forever())
    assert beats == [RUN] * len(given)


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
