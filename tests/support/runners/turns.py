"""Runs of many turns in this process, on virtual time: the template's state machine over the worker."""

import asyncio
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Any, Self
from unittest.mock import patch

from functions.execute_run.app import handler
from tests.support import state_machine
from tests.support.run_lives import CONTEXT
from tests.support.state_machine import MACHINE, Json
from tests.support.virtual_time import VirtualTimeLoop
from yarrow.store import clock


class Clock:
    """The time, which passes only in workers' event loops and in waits of the state machine."""

    def __init__(self) -> None:
        self.passed = 0.0
        self._began_at = time.time()
        self._loop: asyncio.AbstractEventLoop | None = None

    def time(self) -> float:
        """Seconds since the epoch."""
        return self._began_at + self.passed + (self._loop.time() if self._loop is not None else 0.0)

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Run to the end, in the place of `asyncio.run`."""
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            self._loop = runner.get_loop()
            try:
                with patch("time.monotonic", self._loop.time):
                    return runner.run(main)
            finally:
                self.passed, self._loop = self.passed + self._loop.time(), None

    @contextmanager
    def installed(self) -> Iterator[Self]:
        """In the place of the machine's."""
        at = self.time

        class Moment(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return cls.fromtimestamp(at(), tz)

        with patch("time.time", at), patch.object(clock, "datetime", Moment), patch("asyncio.run", self.run):
            yield self


class Execution:
    """One execution of the state machine, state by state."""

    def __init__(self, run_key: str, now: Clock) -> None:
        self.data: Json = {"runKey": run_key}
        self.states: list[str] = []
        """Those that it was in."""
        self.slept = 0.0
        """Seconds in waits."""
        self._now = now
        self._following: str | None = MACHINE["StartAt"]

    def go(self, until: str = "Done", times: int = 1) -> str:
        """Go on until a state has been reached so often, or to the end; returns the last state."""
        while self._following is not None and self.states.count(until) < times:
            self.states.append(self._following)
            self._following = self._after(MACHINE["States"][self._following])
        return self.states[-1]

    def _after(self, state: Json) -> str | None:
        match state["Type"]:
            case "Task":
                return self._work(state)
            case "Choice":
                return state_machine.chosen(state, self.data)
            case "Wait":
                rest = max(0.0, state_machine.wakes_at(state, self.data) - self._now.time())
                self._now.passed += rest
                self.slept += rest
                return str(state["Next"])
        return None

    def _work(self, state: Json) -> str:
        try:
            answer = handler(state_machine.payload(state, self.data), CONTEXT)
        except Exception as error:  # noqa: BLE001 - States.ALL
            following, self.data = state_machine.caught(state, self.data, type(error).__name__)
            return following
        self.data = state_machine.with_result(state, self.data, answer)
        return str(state["Next"])
