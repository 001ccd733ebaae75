"""The coins that a run threw for a question: kept, so that a worker that takes over has the same cast."""

import hashlib
from collections.abc import Sequence
from typing import Final

from yarrow.store import clock, table
from yarrow.store.items.updates import IS_NEW

DAYS: Final = 30


def keep(run_key: str, question: str, backs: Sequence[int]) -> tuple[int, ...]:
    """Those thrown before for this question in this run, if any, else these."""
    key = table.run_key_of(run_key, f"CAST#{hashlib.sha256(question.encode()).hexdigest()}")
    try:
        table.put_alone({**key, "backs": list(backs), "expires_at": clock.epoch_in(DAYS)}, IS_NEW)
    except table.ConditionFailedError:
        kept = table.get(key)
        if kept is not None:
            return tuple(map(int, kept["backs"]))
    return tuple(backs)
