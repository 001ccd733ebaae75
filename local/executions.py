"""What moto's Step Functions lacks, for the emulator's process: its executions report every change of status as
EventBridge does, stop when they are told to, reach their functions at a Lambda API elsewhere, begin at once, and are
forgotten some time after their end.

Each is done by replacing one name in moto, in `install`; matching the events against rules is the work of `events`.
"""

import datetime
import json
import logging
import threading
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import boto3
from botocore.config import Config
from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.api import ExecutionStatus
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
from moto.stepfunctions.parser.backend import execution_worker
from moto.stepfunctions.parser.backend.execution import BaseExecutionWorkerCommunication, Execution
from moto.stepfunctions.parser.utils import TMP_THREADS

from local.stack import REGION

# The longest that Lambda lets a function run, and a little.
_TASK_SECONDS = 910
_PARALLEL_TASKS = 500
_POST_SECONDS = 10

KEPT = 200
"""How many executions that have ended a state machine remembers; Step Functions does for 90 days."""

# One thread, so that the events of an execution keep their order.
_posting = ThreadPoolExecutor(1, thread_name_prefix="events")

logger = logging.getLogger(__name__)


def install(host_url: str) -> None:
    """Make executions invoke functions at `host_url` and post their events to `host_url`/events."""
    # moto makes a client for each task, from one session and many threads, which boto3 does not allow.
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

    vars(models)["Execution"] = Reported
    vars(execution_worker)["AmazonStateLanguageParser"] = ParsedOnce


class ParsedOnce(AmazonStateLanguageParser):
    """A parser that has read a definition before knows it; what changes during an execution is in its environment."""

    parse = staticmethod(cache(AmazonStateLanguageParser.parse))


class ReportedExecution(Execution):
    """An execution that posts an event when it starts and when it ends, however it ends."""

    events_url: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ending = threading.Lock()

    def start(self) -> None:
        self._forget_ended()
        self.exec_status = ExecutionStatus.RUNNING
        self._post_status()
        super().start()

    def stop(self, stop_date: datetime.datetime, error: str | None, cause: str | None) -> None:
        """End at once, as Step Functions does; moto alone would wait for the end of the current task."""
        with self._ending:
            if self.exec_status is not ExecutionStatus.RUNNING:
                return
            self.exec_status = ExecutionStatus.ABORTED
            self.stop_date = stop_date
        # One that has not come to its first state cannot be stopped, and runs unseen.
        if self.exec_worker and self.exec_worker.env:
            super().stop(stop_date=stop_date, error=error, cause=cause)
        self._post_status()

    def ended(self, reflect: "Communication") -> None:
        """The last state is done; nothing changes for an execution that was stopped before."""
        with self._ending:
            if self.exec_status is not ExecutionStatus.RUNNING:
                return
            reflect.reflect()
        if self.status != ExecutionStatus.SUCCEEDED.value:
            logger.warning("execution %s %s: %s", self.name, self.status, self.error)
        self._post_status()

    def _get_start_execution_worker_comm(self) -> "Communication":
        return Communication(self)

    def _forget_ended(self) -> None:
        """Called with the request that starts this execution, of which there is one at a time."""
        TMP_THREADS[:] = [thread for thread in TMP_THREADS if thread.is_alive()]
        # An execution has a copy of its state machine.
        machines = models.stepfunctions_parser_backends[self.account_id][self.region_name].state_machines
        for machine in machines:
            ended = [each for each in machine.executions if each.stop_date is not None]
            for each in ended[:-KEPT]:
                machine.executions.remove(each)

    def _post_status(self) -> None:
        # Nobody waits for an event, and who starts an execution least of all.
        _posting.submit(self._post, json.dumps(status_change(self)).encode())

    def _post(self, body: bytes) -> None:
        request = urllib.request.Request(self.events_url, body, method="POST")  # noqa: S310 (loopback)
        try:
            urllib.request.urlopen(request, timeout=_POST_SECONDS).close()  # noqa: S310
        except OSError as error:
            logger.warning("the event of %s is lost: %s", self.exec_arn, error)


class Communication(BaseExecutionWorkerCommunication):
    """How the thread that runs an execution says that it is done."""

    execution: ReportedExecution

    def terminated(self) -> None:
        self.execution.ended(self)

    def reflect(self) -> None:
        super().terminated()


def status_change(execution: Execution) -> dict[str, Any]:
    """The event of an execution's current status (Step Functions Developer Guide, "Automating Step Functions event
    delivery with EventBridge"); dates in the detail are in milliseconds."""
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
