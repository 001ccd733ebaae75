"""Cancelling a run: the terminal event first, then the execution; nobody is waited for.

The worker finds at its next write that the run has ended, and its sandbox may still run to the end of what it is doing.
"""

from yarrow.host import ending, owned
from yarrow.settings import settings
from yarrow.store import clients, runs


def cancel_run(user_id: str, thread_id: str, run_id: str | None) -> runs.Run:
    """End the user's run with RUN_CANCELED and stop its execution (CAN-01 … CAN-06).

    A run that has ended is left as it is. Raises Problem as `owned.run_of` does.
    """
    run = owned.run_of(user_id, thread_id, run_id)
    stop(run.key)
    return run


def stop(run_key: str) -> None:
    """Cancel a run by its key, whatever it is doing."""
    if ending.end_with_error(run_key, ending.CANCELED):
        _stop_execution(run_key)


def _stop_execution(run_key: str) -> None:
    client = clients.step_functions()
    execution = settings.state_machine_arn.replace(":stateMachine:", ":execution:", 1) + f":{run_key}"
    try:
        client.stop_execution(executionArn=execution, error="RunCanceled")
    except client.exceptions.ExecutionDoesNotExist:
        return  # cancelled before it was started: its first task will find the run ended
