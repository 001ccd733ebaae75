"""Ending a run with RUN_ERROR, whoever finds that it cannot or must not go on.

The worker is not asked: the transaction that writes the terminal event shuts it out.
"""

from dataclasses import dataclass
from typing import Final, Literal

from yarrow.protocol import events
from yarrow.protocol.event_order import EventOrder
from yarrow.store import journal, runs, table

_TRIES = 20
"""How often a live worker may append between reading its journal and ending it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a run is ended: the phase it ends in, and what the client is told."""

    phase: Literal["failed", "canceled"]
    code: str
    message: str


FAILED: Final = Reason("failed", "RUN_FAILED", "the run failed")
TOOK_TOO_LONG: Final = Reason("failed", "RUN_TIMEOUT", "the run took too long")
LOST: Final = Reason("failed", "RUN_LOST", "the run was lost; submit it again under another runId")
CANCELED: Final = Reason("canceled", "RUN_CANCELED", "run canceled by user")


def end_with_error(run_key: str, reason: Reason) -> bool:
    """Close what is open and write RUN_ERROR, once (EVT-08, EVT-17). False when the run has ended already."""
    order, at = EventOrder(), journal.Place()
    for _ in range(_TRIES):
        run = runs.must_read(run_key)
        if run.ended:
            return False
        for batch in journal.read(run_key, at):
            order.replay(batch.lines)
            at = batch.end
        last = [*order.closing(run.ids), events.RunError(**run.ids, message=reason.message, code=reason.code)]
        try:
            runs.end_without_answer(run, at, [events.encode(event) for event in last], reason.phase)
        except table.ConditionFailedError:
            continue
        return True
    raise RuntimeError(f"run {run_key} could not be ended")
