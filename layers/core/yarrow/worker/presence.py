"""Whether somebody watches a run, which decides how often its worker stores events: who streams it has a slot
(`stream_slots`), which the worker looks for now and then beside its writes.
"""

import math
from collections.abc import Callable
from typing import Final

from botocore.exceptions import BotoCoreError, ClientError

from yarrow.observability.logs import logger
from yarrow.store import runs

LOOK_SECONDS: Final = 2.0
"""The pause between two looks while nobody is seen; clients that submit a run and then stream it do so sooner."""
LINGER_SECONDS: Final = 10.0
"""A viewer who was seen counts for so long: one who lost the connection is soon back. The next look comes in half of
it.
"""


class Presence:
    """Whether a run is watched, by its latest `look`; always, without one. Until the first look it is as `expected`.

    Times are those of one clock, in seconds.
    """

    def __init__(self, look: Callable[[], bool] | None = None, *, expected: bool = True) -> None:
        self.is_watched = expected
        self._look = look
        self._due_at: float | None = None
        self._until = -math.inf

    def is_due(self, now: float) -> bool:
        """Return whether to look again. The first time comes LOOK_SECONDS after the first call, or with it if nobody is
        expected.
        """
        if self._look is None:
            return False
        if self._due_at is None:
            self._due_at = now + LOOK_SECONDS if self.is_watched else now
        return now >= self._due_at

    def look(self, now: float) -> None:
        """Look for viewers. A failure leaves what was known, until the next time."""
        if self._look is None:
            return
        self._due_at = now + LOOK_SECONDS
        try:
            if self._look():
                self._until = now + LINGER_SECONDS
                self._due_at = now + LINGER_SECONDS / 2
        except (BotoCoreError, ClientError):
            logger.warning("looking for viewers failed", exc_info=True)
        else:
            self.is_watched = now < self._until


def presence_of(run: runs.Run) -> Presence:
    """Return a run's presence. A workspace's pages are pushed what is stored and take no slots; nobody is expected at a
    job's run.
    """
    if run.workspace is not None:
        return Presence()

    def look() -> bool:
        from yarrow.store.limits import stream_slots  # the first look comes after the first event

        return stream_slots.is_watched(run.user_id, run.key)

    return Presence(look, expected=run.job is None)
