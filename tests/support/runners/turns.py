"""Runs of many turns in this process, on virtual time: the template's state machines over the worker."""

import asyncio
import json
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import Any, Self
from unittest.mock import patch

from botocore.exceptions import ClientError

from functions.execute_run.app import handler
from tests.support import state_machine
from tests.support.run_lives import CONTEXT
from tests.support.state_machine import MACHINE, Json
from tests.support.virtual_time import VirtualTimeLoop
from yarrow.settings import settings
from yarrow.store import clients, clock


class Clock:
    """The time, which passes only in workers' event loops and in waits of the state machine."""

    def __init__(self) -> None:
        self.passed = 0.0
        self._began_at = time.time()
        self._loop: asyncio.AbstractEventLoop | None = None

    def time(self) -> float:
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
        at = self.time

        class Moment(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Self:
                return cls.fromtimestamp(at(), tz)

        with patch("time.time", at), patch.object(clock, "datetime", Moment), patch("asyncio.run", self.run):
            yield self


class Execution:
    """The executions of a run, state by state: that of its first turn, and of each later one that a worker started."""

    def __init__(self, run_key: str, now: Clock) -> None:
        self.run_key = run_key
        self.states: list[str] = []
        """Those that it was in, over all turns."""
        self.slept = 0.0
        self._now = now
        self._machine: Json = MACHINE
        self._data: Json = {"runKey": run_key}
        self._following: str | None = MACHINE["StartAt"]

    def go(self, until: str = "", times: int = 1) -> str:
        """Go on until a state has been left so often, or to the end; returns the last state."""
        while self._following is not None and self.states.count(until) < times:
            self.states.append(self._following)
            self._following = self._after(self._machine["States"][self._following]) or self.next_turn()
        return self.states[-1]

    def next_turn(self) -> str | None:
        """Go on with the execution that was started in the meantime, if any; returns its first state."""
        name = f"{self.run_key}_{self._data.get('turn', 0) + 1}"
        arn = f"{settings.turn_machine_arn.replace(':stateMachine:', ':execution:')}:{name}"
        try:
            started = clients.step_functions().describe_execution(executionArn=arn)
        except ClientError:
            return None
        self._machine, self._data = state_machine.machine_of(started["stateMachineArn"]), json.loads(started["input"])
        return str(self._machine["StartAt"])

    def _after(self, state: Json) -> str | None:
        match state["Type"]:
            case "Task":
                return self._work(state)
            case "Wait":
                rest = max(0.0, state_machine.wakes_at(state, self._data) - self._now.time())
                self._now.passed += rest
                self.slept += rest
                return str(state["Next"])
        return None

    def _work(self, state: Json) -> str | None:
        try:
            handler(state_machine.payload(state, self._data), CONTEXT)
        except Exception as error:  # noqa: BLE001 - States.ALL
            following, self._data = state_machine.caught(state, self._data, type(error).__name__)
            return following
        return state.get("Next")
