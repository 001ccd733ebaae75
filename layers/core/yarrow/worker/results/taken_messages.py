"""Messages that the user adds while the run goes on: shown once over all workers, and kept in their place (RNR-87)."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from yarrow.protocol.events import events
from yarrow.protocol.events.order import EventOrder
from yarrow.runs.added_messages import is_taken, taken_event
from yarrow.store.runs import OutputMessage

if TYPE_CHECKING:
    from yarrow.worker.results.emitter import Emitter


class _Taken(NamedTuple):
    message: OutputMessage
    after: str | None
    """The id of the last message of the assistant that began before it was taken."""


class TakenMessages:
    """What the runner has taken. `emitted` are the events of earlier workers, `earlier` those of runs before this one,
    whose messages are stored. `end_speech` ends what the agent is saying.
    """

    def __init__(
        self,
        order: EventOrder,
        ids: events.RunIds,
        emitted: Iterable[events.Event],
        earlier: Iterable[events.Event],
        end_speech: Callable[[], Awaitable[None]],
        emitter: "Emitter",
    ) -> None:
        self.lock = asyncio.Lock()
        """Held while a result is applied, or messages are shown."""
        self._order = order
        self._ids = ids
        self._end_speech = end_speech
        self._emitter = emitter
        self._shown = {event.value["id"] for event in earlier if is_taken(event)}
        self._taken: list[_Taken] = []
        last: str | None = None
        for event in emitted:
            if isinstance(event, events.TextMessageStart):
                last = event.message_id
            elif is_taken(event):
                self._note(event.value["id"], event.value["content"], event.value["sentAt"], last)

    async def show(self, messages: Iterable[Mapping[str, Any]]) -> None:
        """Show messages as the runner gets them, unless an earlier worker has.

        They end what the agent is saying also if they were shown: a rerun says the same messages as its first worker.
        """
        async with self.lock:
            await self._end_speech()
            for message in messages:
                if message["id"] not in self._shown:
                    await self._emitter.write([taken_event(self._ids, dict(message))])
                    last = next(reversed(self._order.texts.text), None)
                    self._note(message["id"], message["content"], message["sent_at"], last)

    def _note(self, name: str, content: str, sent_at: str, after: str | None) -> None:
        self._shown.add(name)
        self._taken.append(_Taken(OutputMessage(name, content, added_at=sent_at), after))

    def placed(self, said: Sequence[OutputMessage]) -> tuple[OutputMessage, ...]:
        """Return the messages of the assistant with those of the user, each where it was taken."""
        by_id = {message.message_id: message for message in said}
        following: dict[str | None, list[OutputMessage]] = {}
        for message, after in self._taken:
            following.setdefault(after, []).append(message)
        # Texts that are not stored now, empty ones and those of earlier runs, keep the order.
        names: list[str | None] = [None, *self._order.texts.text]
        return tuple(
            message
            for name in names
            for message in (*([by_id[name]] if name in by_id else ()), *following.get(name, ()))
        )
