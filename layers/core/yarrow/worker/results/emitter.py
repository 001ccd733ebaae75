"""Writes the events of a run's results, each once over all workers, and within the limits of what is stored."""

from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from yarrow.protocol.events import events
from yarrow.protocol.runner.vocabulary import MESSAGE_TAKEN
from yarrow.worker import outcomes
from yarrow.worker.journal_writer import JournalWriter
from yarrow.worker.runner_loop import RunnerFailedError

_ANNOUNCEMENTS: Final = (
    events.Custom,
    events.StateSnapshot,
    events.StateDelta,
    events.ActivitySnapshot,
    events.ActivityDelta,
)


class Emitter:
    """Writes events of one run. `emitted` are those that earlier workers and runs of its log emitted."""

    def __init__(
        self,
        writer: JournalWriter,
        ids: events.RunIds,
        emitted: Iterable[events.Event],
        max_messages: int = outcomes.MAX_MESSAGES,
    ) -> None:
        self._writer = writer
        self._ids = ids
        self._max_messages = max_messages
        announced = (event for event in emitted if isinstance(event, _ANNOUNCEMENTS) and not _is_of_host(event))
        self._announced = deque(map(events.encode, announced))
        """Events without an order of their own that an earlier worker emitted: repeated in turn, they are not emitted
        again.
        """

    async def write(self, written: Iterable[events.Event]) -> None:
        """Write events. Raises RunnerFailedError for one message too many, or an event that is too large."""
        for event in written:
            if not isinstance(event, events.TextMessageContent | events.ToolCallArgs):  # MAX_DELTA_LENGTH bounds these
                self._check_size(event)
            await self._writer.write(event)

    async def announce(self, announced: Iterable[events.Event]) -> None:
        """Write events that may occur anywhere, unless an earlier worker wrote them in the same order."""
        for event in announced:
            if self._announced and self._announced[0] == events.encode(event):
                self._announced.popleft()
            else:
                self._announced.clear()
                await self.write([self._attributed(event)])

    def custom(self, name: str, value: Any) -> events.Event:
        """Return an event of the agent's own."""
        return events.Custom(**self._ids, name=name, value=value)

    def _attributed(self, event: events.Event) -> events.Event:
        """Return an event that is the run's own agent's if a nested one that has ended shows something new."""
        if not isinstance(event, events.ActivitySnapshot) or event.subagent_run_id is None:
            return event
        return replace(event, subagent_run_id=self._writer.order.active(event.subagent_run_id))

    def _check_size(self, event: events.Event) -> None:
        """Raise RunnerFailedError for one message too many, or an event that is too large."""
        order = self._writer.order
        is_full = sum(name not in order.owners for name in order.texts.text) >= self._max_messages
        if is_full and isinstance(event, events.TextMessageStart) and event.subagent_run_id is None:
            raise RunnerFailedError("payload_too_large", "the agent sent too many messages")
        outcomes.item_bytes(events.encode(event))


def _is_of_host(event: events.Event) -> bool:
    """Whether an event is of the host, which no rerun repeats: a tool's progress, or a message of the user."""
    if isinstance(event, events.Custom):
        return event.name == MESSAGE_TAKEN
    return isinstance(event, events.ActivitySnapshot) and event.activity_type == events.TOOL_PROGRESS
