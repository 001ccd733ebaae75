"""Starts the execution of a stored run."""

from botocore.exceptions import ClientError

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients, runs, table


def start_execution(run: runs.Run) -> None:
    """Start the run's execution; idempotent, since the run's key is its name."""
    try:
        clients.step_functions().start_execution(
            stateMachineArn=settings.state_machine_arn,
            name=run.key,
            input=json_text.dumps({"runKey": run.key}),
        )
    except ClientError as error:
        if "ExecutionAlreadyExists" not in table.error_codes(error):
            raise
