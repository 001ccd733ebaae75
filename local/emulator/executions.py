"""Patches moto's Step Functions for the emulator.

Executions start at once, report status changes as EventBridge does, can be stopped, invoke functions at a Lambda API
elsewhere, wait until a time in UTC to the millisecond, and are deleted after their end. `events` matches the events
against rules.
"""

import datetime
import json
import logging
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import boto3
from botocore.config import Config
from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.api import ExecutionStatus
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.timestamp import Timestamp
from moto.stepfunctions.parser.asl.eval.environment import Environment
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.backend import execution_worker
from moto.stepfunctions.parser.backend.execution import BaseExecutionWorkerCommunication, Execution
from moto.stepfunctions.parser.utils import TMP_THREADS

from local.data.sqlite import Sqlite
from local.emulator.stored.executions import StoredExecutions, load
from local.posting import post
from local.stack import REGION

# Lambda's maximum timeout and a margin, in seconds.
_TASK_SECONDS = 910
_PARALLEL_TASKS = 500

KEPT = 200
"""Ended executions kept for each state machine; Step Functions keeps them for 90 days."""

# One thread keeps the order of an execution's events.
_posting = ThreadPoolExecutor(1, thread_name_prefix="events")

logger = logging.getLogger(__name__)


def install(host_url: str, store: Sqlite | None = None) -> None:
    """Make executions invoke functions at `host_url` and post events to `host_url`/events.

    With a store, continue its executions.
    """
    # moto creates clients from one session in many threads, which boto3 does not allow.
    client = boto3.client(
        "lambda",
        endpoint_url=host_url,
        region_name=REGION,
        config=Config(
            read_timeout=_TASK_SECONDS,
            retries={"total_max_attempts": 1},
            max_pool_connections=_PARALLEL_TASKS,
            parameter_validation=False,
        ),
    )
    vars(lambda_eval_utils)["boto_client_for"] = lambda **_: client

    class Reported(ReportedExecution):
        events_url = f"{host_url}/events"
        kept = None if store is None else StoredExecutions(store)

    vars(models)["Execution"] = Reported
    setattr(Timestamp, "_eval_body", _wait_until)  # noqa: B010 (a method with a narrower self)
    vars(execution_worker)["AmazonStateLanguageParser"] = ParsedOnce
    if Reported.kept is not None:
        load(Reported.kept, Reported)


def _wait_until(wait: Timestamp, env: Environment) -> None:
    """Wait until a timestamp; moto takes it for local time and drops parts of seconds."""
    wait.string.eval(env=env)
    until = datetime.datetime.fromisoformat(env.stack.pop()).timestamp()
    while env.is_running() and (left := until - time.time()) > 0:
        env.program_state_event.wait(left)


class ParsedOnce(AmazonStateLanguageParser):
    """A parser that caches definitions; an execution's state is in its environment."""

    parse = staticmethod(cache(AmazonStateLanguageParser.parse))


class ReportedExecution(Execution):
    """An execution that posts an event at its start and at its end."""

    events_url: str
    kept: StoredExecutions | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ending = threading.Lock()

    def start(self) -> None:
        self._forget_ended()
        self.exec_status = ExecutionStatus.RUNNING
        if self.kept is not None:
            self.kept.started(self)
        self._post_status()
        super().start()

    def stop(self, stop_date: datetime.datetime, error: str | None, cause: str | None) -> None:
        """End at once, as Step Functions does; moto waits for the current task."""
        with self._ending:
            if self.exec_status is not ExecutionStatus.RUNNING:
                return
            self.exec_status = ExecutionStatus.ABORTED
            self.stop_date = stop_date
            self._keep_end()
        # moto cannot stop an execution before its first state.
        if self.exec_worker and self.exec_worker.env:
            super().stop(stop_date=stop_date, error=error, cause=cause)
        self._post_status()

    def ended(self, reflect: "Communication") -> None:
        """Record that the last state is done; has no effect on a stopped execution."""
        with self._ending:
            if self.exec_status is not ExecutionStatus.RUNNING:
                return
            reflect.reflect()
            self._keep_end()
        if self.status != ExecutionStatus.SUCCEEDED.value:
            logger.warning("execution %s %s: %s", self.name, self.status, self.error)
        self._post_status()

    def _get_start_execution_worker_comm(self) -> "Communication":
        return Communication(self)

    def _forget_ended(self) -> None:
        """Delete old executions; only one request at a time may call this."""
        TMP_THREADS[:] = [thread for thread in TMP_THREADS if thread.is_alive()]
        # An execution has a copy of its state machine.
        machines = models.stepfunctions_parser_backends[self.account_id][self.region_name].state_machines
        for machine in machines:
            ended = [execution for execution in machine.executions if execution.stop_date is not None]
            for execution in ended[:-KEPT]:
                machine.executions.remove(execution)
            if self.kept is not None and ended[:-KEPT]:
                self.kept.forget(execution.execution_arn for execution in ended[:-KEPT])

    def _keep_end(self) -> None:
        if self.kept is not None:
            self.kept.ended(self, json.dumps(status_change(self)))

    def _post_status(self) -> None:
        # Starting an execution must not wait for its event.
        self.post_later(json.dumps(status_change(self)).encode(), has_ended=self.stop_date is not None)

    def post_later(self, event: bytes, *, has_ended: bool) -> None:
        """Queue an event for posting."""
        _posting.submit(self._post, event, has_ended)

    def _post(self, body: bytes, has_ended: bool) -> None:
        answer = post(self.events_url, body, f"the event of {self.exec_arn} is")
        if answer is not None and has_ended and self.kept is not None:
            self.kept.reported(self.exec_arn)


class Communication(BaseExecutionWorkerCommunication):
    """Receives the end of an execution from its thread."""

    execution: ReportedExecution

    def terminated(self) -> None:
        self.execution.ended(self)

    def reflect(self) -> None:
        super().terminated()


def status_change(execution: Execution) -> dict[str, Any]:
    """Return the event of a status change; dates in the detail are in milliseconds.

    Source: Step Functions Developer Guide, "Automating Step Functions event delivery with EventBridge".
    """
    described: dict[str, Any] = dict(execution.to_describe_output())
    started, stopped = described["startDate"], described["stopDate"]
    return {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "Step Functions Execution Status Change",
        "source": "aws.states",
        "account": execution.account_id,
        "time": (stopped or started).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": execution.region_name,
        "resources": [execution.exec_arn],
        "detail": {
            "executionArn": execution.exec_arn,
            "stateMachineArn": described["stateMachineArn"],
            "name": execution.name,
            "status": execution.status,
            "startDate": int(started.timestamp() * 1000),
            "stopDate": int(stopped.timestamp() * 1000) if stopped else None,
            "input": described["input"],
            "inputDetails": {"included": True},
            "output": described.get("output"),
            "outputDetails": {"included": True} if "output" in described else None,
            "error": described.get("error"),
            "cause": described.get("cause"),
        },
    }
