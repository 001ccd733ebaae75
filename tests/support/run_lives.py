"""Runs whose parts fail or die at each AWS call, and everybody who has to do with them."""

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from functions.end_run.app import handler as end_run
from tests.support.divination_runs import ALICE, submit
from tests.support.ended_runs import ending_of
from tests.support.functions.api_calls import ApiCalls, Fault, Killed
from tests.support.paths import ROOT
from yarrow.runs import end_run as ending
from yarrow.runs import lost_runs
from yarrow.runs.cancel_run import cancel_run
from yarrow.runs.delete_session import delete_session
from yarrow.store import runs, sessions
from yarrow.web.lambda_runtime import InvocationContext
from yarrow.worker import execute_run

EVENT = json.loads((ROOT / "events/event_bridge_execution_status.json").read_text("utf-8"))


CONTEXT = InvocationContext(
    aws_request_id="c5f9e3a0-0000-4000-8000-000000000000",
    invoked_function_arn="arn:aws:lambda:eu-west-1:123456789012:function:EndRunFunction",
    deadline_ms=0,
    function_name="EndRunFunction",
    function_version="$LATEST",
    memory_limit_in_mb=512,
    log_group_name="/aws/lambda/EndRunFunction",
    log_stream_name="",
)


class Life:
    """One run of a thread of its own, and everybody who has to do with it."""

    def __init__(self) -> None:
        self.thread = str(uuid.uuid4())
        self.key = runs.key_of("alice", self.thread, "run-1")

    def submit(self, run_id: str = "run-1") -> None:
        submit(ALICE, threadId=self.thread, runId=run_id)

    def submit_and_end(self) -> None:
        self.submit()
        self.fail()

    def submit_again(self) -> None:
        """By a client that sends a request until it is answered."""
        for _ in range(3):
            with suppress(ClientError, BotoCoreError, Killed):
                return self.submit()
        raise AssertionError("never answered")

    def execute(self) -> None:
        """As the state machine does: an error of the work is caught, and the other task tried again."""
        try:
            self.work()
        except Exception as error:  # noqa: BLE001 - States.ALL
            self.retry(partial(self.fail, type(error).__name__))

    def retry(self, task: Callable[[], None]) -> None:
        for _ in range(4):
            with suppress(Exception):
                task()
                return
        task()

    def work(self) -> None:
        execute_run.work(self.key)

    def fail(self, cause: str = "ValueError") -> None:
        ending.fail(self.key, cause)

    def cancel(self) -> None:
        cancel_run("alice", self.thread, "run-1")

    def delete(self) -> None:
        delete_session("alice", self.thread)

    def end_run(self, status: str = "TIMED_OUT") -> None:
        """EventBridge tells, of an execution that ended without its last state."""
        end_run(EVENT | {"detail": EVENT["detail"] | {"name": self.key, "status": status}}, CONTEXT)

    def lose_patience(self) -> None:
        """A reader looks twice and sees no sign of life."""
        watch = lost_runs.LivenessWatch(self.key)
        watch.check()
        watch.check()

    def check(self) -> dict[str, Any]:
        """That it ended as every run must, and that the session can take the next; returns its terminal event."""
        terminal = ending_of(self.key)
        session = sessions.read(self.thread)
        assert session is not None
        assert session.active_run is None
        return terminal


def lives(calls: ApiCalls, fault: Callable[[Life], Fault], *parts: str, before: tuple[str, ...] = ()) -> Iterator[Life]:
    """One life for each AWS call of these parts of it: the fault strikes the first, then the second, to the last."""
    for number in count(1):
        life = Life()
        for part in before:
            getattr(life, part)()
        calls.reset(number, fault(life))
        try:
            for part in parts:
                getattr(life, part)()
        except Killed:
            pass
        if not calls.struck:
            return
        calls.reset()
        yield life
