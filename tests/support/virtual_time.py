"""An event loop with a simulated clock, which advances only while all tasks sleep.

What would run in a thread runs at once and takes no time: whoever polls polls at least as often as in real time.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple
from unittest.mock import patch

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")


def run(main: Coroutine[Any, Any, Any]) -> float:
    """Run to the end, with `time.monotonic` and the threads of asyncio and anyio; returns the seconds that passed."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        loop = runner.get_loop()
        with patch("time.monotonic", loop.time), patch("anyio.to_thread.run_sync", _at_once):
            runner.run(main)
        return loop.time()


async def _at_once(function: Callable[..., Any], *arguments: Any, limiter: object = None) -> Any:
    return function(*arguments)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Starts at 0 seconds."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Timetable(self._pass))

    def time(self) -> float:
        """Return the seconds since the start."""
        return self._now

    def _pass(self, seconds: float) -> None:
        self._now += max(0.0, seconds)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*_Arguments], _Result], *args: *_Arguments
    ) -> asyncio.Future[_Result]:
        future: asyncio.Future[_Result] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 (whoever awaits it gets it)
            future.set_exception(error)
        return future


class _Timetable(selectors.DefaultSelector):
    """Waits for no file: it tells for how long it would have."""

    def __init__(self, slept: Callable[[float], None]) -> None:
        super().__init__()
        self._slept = slept

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("everybody waits for somebody else")
        self._slept(timeout)
        return super().select(0)
