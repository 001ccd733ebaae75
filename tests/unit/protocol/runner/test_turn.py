"""When a worker's turn at a run ends: at its limit, and when all that the runner waits for is time (STP-04, STP-05)."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.virtual_time import VirtualTimeLoop
from yarrow.protocol.runner.turn import ASK_SECONDS, IN_PLACE_SECONDS, SETTLE_SECONDS, HandOver, Turn

START = datetime(2026, 4, 5, tzinfo=UTC).timestamp()
LIMIT, GRACE = 800.0, 60.0


class Runner:
    """What a runner does in a turn; `done` has the names of what it brought to an end."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.done: list[str] = []

    async def sleep(self, seconds: float, name: str = "slept") -> None:
        async with self.turn.call():
            await self.turn.sleep(time.time() + seconds)
        self.done.append(name)

    async def call(self, seconds: float, name: str = "called") -> None:
        async with self.turn.call():
            await asyncio.sleep(seconds)
        self.done.append(name)

    async def ask(self) -> None:
        async with self.turn.call():
            await self.turn.until_answered()

    async def bring(self, seconds: float) -> None:
        """A result that the host takes so long to store."""
        with self.turn.taking():
            await asyncio.sleep(seconds)
        self.done.append("taken")

    async def step(self, seconds: float, within: Awaitable[None] | None = None) -> None:
        """A step of its own, with a call in it."""
        self.turn.begin_step("pay")
        await asyncio.sleep(seconds)
        if within is not None:
            await within
        self.turn.end_step("pay")
        self.done.append("paid")


def ended(
    run: Callable[[Runner], Awaitable[Any]], limit: float = LIMIT
) -> tuple[float | None, HandOver | None, list[str]]:
    """When the turn of a runner ended, how, and what it had done until then; times are seconds from the start."""

    async def main() -> tuple[float | None, HandOver | None, list[str]]:
        turn = Turn(START + limit, START + limit + GRACE)
        runner = Runner(turn)
        watched, running = asyncio.create_task(turn.ended()), asyncio.ensure_future(run(runner))
        await asyncio.wait({watched, running}, return_when=asyncio.FIRST_COMPLETED)
        at = time.time() - START if watched.done() else None
        for task in (watched, running):
            task.cancel()
        await asyncio.gather(watched, running, return_exceptions=True)
        return at, turn.hand_over, runner.done

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as loop, patch("time.time", _clock(loop)):
        at, hand_over, done = loop.run(main())
    until = None if hand_over is None or hand_over.until is None else hand_over.until - START
    return at, hand_over and HandOver(until), done


def _clock(loop: asyncio.Runner) -> Callable[[], float]:
    return lambda: START + loop.get_loop().time()


def test_a_runner_that_ends_in_time_ends_no_turn() -> None:
    assert ended(lambda runner: runner.call(5)) == (None, None, ["called"])


def test_a_sleep_ends_the_turn_once_the_runner_is_quiet() -> None:
    """STP-04: no worker is held."""
    assert ended(lambda runner: runner.sleep(3_600)) == (SETTLE_SECONDS, HandOver(3_600), [])


@pytest.mark.parametrize("seconds", [-3_600, 0, 1, IN_PLACE_SECONDS])
def test_a_short_sleep_is_waited_for(seconds: float) -> None:
    """And one that is over takes no time."""
    assert ended(lambda runner: runner.sleep(seconds)) == (None, None, ["slept"])


def test_of_two_sleeps_the_earlier_says_when_to_go_on() -> None:
    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.sleep(3_600), runner.sleep(60)))
    assert (at, hand_over, done) == (SETTLE_SECONDS, HandOver(60), [])


def test_a_short_sleep_beside_a_long_one_is_waited_for() -> None:
    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.sleep(3_600, "long"), runner.sleep(5, "short")))
    assert (at, hand_over, done) == (5 + SETTLE_SECONDS, HandOver(3_600), ["short"])


def test_a_call_beside_a_sleep_ends_first() -> None:
    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.sleep(3_600), runner.call(30)))
    assert (at, hand_over, done) == (30 + SETTLE_SECONDS, HandOver(3_600), ["called"])


def test_calls_that_follow_one_another_beside_a_sleep_are_all_made() -> None:
    """The runner may take a moment between two."""

    async def several(runner: Runner) -> None:
        for number in range(3):
            await runner.call(5, str(number))
            await asyncio.sleep(SETTLE_SECONDS / 2)

    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.sleep(3_600), several(runner)))
    assert (hand_over, done) == (HandOver(3_600), ["0", "1", "2"])
    assert at == pytest.approx(15 + 2 * SETTLE_SECONDS)


def test_a_sleep_that_ends_while_a_call_goes_on_goes_on_at_once() -> None:
    found = ended(lambda runner: asyncio.gather(runner.sleep(60), runner.call(100)))
    assert found == (None, None, ["slept", "called"])


def test_a_sleep_that_the_runner_gives_up_ends_nothing() -> None:
    async def impatient(runner: Runner) -> None:
        sleep = asyncio.create_task(runner.sleep(3_600))
        await asyncio.sleep(SETTLE_SECONDS / 2)
        sleep.cancel()
        await runner.call(30)

    assert ended(impatient) == (None, None, ["called"])


def test_a_step_of_the_runners_own_beside_a_sleep_is_waited_for() -> None:
    """Between its begin and its end no call is under way."""
    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.sleep(3_600), runner.step(30)))
    assert (at, hand_over, done) == (30 + SETTLE_SECONDS, HandOver(3_600), ["paid"])


# ---- The limit -------------------------------------------------------------------------------------------------------
def test_a_runner_that_makes_no_calls_is_stopped_at_the_limit() -> None:
    """STP-05."""
    assert ended(lambda _: asyncio.sleep(10_000)) == (LIMIT, HandOver(None), [])


def test_a_call_that_is_under_way_at_the_limit_may_end_and_no_other_begins() -> None:
    async def one_after_another(runner: Runner) -> None:
        for name, seconds in (("first", LIMIT - 100), ("second", 120), ("third", 1)):
            await runner.call(seconds, name)

    assert ended(one_after_another) == (LIMIT + 20, HandOver(None), ["first", "second"])


def test_a_call_that_takes_too_long_is_cut_off() -> None:
    assert ended(lambda runner: runner.call(10_000)) == (LIMIT + GRACE, HandOver(None), [])


def test_calls_within_a_step_of_the_runners_own_are_made_so_that_it_can_end() -> None:
    async def late(runner: Runner) -> None:
        await asyncio.sleep(LIMIT - 10)
        await runner.step(20, runner.call(5))
        await asyncio.sleep(10_000)

    assert ended(late) == (LIMIT + 15, HandOver(None), ["called", "paid"])


def test_a_sleep_at_the_limit_says_when_to_go_on_however_short() -> None:
    async def late(runner: Runner) -> None:
        await asyncio.sleep(LIMIT - 1)
        await runner.sleep(5)

    assert ended(late) == (LIMIT, HandOver(LIMIT + 4), [])


def test_a_sleep_beside_a_call_that_was_cut_off_delays_nothing() -> None:
    """The call is to be made again."""
    found = ended(lambda runner: asyncio.gather(runner.sleep(10_000), runner.call(10_000)))
    assert found == (LIMIT + GRACE, HandOver(None), [])


def test_without_a_limit_it_goes_on() -> None:
    """As the last turn of a run does, whose deadline comes first."""
    assert ended(lambda runner: runner.call(100_000), math.inf) == (None, None, ["called"])


def test_it_ends_once_and_no_call_begins_after_it() -> None:
    """Nor is one refused: the runner, which is about to be stopped, could tell of that."""

    async def late() -> tuple[list[str], HandOver]:
        runner = Runner(Turn())
        runner.turn.end(HandOver(7.0))
        runner.turn.end(HandOver(8.0))
        call = asyncio.create_task(runner.call(0))
        _, waiting = await asyncio.wait({call}, timeout=0.01)
        call.cancel()
        assert waiting == {call}
        return runner.done, await runner.turn.ended()

    assert asyncio.run(late()) == ([], HandOver(7.0))


def test_a_timeout_expires_with_the_turn() -> None:
    async def stopped() -> None:
        turn = Turn()
        async with asyncio.timeout(60) as limit, turn.stopping(limit):
            asyncio.get_running_loop().call_later(0.01, turn.end, HandOver())
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(stopped())


def test_what_ended_before_the_turn_is_not_disturbed_by_its_end() -> None:
    async def in_time() -> bool:
        turn = Turn()
        async with asyncio.timeout(60) as limit, turn.stopping(limit):
            turn.end(HandOver())
        await asyncio.sleep(0.01)
        return limit.expired()

    assert not asyncio.run(in_time())


def test_a_question_ends_no_turn_while_the_host_takes_a_result() -> None:
    """ASK-01: results that wait behind it would be lost, and shown by the run that goes on instead."""
    at, hand_over, done = ended(lambda runner: asyncio.gather(runner.ask(), runner.bring(2)))
    assert at == pytest.approx(2 + ASK_SECONDS)
    assert done == ["taken"]
    assert hand_over is not None
