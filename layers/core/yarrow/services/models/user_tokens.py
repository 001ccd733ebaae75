"""A user's model tokens per day, over all runs and processes.

A call reserves its expected tokens and settles the difference afterwards. It is admitted while any are left: the limit
may be exceeded by one call, plus what active calls use beyond their reservations (RunsPerUser runs, each MAX_AT_ONCE
calls; `api.run_api`).
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
    expected: int
    used: int | None = None

    def spend(self, usage: ModelUsage) -> None:
        self.used = usage.input_tokens + usage.output_tokens


class UserTokens:
    """A user's tokens left today; `most` is the daily limit."""

    def __init__(self, user_id: str, most: int) -> None:
        self._user_id = user_id
        self._most = most

    @asynccontextmanager
    async def reserved(self, expected: int) -> AsyncIterator[Reservation]:
        """Reserve tokens around a call. Raises `rate_limited` if none are left.

        A refused call costs nothing. An interrupted one keeps its reservation, as its cost is unknown.
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
