"""The progress of a run's tool calls, as activities that its viewers see while the runner waits (MCP-01).

It comes from outside the runner's results, and another worker's call tells it otherwise: these activities are no part
of what a rerun has to repeat.
"""

import asyncio
import uuid
from typing import TYPE_CHECKING, Any, Final

from yarrow.protocol.events import events
from yarrow.store import table
from yarrow.worker.journal_writer import JournalWriter

if TYPE_CHECKING:
    from yarrow.services.mcp.progress import Progress

MAX_EVENTS: Final = 300
"""Of a run; later progress is not shown."""

_NAMESPACE: Final = uuid.UUID("5c0e2f9b-1d77-5a44-9f0c-70726f677265")


class ToolProgress:
    """Shows progress from `begin` until `close`; before and after, `tell` does nothing."""

    def __init__(self) -> None:
        self._writer: JournalWriter | None = None
        self._ids: events.RunIds | None = None
        self._log_key = ""
        self._left = MAX_EVENTS
        self._writing = asyncio.Lock()

    def begin(self, writer: JournalWriter, ids: events.RunIds, log_key: str) -> None:
        self._writer, self._ids, self._log_key = writer, ids, log_key

    async def close(self) -> None:
        """Show nothing from now on; what is being written is written first, so that nothing follows the run's end."""
        async with self._writing:
            self._writer = None

    async def tell(self, key: str | None, progress: "Progress") -> None:
        async with self._writing:
            if self._writer is None or self._ids is None or self._left == 0:
                return
            self._left -= 1
            name = f"{self._log_key}/{key or progress.tool}"
            shown = events.ActivitySnapshot(
                **self._ids,
                message_id=str(uuid.uuid5(_NAMESPACE, name)),
                activity_type=events.TOOL_PROGRESS,
                content=self._content(self._writer, progress),
            )
            try:
                await self._writer.write(shown)
            except table.ConditionFailedError:  # the run has ended: its next event says so
                self._writer = None

    @staticmethod
    def _content(writer: JournalWriter, progress: "Progress") -> dict[str, Any]:
        order = writer.order
        calls = [call for call, tool in order.tools.items() if tool == progress.tool and call not in order.results]
        optional = {"total": progress.total, "message": progress.message}
        return {
            "server": progress.server,
            "tool": progress.tool,
            **({"toolCallId": calls[0]} if len(calls) == 1 else {}),
            "status": progress.status,
            "progress": progress.progress,
            **{name: value for name, value in optional.items() if value is not None},
        }
