"""Cancelling a run: the terminal event first, then the execution; nobody is waited for.

The worker finds at its next write that the run has ended, and its sandbox may still run to the end of what it is doing.
"""

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import ownership
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.runs import end_run
from yarrow.settings import settings
from yarrow.store import clients, runs, table


def cancel_run(user_id: str, thread_id: str, run_id: str | None) -> runs.Run:
    """End the user's run with RUN_CANCELED and stop its execution (CAN-01 … CAN-06).

    A run that has ended is left as it is. Raises Problem as `owned.run_of` does.
    """
    run = ownership.run_of(user_id, thread_id, run_id)
    emit("a cancel was asked for", {Metric.CANCELS: 1}, run_key=run.key)
    stop(run.key)
    return run


def stop(run_key: str) -> None:
    """Cancel a run by its key, whatever it is doing. Called again, it stops an execution that was not stopped then."""
    correlate(run_key=run_key)
    end_run.end_with_error(run_key, end_run.CANCELED)
    if runs.must_read(run_key).phase == "canceled":
        _stop_execution(run_key)


def _stop_execution(run_key: str) -> None:
    """Spare the execution the rest of its way; the run has ended, whether this succeeds or not."""
    execution = settings.state_machine_arn.replace(":stateMachine:", ":execution:", 1) + f":{run_key}"
    try:
        clients.step_functions().stop_execution(executionArn=execution, error="RunCanceled")
    except (BotoCoreError, ClientError) as error:
        if isinstance(error, ClientError) and "ExecutionDoesNotExist" in table.error_codes(error):
            return  # cancelled before it was started: its first task will find the run ended
        logger.warning("the execution goes on", exc_info=True)
