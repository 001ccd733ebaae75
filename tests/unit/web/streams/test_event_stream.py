"""A stream whose client has left gives its slot back, whenever else it is cancelled."""

import asyncio

import pytest

from yarrow.runs.stream_events import Subscription
from yarrow.store import journal
from yarrow.store.limits import stream_slots
from yarrow.web.streams import journal_polling
from yarrow.web.streams.event_stream import EventStreamResponse

SLOT = stream_slots.Slot("alice", "slot")
SCOPE = {"type": "http", "asgi": {"spec_version": "2.3"}}
STEPS = 25
"""Of the event loop; a stream that nothing holds up ends in fewer."""


async def left(steps: int, monkeypatch: pytest.MonkeyPatch) -> list[stream_slots.Slot]:
    """The slots given back by the time a stream has ended that is cancelled so many steps after its client left."""
    released: list[stream_slots.Slot] = []
    polled, gone, loop = asyncio.Event(), asyncio.Event(), asyncio.get_running_loop()

    def read(*_: object) -> list[journal.Batch]:
        loop.call_soon_threadsafe(polled.set)
        return []

    async def receive() -> dict[str, str]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(_: object) -> None:
        """The chunk is taken at once."""

    monkeypatch.setattr(journal_polling, "_read", read)
    monkeypatch.setattr("yarrow.web.streams.journal_polling.LivenessWatch.check", lambda _: None)
    monkeypatch.setattr("yarrow.web.streams.event_stream.release_slot", lambda slot, _, **__: released.append(slot))
    response = EventStreamResponse(Subscription("key", 0, journal.Position(), 300, None, SLOT), 100)
    stream = asyncio.create_task(response(SCOPE, receive, send))
    await polled.wait()
    gone.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    stream.cancel()
    await asyncio.wait({stream})
    return released


@pytest.mark.parametrize("steps", range(STEPS))
def test_a_stream_that_is_cancelled_while_it_ends_gives_its_slot_back(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-06: as `lambda_http` cancels an app that takes a second to end after its client left."""
    assert asyncio.run(left(steps, monkeypatch)) == [SLOT]
