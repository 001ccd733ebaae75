"""The model budget of a run in several processes: one table write per call.

The call limit is exact. Tokens are written with the process's next call.
"""

import asyncio

from yarrow.protocol.runner.api import ModelUsage
from yarrow.services.models.budget import MODEL_CALLS, MODEL_TOKENS, used_up
from yarrow.store.runner import run_tokens


class SharedBudget:
    """The model budget of a remote run (RNR-52)."""

    def __init__(self, run_key: str) -> None:
        self._run_key = run_key
        self._owed = 0

    async def admit(self) -> None:
        """Count a call and write pending tokens. Raises `rate_limited`."""
        owed, self._owed = self._owed, 0
        try:
            used = await asyncio.to_thread(run_tokens.count_call, self._run_key, owed)
        except Exception:
            self._owed += owed
            raise
        if used.calls > MODEL_CALLS or used.tokens >= MODEL_TOKENS:
            raise used_up()

    def spend(self, usage: ModelUsage) -> None:
        self._owed += usage.input_tokens + usage.output_tokens
