"""Code on a loop of its own: it yields across, is cancelled from here, and holds nobody up when it will not end."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Iterator

import pytest

from yarrow.runners.langbot import own_loop
from yarrow.runners.langbot.own_loop import across, flow
from yarrow.runners.langbot.own_loop import own_loop as own


@pytest.fixture(autouse=True)
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_loop, "GRACE_SECONDS", 0.2)


def all_threads_end() -> bool:
    threads = [each for each in threading.enumerate() if each.name == "foreign-runner"]
    for thread in threads:
        thread.join(timeout=5)
    return not any(thread.is_alive() for thread in threads)


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What blocked code waits for; it is let go when the test is over."""
    event = threading.Event()
    yield event
    event.set()
    assert all_threads_end()


def test_items_come_across_in_order_and_errors_too() -> None:
    """CMP-02."""

    async def source() -> AsyncGenerator[int]:
        for number in range(3):
            await asyncio.sleep(0)
            yield number
        raise LookupError("the end")

    async def main() -> list[int]:
        async with own() as loop:
            reader = flow(loop, source)
            heard = [await anext(reader) for _ in range(3)]
            with pytest.raises(LookupError):
                await anext(reader)
        return heard

    assert asyncio.run(main()) == [0, 1, 2]


def test_a_source_is_one_item_ahead_and_is_closed_with_its_reader() -> None:
    """RNR-71."""
    made: list[int] = []

    async def source() -> AsyncGenerator[int]:
        try:
            for number in range(100):
                made.append(number)
                yield number
        finally:
            made.append(-1)

    async def main() -> None:
        async with own() as loop:
            reader = flow(loop, source)
            assert [await anext(reader) for _ in range(2)] == [0, 1]
            await reader.aclose()

    asyncio.run(main())
    assert made[-1] == -1
    assert len(made) <= 4


def test_who_cancels_itself_is_told_from_who_was_cancelled() -> None:
    """RNR-40."""

    async def source() -> AsyncGenerator[int]:
        yield 1
        raise asyncio.CancelledError

    async def main() -> None:
        async with own() as loop:
            with pytest.raises(ConnectionAbortedError):
                async for _ in flow(loop, source):
                    pass

    asyncio.run(main())


def test_cancelling_a_call_cancels_it_there() -> None:
    """RNR-71."""
    cancelled = threading.Event()

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def main() -> None:
        async with own() as loop:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await across(loop, waits())
            assert await asyncio.to_thread(cancelled.wait, 5)

    asyncio.run(main())


def test_tasks_left_behind_are_cancelled() -> None:
    """RNR-72."""
    ended: list[str] = []
    kept: list[asyncio.Task[None]] = []

    async def background() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("background")

    async def leaves() -> None:
        kept.append(asyncio.create_task(background()))
        await asyncio.sleep(0)

    async def main() -> None:
        async with own() as loop:
            await across(loop, leaves())

    asyncio.run(main())
    assert ended == ["background"]


def test_code_that_ignores_cancellation_is_run_no_further() -> None:
    """RNR-72."""
    turns: list[float] = []

    async def source() -> AsyncGenerator[int]:
        yield 1
        while True:
            try:
                turns.append(time.monotonic())
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                continue

    async def main() -> float:
        async with own() as loop:
            reader = flow(loop, source)
            await anext(reader)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await anext(reader)
            begun = time.monotonic()
        return time.monotonic() - begun

    assert asyncio.run(main()) < 5
    assert len(turns) >= 2  # it was cancelled, and went on
    assert all_threads_end()


def test_code_that_blocks_its_thread_is_left_behind(released: threading.Event) -> None:
    """RNR-72: the loop of the host goes on meanwhile, and is not held up at the end."""

    async def source() -> AsyncGenerator[int]:
        yield 1
        released.wait(30)

    async def main() -> None:
        async with own() as loop:
            reader = flow(loop, source)
            await anext(reader)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await anext(reader)

    begun = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - begun < 5
    assert not released.is_set()
