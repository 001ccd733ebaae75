"""Step Functions, Lambda and EventBridge as the product uses them, on virtual time.

The state machine is the template's: its retries, timeouts and catch. An invocation goes on when the task that waits for
it does not, and events come once or twice, late, in any order.
"""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tests.simulation.aws import Aws
from tests.simulation.scheduler import Actor, Scheduler
from tests.support import state_machine
from tests.support.memory_aws.table import error
from tests.support.state_machine import MACHINE, Json

Handler = Callable[[Json], object]

EVENT_TRIES: Final = 3
EVENT_PAUSES: Final = (60.0, 120.0)
MAX_SKEW: Final = 30.0
CRASHED: Final = "Lambda.Unknown"
UNHEARD_AFTER: Final = 8.0


class Executions:
    """`work` is the function of the machine's tasks, `ended` the one that EventBridge calls."""

    def __init__(self, scheduler: Scheduler, aws: Aws, work: Handler, ended: Handler) -> None:
        self._scheduler, self._aws = scheduler, aws
        self._work, self._ended = work, ended
        self.works: Counter[str] = Counter()
        """How often each run was given to a worker."""
        self._status: dict[str, str] = {}
        self._actors: dict[str, Actor] = {}

    def StartExecution(self, name: str, **_: Any) -> Json:  # noqa: N802
        if name in self._status:
            raise error("StartExecution", "ExecutionAlreadyExists")
        self._status[name] = "RUNNING"
        self._actors[name] = self._scheduler.spawn(f"execution {name[:6]}", lambda: self._execute(name))
        return {"executionArn": f"arn:aws:states:us-east-1:123456789012:execution:runs:{name}"}

    def StopExecution(self, executionArn: str, **_: Any) -> Json:  # noqa: N802, N803
        name = executionArn.rpartition(":")[2]
        if name not in self._status:
            raise error("StopExecution", "ExecutionDoesNotExist")
        if self._status[name] == "RUNNING":
            self._end(name, "ABORTED")
            self._scheduler.stop(self._actors[name])
        return {}

    def _execute(self, name: str) -> None:
        until = self._scheduler.now + MACHINE["TimeoutSeconds"]
        state, data = MACHINE["StartAt"], {"runKey": name}
        while self._scheduler.now < until:
            definition = MACHINE["States"][state]
            match definition["Type"]:
                case "Task":
                    state, data = self._task(definition, data, until)
                case "Choice":
                    state = state_machine.chosen(definition, data)
                case "Wait":
                    self._scheduler.pause(max(0.0, state_machine.wakes_at(definition, data) - time.time()))
                    state = definition["Next"]
                case ending:
                    return self._end(name, "SUCCEEDED" if ending == "Succeed" else "FAILED")
        return self._end(name, "TIMED_OUT")

    def _task(self, definition: Json, data: Json, until: float) -> tuple[str, Json]:
        """The state after it, and the data."""
        payload = state_machine.payload(definition, data)
        failed, answer = self._tried(definition, payload, until)
        if failed is not None and "Catch" in definition:
            return state_machine.caught(definition, data, failed)
        return definition["Next"], state_machine.with_result(definition, data, answer)

    def _tried(self, definition: Json, payload: Json, until: float) -> tuple[str | None, object]:
        """The error it ends with, if any, and its answer."""
        tried = 0
        while True:
            self.works[payload["runKey"]] += payload["task"] == "work"
            seconds = min(definition["TimeoutSeconds"], until - self._scheduler.now)
            name = f"{payload['task']} {payload['runKey'][:6]}"
            found, answer = self._invoked(name, self._work, payload, seconds)
            if found is None or self._scheduler.now >= until:
                return found, answer
            tried += 1
            retry = next((item for item in definition["Retry"] if {found, "States.ALL"} & {*item["ErrorEquals"]}), None)
            if retry is None or tried > retry["MaxAttempts"]:
                return found, None
            pause = retry["IntervalSeconds"] * retry["BackoffRate"] ** (tried - 1)
            self._scheduler.pause(self._scheduler.chance.uniform(0, pause))

    def invoke(self, name: str, handler: Handler, payload: Json, seconds: float) -> str | None:
        """The error of a function, if any; it may go on after that."""
        return self._invoked(name, handler, payload, seconds)[0]

    def _invoked(self, name: str, handler: Handler, payload: Json, seconds: float) -> tuple[str | None, object]:
        """The error of a function, if any, and its answer."""
        skew = self._scheduler.chance.uniform(-MAX_SKEW, MAX_SKEW)
        actor = self._scheduler.spawn(name, lambda: handler(payload), skew=skew, may_die=True)
        is_unheard = self._aws.is_unheard()
        if not self._scheduler.join(actor, self._scheduler.chance.uniform(0, UNHEARD_AFTER) if is_unheard else seconds):
            return CRASHED if is_unheard else "States.Timeout", None
        failed = None if actor.error is None else CRASHED if actor.crashed else type(actor.error).__name__
        return failed, actor.result

    def _end(self, name: str, status: str) -> None:
        self._status[name] = status
        if status == "SUCCEEDED":
            return
        event = {"detail": {"name": name, "status": status}}
        for _ in range(self._scheduler.chance.choice((1, 1, 2))):
            delay = self._scheduler.chance.uniform(0, 90)
            self._scheduler.spawn(f"event {name[:6]}", lambda: self._deliver(name, event), after=delay)

    def _deliver(self, name: str, event: Json) -> None:
        """As Lambda does what is invoked asynchronously."""
        for tried in range(EVENT_TRIES):
            if self.invoke(f"end {name[:6]}", self._ended, event, 60) is None or tried == EVENT_TRIES - 1:
                return
            self._scheduler.pause(EVENT_PAUSES[tried])
