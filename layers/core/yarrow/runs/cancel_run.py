"""Cancels a run: writes the terminal event, then stops the execution.

The worker notices at its next write.
"""

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.access import ownership
from yarrow.observability.logs import correlate, logger
from yarrow.observability.metrics import Metric, emit
from yarrow.runs import end_run
from yarrow.runs.start_execution import execution_arn
from yarrow.store import clients, runs, table


def cancel_run(user_id: str, thread_id: str, run_id: str | None) -> runs.Run:
    """End the user's run with RUN_CANCELED and stop its execution (CAN-01 … CAN-06); returns the run as it is then.

    A run that has ended otherwise is not changed. Raises Problem as `ownership.run_of`.
    """
    run = ownership.run_of(user_id, thread_id, run_id)
    emit("cancellation was requested", {Metric.CANCELS: 1}, run_key=run.key)
    return stop(run.key)


def stop(run_key: str) -> runs.Run:
    """End a run in any phase and return it. A repeated call retries stopping the execution."""
    correlate(run_key=run_key)
    end_run.end_with_error(run_key, end_run.CANCELED)
    run = runs.must_read(run_key)
    if run.phase == "canceled":
        _stop_execution(run)
    return run


def _stop_execution(run: runs.Run) -> None:
    """Stop the execution of the run's turn if possible; the run has ended either way."""
    try:
        clients.step_functions().stop_execution(executionArn=execution_arn(run), error="RunCanceled")
    except (BotoCoreError, ClientError) as error:
        if isinstance(error, ClientError) and "ExecutionDoesNotExist" in table.error_codes(error):
            return  # not started yet: its first task will find the run ended
        logger.warning("the execution could not be stopped", exc_info=True)
