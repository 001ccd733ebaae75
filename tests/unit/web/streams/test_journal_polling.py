"""How a stream reads its run's journal: what it does besides, on virtual time."""

import time
from itertools import pairwise

import pytest

from tests.support import virtual_time
from yarrow.runs.stream_events import Subscription
from yarrow.store import journal
from yarrow.store.limits import stream_slots
from yarrow.web.streams import journal_polling

SECONDS = 900
SLOT = stream_slots.Slot("alice", "slot")


def test_a_slot_is_renewed_for_as_long_as_its_stream_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """EVT-06: before it expires, and seldom."""
    renewed: list[float] = [0.0]
    monkeypatch.setattr(journal_polling, "_read", lambda *_: [])
    monkeypatch.setattr("yarrow.web.streams.journal_polling.LivenessWatch.check", lambda _: None)
    monkeypatch.setattr(stream_slots, "renew", lambda _: renewed.append(time.monotonic()))

    async def watch() -> None:
        async for _ in journal_polling.read_on(
            Subscription("key", 0, journal.Position(), SECONDS, None, SLOT), SECONDS
        ):
            pass

    virtual_time.run(watch())
    apart = [later - earlier for earlier, later in pairwise([*renewed, SECONDS])]
    assert max(apart) < stream_slots.SLOT_SECONDS / 2
    assert min(apart[:-1]) >= stream_slots.RENEW_SECONDS
