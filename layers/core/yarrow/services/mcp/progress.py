"""What an MCP server tells of a call that goes on: its progress, for the run's viewers (MCP-01).

Source: MCP 2026-07-28, `basic/patterns/progress`. A server may tell whatever it likes, as often as it likes; of that a
viewer gets one event a second. Nothing of it gives the call more time.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeGuard

EVERY_SECONDS: Final = 1.0
MAX_MESSAGE: Final = 200
"""Characters of what a server says of a step."""
MAX_NUMBER: Final = 10**15
"""Of a progress or total; larger numbers are no longer exact in browsers."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a call is, of a `total` if that is known. `tool` is its name for models."""

    server: str
    tool: str
    progress: float
    total: float | None = None
    message: str | None = None
    status: Literal["running", "completed", "failed"] = "running"


TellProgress = Callable[[str | None, Progress], Awaitable[None]]
"""Shows the progress of the call with an idempotency key; None for a call without one."""


class CallProgress:
    """The progress of one call, which `tell` shows; `clock` is monotonic, in seconds."""

    def __init__(
        self,
        server: str,
        tool: str,
        key: str | None,
        tell: TellProgress,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._server = server
        self._tool = tool
        self._key = key
        self._tell = tell
        self._clock = clock
        self._latest: Progress | None = None
        self._told_at = float("-inf")
        self._is_shown = False

    async def take(self, params: Mapping[str, Any]) -> None:
        """Take the parameters of a notification; those that are malformed, or do not go on, are skipped."""
        progress, total, message = params.get("progress"), params.get("total"), params.get("message")
        if not _is_number(progress) or (self._latest is not None and progress <= self._latest.progress):
            return
        self._latest = Progress(
            self._server,
            self._tool,
            progress,
            total if _is_number(total) else None,
            message[:MAX_MESSAGE] if isinstance(message, str) and message else None,
        )
        if self._clock() - self._told_at >= EVERY_SECONDS:
            self._told_at = self._clock()
            self._is_shown = True
            await self._tell(self._key, self._latest)

    async def end(self, *, failed: bool) -> None:
        """Show that the call has ended, if anything of it was shown."""
        if self._latest is not None and self._is_shown:
            await self._tell(self._key, replace(self._latest, status="failed" if failed else "completed"))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER
