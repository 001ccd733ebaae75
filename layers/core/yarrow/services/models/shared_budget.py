"""The budget of a run whose calls reach any number of processes: counted in the table, in one write for each call.

A call is counted before it is made, so there are never more than the run may make. What it used is known afterwards and
is written with the next call that comes to the same process: until then it is the debt of that process alone.
"""

import asyncio

from yarrow.protocol.runner.api import ModelUsage
from yarrow.services.models.budget import MODEL_CALLS, MODEL_TOKENS, used_up
from yarrow.store.runner import run_tokens


class SharedBudget:
    """What is left for the models of a remote run (RNR-52), for all its workers together."""

    def __init__(self, run_key: str) -> None:
        self._run_key = run_key
        self._owed = 0

    async def admit(self) -> None:
        """Count a call and pay the debt. Raises `rate_limited` when nothing is left."""
        owed, self._owed = self._owed, 0
        try:
            used = await asyncio.to_thread(run_tokens.count_call, self._run_key, owed)
        except Exception:
            self._owed += owed
            raise
        if used.calls > MODEL_CALLS or used.tokens >= MODEL_TOKENS:
            raise used_up()

    def spend(self, usage: ModelUsage) -> None:
        """Owe what a call has used."""
        self._owed += usage.input_tokens + usage.output_tokens
