"""Starts the executions of a stored run: one for its first turn, and one of another state machine for each later turn.

Their names are made of the run's key and the turn, so a start may be repeated. Both machines have the same tasks. That
of later turns begins with a wait, which runs of one turn would pay for.
"""

from botocore.exceptions import ClientError

from yarrow.formats import json_text
from yarrow.settings import settings
from yarrow.store import clients, runs, table

_TURN_MARK = "_"
"""Between key and turn; no key has it."""


def start_execution(run: runs.Run) -> None:
    """Start the execution of the run's first turn; idempotent."""
    _start(settings.state_machine_arn, run.key, {"runKey": run.key})


def start_turn(run: runs.Run, machine_arn: str) -> None:
    """Start the execution of the run's next turn, which begins when the run wakes (STP-05); idempotent."""
    if run.resumes_at is None:
        raise ValueError("the next turn has begun")
    until = run.resumes_at.replace("+00:00", "Z")
    _start(machine_arn, _name(run), {"runKey": run.key, "turn": run.turns, "until": until})


def execution_arn(run: runs.Run) -> str:
    """Return the ARN of the execution that the run has now, or will have when it is started."""
    machine = settings.turn_machine_arn if run.turns else settings.state_machine_arn
    return f"{machine.replace(':stateMachine:', ':execution:', 1)}:{_name(run)}"


def run_and_turn(execution_name: str) -> tuple[str, int]:
    run_key, _, turn = execution_name.partition(_TURN_MARK)
    return run_key, int(turn or 0)


def _name(run: runs.Run) -> str:
    return f"{run.key}{_TURN_MARK}{run.turns}" if run.turns else run.key


def _start(machine_arn: str, name: str, values: dict[str, str | int]) -> None:
    try:
        clients.step_functions().start_execution(stateMachineArn=machine_arn, name=name, input=json_text.dumps(values))
    except ClientError as error:
        if "ExecutionAlreadyExists" not in table.error_codes(error):
            raise
