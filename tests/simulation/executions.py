"""Step Functions, Lambda and EventBridge as the product uses them, on virtual time.

The state machines are the template's: their retries, timeouts and catch. An invocation goes on when the task that waits
for it does not, and events come once or twice, late, in any order.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tests.simulation.aws import Aws
from tests.simulation.scheduler import Actor, Scheduler
from tests.support import state_machine
from tests.support.memory_aws.table import error
from tests.support.state_machine import Json

Handler = Callable[[Json], object]

EVENT_TRIES: Final = 3
EVENT_PAUSES: Final = (60.0, 120.0)
MAX_SKEW: Final = 30.0
CRASHED: Final = "Lambda.Unknown"
UNHEARD_AFTER: Final = 8.0


class Executions:
    """`work` is the function of the machines' tasks, `ended` the one that EventBridge calls."""

    def __init__(self, scheduler: Scheduler, aws: Aws, work: Handler, ended: Handler) -> None:
        self._scheduler, self._aws = scheduler, aws
        self._work, self._ended = work, ended
        self.works: Counter[str] = Counter()
        """How often each run was given to a worker."""
        self.statuses: dict[str, str] = {}
        """By ARN, as the actors."""
        self._actors: dict[str, Actor] = {}

    def StartExecution(self, stateMachineArn: str, name: str, input: str) -> Json:  # noqa: A002, N802, N803
        arn = f"{stateMachineArn.replace(':stateMachine:', ':execution:')}:{name}"
        if arn in self.statuses:
            raise error("StartExecution", "ExecutionAlreadyExists")
        self.statuses[arn] = "RUNNING"
        machine, data = state_machine.machine_of(stateMachineArn), json.loads(input)
        self._actors[arn] = self._scheduler.spawn(f"execution {name[:6]}", lambda: self._execute(arn, machine, data))
        return {"executionArn": arn}

    def StopExecution(self, executionArn: str, **_: Any) -> Json:  # noqa: N802, N803
        if executionArn not in self.statuses:
            raise error("StopExecution", "ExecutionDoesNotExist")
        if self.statuses[executionArn] == "RUNNING":
            self._end(executionArn, "ABORTED")
            self._scheduler.stop(self._actors[executionArn])
        return {}

    def _execute(self, arn: str, machine: Json, data: Json) -> None:
        until = self._scheduler.now + machine["TimeoutSeconds"]
        state: str | None = machine["StartAt"]
        while state is not None and self._scheduler.now < until:
            definition = machine["States"][state]
            match definition["Type"]:
                case "Task":
                    state, data = self._task(definition, data, until)
                case "Wait":
                    self._scheduler.pause(max(0.0, state_machine.wakes_at(definition, data) - time.time()))
                    state = definition["Next"]
                case _:
                    return self._end(arn, "FAILED")
        return self._end(arn, "SUCCEEDED" if state is None else "TIMED_OUT")

    def _task(self, definition: Json, data: Json, until: float) -> tuple[str | None, Json]:
        """The state after it, if any, and the data."""
        failed = self._tried(definition, state_machine.payload(definition, data), until)
        if failed is not None and "Catch" in definition:
            return state_machine.caught(definition, data, failed)
        return definition.get("Next"), data

    def _tried(self, definition: Json, payload: Json, until: float) -> str | None:
        """The error it ends with, if any."""
        tried = 0
        while True:
            self.works[payload["runKey"]] += payload["task"] == "work"
            seconds = min(definition["TimeoutSeconds"], until - self._scheduler.now)
            name = f"{payload['task']} {payload['runKey'][:6]}"
            found = self.invoke(name, self._work, payload, seconds)
            if found is None or self._scheduler.now >= until:
                return found
            tried += 1
            retry = next((item for item in definition["Retry"] if {found, "States.ALL"} & {*item["ErrorEquals"]}), None)
            if retry is None or tried > retry["MaxAttempts"]:
                return found
            pause = retry["IntervalSeconds"] * retry["BackoffRate"] ** (tried - 1)
            self._scheduler.pause(self._scheduler.chance.uniform(0, pause))

    def invoke(self, name: str, handler: Handler, payload: Json, seconds: float) -> str | None:
        """The error of a function, if any; it may go on after that."""
        skew = self._scheduler.chance.uniform(-MAX_SKEW, MAX_SKEW)
        actor = self._scheduler.spawn(name, lambda: handler(payload), skew=skew, may_die=True)
        is_unheard = self._aws.is_unheard()
        if not self._scheduler.join(actor, self._scheduler.chance.uniform(0, UNHEARD_AFTER) if is_unheard else seconds):
            return CRASHED if is_unheard else "States.Timeout"
        return None if actor.error is None else CRASHED if actor.crashed else type(actor.error).__name__

    def _end(self, arn: str, status: str) -> None:
        self.statuses[arn] = status
        name = arn.rpartition(":")[2]
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
