"""Ends the asyncio tasks that a run left behind, so that they do not continue in the process's next run."""

import asyncio
import time
from collections.abc import Iterable
from typing import Any


def cancel_leftovers(runner: asyncio.Runner, seconds: float) -> bool:
    """Cancel all tasks of the loop, which is not running; False if some do not end within `seconds`. Their exceptions
    are dropped, SystemExit and KeyboardInterrupt too.
    """
    deadline = time.monotonic() + seconds
    while tasks := asyncio.all_tasks(runner.get_loop()):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        for task in tasks:
            task.cancel()
        try:
            runner.run(_ended(tasks, left))
        except (SystemExit, KeyboardInterrupt):  # raised by a task, which has ended
            continue
    return True


async def _ended(tasks: Iterable[asyncio.Task[Any]], seconds: float) -> None:
    ended, _ = await asyncio.wait(tasks, timeout=seconds)
    for task in ended:
        if not task.cancelled():
            task.exception()  # else asyncio would log it
