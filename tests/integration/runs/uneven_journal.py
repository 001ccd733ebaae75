"""A run whose events are in items of several sizes, for tests that read it."""

from typing import Final

from tests.support.divination_runs import submit
from tests.support.journals import end_of
from yarrow.store import journal, runs

LINES: Final = [
    f'{{"type":"STEP_STARTED","threadId":"t","runId":"r","stepName":"第{number}步"}}' for number in range(2, 12)
]
END: Final = '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'


def begin() -> str:
    """Return the key of a running run of Alice's with eleven events, two of its items empty."""
    key = submit().task_id
    run = runs.claim(key)
    assert run is not None
    at = end_of(key)
    for size in (1, 2, 0, 0, 3, 4):
        at = journal.append(key, run.attempt, at, LINES[at.last - 1 : at.last - 1 + size])
    return key


def finish(run_key: str) -> None:
    journal.end(run_key, journal.NOBODY, end_of(run_key), [END], "finished", [])
