"""Timeout and retries of one request."""

import asyncio
import random
import time
from typing import Final

from yarrow.protocol.runner.api import AgentAPIException
from yarrow.services.models.call import StreamLimits

REQUEST_SECONDS = 120.0
"""Limit of a whole answer with its retries, or of a stream's first event and each silence after it."""
TRIES = 4
FIRST_WAIT_SECONDS = 0.5
"""Doubles with each try, unless the provider gives a wait."""

_random: Final = random.SystemRandom()


class Attempts:
    """The tries of one request.

    `deadline_at` is in epoch seconds (RNR-70). Raises `deadline_exceeded`.
    """

    def __init__(self, deadline_at: float) -> None:
        self._deadline = time.monotonic() + deadline_at - time.time()
        self._end = min(time.monotonic() + REQUEST_SECONDS, self._deadline)
        self._failed = 0
        self.seconds()

    def seconds(self) -> float:
        """The next try's timeout. Raises `deadline_exceeded`."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise AgentAPIException("deadline_exceeded", "The run has no time left for the model.")
        return left

    def stream_limits(self) -> StreamLimits:
        """The next try's limits. Raises `deadline_exceeded`."""
        return StreamLimits(self.seconds(), REQUEST_SECONDS, self._deadline - time.monotonic())

    async def wait_or_raise(self, failure: AgentAPIException) -> None:
        """Wait for the next try, or raise the failure."""
        self._failed += 1
        wait = failure.error.details.get("retry_after_seconds")
        if wait is None:
            wait = FIRST_WAIT_SECONDS * 2 ** (self._failed - 1) * _random.uniform(0.5, 1)
        if not failure.error.retryable or self._failed == TRIES or time.monotonic() + wait >= self._end:
            raise failure
        await asyncio.sleep(wait)
