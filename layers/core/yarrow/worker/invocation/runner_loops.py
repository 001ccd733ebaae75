"""The event loop of installed runners: one for the life of the process, in a thread of its own, since a runner's module
may keep objects that belong to it, such as an HTTP client.

The loop is paused between runs. At the end of a run its remaining tasks are cancelled; a loop whose tasks do not end
takes no other run, and the process ends before the next one, since a second loop would break such objects. Concurrent
runs have a loop each.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Final

from yarrow.runs.leftover_tasks import cancel_leftovers

GRACE_SECONDS = 2.0
"""For a cancelled runner, or the tasks it left behind, to end."""

MAX_ABANDONED: Final = 4
"""Ended runs whose threads still run, per process; with as many, it takes no other run."""

_POLL_SECONDS: Final = 0.02

_lock: Final = threading.Lock()
_idle: Final[list["RunnerLoop"]] = []
_closing: Final[dict["RunnerJob", float]] = {}
"""Runs that were asked to end and have not yet, with the monotonic time of that."""
_left: list[set[threading.Thread]] = []
"""The executor threads of each ended run."""


@dataclass(eq=False, slots=True)
class RunnerJob:
    """One run: `main` in `context`, then `ended` with what it raised, and `left` once its tasks have ended too."""

    main: Coroutine[Any, Any, None]
    context: Context
    ended: Callable[[BaseException | None], None]
    left: Callable[[], None]
    has_left: bool = False

    def close(self) -> None:
        with _lock:
            if not self.has_left:
                _closing[self] = time.monotonic()


class RunnerLoop:
    """A thread with a loop that serves one run after another."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[RunnerJob] = SimpleQueue()
        threading.Thread(target=self._serve, name="runner", daemon=True).start()

    def start(self, job: RunnerJob) -> None:
        self._jobs.put(job)

    def _serve(self) -> None:
        runner = asyncio.Runner()
        while True:
            job = self._jobs.get()
            threads: set[threading.Thread] = set()

            def note(threads: set[threading.Thread] = threads) -> None:
                threads.add(threading.current_thread())

            workers = ThreadPoolExecutor(thread_name_prefix="runner", initializer=note)
            runner.get_loop().set_default_executor(workers)
            raised: BaseException | None = None
            try:
                runner.run(job.main, context=job.context)
            except BaseException as error:  # noqa: BLE001 (the host gets it; SystemExit must not end the host)
                raised = error
            job.ended(raised)
            while not cancel_leftovers(runner, GRACE_SECONDS):
                pass  # the loop is lost until they have ended
            workers.shutdown(wait=False, cancel_futures=True)
            self._release(job, threads)
            job.left()
            del job, raised  # not kept until the next run

    def _release(self, job: RunnerJob, threads: set[threading.Thread]) -> None:
        with _lock:
            job.has_left = True
            _closing.pop(job, None)
            _left.append(threads)
            _idle.append(self)


def acquire() -> RunnerLoop:
    with _lock:
        return _idle.pop() if _idle else RunnerLoop()


def are_free() -> bool:
    """Return whether the process may take a run; waits up to GRACE_SECONDS for what earlier runs left."""
    deadline = time.monotonic() + GRACE_SECONDS
    while not _are_free():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _are_free() -> bool:
    with _lock:
        _left[:] = [threads for threads in _left if any(thread.is_alive() for thread in threads)]
        lost = any(time.monotonic() - since >= GRACE_SECONDS for since in _closing.values())
        return not lost and len(_left) < MAX_ABANDONED
