"""The model budget of a run whose calls are spread over processes: one table write per call.

Calls are counted before they are made, so their limit is exact. Tokens are written with the next call in the same
process.
"""

import asyncio

from yarrow.protocol.runner.api import ModelUsage
from yarrow.services.models.budget import MODEL_CALLS, MODEL_TOKENS, used_up
from yarrow.store.runner import run_tokens


class SharedBudget:
    """The model budget of a remote run (RNR-52), shared by all its processes."""

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
        """Add a call's tokens to those pending."""
        self._owed += usage.input_tokens + usage.output_tokens
