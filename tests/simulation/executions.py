"""Step Functions, Lambda and EventBridge as the product uses them, on virtual time.

The state machine is the template's: its retries, timeouts and catch. An invocation goes on when the task that waits for
it does not, and events come once or twice, late, in any order.
"""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tests.simulation.aws import Aws
from tests.simulation.scheduler import Actor, Scheduler
from tests.support.memory_aws.table import error
from tests.support.paths import ROOT

Json = dict[str, Any]
Handler = Callable[[Json], object]

MACHINE: Final = json.loads((ROOT / "functions/execute_run/run.asl.json").read_text(encoding="utf-8"))
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
        failed = self._task("Work", {"task": "work", "runKey": name}, until)
        if failed is not None:
            self._task("Fail", {"task": "fail", "runKey": name, "error": failed}, until)
        if self._scheduler.now >= until:
            self._end(name, "TIMED_OUT")
        else:
            self._end(name, "SUCCEEDED" if failed is None else "FAILED")

    def _task(self, state: str, payload: Json, until: float) -> str | None:
        """The error it ends with, if any."""
        definition, tried = MACHINE["States"][state], 0
        while True:
            self.works[payload["runKey"]] += state == "Work"
            seconds = min(definition["TimeoutSeconds"], until - self._scheduler.now)
            found = self.invoke(f"{payload['task']} {payload['runKey'][:6]}", self._work, payload, seconds)
            if found is None or self._scheduler.now >= until:
                return found
            tried += 1
            retry = next((each for each in definition["Retry"] if {found, "States.ALL"} & {*each["ErrorEquals"]}), None)
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
