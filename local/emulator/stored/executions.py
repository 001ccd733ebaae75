"""Stores Step Functions' state machines and executions.

An execution that was running starts again, since its current task died with its worker and Step Functions would retry
that task. The event of an end is posted again until it is delivered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.api import ExecutionStatus
from moto.stepfunctions.parser.models import StepFunctionsParserBackend

from local.emulator.stored.calls import after
from local.stack import ACCOUNT, REGION

if TYPE_CHECKING:
    from local.data.sqlite import Sqlite
    from local.emulator.executions import ReportedExecution

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS machines (arn TEXT PRIMARY KEY, name TEXT, definition TEXT, role TEXT);
CREATE TABLE IF NOT EXISTS executions (
    arn TEXT PRIMARY KEY, machine TEXT, name TEXT, input TEXT, started TEXT, status TEXT, stopped TEXT, event TEXT
);
"""
"""`event` is that of the end, until it is taken."""


class StoredExecutions:
    def __init__(self, store: Sqlite) -> None:
        self.store = store

    def started(self, execution: ReportedExecution) -> None:
        row = (
            execution.exec_arn,
            execution.state_machine_arn,
            execution.name,
            execution.execution_input,
            execution.start_date.isoformat(),
            execution.status,
        )
        self.store.write([("INSERT OR REPLACE INTO executions VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)", row)])

    def ended(self, execution: ReportedExecution, event: str) -> None:
        stopped = execution.stop_date.isoformat() if execution.stop_date else None
        sql = "UPDATE executions SET status = ?, stopped = ?, event = ? WHERE arn = ?"
        self.store.write([(sql, (execution.status, stopped, event, execution.exec_arn))])

    def reported(self, arn: str) -> None:
        """Record that the event of its end was delivered."""
        self.store.write([("UPDATE executions SET event = NULL WHERE arn = ?", (arn,))])

    def forget(self, arns: Iterable[str]) -> None:
        self.store.write([("DELETE FROM executions WHERE arn = ?", (arn,)) for arn in arns])

    def keep_machines(self) -> None:
        """Store all machines, and from now on every new or changed one."""

        def put(_: Mapping[str, Any], machine: Any) -> None:
            row = machine.arn, machine.name, machine.definition, machine.roleArn
            self.store.write([("INSERT OR REPLACE INTO machines VALUES (?, ?, ?, ?)", row)])

        after(StepFunctionsParserBackend, "create_state_machine", put)
        after(StepFunctionsParserBackend, "update_state_machine", put)


def load(kept: StoredExecutions, kind: type[ReportedExecution]) -> None:
    """Load all machines and executions into moto, and start those that were running."""
    backend = models.stepfunctions_parser_backends[ACCOUNT][REGION]
    machines = {}
    for arn, name, definition, role in kept.store.read("SELECT arn, name, definition, role FROM machines"):
        machines[arn] = backend.create_state_machine(name, definition, role)
    kept.keep_machines()
    sql = "SELECT arn, machine, name, input, started, status, stopped, event FROM executions ORDER BY started"
    for arn, machine_arn, name, execution_input, started, status, stopped, event in kept.store.read(sql):
        machine = machines[machine_arn]
        execution = kind(
            name=name,
            sm_type=machine.sm_type,
            role_arn=machine.roleArn,
            exec_arn=arn,
            account_id=ACCOUNT,
            region_name=REGION,
            state_machine=machine,
            start_date=datetime.fromisoformat(started),
            cloud_watch_logging_session=None,
            input_data=execution_input,
            activity_store={},
        )
        machine.executions.append(cast("Any", execution))
        if status == ExecutionStatus.RUNNING:
            execution.start()
            continue
        execution.exec_status = ExecutionStatus(status)
        execution.stop_date = datetime.fromisoformat(stopped)
        if event is not None:
            execution.post_later(event.encode(), has_ended=True)
