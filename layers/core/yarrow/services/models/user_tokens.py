"""The tokens of a user and day: counted in the table, over all runs and processes.

A call reserves what it is expected to use before it is made and settles the difference after it. It is made while
anything is left, so the day's limit is passed by at most that call, and by what the calls under way use beyond what
they reserved: a user has RunsPerUser runs at once and each of them MAX_AT_ONCE calls (`api.run_api`).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.protocol.runner.api import AgentAPIException, ModelUsage
from yarrow.store.limits import usage


@dataclass
class Reservation:
    """What a call is expected to use, and what it did use once that is known."""

    expected: int
    used: int | None = None

    def spend(self, usage: ModelUsage) -> None:
        """What it did use."""
        self.used = usage.input_tokens + usage.output_tokens


class UserTokens:
    """What is left today for the models of a user's runs; `most` a day."""

    def __init__(self, user_id: str, most: int) -> None:
        self._user_id = user_id
        self._most = most

    @asynccontextmanager
    async def reserved(self, expected: int) -> AsyncIterator[Reservation]:
        """Around a call. Raises `rate_limited` when nothing is left.

        A call that is refused costs nothing; one that is broken off may have cost anything, so its reservation stays.
        """
        day = await asyncio.to_thread(usage.reserve_tokens, self._user_id, expected, self._most)
        if day is None:
            raise AgentAPIException("rate_limited", "The user's model tokens of the day are used up.")
        reservation = Reservation(expected)
        try:
            yield reservation
        except AgentAPIException as error:
            if reservation.used is None and error.error.code != "deadline_exceeded":
                reservation.used = 0
            raise
        finally:
            if reservation.used is not None and reservation.used != expected:
                await self._settle(day, reservation.used - expected)

    async def _settle(self, day: dict[str, str], more: int) -> None:
        try:
            await asyncio.to_thread(usage.settle_tokens, day, more)
        except (BotoCoreError, ClientError):
            logger.warning("a reservation of tokens was not settled", exc_info=True)
